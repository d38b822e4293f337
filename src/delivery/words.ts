/** What `git commit` and `git push` are asked to deliver, read from their words alone. */
import { gitWords, has, value } from '../repo/git-args.ts';
import type { Step } from '../repo/staging.ts';

export type CommitWords =
  /** Says what it would do, or nothing can come of it. */
  | { kind: 'nothing' }
  /** Staged by hand or from a file: the words do not tell. */
  | { kind: 'unknown'; why: string }
  /** What happens to the index before it is committed. */
  | { kind: 'index'; steps: Step[] };

const COMMIT_VALUED =
  '-m -F -C -c -t --message --file --reuse-message --reedit-message --author --date --template --cleanup --trailer --fixup --squash --pathspec-from-file';

export function commitWords(args: readonly string[], cwd: string, head: boolean): CommitWords {
  const words = gitWords(args.map(unglued), COMMIT_VALUED);
  if (has(words, '--dry-run', '--short', '--porcelain', '--long', '--help', '-h')) return { kind: 'nothing' };
  if (has(words, '-p', '--patch', '--interactive')) return { kind: 'unknown', why: 'it stages by hand' };
  if (has(words, '--pathspec-from-file')) return { kind: 'unknown', why: 'its paths stand in a file' };
  const paths = [...words.words, ...(words.paths ?? [])];
  if (paths.length === 0) {
    return { kind: 'index', steps: has(words, '-a', '--all') ? [{ args: ['add', '-u', '--', ':(top)'], cwd }] : [] };
  }
  const add: Step = { args: ['add', '-A', '--', ...paths], cwd };
  if (has(words, '-i', '--include')) return { kind: 'index', steps: [add] };
  // Named paths are committed alone: what else is staged waits.
  return { kind: 'index', steps: [{ args: head ? ['read-tree', 'HEAD'] : ['read-tree', '--empty'], cwd }, add] };
}

/** `-uno` and `-Skeyid` carry their value in the same word. */
function unglued(arg: string): string {
  const match = /^-([a-zA-Z]+)/.exec(arg);
  if (!match || arg.startsWith('--')) return arg;
  for (let i = 0; i < match[1]!.length; i++) {
    const letter = match[1]![i]!;
    if ('mFCct'.includes(letter)) return arg;
    if ('uS'.includes(letter)) return i === 0 ? '--untracked-files' : arg.slice(0, i + 1);
  }
  return arg;
}

export type PushWords = {
  /** Null where none is named. */
  remote: string | null;
  /** Revisions or ref patterns that leave; empty for a push that only deletes. */
  sources: Source[] | 'default';
};

export type Source = { kind: 'rev'; rev: string } | { kind: 'refs'; pattern: string };

const PUSH_VALUED = '-o --push-option --repo --receive-pack --exec';
const HEADS: Source = { kind: 'refs', pattern: 'refs/heads/' };
const TAGS: Source = { kind: 'refs', pattern: 'refs/tags/' };

export function pushWords(args: readonly string[]): PushWords | null {
  const words = gitWords(args, PUSH_VALUED);
  if (has(words, '-n', '--dry-run', '--help', '-h')) return null;
  const all = [...words.words, ...(words.paths ?? [])];
  const [named, ...refspecs] = all;
  const remote = named ?? value(words, '--repo') ?? null;
  if (has(words, '-d', '--delete')) return { remote, sources: [] };
  if (has(words, '--mirror')) return { remote, sources: [{ kind: 'refs', pattern: 'refs/' }] };
  const extra: Source[] = [
    ...(has(words, '--all', '--branches') ? [HEADS] : []),
    ...(has(words, '--tags') ? [TAGS] : []),
  ];
  // Tags alone go along with what would be pushed anyway.
  if (refspecs.length === 0) return { remote, sources: extra.length > 0 ? extra : 'default' };
  return { remote, sources: [...sourcesOf(refspecs), ...extra] };
}

export function sourcesOf(refspecs: readonly string[]): Source[] {
  const found: Source[] = [];
  for (let i = 0; i < refspecs.length; i++) {
    let spec = refspecs[i]!;
    if (spec === 'tag' && i + 1 < refspecs.length) {
      found.push({ kind: 'rev', rev: `refs/tags/${refspecs[++i]}` });
      continue;
    }
    spec = spec.replace(/^\+/, '');
    if (spec.startsWith('^')) continue;
    const cut = spec.indexOf(':');
    const source = cut < 0 ? spec : spec.slice(0, cut);
    if (spec === ':') found.push(HEADS);
    else if (source === '') continue;
    else if (source.includes('*')) found.push({ kind: 'refs', pattern: source });
    else found.push({ kind: 'rev', rev: source });
  }
  return found;
}
