/** Whether a checkout is in a state in which work on it can be judged. Reads files; asks git only where they do not tell. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from './config-text.ts';
import { git, TRUSTLESS } from './git.ts';
import { unmergedPaths } from './index-file.ts';
import { locate, type Repository, readHead } from './locate.ts';
import { splitNul } from './names.ts';

export type Condition = {
  kind: 'missing' | 'no-repository' | 'no-commit' | 'detached' | 'shallow' | 'busy' | 'conflicts' | 'failed';
  what: string;
  cure: string;
};

const BUSY: readonly [string, string, string][] = [
  ['rebase-merge', 'is in the middle of a rebase', '`git rebase --continue` or `--abort`'],
  ['rebase-apply', 'is in the middle of a rebase', '`git rebase --continue` or `--abort`'],
  ['MERGE_HEAD', 'is in the middle of a merge', '`git merge --continue` or `--abort`'],
  ['CHERRY_PICK_HEAD', 'is in the middle of a cherry-pick', '`git cherry-pick --continue` or `--abort`'],
  ['REVERT_HEAD', 'is in the middle of a revert', '`git revert --continue` or `--abort`'],
  ['BISECT_LOG', 'is in the middle of a bisect', '`git bisect reset`'],
];

export function conditions(folder: string): Condition[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return [{ kind: 'missing', what: 'is missing', cure: 'check it out there, or correct its path' }];
  const repo = locate(folder);
  if (repo.kind !== 'worktree') {
    const what = repo.kind === 'bare' ? 'is a bare repository' : 'is in no git repository';
    return [{ kind: 'no-repository', what, cure: 'check it out there, or correct its path' }];
  }
  const found: Condition[] = [];
  for (const [mark, what, cure] of BUSY) {
    if (existsSync(join(repo.gitDir, mark)) && !found.some(c => c.what === what))
      found.push({ kind: 'busy', what, cure });
  }
  const conflicts = unmerged(repo, folder);
  if (!Array.isArray(conflicts))
    found.push({ kind: 'failed', what: `cannot be read (${conflicts.why})`, cure: 'repair it' });
  else if (conflicts.length > 0)
    found.push({
      kind: 'conflicts',
      what: `has conflicting files: ${conflicts.slice(0, 5).join(', ')}`,
      cure: 'resolve them',
    });
  const head = readHead(repo);
  if (head?.detached && !found.some(c => c.kind === 'busy'))
    found.push({ kind: 'detached', what: 'has a detached HEAD', cure: '`git switch` to the branch of the task' });
  if (head !== null && head.commit === null)
    found.push({ kind: 'no-commit', what: 'has no commit yet', cure: 'commit its first state' });
  if (existsSync(join(repo.commonDir, 'shallow')))
    found.push({ kind: 'shallow', what: 'is a shallow clone', cure: '`git fetch --unshallow`' });
  return found;
}

/** Files in conflict; to ask git would cost a look at every file of the tree. */
function unmerged(repo: Repository, folder: string): string[] | { why: string } {
  const file = join(repo.gitDir, 'index');
  if (!existsSync(file)) return [];
  const read = unmergedPaths(readFileSync(file), settings(repo).idLength);
  if (read !== null) return read;
  const asked = git([...TRUSTLESS, 'ls-files', '-z', '--unmerged', '--full-name', ':/'], {
    cwd: folder,
    timeoutMs: 30_000,
  });
  if (!asked.ok) return { why: asked.message };
  return [...new Set(splitNul(asked.stdout).map(line => line.slice(line.indexOf('\t') + 1)))];
}

/** Null where the branch cannot be told. */
export function branchOf(folder: string): string | null {
  const repo = locate(folder);
  return repo.kind === 'worktree' ? (readHead(repo)?.branch ?? null) : null;
}
