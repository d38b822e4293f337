/** What the repository shows at the end of a run, and whose changes these are. */
import type { Attribution } from '../repo/attribution.ts';
import { captured, type Snapshot, snapshot } from '../repo/snapshot.ts';
import { type Lost, recallLost } from '../state/lost.ts';
import { appendWhole, lostLines, openKey, openKeys, runPath } from '../state/run-files.ts';
import { attribute, keepPatch, leaveToOthers } from './attribute.ts';
import type { Closing } from './closing.ts';
import { LOST_LINES } from './event-line.ts';
import type { Keeper } from './keeper.ts';
import { guarded } from './open.ts';
import type { RunSettings } from './settings.ts';
import { json, readRunJson } from './store.ts';
import { byHooks, type RunDiagnostic, type RunRecord, type SpecContext } from './types.ts';

/** The rules of the run's beginning hold to its end, whatever it did to them. */
export type Request = { protect?: string[]; protectedPaths?: string[]; taskFile?: string; specContext?: SpecContext };

export type Observed = {
  before: Snapshot | null;
  after: Snapshot;
  work: Attribution;
  changed: number;
  warnings: string[];
  /** Earlier losses that this record tells. */
  lost: Lost[];
};

export function observe(
  root: string,
  open: RunRecord,
  closing: Closing,
  settings: RunSettings,
  request: Request,
  keeper: Keeper,
  faults: RunDiagnostic[],
): Observed {
  const events = runPath(root, open.runId, 'events.jsonl');
  const before = readRunJson<Snapshot>(root, open.runId, 'git-before.json', faults);
  // A close that was broken off has seen the end already, and nearer to it.
  let after = readRunJson<Snapshot>(root, open.runId, 'git-after.json', faults);
  if (after === null) {
    after = snapshot(root, { protect: request.protect ?? guarded(settings), timeoutMs: 60_000 });
    keeper.file('git-after.json', json(after));
  }
  const warnings = [...(closing.warnings ?? [])];
  const protectedPaths = request.protectedPaths ?? settings.protectedPaths;
  const work = attribute(root, open.runId, before, after, protectedPaths, closing.headMoves);
  warnings.push(...faults.map(({ path, message }) => `${path} ${message}: it was left out`));
  const known = new Set(open.warnings);
  warnings.push(...after.diagnostics.map(d => `${d.code}: ${d.message}`).filter(text => !known.has(text)));
  if (before === null) warnings.push('the state before the run was not recorded: nothing can be attributed to it');
  else if (!captured(before) || !captured(after)) {
    warnings.push('no git state was captured: nothing can be attributed');
  }
  warnings.push(...work.warnings, ...leaveToOthers(root, open, work.changedFiles));
  keeper.file('changed-files.json', json({ changedFiles: work.changedFiles, ambiguousPaths: work.ambiguousPaths }));
  const changed = work.changedFiles.filter(file => file.modifiedDuringRun).length;
  if (changed > 0) warnings.push(...keepPatch(root, settings.maximumPatchBytes, { before, after, work }, keeper.file));
  if (work.headMoved) {
    const line = JSON.stringify({ at: after.capturedAt, type: 'head-moved', ...work.headMoved });
    keeper.attempt('events.jsonl', () => appendWhole(events, line));
  }
  const { told, ownLines } = lostUntil(root, open);
  if (lostLines(events) || ownLines) keeper.notKept.push(LOST_LINES);
  warnings.push(...told.map(lost => `not kept at ${lost.at}: ${lost.what} (${lost.why}, ${lost.key})`));
  return { before, after, work, changed, warnings, lost: told };
}

/** What was lost of this run, and of sessions that have no run open to tell it. */
function lostUntil(root: string, run: RunRecord): { told: Lost[]; ownLines: boolean } {
  const own = byHooks(run) ? openKey(run.sessionId ?? '', run.subagentId) : `run.${run.runId}`;
  const open = new Set(openKeys(root));
  const told = recallLost(root).filter(lost => lost.key === own || !open.has(lost.key));
  return { told, ownLines: told.some(lost => lost.key === own && lost.what === LOST_LINES) };
}
