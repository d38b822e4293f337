/** `checkout`, `switch` and `restore`: to another commit, or files out of one. */

import { type Ask, union } from './ask.ts';
import { gitWords, has, value } from './git-args.ts';

const VALUED = '-b -B -c -C -s --orphan --source --conflict --create --force-create --pathspec-from-file';

export function checkout(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, VALUED);
  const force = has(words, '-f', '--force');
  if (has(words, '--orphan')) return force ? ask.diff('HEAD', '--') : [];
  if (words.paths !== null && words.paths.length > 0) return filesFrom(ask, words.words[0], words.paths);
  if (has(words, '--pathspec-from-file')) return filesFrom(ask, words.words[0], []);
  const [first, ...rest] = words.words;
  if (has(words, '-b', '-B') || first === undefined)
    return first === undefined ? forced(ask, force) : to(ask, first, force);
  if (rest.length === 0) return to(ask, first, force) ?? dwim(ask, first, force) ?? filesFrom(ask, undefined, [first]);
  // `checkout REF path` and `checkout path path` look alike: git takes a revision first, if it is one.
  return filesFrom(ask, first, rest) ?? filesFrom(ask, undefined, words.words);
}

export function switchTo(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, VALUED);
  const force = has(words, '-f', '--force', '--discard-changes');
  if (has(words, '--orphan')) return ask.list('ls-files', '-z', '--full-name', ':(top)');
  const [rev] = words.words;
  if (rev === undefined) return forced(ask, force);
  return to(ask, rev, force) ?? dwim(ask, rev, force);
}

export function restore(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, VALUED);
  const staged = has(words, '-S', '--staged');
  const worktree = has(words, '-W', '--worktree');
  if (staged && !worktree) return [];
  const paths = [...words.words, ...(words.paths ?? [])];
  return filesFrom(ask, value(words, '-s', '--source') ?? (staged ? 'HEAD' : undefined), paths);
}

/** `source` undefined: out of the index. */
function filesFrom(ask: Ask, source: string | undefined, paths: readonly string[]): string[] | null {
  return ask.diff(...(source === undefined ? [] : [source]), '--', ...paths);
}

function to(ask: Ask, rev: string, force: boolean): string[] | null {
  const target = rev === '-' ? '@{-1}' : rev;
  // Forced, the result is the target whatever lies there now; else files with changes of their own stay or stop it.
  return force ? union(ask.diff(target, '--')) : ask.diff('HEAD', target, '--');
}

function forced(ask: Ask, force: boolean): string[] | null {
  return force ? ask.diff('HEAD', '--') : [];
}

/** `git switch topic` with only `origin/topic` there makes the branch. */
function dwim(ask: Ask, name: string, force: boolean): string[] | null {
  const found = ask.raw('for-each-ref', '--format=%(refname)%00', `refs/remotes/*/${name}`);
  const refs = (found ?? []).map(ref => ref.trim()).filter(ref => ref !== '');
  return refs.length === 1 ? to(ask, refs[0]!, force) : null;
}
