/**
 * `init --git-hooks`: pre-push and commit-msg, plain, in husky's folder, or in lefthook's file. Only stretches of text are
 * put in, so that `uninstall` takes exactly these out again.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { hooksFolder } from '../repo/hooks-folder.ts';
import { locate } from '../repo/locate.ts';
import { applyInsertions, type Span } from './json-splice.ts';
import { readText } from './places.ts';
import type { FileKind } from './record.ts';

export type GitHookChange = {
  path: string;
  kind: FileKind;
  existed: boolean;
  text: string;
  spans: Span[];
  added: string;
  executable: boolean;
};

export type GitHookPlan = { changes: GitHookChange[]; left: { path: string; why: string }[]; notes: string[] };

export const HOOK_NAMES = ['pre-push', 'commit-msg'] as const;
type HookName = (typeof HOOK_NAMES)[number];

const BEGIN = '# touchstone: begin';
const END = '# touchstone: end';
const LEFTHOOK = ['lefthook.yml', '.lefthook.yml', 'lefthook.yaml', '.lefthook.yaml'];

type Place = { root: string; node: string; cli: string };

export function planGitHooks(root: string, node: string, dist: string): GitHookPlan {
  const plan: GitHookPlan = { changes: [], left: [], notes: [] };
  const repo = locate(root);
  const folder = hooksFolder(root);
  if (repo.kind !== 'worktree' || folder === null) {
    plan.notes.push('git hooks: there is no git repository here');
    return plan;
  }
  const place: Place = { root: relative(repo.top, root).split(sep).join('/') || '.', node, cli: join(dist, 'cli.cjs') };
  const lefthook = LEFTHOOK.map(name => join(repo.top, name)).find(existsSync);
  const husky = huskyFolder(repo.top, folder);
  if (lefthook !== undefined && husky === null) planLefthook(lefthook, place, plan);
  else for (const name of HOOK_NAMES) planScript(join(husky ?? folder, name), name, place, husky !== null, plan);
  const committed = husky ?? (lefthook === undefined ? null : lefthook);
  if (committed !== null && plan.changes.length > 0)
    plan.notes.push(`${committed} names this machine's node: others run \`touchstone init --git-hooks\` themselves`);
  return plan;
}

/** husky 9 points git at `.husky/_` and runs the scripts beside it; older ones point at `.husky` itself. */
function huskyFolder(top: string, folder: string): string | null {
  const own = join(top, '.husky');
  if (folder === own || folder === join(own, '_')) return own;
  return existsSync(own) && statSync(own).isDirectory() && basename(dirname(folder)) === '.git' ? own : null;
}

function planScript(path: string, name: HookName, place: Place, husky: boolean, plan: GitHookPlan): void {
  const current = readText(path);
  if (current?.includes(BEGIN)) {
    plan.left.push({ path, why: 'calls Touchstone already' });
    return;
  }
  if (current === null) {
    // husky runs its scripts by sh itself and keeps them without a first line.
    const text = `${husky ? '' : '#!/bin/sh\n'}${block(name, place)}`;
    plan.changes.push({ path, kind: 'git-hook', existed: false, text, spans: [], added: text, executable: true });
    return;
  }
  const shebang = /^#![^\n]*\n/.exec(current)?.[0] ?? '';
  if (shebang !== '' && !/\b(?:ba|da|z|k)?sh\b/.test(shebang)) {
    plan.left.push({ path, why: `is no shell script: call \`touchstone hook ${name} "$@"\` from it` });
    return;
  }
  if (shebang === '' && !husky) {
    plan.left.push({ path, why: 'has no first line that names a shell' });
    return;
  }
  if (!husky && (statSync(path).mode & 0o111) === 0) {
    plan.left.push({ path, why: 'is not executable, so git does not run it: chmod +x it first' });
    return;
  }
  const { text, spans } = applyInsertions(current, [{ at: shebang.length, text: block(name, place) }]);
  plan.changes.push({
    path,
    kind: 'git-hook',
    existed: true,
    text,
    spans,
    added: block(name, place),
    executable: true,
  });
}

/** In front of what is there: git's lines on standard input are read once and given on. */
function block(name: HookName, { root, node, cli }: Place): string {
  const call = `${quoted(node)} ${quoted(cli)} hook ${name} --project ${quoted(root)} "$@"`;
  const lines =
    name === 'pre-push'
      ? [
          'touchstone_refs=$(cat)',
          `printf '%s\\n' "$touchstone_refs" | ${call} || exit 1`,
          'exec <<touchstone_end',
          '$touchstone_refs',
          'touchstone_end',
        ]
      : [`${call} || exit 1`];
  return [BEGIN, ...lines, END, ''].join('\n');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Our lines out of a script that was edited since. */
export function dropHookBlock(text: string): string {
  const from = text.indexOf(BEGIN);
  const end = text.indexOf(END, from);
  if (from < 0 || end < 0) return text;
  const start = text.lastIndexOf('\n', from) + 1;
  const stop = text.indexOf('\n', end);
  return text.slice(0, start) + (stop < 0 ? '' : text.slice(stop + 1));
}

function planLefthook(path: string, place: Place, plan: GitHookPlan): void {
  const current = readText(path) ?? '';
  if (current.includes(BEGIN)) {
    plan.left.push({ path, why: 'calls Touchstone already' });
    return;
  }
  const insertions: { at: number; text: string }[] = [];
  for (const name of HOOK_NAMES) {
    const at = lefthookSpot(current, name);
    if (at === null) {
      plan.left.push({ path, why: `has a ${name} of another shape: add \`touchstone hook ${name}\` to it` });
      continue;
    }
    insertions.push({ at: at.at, text: lefthookText(name, place, at, current) });
  }
  if (insertions.length === 0) return;
  const { text, spans } = applyInsertions(current, insertions);
  const added = insertions.map(i => i.text).join('');
  plan.changes.push({ path, kind: 'git-hook', existed: true, text, spans, added, executable: false });
}

type Spot = { at: number; level: 'top' | 'hook' | 'commands'; indent: string };

/** Where a command of this hook goes in the file; null where the file is written in a way that a line cannot join. */
function lefthookSpot(text: string, name: HookName): Spot | null {
  const head = new RegExp(`^${name}:[^\\n]*\\n?`, 'm').exec(text);
  if (!head) return { at: text.length, level: 'top', indent: '  ' };
  if (!/^[\w-]+:\s*(?:#.*)?$/.test(head[0].trimEnd())) return null;
  const from = head.index + head[0].length;
  const rest = text.slice(from);
  const length = /^(?=\S)(?!#)/m.exec(rest)?.index ?? rest.length;
  const body = rest.slice(0, length);
  const indent = /^([ ]+)\S/m.exec(body)?.[1] ?? '  ';
  const commands = new RegExp(`^${indent}commands:[ \\t]*(?:#.*)?\\n`, 'm').exec(body);
  if (commands) return { at: from + commands.index + commands[0].length, level: 'commands', indent };
  // `jobs:` and `scripts:` may stand beside `commands:`; a list of its own kind may not.
  return new RegExp(`^${indent}commands:`, 'm').test(body) ? null : { at: from, level: 'hook', indent };
}

function lefthookText(name: HookName, { root, node, cli }: Place, spot: Spot, text: string): string {
  const open = spot.at > 0 && text[spot.at - 1] !== '\n' ? '\n' : '';
  const one = spot.indent;
  const run = `${quoted(node)} ${quoted(cli)} hook ${name} --project ${quoted(root)} {0}`;
  const lines = [
    ...(spot.level === 'top' ? [`${name}:`] : []),
    ...(spot.level === 'commands' ? [] : [`${one}commands:`]),
    `${one}${one}touchstone:`,
    `${one}${one}${one}run: ${run}`,
    ...(name === 'pre-push' ? [`${one}${one}${one}use_stdin: true`] : []),
  ];
  const pad = spot.level === 'top' ? '' : one;
  return `${open}${pad}${BEGIN}\n${lines.join('\n')}\n${pad}${END}\n`;
}

/** Every block of ours out of a lefthook file or a script. */
export function dropHookBlocks(text: string): string {
  let out = text;
  for (let next = dropHookBlock(out); next !== out; next = dropHookBlock(out)) out = next;
  return out;
}
