/** The index as a `git commit` would find it: made in a copy, so that nothing of the user's is touched. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backdate, closeCache, discard, objectsOf, openCache, temporary } from './cache.ts';
import { type Fingerprint, fingerprint, type NoFingerprint } from './fingerprint.ts';
import { git, TRUSTLESS } from './git.ts';
import { locate } from './locate.ts';

export type Step = {
  /** Arguments of `git add`, or `read-tree`. */
  args: string[];
  cwd: string;
};

/** Fingerprint of the index after these steps; the steps of an empty list leave it as it is. */
export function stagedFingerprint(
  root: string,
  steps: readonly Step[],
  options: { exclude: readonly string[]; indexFile?: string },
): Fingerprint | NoFingerprint {
  const { exclude, indexFile } = options;
  if (steps.length === 0) return fingerprint(root, { of: 'index', exclude, indexFile });
  const repo = locate(root);
  if (repo.kind !== 'worktree') return { ok: false, reason: 'no-git', message: `${root} is in no git work tree` };
  const cache = openCache(join(root, '.claude', 'state', 'cache', 'index'));
  const index = temporary(cache);
  try {
    copyIndex(indexFile ?? join(repo.gitDir, 'index'), index);
    for (const step of steps) {
      const done = git([...TRUSTLESS, ...step.args], {
        cwd: step.cwd,
        env: { ...objectsOf(cache, repo.commonDir), GIT_INDEX_FILE: index },
      });
      if (!done.ok) return { ok: false, reason: done.code, message: done.message };
    }
    return fingerprint(root, { of: 'index', exclude, indexFile: index });
  } finally {
    discard(index);
    closeCache(cache);
  }
}

/** With the time it had: a later one would make git believe entries that it should look at again. */
function copyIndex(from: string, to: string): void {
  try {
    const { mtimeMs } = statSync(from);
    writeFileSync(to, readFileSync(from));
    backdate(to, mtimeMs);
  } catch {
    // No index yet: everything staged by the steps.
  }
}
