/** Which changes are this run's: two snapshots compared, and what other runs at the same time did left to them. */
import { type Attribution, attribution, type ChangedFile } from '../repo/attribution.ts';
import { locate } from '../repo/locate.ts';
import { committedChanges, diffPatch } from '../repo/patch.ts';
import { captured, type Snapshot } from '../repo/snapshot.ts';
import type { Closing } from './closing.ts';
import { overlapping, writesOf } from './overlap.ts';
import { readRunJson } from './store.ts';
import type { RunRecord } from './types.ts';

export function attribute(
  root: string,
  runId: string,
  before: Snapshot | null,
  after: Snapshot,
  protectedPaths: readonly string[],
  headMoves: Closing['headMoves'],
): Attribution {
  if (before === null || !captured(before) || !captured(after)) {
    const none = {
      changedFiles: [],
      ambiguousPaths: [],
      warnings: [],
      violations: [],
      headMoved: null,
      branchMoved: null,
    };
    // Protected files are hashed from the disk, with git or without.
    if (before === null) return none;
    const bare = (s: Snapshot): Snapshot => ({ ...s, entries: [], head: undefined, branch: undefined });
    return { ...none, violations: attribution(bare(before), bare(after), { headMoves: 'event' }).violations };
  }
  const moved = before.head !== after.head && after.head !== undefined;
  const committed = moved ? committedChanges(root, before.head ?? null, after.head!) : [];
  const repo = locate(root);
  // Settings speak from the project root, git from the top of the repository.
  const under = repo.kind === 'worktree' ? protectedPaths.map(path => repo.prefix + path) : protectedPaths;
  const found = attribution(before, after, { headMoves, committed: committed ?? [], protectedPaths: under });
  if (committed === null)
    found.warnings.push('git cannot tell what the commits of this run changed: it is not listed.');
  const start = readRunJson<Snapshot>(root, runId, 'git-start.json');
  // A resumed run answers for protected files and HEAD from its own start only.
  if (start === null) return found;
  if (!captured(start)) return found;
  const own = attribution(start, after, { headMoves, committed: [], protectedPaths: under });
  return { ...found, violations: own.violations, headMoved: own.headMoved, branchMoved: own.branchMoved };
}

/** Two runs at once: what another session's tools wrote, and ours did not, is not this run's change. */
export function leaveToOthers(root: string, run: RunRecord, files: ChangedFile[]): string[] {
  if (!files.some(file => file.modifiedDuringRun)) return [];
  const others = overlapping(root, run);
  if (others.length === 0) return [];
  const own = writesOf(root, run.runId);
  const warnings: string[] = [];
  for (const file of files) {
    if (!file.modifiedDuringRun || own.has(file.path)) continue;
    const by = others.find(other => other.writes.has(file.path));
    if (by === undefined) continue;
    file.modifiedDuringRun = false;
    warnings.push(
      `"${file.path}" was written by run ${by.run.runId} at the same time; it is not attributed to this run.`,
    );
  }
  const names = others.map(other => other.run.runId).join(', ');
  warnings.push(
    `other runs were open in this worktree at the same time (${names}): what commands changed may be theirs.`,
  );
  return warnings;
}

/** From where the run began to where it ended: what it committed, and the new files it left, are its work too. */
export function keepPatch(
  root: string,
  limit: number,
  seen: { before: Snapshot | null; after: Snapshot; work: Attribution },
  file: (name: string, data: Uint8Array) => void,
): string[] {
  const { before, after, work } = seen;
  const own = new Set(work.changedFiles.filter(f => f.modifiedDuringRun).map(f => f.path));
  const untracked = after.entries.filter(e => e.status === '??' && e.repository === undefined && own.has(e.path));
  const known = before !== null && captured(before);
  const patch = diffPatch(root, limit, {
    ...(known ? { from: before.head ?? null } : {}),
    untracked: untracked.map(entry => entry.path),
  });
  if (patch.kind === 'patch') file('diff.patch', patch.bytes);
  if (patch.kind === 'none') return [`no patch was kept: ${patch.reason}`];
  return patch.warning === undefined ? [] : [patch.warning];
}
