/** Which commits a push would send, and how they differ from what lies in the work tree. */
import { exclusion } from './exclude.ts';
import { git, TRUSTLESS } from './git.ts';
import { locate, readHead } from './locate.ts';
import { splitNul } from './names.ts';

export type Tip = { name: string; commit: string };

/** The commit behind a name; null where git knows none. */
export function commitOf(root: string, rev: string): string | null {
  if (rev === '' || rev.startsWith('-')) return null;
  const asked = git([...TRUSTLESS, 'rev-parse', '--verify', '--quiet', `${rev}^{commit}`], { cwd: root });
  return asked.ok ? asked.stdout.toString('latin1').trim() : null;
}

/** The commit of HEAD, from git's files where they tell. */
export function headCommit(root: string): string | null {
  const repo = locate(root);
  return (repo.kind === 'worktree' ? readHead(repo)?.commit : null) ?? commitOf(root, 'HEAD');
}

/** Refs by pattern (`refs/heads`, `refs/tags/v*`), each with its commit; a tag of a blob or a tree has none. */
export function refsUnder(root: string, pattern: string): Tip[] {
  const format = '--format=%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)';
  const asked = git([...TRUSTLESS, 'for-each-ref', format, pattern], { cwd: root });
  if (!asked.ok) return [];
  return asked.stdout
    .toString('utf8')
    .split('\n')
    .flatMap(line => {
      const [name = '', type, id = '', peeledType, peeled = ''] = line.split('\0');
      if (type === 'commit') return [{ name, commit: id }];
      return peeledType === 'commit' ? [{ name, commit: peeled }] : [];
    });
}

/** Whether the remote has this commit already, as far as the last fetch or push told us. */
export function isOnRemote(root: string, commit: string, remote: string | null): boolean {
  if (remote === null || !/^[\w.-]+$/.test(remote)) return false;
  const refs = git([...TRUSTLESS, 'for-each-ref', '--count=1', `refs/remotes/${remote}/`], { cwd: root });
  if (!refs.ok || refs.stdout.length === 0) return false;
  const asked = git([...TRUSTLESS, 'rev-list', '-1', commit, '--not', `--remotes=${remote}`], { cwd: root });
  return asked.ok && asked.stdout.length === 0;
}

/** Values of a setting, last file last; empty where it is not set. */
export function configured(root: string, key: string): string[] {
  const asked = git(['config', '-z', '--get-all', key], { cwd: root });
  return asked.ok ? splitNul(asked.stdout) : [];
}

/** Where a bare `git push` goes. */
export function pushRemote(at: string): string {
  const repo = locate(at);
  const branch = repo.kind === 'worktree' ? readHead(repo)?.branch : null;
  if (branch) {
    for (const key of [`branch.${branch}.pushRemote`, 'remote.pushDefault', `branch.${branch}.remote`]) {
      const set = configured(at, key).at(-1);
      if (set) return set;
    }
  }
  return 'origin';
}

/** Files by which the work tree differs from a commit, or from the index (null); null where git cannot tell. */
export function unlike(root: string, commit: string | null, exclude: readonly string[]): string[] | null {
  const repo = locate(root);
  if (repo.kind !== 'worktree') return null;
  const base = [
    'diff',
    '--name-only',
    '-z',
    '--no-renames',
    '--no-relative',
    '--no-ext-diff',
    '--ignore-submodules=none',
  ];
  const changed = git([...TRUSTLESS, ...base, ...(commit === null ? [] : [commit]), '--'], { cwd: repo.top });
  const added = git([...TRUSTLESS, 'ls-files', '-z', '--others', '--exclude-standard'], { cwd: repo.top });
  if (!changed.ok || !added.ok) return null;
  const left = exclusion(exclude, repo.prefix);
  return [...new Set([...splitNul(changed.stdout), ...splitNul(added.stdout)])].filter(p => !left.excludes(p)).sort();
}
