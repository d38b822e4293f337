/** Where git looks for its hooks: `core.hooksPath`, else the folder shared by all worktrees. */
import { resolve } from 'node:path';
import { git } from './git.ts';
import { locate } from './locate.ts';

export function hooksFolder(root: string): string | null {
  const repo = locate(root);
  if (repo.kind !== 'worktree') return null;
  const asked = git(['rev-parse', '--git-path', 'hooks'], { cwd: repo.top });
  const path = asked.ok ? asked.stdout.toString('utf8').trim() : '';
  return path === '' ? null : resolve(repo.top, path);
}
