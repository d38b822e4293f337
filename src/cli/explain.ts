import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { decode } from '../agents/registry.ts';
import { decide } from '../decide.ts';
import * as engine from '../engine.ts';
import type { Deny, Event } from '../event.ts';
import type { View } from '../guards/guard.ts';
import * as oracle from '../oracle.ts';
import * as rules from '../rules.ts';
import * as shell from '../shell/index.ts';
import { readPlain } from '../shell/plain.ts';
import { findRoot } from '../state/paths.ts';
import { type Loaders, viewOf } from '../view.ts';
import { type CliCommand, print, printJson, UsageError } from './command.ts';

type Options = { payload?: string; json?: boolean };

/** The question the pre-tool-use hook answers, asked ahead: nothing is run, used up or logged. */
export const explain: CliCommand = {
  define(command: Command) {
    command
      .argument('[command]', 'a shell command, as one word')
      .option(
        '--payload <file>',
        "a hook's payload instead: JSON with tool_name and tool_input; - reads standard input",
      )
      .option('--json', 'print it as JSON')
      .action(act);
  },
};

const loaders: Loaders = {
  shell: () => shell,
  plain: (command, cwd) => readPlain(command, { cwd }),
  engine: () => engine,
  oracle: () => oracle,
  rules: () => rules,
};

function act(command: string | undefined, options: Options): void {
  const told = explained(eventOf(command, options.payload));
  if (options.json) printJson(told);
  else print(lines(told).join('\n'));
  process.exitCode = told.decision === 'allow' ? 0 : 1;
}

export type Explained = {
  decision: 'allow' | 'deny';
  root: string;
  /** The first is what the agent would hear. */
  refusals: Omit<Deny, 'kind'>[];
  touches: { op: string; path: string; via: string }[];
  /** Patterns whose files are not known yet. */
  patterns: string[];
  /** Script files it would run; what they do is read where they are small enough. */
  scripts: string[];
  /** Something is written where the text does not say. */
  unknown: string[];
  unread: string[];
};

export function explained(event: Event): Explained {
  const root = findRoot(event.cwd, event.projectDir);
  const view = viewOf(event, root, loaders);
  const { refusals } = decide(event, view);
  return {
    decision: refusals.length === 0 ? 'allow' : 'deny',
    root,
    refusals: refusals.map(({ rule, reason, next }) => ({ rule, reason, ...(next === undefined ? {} : { next }) })),
    touches: touches(view),
    patterns: view.globs().map(g => g.pattern),
    scripts: view.reading()?.scripts ?? [],
    unknown: unknown(view),
    unread: view.reading()?.opaque ?? [],
  };
}

function touches(view: View): Explained['touches'] {
  const all = view.touches().map(t => ({ op: t.op, path: t.at.rel === '' ? '.' : (t.at.rel ?? t.at.abs), via: t.via }));
  return [...new Map(all.map(t => [`${t.op} ${t.path} ${t.via}`, t])).values()];
}

function unknown(view: View): string[] {
  const vias = (view.reading()?.effects ?? []).flatMap(e => (e.target.kind === 'unknown' ? [e.via] : []));
  return [...new Set(vias)];
}

function lines(told: Explained): string[] {
  const out = told.touches.map(t => `  ${t.op.padEnd(7)} ${t.path}  (${t.via})`);
  out.push(...told.patterns.map(p => `  write   ${p}  (a pattern)`));
  out.push(...told.scripts.map(s => `  runs    ${s}`));
  out.push(...told.unknown.map(via => `  write   somewhere the text does not say  (${via})`));
  out.push(...told.unread.map(text => `  unread  ${text.split('\n')[0]!.slice(0, 120)}`));
  const [first, ...others] = told.refusals;
  const seen = out.length > 0 ? ['would touch:', ...out] : ['would touch no file'];
  if (!first) return ['allow: no rule objects', ...seen];
  return [
    `deny: ${first.rule}`,
    `why:  ${first.reason}`,
    ...(first.next === undefined ? [] : [`next: ${first.next}`]),
    ...others.map(o => `also: ${o.rule}: ${o.reason}`),
    ...seen,
  ];
}

function eventOf(command: string | undefined, payload: string | undefined): Event {
  if ((command === undefined) === (payload === undefined))
    throw new UsageError('bad-usage', 'explain: give a command in quotes or --payload FILE, one of the two');
  if (command !== undefined) {
    return {
      kind: 'pre-tool',
      agent: 'claude-code',
      session: '',
      cwd: process.cwd(),
      projectDir: process.env.CLAUDE_PROJECT_DIR || undefined,
      call: { tool: 'Bash', writes: [], command, input: { command } },
    };
  }
  const decoded = decode(readPayload(payload!), 'pre-tool');
  if (decoded.kind === 'invalid') throw new UsageError('bad-payload', `explain --payload ${payload}: ${decoded.why}`);
  if (decoded.event.kind !== 'pre-tool')
    throw new UsageError('bad-payload', `explain --payload ${payload}: give a PreToolUse payload`);
  return decoded.event;
}

function readPayload(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new UsageError('no-payload', `explain --payload ${path}: cannot be read (${code})`);
  }
}
