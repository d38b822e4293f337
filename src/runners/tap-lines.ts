/** The Test Anything Protocol as lines: points with their directives, YAML and children; plans, comments, bail-outs. */

export type TapPoint = {
  ok: boolean;
  id: number | null;
  name: string;
  directive: 'skip' | 'todo' | null;
  /** Text after the directive. */
  why: string;
  yaml: string[];
  children: TapPoint[];
  /** Names in the `# Subtest: name` comment just before, at the same depth; undefined without one. */
  announced: string | undefined;
  /** Last other comment before the point: tape names its tests so. */
  heading: string;
  /** 0-based. */
  index: number;
  depth: number;
};

export type TapComment = { text: string; index: number; depth: number };

export type TapDocument = {
  version: number | null;
  points: TapPoint[];
  plans: { count: number; index: number; depth: number; why: string }[];
  comments: TapComment[];
  bailOut: { text: string; index: number } | null;
  /** Lines at depth 0 that are no TAP. */
  noise: { text: string; index: number }[];
};

const POINT = /^( *)(not )?ok(?: (\d+))?(?: -)?(?: (.*))?$/;
const PLAN = /^( *)1\.\.(\d+)(?: *# *(.*))?$/;
const DIRECTIVE = /(?:^|\s)#\s*(skip|todo)(?:\S*)(?:\s+(.*))?$/i;

/** Splits at the last unescaped directive; names keep their text with `\#` and `\\` undone. */
function nameOf(rest: string): Pick<TapPoint, 'name' | 'directive' | 'why'> {
  let text = rest.replace(/ \{$/, '');
  const time = /\s+# time=[\d.]+m?s$/.exec(text);
  if (time !== null) text = text.slice(0, time.index);
  const match = DIRECTIVE.exec(text);
  if (match === null || text.charAt(match.index) === '\\') return { name: undoEscapes(text), directive: null, why: '' };
  const directive = match[1]?.toLowerCase() === 'skip' ? 'skip' : 'todo';
  return { name: undoEscapes(text.slice(0, match.index)), directive, why: (match[2] ?? '').trim() };
}

function undoEscapes(name: string): string {
  return name.trim().replace(/\\+([#nrtbfv])/g, (whole, letter: string) => {
    if (letter === '#') return '#';
    const plain: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };
    return whole.length > 2 ? (plain[letter] ?? whole) : whole;
  });
}

export function tapDocument(lines: readonly string[]): TapDocument {
  const document: TapDocument = { version: null, points: [], plans: [], comments: [], bailOut: null, noise: [] };
  // Children come before their parent at a smaller indent (node:test), or inside its braces (vitest).
  const waiting: TapPoint[] = [];
  const open: TapPoint[] = [];
  const announced = new Map<number, string>();
  let heading = '';
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const first = line.trimStart();
    const depth = line.length - first.length;
    if (first === '') continue;
    if (first === '}' && open.length > 0) {
      open.pop();
      continue;
    }
    const start = first.charCodeAt(0);
    // o, n
    if (start === 111 || start === 110) {
      const match = POINT.exec(line);
      if (match !== null) {
        const rest = match[4] ?? '';
        const point: TapPoint = {
          ok: match[2] === undefined,
          id: match[3] === undefined ? null : Number(match[3]),
          ...nameOf(rest),
          yaml: [],
          children: [],
          announced: announced.get(depth),
          heading,
          index: i,
          depth,
        };
        announced.delete(depth);
        const yamlEnd = yamlBlock(lines, i + 1, depth);
        if (yamlEnd > i) {
          point.yaml = lines.slice(i + 2, yamlEnd);
          i = yamlEnd;
        }
        const braces = rest.endsWith(' {');
        const parent = open[open.length - 1];
        if (parent !== undefined) parent.children.push(point);
        else {
          while (waiting.length > 0 && (waiting[waiting.length - 1]?.depth ?? 0) > depth) {
            const child = waiting.pop();
            if (child !== undefined) point.children.unshift(child);
          }
          waiting.push(point);
        }
        if (braces) open.push(point);
        continue;
      }
    }
    // #
    if (start === 35) {
      const text = first.slice(1).replace(/^ /, '');
      if (text.startsWith('Subtest: ')) announced.set(depth, undoEscapes(text.slice(9)));
      else {
        if (depth === 0) heading = text.trim();
        document.comments.push({ text, index: i, depth });
      }
      continue;
    }
    // 1
    if (start === 49) {
      const match = PLAN.exec(line);
      if (match !== null) {
        document.plans.push({ count: Number(match[2]), index: i, depth, why: match[3] ?? '' });
        continue;
      }
    }
    if (depth === 0 && /^TAP version \d+$/.test(first)) {
      document.version = Number(first.slice(12));
      continue;
    }
    if (first.startsWith('Bail out!')) {
      document.bailOut ??= { text: first.slice(9).trim(), index: i };
      continue;
    }
    if (depth === 0) document.noise.push({ text: line, index: i });
  }
  document.points = waiting;
  return document;
}

/** Index of the closing `...`, or -1. A block that never closes is none. */
function yamlBlock(lines: readonly string[], from: number, depth: number): number {
  const opening = lines[from] ?? '';
  const indent = opening.length - opening.trimStart().length;
  if (opening.trim() !== '---' || indent < depth) return -1;
  for (let i = from + 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '...' && line.length - line.trimStart().length === indent) return i;
  }
  return -1;
}

/** Value of a top-level key of a point's YAML, quotes removed; undefined when it is not there. */
export function yamlValue(yaml: readonly string[], key: string): string | undefined {
  const base = (yaml[0] ?? '').length - (yaml[0] ?? '').trimStart().length;
  for (const line of yaml) {
    if (line.length - line.trimStart().length !== base) continue;
    const match = /^\s*([\w ]+?)\s*:\s*(.*)$/.exec(line);
    if (match?.[1] === key) return (match[2] ?? '').replace(/^(['"])(.*)\1$/, '$2');
  }
  return undefined;
}

/** `# name N` comments at depth 0, the last of each. */
export function tapCounts(document: TapDocument): Map<string, { value: number; index: number }> {
  const counts = new Map<string, { value: number; index: number }>();
  for (const comment of document.comments) {
    const match =
      comment.depth === 0
        ? /^(tests|suites|pass|fail|cancelled|skipped|skip|todo|duration_ms)\s+([\d.]+)$/.exec(comment.text)
        : null;
    if (match?.[1] !== undefined) counts.set(match[1], { value: Number(match[2]), index: comment.index });
  }
  return counts;
}
