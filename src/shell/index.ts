import type { Command, Script, Word } from 'unbash';
import type { Effect, Reading } from './effect.ts';
import { deeper, type Machine, type Scope, unknown } from './machine.ts';
import { clean } from './marks.ts';
import { demandWhole, parts } from './parts.ts';
import { diskPort, type ShellContext } from './port.ts';
import { start } from './run.ts';
import { simpleScript } from './simple.ts';
import { list, node, script } from './walk.ts';
import { setWordParser } from './words.ts';

export type { Delivery, Effect, HookSkip, Invocation, Mask, Op, Reading, Target } from './effect.ts';
export { readPowershell } from './parts.ts';
export type { ShellContext, TreePort } from './port.ts';

/** The system takes no single argument longer than this, so a shell never gets to run one that is. */
const MAX_COMMAND = 128 * 1024;
const BUDGET = 5_000;

/** The grammar is loaded for what is not simple. */
const parse = (text: string): Script => simpleScript(text) ?? parts.grammar().parse(text);

setWordParser(
  text => (parts.grammar().parse(`: ${text}`).commands[0]?.command as Command | undefined)?.args[0] as Word | undefined,
);

function newMachine(ctx: ShellContext): Machine {
  const env = ctx.env ?? process.env;
  const m: Machine = {
    parts,
    root: ctx.root,
    home: ctx.home ?? env.HOME ?? '/root',
    env,
    tree: ctx.fs ?? diskPort,
    effects: [],
    invocations: [],
    deliveries: [],
    hookSkips: [],
    scripts: new Set(),
    opaque: [],
    files: new Map(),
    made: new Set(),
    links: new Map(),
    gitAliases: new Map(),
    budget: BUDGET,
    depth: 0,
    span: undefined,
    inText: true,
    mask: undefined,
    script: (text, call) =>
      deeper(m, text, unknown, () => {
        if (text.length > MAX_COMMAND) {
          m.opaque.push(text);
          return unknown;
        }
        const before = m.inText;
        m.inText = false;
        const out = m.ast(parse(text), call);
        m.inText = before;
        return out;
      }),
    ast: (tree, call) => script(m, tree, 'source' in tree ? (tree.source ?? '') : '', call),
    list: (statements, call) => list(m, statements, call),
    node: (item, call) => node(m, item, call),
    start: (argv, call) => start(m, argv, call),
  };
  return m;
}

const newScope = (cwd: string): Scope => ({
  cwd: [cwd],
  vars: new Map(),
  args: [],
  functions: new Map(),
  aliases: new Map(),
  stack: [],
  exported: new Set(),
  loose: false,
  errexit: false,
  pipefail: false,
  globstar: false,
  dead: false,
});

/** What a bash command would do, without running it. What it cannot follow is opaque; throws only where it is not whole itself. */
export function readCommand(command: string, ctx: ShellContext): Reading {
  const m = newMachine(ctx);
  const text = clean(command);
  if (text.length > MAX_COMMAND) m.opaque.push(command);
  else
    try {
      const tree: Script = parse(text);
      script(m, tree, text, { scope: newScope(ctx.cwd), stdin: unknown });
    } catch {
      m.opaque.push(command);
    }
  demandWhole();
  return reading(m, command);
}

function reading(m: Machine, command: string): Reading {
  // A part without text of its own stands for the whole command.
  const opaque = [...new Set(m.opaque.map(part => (part.replace(/[\uFDD0-\uFDDF]/g, '') === '' ? command : part)))];
  return {
    effects: m.effects,
    invocations: m.invocations,
    deliveries: m.deliveries,
    hookSkips: m.hookSkips,
    scripts: [...m.scripts],
    opaque,
  };
}

/** The bare list of file effects. */
export function effects(command: string, cwd: string, env?: Record<string, string | undefined>): Effect[] {
  return readCommand(command, { cwd, root: cwd, ...(env ? { env } : {}) }).effects;
}
