/** What the branch at hand changed since it left the default branch of its origin. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedPaths } from './changed.ts';
import { git, TRUSTLESS } from './git.ts';
import { locate } from './locate.ts';

/** Paths from the top of the repository, up to the tree given; null where there is no such branch. */
export function featurePaths(root: string, tree: string, exclude: readonly string[]): string[] | null {
  const repo = locate(root);
  if (repo.kind !== 'worktree') return null;
  const ask = (...args: string[]) => git([...TRUSTLESS, ...args], { cwd: repo.top, timeoutMs: 20_000 });
  for (const branch of [originHead(repo.commonDir), 'refs/remotes/origin/main', 'refs/remotes/origin/master']) {
    if (branch === null) continue;
    const base = ask('merge-base', branch, 'HEAD');
    if (!base.ok) continue;
    return changedPaths(root, base.stdout.toString('latin1').trim(), tree, exclude);
  }
  return null;
}

function originHead(commonDir: string): string | null {
  try {
    return (
      /^ref: (refs\/remotes\/origin\/.+)$/m.exec(
        readFileSync(join(commonDir, 'refs', 'remotes', 'origin', 'HEAD'), 'utf8'),
      )?.[1] ?? null
    );
  } catch {
    return null;
  }
}
