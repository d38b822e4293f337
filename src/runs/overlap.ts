/** Runs that were open in the same worktree at the same time: whose tools wrote which file. */
import { relative, sep } from 'node:path';
import { locate as locateRepository } from '../repo/locate.ts';
import { locate } from '../state/paths.ts';
import { openKeys, readOpen } from '../state/run-files.ts';
import { readEvents, readRun, runIds } from './store.ts';
import type { RunRecord } from './types.ts';

/** Of the runs that began before, only so many are looked at: an older one that is still open has a pointer. */
const EARLIER = 20;

export type Other = { run: RunRecord; writes: Set<string> };

/** Runs of others; what the runs inside this one did belongs to it. */
export function overlapping(root: string, mine: RunRecord): Other[] {
  const ids = runIds(root).sort();
  const at = ids.indexOf(mine.runId);
  const near = new Set(ids.slice(Math.max(0, at - EARLIER)));
  for (const key of openKeys(root)) {
    const open = readOpen(root, key);
    if (open) near.add(open.run);
  }
  near.delete(mine.runId);
  const known = new Map<string, RunRecord>([[mine.runId, mine]]);
  for (const id of near) {
    const read = readRun(root, id);
    if (read.kind === 'run' && read.run.kind !== 'manual-acceptance') known.set(id, read.run);
  }
  const began = Date.parse(mine.createdAt);
  const above = ancestors(mine, known);
  const found: Other[] = [];
  for (const run of known.values()) {
    if (run === mine || ancestors(run, known).has(mine.runId)) continue;
    // A wrapped run is one piece of work with the runs inside it; a subagent does not answer for its parent.
    if (above.has(run.runId) && mine.kind !== 'subagent-turn') continue;
    if (run.finishedAt !== undefined && !(Date.parse(run.finishedAt) > began)) continue;
    found.push({ run, writes: writesOf(root, run.runId, began) });
  }
  return found;
}

function ancestors(run: RunRecord, known: ReadonlyMap<string, RunRecord>): Set<string> {
  const found = new Set<string>();
  for (let at = run.parentRunId; at !== undefined && !found.has(at); at = known.get(at)?.parentRunId) found.add(at);
  return found;
}

/** Paths, from the top of the repository, that a run's edit tools wrote since a moment: by name and by real path. */
export function writesOf(root: string, runId: string, since = 0): Set<string> {
  const found = new Set<string>();
  const repo = locateRepository(root);
  const [top, prefix] = repo.kind === 'worktree' ? [repo.top, repo.prefix] : [root, ''];
  for (const event of readEvents(root, runId).events) {
    if (event.failed || !event.writes || Date.parse(event.at) < since) continue;
    for (const path of event.writes) {
      const at = locate(path, root, root);
      for (const rel of [at.rel, at.realRel]) if (rel !== null) found.add(prefix + rel);
      const beside = relative(top, at.real).split(sep).join('/');
      if (at.rel === null && !beside.startsWith('../')) found.add(beside);
    }
  }
  return found;
}
