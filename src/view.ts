/** The lazy view of state that guards judge by: each answer is read from disk once, and only when asked. */
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type ProjectRead, readProject } from './config/project.ts';
import type { Decision, Event } from './event.ts';
import { readTrace } from './freeze/trace.ts';
import type { Rules, Touch, View } from './guards/guard.ts';
import { hookWords } from './guards/hook-words.ts';
import type { Invocation, Reading } from './shell/effect.ts';
import { foldsCase, type Located, locate, statePath } from './state/paths.ts';
import { readRefused } from './state/refused.ts';
import { allowPurpose, peek } from './state/token.ts';
import { firstBelow, linkedFile } from './tree-look.ts';
import type { Freshness } from './verdict/freshness.ts';
import type { Standing } from './verdict/standing.ts';

/** What is loaded only on need: the shell reader, and the engine that may ask git. */
export type Loaders = {
  shell(): Pick<typeof import('./shell/index.ts'), 'readCommand' | 'readPowershell'>;
  plain(command: string, cwd: string): Reading | null;
  rules(): Rules;
  oracle(): { gitChanges(target: { argv: string[]; cwd: string }): { path: string; tidies: boolean }[] };
  engine(): {
    freshness(root: string, claims: readonly string[], now: Standing): Freshness;
    openAllowed(root: string, rel: string): void;
    outOfScope(root: string, touches: Touch[], invocations: Invocation[]): string | null;
    judgeReading(root: string, reading: Reading): { decision: Decision; warned: string[] };
  };
};

const MAX_TEXT = 16 * 1024 * 1024;

export function viewOf(event: Event, root: string, load: Loaders): View {
  const home = homeFolder();
  const once = <T>(make: () => T): (() => T) => {
    let made: { value: T } | undefined;
    return () => {
      made ??= { value: make() };
      return made.value;
    };
  };
  const projectRead = once<ProjectRead>(() => readProject(root));
  const project = () => projectRead().project;
  const stands = once(() => load.rules().standing(root, project()));
  const folds = once(() => foldsCase(root));
  const locateHere = (path: string): Located => locate(path, event.cwd, root, home);

  const reading = once<Reading | null>(() => {
    const command = event.call?.command;
    if (command === undefined) return null;
    if (event.call!.tool === 'PowerShell') return load.shell().readPowershell(command, { cwd: event.cwd, root, home });
    return load.plain(command, event.cwd) ?? load.shell().readCommand(command, { cwd: event.cwd, root, home });
  });

  const touches = once<Touch[]>(() => {
    const call = event.call;
    if (!call) return [];
    const own = call.writes.map(w => ({
      op: w.op,
      via: call.tool,
      shell: false,
      named: w.path,
      at: locateHere(w.path),
    }));
    return [...own, ...shellTouches(reading(), locateHere, load)];
  });

  const spent = new Set<string>();
  let warned: string[] = [];
  return {
    root,
    home,
    project,
    projectFile: () => projectRead().kind,
    standing: stands,
    freshness: once(() => load.engine().freshness(root, project().claims.paths, stands())),
    touches,
    reading,
    globs: () =>
      (reading()?.effects ?? []).flatMap(({ target, via, op }) =>
        target.kind === 'glob' ? [{ pattern: target.pattern, via, op }] : [],
      ),
    opaque: () => [...(reading()?.opaque ?? []), ...patterns(reading(), root)],
    read: readText,
    locate: locateHere,
    foldsCase: folds,
    sameFile: (path, rels) => sameInode(path, root, rels),
    isFolder,
    frozen: once(() => readTrace(root, project().frozen.paths)),
    below: (rel, test) => firstBelow(root, rel, test),
    hardLinked: (path, test) => linkedFile(root, path, test),
    refused: once(() => readRefused(root, event.session)),
    allowed: rel => {
      if (!peek(root, allowPurpose(rel))) return false;
      spent.add(rel);
      return true;
    },
    spent: () => [...spent],
    outOfScope: () =>
      existsSync(statePath(root, 'stages/open.json'))
        ? load.engine().outOfScope(root, touches(), reading()?.invocations ?? [])
        : null,
    rules: load.rules,
    delivered: () => {
      const judged = load.engine().judgeReading(root, reading()!);
      warned = judged.warned;
      return judged.decision;
    },
    warned: () => warned,
    hookScripts: once(() => hookScripts(root, home)),
  };
}

/** The home that `~` and the client's own settings mean. */
function homeFolder(): string {
  return process.env.HOME || process.getBuiltinModule('node:os').homedir();
}

function shellTouches(reading: Reading | null, at: (path: string) => Located, load: Loaders): Touch[] {
  const found: Touch[] = [];
  for (const effect of reading?.effects ?? []) {
    const { target, op, via } = effect;
    const common = {
      via,
      shell: true,
      deep: effect.deep,
      maybe: effect.maybe,
      content: effect.content,
      append: effect.append,
    };
    if (target.kind === 'path') found.push({ ...common, op, named: target.path, at: at(target.path) });
    if (target.kind === 'git') {
      for (const { path, tidies } of load.oracle().gitChanges(target)) {
        found.push({ via, shell: true, op: 'write', named: path, at: at(resolve(target.cwd, path)), tidies });
      }
    }
  }
  return found;
}

/** A pattern that matches nothing now may match later: its text is looked at like any other unread text, if it can reach the project. */
function patterns(reading: Reading | null, root: string): string[] {
  return (reading?.effects ?? []).flatMap(({ target }) => {
    if (target.kind !== 'glob') return [];
    const base = target.pattern.replace(/[^/]*[*?[].*/s, '');
    return base.startsWith(root) || root.startsWith(base) || base.includes('/.') ? [target.pattern] : [];
  });
}

/** A loop of links, or what may not be entered, is none. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function readText(path: string): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > MAX_TEXT) return null;
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function sameInode(path: string, root: string, rels: readonly string[]): string | null {
  try {
    const a = lstatSync(path, { throwIfNoEntry: false });
    if (!a || a.nlink < 2 || !a.isFile()) return null;
    const same = (rel: string) => {
      const b = lstatSync(join(root, rel), { throwIfNoEntry: false });
      return b !== undefined && a.ino === b.ino && a.dev === b.dev;
    };
    return rels.find(same) ?? null;
  } catch {
    return null;
  }
}

/** Script files named by hook commands in the settings that apply here, ours included. */
function hookScripts(root: string, home: string): string[] {
  const found = new Set<string>();
  for (const folder of [root, home]) {
    for (const name of ['settings.json', 'settings.local.json']) {
      const text = folder ? readText(join(folder, '.claude', name)) : null;
      for (const word of text === null ? [] : hookWords(text)) {
        const path = word
          .replace(/\$\{?CLAUDE_PROJECT_DIR\}?/g, root)
          .replace(/\$\{?HOME\}?/g, home)
          .replace(/^~(?=\/)/, home);
        if (!/[/\\]/.test(path)) continue;
        const full = isAbsolute(path) ? path : join(root, path);
        // The interpreter is named too: only files that hold text are scripts.
        if (/\.(?:[cm]?js|ts|sh|bash|zsh|py|rb|pl|php|ps1)$/.test(full.toLowerCase()) || full.startsWith(root + '/'))
          found.add(full);
        // Our hooks load what lies beside them: the whole folder decides.
        if (/\/dist\/hooks\/[\w-]+\.cjs$/.test(full)) found.add(dirname(dirname(full)));
      }
    }
  }
  return [...found];
}
