/** Does the history that leads here still hold a commit? */
import { git, TRUSTLESS } from './git.ts';

/** Null where git does not know the commit, or there is no git. */
export function isAncestor(root: string, commit: string, of = 'HEAD'): boolean | null {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const asked = git([...TRUSTLESS, 'merge-base', '--is-ancestor', commit, of], { cwd: root, timeoutMs: 20_000 });
  if (asked.ok) return true;
  return asked.exitCode === 1 ? false : null;
}
