/** What git lists of a checkout: its files, tracked or new and not ignored, and a digest of its index. */
import { git, TRUSTLESS } from './git.ts';
import { locate } from './locate.ts';
import { joinNul, splitNul } from './names.ts';

/** From `folder`, forward slashes, sorted; deleted files are absent or not, as the caller finds. Null where git fails. */
export function listedFiles(folder: string): string[] | null {
  const listed = git([...TRUSTLESS, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: folder });
  return listed.ok ? [...new Set(splitNul(listed.stdout))].sort() : null;
}

/** Every entry with mode, id and stage; times and flags of the index do not count. */
export function indexDigest(folder: string): string | null {
  const repo = locate(folder);
  if (repo.kind !== 'worktree') return null;
  const listed = git([...TRUSTLESS, 'ls-files', '--stage', '-z'], { cwd: repo.top });
  if (!listed.ok) return null;
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(listed.stdout).digest('hex');
}

/** Which of these paths, from `folder`, the ignore rules cover. Tracked files are never ignored. */
export function ignoredPaths(folder: string, paths: readonly string[]): Set<string> {
  if (paths.length === 0) return new Set();
  const asked = git([...TRUSTLESS, 'check-ignore', '-z', '--stdin'], {
    cwd: folder,
    input: joinNul(paths),
    timeoutMs: 10_000,
  });
  return new Set(splitNul(asked.stdout));
}
