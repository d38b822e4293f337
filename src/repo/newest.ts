/** The newest modification among the files a fingerprint covers: all there is to compare with a PASS stamped by hand. */
import { lstatSync } from 'node:fs';
import { exclusion } from './exclude.ts';
import { git } from './git.ts';
import { openable, splitNul } from './names.ts';

/** Unix ms; null where git cannot list the tree. */
export function newestChange(root: string, claims: readonly string[]): number | null {
  const listed = git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  if (!listed.ok) return null;
  const left = exclusion(claims, '');
  let newest = 0;
  for (const path of splitNul(listed.stdout)) {
    if (left.excludes(path)) continue;
    const stat = lstatSync(openable(root, path), { throwIfNoEntry: false });
    if (stat) newest = Math.max(newest, stat.mtimeMs);
  }
  return newest;
}
