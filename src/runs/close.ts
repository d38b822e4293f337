/** Closes a run: what the repository shows afterwards, whose changes these are, and what that amounts to. */
import { readProject } from '../config/project.ts';
import { trustHash } from '../config/trust.ts';
import type { Attribution } from '../repo/attribution.ts';
import { type Snapshot, snapshot } from '../repo/snapshot.ts';
import { appendWhole, runPath } from '../state/run-files.ts';
import { attribute, keepPatch, leaveToOthers } from './attribute.ts';
import { tickBox } from './box.ts';
import type { Closed, Closing, Told } from './closing.ts';
import { contextNow } from './context.ts';
import { codeOf } from './error.ts';
import { evidencePath, readEvidence, storeEvidence } from './evidence.ts';
import { guarded } from './open.ts';
import { self } from './owner.ts';
import { type RunSettings, readRunSettings } from './settings.ts';
import { decideStatus, type StatusDecision } from './status.ts';
import { json, readRunJson, updateRun, writeRunFile } from './store.ts';
import { type Tick, tick } from './tasks.ts';
import {
  type EvidenceRecord,
  NO_CLAIMS,
  NOT_RUN,
  type RunRecord,
  SCHEMA_VERSION,
  type SpecContext,
  type Verification,
} from './types.ts';

/** The rules of the run's beginning hold to its end, whatever it did to them. */
type Request = { protect?: string[]; protectedPaths?: string[]; specContext?: SpecContext };

type Observed = { before: Snapshot | null; after: Snapshot; work: Attribution; changed: number; warnings: string[] };

type TaskNow = ReturnType<typeof contextNow>;

/** Writes that a full disk may refuse: each missing file is named in the record. */
type Keeper = {
  file(name: string, data: string | Uint8Array): void;
  attempt(name: string, write: () => void): void;
  notKept: string[];
};

export async function closeRun(root: string, open: RunRecord, closing: Closing): Promise<Closed> {
  const keeper = keeperOf(root, open.runId);
  keeper.attempt('run.json', () => {
    updateRun(root, open.runId, { closing: { by: self(), at: new Date().toISOString(), outcome: closing.outcome } });
  });
  if (closing.result) keeper.file('runner-result.json', json({ outcome: closing.outcome, ...closing.result }));
  const settings = readRunSettings(readProject(root).project.raw);
  const request = readRunJson<Request>(root, open.runId, 'runner-request.json') ?? {};
  const seen = observe(root, open, closing, settings, request, keeper);

  const verify = closing.noVerify || !completed(closing) || seen.changed === 0 ? undefined : closing.verify;
  const verification = verify ? await verify() : { ...NOT_RUN, skipped: skipReason(closing, seen.changed) };
  keeper.file('verification.json', json(verification));
  const told = closing.claims?.({ changedFiles: seen.work.changedFiles, verification }) ?? {
    claims: NO_CLAIMS,
    checks: [],
    warnings: [],
  };

  const now = open.taskId === undefined ? null : contextNow(root, settings.tasks, open.taskId);
  const decision = judge(
    open,
    closing,
    request,
    now,
    seen,
    { ...verification, configured: !verify || verification.configured },
    told,
  );
  const edit = decision.status === 'verified' && now !== null ? tick(now.list.text, now.task) : null;
  if (edit?.kind === 'refused' && now?.task.state !== 'done') {
    decision.status = 'implemented-unverified';
    decision.reasons.push(`the checkbox update failed safely: ${edit.why}`);
  }
  const record = keepEvidence(root, recordOf(root, open, closing, now, seen, verification, told, decision), keeper);
  const run = finish(root, open, closing, now, edit, record, { verification, work: seen.work }, keeper);
  const note = keeper.notKept.length > 0 ? `run ${open.runId}: not kept: ${keeper.notKept.join(', ')}` : null;
  return { run, evidence: record, verification, note };
}

function keeperOf(root: string, runId: string): Keeper {
  const notKept: string[] = [];
  const attempt = (name: string, write: () => void): void => {
    try {
      write();
    } catch (error) {
      notKept.push(`${name} (${codeOf(error)})`);
    }
  };
  return { attempt, notKept, file: (name, data) => attempt(name, () => writeRunFile(root, runId, name, data)) };
}

const completed = (closing: Closing): boolean => closing.outcome === 'completed' || closing.outcome === 'no-change';

function skipReason(closing: Closing, changed: number): string {
  if (closing.noVerify) return '--no-verify';
  if (!completed(closing)) return `the run ended as ${closing.outcome}`;
  return changed === 0 ? 'nothing changed' : 'nothing was verified';
}

function observe(
  root: string,
  open: RunRecord,
  closing: Closing,
  settings: RunSettings,
  request: Request,
  keeper: Keeper,
): Observed {
  const before = readRunJson<Snapshot>(root, open.runId, 'git-before.json');
  // A close that was broken off has seen the end already, and nearer to it.
  let after = readRunJson<Snapshot>(root, open.runId, 'git-after.json');
  if (after === null) {
    after = snapshot(root, { protect: request.protect ?? guarded(settings), timeoutMs: 60_000 });
    keeper.file('git-after.json', json(after));
  }
  const warnings = [...(closing.warnings ?? [])];
  const protectedPaths = request.protectedPaths ?? settings.protectedPaths;
  const work = attribute(root, open.runId, before, after, protectedPaths, closing.headMoves);
  if (before === null) warnings.push('the state before the run was not recorded: nothing can be attributed to it');
  else if (!before.gitAvailable || !after.gitAvailable) {
    warnings.push('no git state was captured: nothing can be attributed');
  }
  warnings.push(...work.warnings, ...leaveToOthers(root, open, work.changedFiles));
  keeper.file('changed-files.json', json({ changedFiles: work.changedFiles, ambiguousPaths: work.ambiguousPaths }));
  const changed = work.changedFiles.filter(file => file.modifiedDuringRun).length;
  if (changed > 0) warnings.push(...keepPatch(root, settings.maximumPatchBytes, keeper.file));
  if (work.headMoved) {
    const line = JSON.stringify({ at: after.capturedAt, type: 'head-moved', ...work.headMoved });
    keeper.attempt('events.jsonl', () => appendWhole(runPath(root, open.runId, 'events.jsonl'), line));
  }
  return { before, after, work, changed, warnings };
}

function judge(
  open: RunRecord,
  closing: Closing,
  request: Request,
  now: TaskNow,
  seen: Observed,
  verification: Verification,
  told: Told,
): StatusDecision {
  const { work } = seen;
  const moved = closing.headMoves === 'violation' ? work.headMoved : null;
  const sameTask = now?.context.taskFingerprint === request.specContext?.taskFingerprint;
  return decideStatus({
    outcome: closing.outcome,
    reportValidated: closing.reportValidated ?? null,
    claimedFiles: told.claims.changedFiles.length,
    changed: seen.changed,
    ambiguous: work.ambiguousPaths.length,
    protectedViolations: work.violations.filter(v => v.startsWith('protected path')),
    headMoved: moved ? { from: moved.from ?? 'none', to: moved.to ?? 'none' } : null,
    otherViolations: work.violations.filter(v => !/^(?:protected path|HEAD moved)/.test(v)),
    approvalsStillValid: true,
    taskStillExists: open.taskId === undefined || request.specContext === undefined || sameTask,
    noVerify: closing.noVerify ?? false,
    allowDirty: closing.allowDirty,
    commands: verification.configured ? verification.commands : null,
    unproven: verification.ran ? null : verification.skipped,
  });
}

function recordOf(
  root: string,
  open: RunRecord,
  closing: Closing,
  now: TaskNow,
  seen: Observed,
  verification: Verification,
  told: Told,
  decision: StatusDecision,
): EvidenceRecord {
  const { before, after, work } = seen;
  const sessionId = closing.sessionId ?? open.sessionId;
  return {
    schemaVersion: SCHEMA_VERSION,
    runId: open.runId,
    ...(open.parentRunId ? { parentRunId: open.parentRunId } : {}),
    specName: open.specName,
    taskId: open.taskId ?? taskOf(open),
    status: decision.status,
    runner: open.runner,
    ...(sessionId ? { sessionId } : {}),
    repository: {
      ...(before?.head ? { headBefore: before.head } : {}),
      ...(after.head ? { headAfter: after.head } : {}),
      ...(after.branch ? { branch: after.branch } : {}),
      dirtyBefore: before !== null && !before.clean,
      dirtyAfter: !after.clean,
      fingerprintAfter: verification.fingerprint,
    },
    changedFiles: work.changedFiles,
    verificationCommands: verification.commands.map(({ stdoutTail, stderrTail, ...command }) => command),
    verificationSkipped: !verification.ran,
    runnerClaims: told.claims,
    claimChecks: told.checks,
    violations: decision.violations,
    warnings: [...seen.warnings, ...told.warnings, ...decision.warnings],
    reasons: decision.reasons,
    evaluatedAt: new Date().toISOString(),
    contract: trustHash(root),
    ...(now ? { specContext: now.context } : {}),
  };
}

/** Runs without a task are kept by who they were about. */
export function taskOf(run: RunRecord): string {
  return run.sessionId ?? run.kind;
}

/** What was written by a close that was broken off after it stands. */
function keepEvidence(root: string, record: EvidenceRecord, keeper: Keeper): EvidenceRecord {
  let stands = record;
  try {
    storeEvidence(root, record);
  } catch (error) {
    const { specName, taskId, runId } = record;
    const before = readEvidence(root, specName, taskId, runId);
    if (before) stands = before;
    else keeper.notKept.push(`${evidencePath(specName, taskId, runId)} (${codeOf(error)})`);
  }
  keeper.file('evidence.json', json(stands));
  return stands;
}

function finish(
  root: string,
  open: RunRecord,
  closing: Closing,
  now: TaskNow,
  edit: Tick | null,
  record: EvidenceRecord,
  seen: { verification: Verification; work: Attribution },
  keeper: Keeper,
): RunRecord {
  let { status } = record;
  const warnings = [...open.warnings, ...record.warnings];
  let applied = false;
  if (edit?.kind === 'edited' && now && status === 'verified') {
    const { file } = now.list;
    const failed = tickBox(root, file, now.list.text, edit.text);
    applied = failed === null;
    if (applied) {
      const { before, after } = edit;
      const update = { filePath: file, line: now.task.line, before, after, approvalRehashed: false };
      keeper.file('checkbox-update.json', json(update));
    } else {
      status = 'implemented-unverified';
      warnings.push(`the checkbox update failed safely: ${failed}`);
    }
  }
  const finishedAt = new Date();
  const change: Partial<RunRecord> = {
    finishedAt: finishedAt.toISOString(),
    // A clock that was set back gives no negative time.
    durationMs: Math.max(0, finishedAt.getTime() - Date.parse(open.createdAt)) || 0,
    outcome: closing.outcome,
    evidenceStatus: status,
    ...(open.taskId === undefined ? {} : { applied }),
    ...(closing.sessionId ? { sessionId: closing.sessionId } : {}),
    resumeSupported: closing.resumeSupported ?? open.resumeSupported,
    warnings,
    lifecycleStatus: lifecycleOf(closing),
    ...(closing.abortReason === undefined ? {} : { abortReason: closing.abortReason }),
  };
  const { ambiguousPaths } = seen.work;
  const report = { run: { ...open, ...change }, evidence: record, verification: seen.verification, ambiguousPaths };
  keeper.file('report.json', json({ schema: 'touchstone.run-report/1', report }));
  const { notKept } = keeper;
  const last = { ...change, closing: undefined, ...(notKept.length > 0 ? { notKept: [...notKept] } : {}) };
  let run: RunRecord = { ...open, ...last };
  keeper.attempt('run.json', () => {
    run = updateRun(root, open.runId, last);
  });
  return run;
}

function lifecycleOf(closing: Closing): RunRecord['lifecycleStatus'] {
  if (closing.abortReason !== undefined) return 'ABORTED';
  return closing.outcome === 'interrupted' ? 'INTERRUPTED' : 'COMPLETED';
}
