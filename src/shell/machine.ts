import { resolve } from 'node:path';
import type { CommandNode, Function as FunctionNode, Script, Statement } from 'unbash';
import type { Delivery, Effect, GitTarget, HookSkip, Invocation, Mask, Op } from './effect.ts';
import { expand } from './glob.ts';
import { alternatives, hasGlob, plain, UNKNOWN } from './marks.ts';
import type { TreePort } from './port.ts';
import type { Parsed, Row } from './row.ts';
import type { Language } from './tokens.ts';

/** Text a program prints or a file holds, found out only when somebody needs it. */
export type Text = () => string;

export const nothing: Text = () => '';
export const unknown: Text = () => UNKNOWN;

export function once(make: Text): Text {
  let value: string | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** What a shell remembers; copied for a subshell. */
export type Scope = {
  /** More than one where a `cd` may or may not have happened. */
  cwd: string[];
  vars: Map<string, string[]>;
  args: string[];
  functions: Map<string, FunctionNode['body'] | null>;
  aliases: Map<string, string>;
  stack: string[][];
  exported: Set<string>;
  /** Something unreadable was sourced: an unset variable may hold anything. */
  loose: boolean;
  errexit: boolean;
  pipefail: boolean;
  globstar: boolean;
  /** Nothing after this point runs. */
  dead: boolean;
};

export const copyScope = (scope: Scope): Scope => ({
  ...scope,
  cwd: [...scope.cwd],
  vars: new Map(scope.vars),
  functions: new Map(scope.functions),
  aliases: new Map(scope.aliases),
  stack: [...scope.stack],
  exported: new Set(scope.exported),
});

export type Call = { scope: Scope; stdin: Text; env?: Record<string, string> };

type Command = (m: Machine, args: string[], call: Call) => Text;
type Named = (m: Machine, name: string, args: string[], call: Call) => Text;

/** Undefined for a program it does not know. */
type Special = (m: Machine, name: string, args: string[], call: Call) => Text | undefined;

/** Parts of the reader that load on need. */
export type Parts = {
  grammar(): Pick<typeof import('unbash'), 'parse' | 'forEachChild'>;
  git(): { gitCommand: Command };
  interpreters(): {
    interpreter: Named;
    scriptFile(m: Machine, name: string | undefined, file: string, args: string[], call: Call): Text;
  };
  edit(): {
    sed: Named;
    onlyLooks(m: Machine, name: string, args: string[], call: Call): boolean;
    perl(m: Machine, before: number, via: string, code: string, whole: boolean): void;
  };
  /** The text of programs, read only where there is one. */
  code(): {
    readCode(m: Machine, source: string, language: Language, argv: string[], via: string, call: Call): void;
  };
  packages(): { packageCommand: Special };
  far(): {
    farCommand: Special;
    sweep(m: Machine, call: Call, via: string, row: Row, parsed: Parsed, operands: string[]): void;
    grepFiles(m: Machine, args: string[], call: Call, rg: boolean): string;
    pythonArchive(m: Machine, module: string, args: string[], call: Call): void;
  };
};

export type Machine = {
  parts: Parts;
  root: string;
  home: string;
  env: Record<string, string | undefined>;
  tree: TreePort;
  effects: Effect[];
  invocations: Invocation[];
  deliveries: Delivery[];
  hookSkips: HookSkip[];
  scripts: Set<string>;
  opaque: string[];
  /** Files written by this very command, with their content. */
  files: Map<string, Text>;
  made: Set<string>;
  links: Map<string, string>;
  gitAliases: Map<string, string>;
  /** Commands left to read before the rest counts as unread. */
  budget: number;
  depth: number;
  span: [number, number] | undefined;
  /** False inside re-parsed strings, whose offsets mean nothing in the command text. */
  inText: boolean;
  mask: Mask | undefined;
  /** Reads a script text in the given scope. */
  script(text: string, call: Call): Text;
  ast(script: Script, call: Call): Text;
  list(statements: readonly Statement[], call: Call): Text;
  node(node: CommandNode, call: Call): Text;
  /** Starts a program: fields are final, wrappers not yet peeled. */
  start(argv: string[], call: Call): Text;
};

export const MAX_DEPTH = 48;

/** Runs `body` one level deeper; false when the text nests too deep to follow. */
export function deeper<T>(m: Machine, text: string, otherwise: T, body: () => T, weight = 1): T {
  if (m.depth >= MAX_DEPTH) {
    m.opaque.push(text);
    return otherwise;
  }
  m.depth += weight;
  try {
    return body();
  } finally {
    m.depth -= weight;
  }
}

export function masked<T>(m: Machine, mask: Mask | undefined, body: () => T): T {
  const before = m.mask;
  m.mask = before ?? mask;
  try {
    return body();
  } finally {
    m.mask = before;
  }
}

type Extra = Pick<Effect, 'deep' | 'maybe' | 'content' | 'append'>;

export function effect(m: Machine, op: Op, target: Effect['target'], via: string, extra?: Extra): void {
  if (m.effects.length > 20_000) return;
  m.effects.push({ op, target, via, ...(m.span ? { span: m.span } : {}), ...extra });
}

/** Follows links that this command itself has made. */
function through(m: Machine, path: string): string {
  for (const [link, target] of m.links) {
    if (path === link) continue;
    if (path.startsWith(`${link}/`)) return target + path.slice(link.length);
  }
  return path;
}

const SIMPLE = /^(?!\.{0,2}\/)(?:(?!\/\.{0,2}(?:\/|$)|[\uFDD0-\uFDDF]).)+$/s;

/** Absolute paths a word may name; a word that starts unknown names none. */
export function paths(m: Machine, scope: Scope, word: string): string[] {
  if (
    scope.cwd.length === 1 &&
    m.links.size === 0 &&
    word.length < 256 &&
    SIMPLE.test(word) &&
    !/^\.{1,2}$/.test(word)
  ) {
    const cwd = scope.cwd[0]!;
    return cwd.includes(UNKNOWN) ? [] : [cwd === '/' ? `/${word}` : `${cwd}/${word}`];
  }
  const found: string[] = [];
  for (const option of alternatives(word)) {
    if (option.startsWith(UNKNOWN) || option === '') continue;
    const text = option.replace(/^\/proc\/(?:self|\uFDD0)\/cwd(?=\/|$)/, scope.cwd[0]!);
    for (const cwd of text.startsWith('/') ? ['/'] : scope.cwd) {
      if (cwd.includes(UNKNOWN)) continue;
      found.push(through(m, resolve(cwd, text)));
    }
  }
  return found;
}

export const path = (m: Machine, scope: Scope, word: string): string => paths(m, scope, word)[0] ?? UNKNOWN;

/** Records what happens to the file a word names. */
export function touch(m: Machine, scope: Scope, op: Op, word: string, via: string, extra?: Extra): void {
  if (/^\/dev\/(?!shm\/)/.test(word) || word === '-' || word === '') return;
  const list = paths(m, scope, word);
  if (list.length === 0) effect(m, op, { kind: 'unknown' }, via, extra);
  for (const path of list) {
    if (!path.includes(UNKNOWN) && !hasGlob(path)) {
      // What is written through a link of this command's own making, hard or soft, is what it leads to.
      const at = op === 'write' || op === 'mode' ? (m.links.get(path) ?? path) : path;
      effect(m, op, { kind: 'path', path: at }, via, extra);
      if (op === 'write' || op === 'create') m.made.add(path);
      continue;
    }
    // Known beginning, unknown rest: what is there already, and the pattern for what is not.
    const pattern = path
      .split('/')
      .map(step => (step === UNKNOWN ? '**' : plain(step.replaceAll(UNKNOWN, '*'))))
      .join('/');
    effect(m, op, { kind: 'glob', pattern }, via, extra);
  }
}

export function git(m: Machine, target: Omit<GitTarget, 'kind'>, via: string): void {
  effect(m, 'write', { kind: 'git', ...target }, via);
}

/** Content of a file this command has written, or of a small file in the tree. */
export function fileText(m: Machine, file: string): string | null {
  return textAsOfNow(m, file)();
}

/** To be asked later: by then another text may stand there, made of this one. */
export function textAsOfNow(m: Machine, file: string): () => string | null {
  const own = m.files.get(file);
  if (own) return own;
  if (file.includes(UNKNOWN) || file.startsWith('/dev/') || file.startsWith('/proc/')) return () => null;
  return () => m.tree.readText(file);
}

/** What the program just started takes in and acts on. */
export function readBy(m: Machine, text: string): void {
  const own = m.invocations.at(-1);
  if (own) own.code = text;
}

export const glob = (m: Machine, scope: Scope, word: string): string[] =>
  alternatives(word).flatMap(option => expand(m.tree, scope.cwd[0]!, option, scope.globstar));
