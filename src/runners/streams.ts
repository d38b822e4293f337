/** Workspace tools put several programs' lines into one output, each line with a prefix. Take them apart again. */

export type Stream = {
  /** The prefix's name (`pkg-a:test`, `b`), or null for lines without one. */
  name: string | null;
  lines: string[];
  /** 0-based line of the output for each line. */
  origin: number[];
};

type Prefix = { tool: string; pattern: RegExp };

const PREFIXES: readonly Prefix[] = [
  // turbo: `pkg-b:test: text`, also `@scope/pkg:test:unit: text`
  { tool: 'turbo', pattern: /^((?:@[\w.-]+\/)?[\w.-]+:[\w.:-]*[\w-]): ?(.*)$/ },
  // concurrently and nx (`[b] text`, `[1] text`); wireit and wsrun write the same
  { tool: 'concurrently', pattern: /^\[([^\]\s][^\]]{0,60})\] ?(.*)$/ },
  // pnpm -r: `packages/a test: text`, `packages/a test$ node --test`
  { tool: 'pnpm', pattern: /^((?:[\w.@-]+\/)*[\w.@-]+ [\w:.-]+)(?:: |\$ |:$)(.*)$/ },
  // yarn workspaces foreach -v: `[pkg]: text`; yarn 4: `➤ YN0000: [pkg]: text`
  { tool: 'yarn', pattern: /^(?:➤ YN\d{4}: )?\[((?:@[\w.-]+\/)?[\w.-]+)\]: ?(.*)$/ },
  // lerna --stream and nx --output-style=stream: `pkg: text`
  { tool: 'lerna', pattern: /^((?:@[\w.-]+\/)?[\w.-]+): ?(.*)$/ },
];

/** Lines by which a tool says of itself that it prefixes; without one, words before a colon are just words. */
const TOOL_MARKS: readonly { tool: string; pattern: RegExp }[] = [
  {
    tool: 'turbo',
    pattern:
      /^\s*(?:• (?:turbo \d|Packages in scope:|Running \S+ in \d+ packages?)|Tasks: {2,}\d+ successful, \d+ total)/,
  },
  { tool: 'turbo', pattern: /^(?:@[\w.-]+\/)?[\w.-]+:[\w.:-]+: cache (?:hit|miss|bypass)/ },
  { tool: 'concurrently', pattern: /^\[[^\]]+\] .+ exited with code (?:\d+|SIG\w+)$/ },
  { tool: 'pnpm', pattern: /^(?:[\w.@-]+\/)*[\w.@-]+ [\w:.-]+(?:\$ |: (?:Done|Failed)$)/ },
  { tool: 'pnpm', pattern: /^Scope: (?:all )?\d+ (?:of \d+ )?workspace projects$/ },
  { tool: 'yarn', pattern: /^(?:➤ YN\d{4}: )?\[(?:@[\w.-]+\/)?[\w.-]+\]: Process (?:started|exited)/ },
  { tool: 'lerna', pattern: /^lerna (?:notice|info|success|ERR!)/ },
  { tool: 'lerna', pattern: /^\s*(?:NX|>\s+NX)\s{2,}/ },
];

// Maven's log levels and gtest's or cmocka's boxes stand in brackets too.
const NOT_A_NAME = /^(?:INFO|ERROR|WARN|WARNING|DEBUG|TRACE|FATAL|[\d.,%\s]+%|[^\w]+)$/;

/** The prefix's name and the rest of the line. */
function split(prefix: Prefix, line: string): { name: string; rest: string } | null {
  const match = prefix.pattern.exec(line);
  const name = match?.[1];
  if (match === null || name === undefined || NOT_A_NAME.test(name)) return null;
  return { name, rest: match[2] ?? '' };
}

function toolOf(lines: readonly string[]): Prefix | null {
  for (const mark of TOOL_MARKS) {
    if (!lines.some(line => mark.pattern.test(line))) continue;
    const prefix = PREFIXES.find(candidate => candidate.tool === mark.tool);
    if (prefix !== undefined && share(lines, prefix) >= (mark.tool === 'lerna' ? 0.6 : 0.1)) return prefix;
  }
  // A cut output may have lost the tool's own lines: then nearly every line must carry the prefix.
  if (lines.filter(line => line.trim() !== '').length < 3) return null;
  for (const prefix of PREFIXES) {
    if ((prefix.tool === 'concurrently' || prefix.tool === 'turbo') && share(lines, prefix) >= 0.9) return prefix;
  }
  return null;
}

/** How much of the output carries the prefix; 0 when the "names" are as many as the lines. */
function share(lines: readonly string[], prefix: Prefix): number {
  let filled = 0;
  let hits = 0;
  const names = new Set<string>();
  for (const line of lines) {
    if (line.trim() === '') continue;
    filled++;
    const parts = split(prefix, line);
    if (parts === null) continue;
    hits++;
    if (names.size < 1000) names.add(parts.name);
  }
  return names.size > Math.max(4, hits / 4) ? 0 : hits / filled;
}

/** What a workspace tool says of the whole: null where it says nothing or none is at work. */
export type ToolWord = { complete: boolean; contradiction: string | null };

export function toolWord(lines: readonly string[]): ToolWord | null {
  const turbo = lines.some(line => /^\s*• (?:Packages in scope:|Running \S+ in \d+ packages?)/.test(line));
  if (turbo) {
    const tasks = /^\s*Tasks: +(\d+) successful, (\d+) total/.exec(
      lines.findLast(line => /^\s*Tasks: /.test(line)) ?? '',
    );
    if (tasks === null) return { complete: false, contradiction: null };
    const all = tasks[1] === tasks[2];
    return { complete: true, contradiction: all ? null : `turbo: ${tasks[1]} of ${tasks[2]} tasks were successful` };
  }
  const exits = new Map<string, string>();
  const names = new Set<string>();
  for (const line of lines) {
    const name = /^\[([^\]\s][^\]]{0,60})\] /.exec(line)?.[1];
    if (name === undefined || NOT_A_NAME.test(name)) continue;
    names.add(name);
    const code = /^\[[^\]]+\] .+ exited with code (\d+|SIG\w+)$/.exec(line)?.[1];
    if (code !== undefined) exits.set(name, code);
  }
  if (exits.size === 0) return null;
  const bad = [...exits].find(([, code]) => code !== '0');
  return {
    complete: exits.size === names.size,
    contradiction: bad === undefined ? null : `${bad[0]} exited with code ${bad[1]}`,
  };
}

/** One stream per prefix, in order of appearance; lines without a prefix come first under the name null. */
export function streams(lines: string[]): Stream[] {
  const prefix = toolOf(lines);
  if (prefix === null) return [{ name: null, lines, origin: lines.map((_, index) => index) }];
  const bare: Stream = { name: null, lines: [], origin: [] };
  const named = new Map<string, Stream>();
  lines.forEach((line, index) => {
    const parts = split(prefix, line);
    if (parts === null) {
      bare.lines.push(line);
      bare.origin.push(index);
      return;
    }
    let stream = named.get(parts.name);
    if (stream === undefined) {
      stream = { name: parts.name, lines: [], origin: [] };
      named.set(parts.name, stream);
    }
    stream.lines.push(parts.rest);
    stream.origin.push(index);
  });
  return [bare, ...named.values()];
}
