/** The tree a verdict is about: git's view of it, or the plain files where there is no git. */
import { fingerprint } from '../repo/fingerprint.ts';
import { plainFingerprint } from '../repo/plain.ts';

export type Tree = { value: string; raw: string | null; head: string | null };

/** Null where neither can be had (unreadable files, a bare repository, git failing): then nothing can be shown fresh. */
export function measureTree(root: string, claims: readonly string[]): Tree | null {
  const print = fingerprint(root, { of: 'worktree', exclude: claims });
  if (print.ok) return { value: print.value, raw: print.raw, head: print.head };
  if (print.reason !== 'no-git') return null;
  const files = plainFingerprint(root, claims);
  return files.ok ? { value: files.value, raw: null, head: null } : null;
}

export function sameTree(
  a: { value: string; raw: string | null } | null,
  b: { value: string; raw: string | null } | null,
): boolean {
  return a !== null && b !== null && a.value === b.value && a.raw === b.raw;
}
