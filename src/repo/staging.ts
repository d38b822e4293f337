/** The index as a `git commit` would find it: made in a copy, so that nothing of the user's is touched. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backdate, type Cache, discard, objectsOf, temporary, withCache } from './cache.ts';
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
  const staged = (cache: Cache): Fingerprint | NoFingerprint => {
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
    }
  };
  const failed = (result: Fingerprint | NoFingerprint): string | null => (result.ok ? null : result.message);
  return withCache(join(root, '.claude', 'state', 'cache', 'index'), staged, failed);
}

/** With the time it had: a later one would make git believe entries that it should look at again. */
function copyIndex(from: string, to: string): void {
  const stat = statSync(from, { throwIfNoEntry: false });
  // No index yet: everything staged by the steps.
  if (!stat) return;
  writeFileSync(to, readFileSync(from));
  backdate(to, stat.mtimeMs);
}
