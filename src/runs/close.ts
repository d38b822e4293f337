/** Closes a run: what the repository shows afterwards, whose changes these are, and what that amounts to. */
import { readProject } from '../config/project.ts';
import { trustHash } from '../config/trust.ts';
import type { Attribution } from '../repo/attribution.ts';
import { captured } from '../repo/snapshot.ts';
import { forgetLost } from '../state/lost.ts';
import { type BoxEdit, prepareBox } from './box.ts';
import type { Closed, Closing, Seen, Told } from './closing.ts';
import { contextNow } from './context.ts';
import { taskOf } from './evidence.ts';
import { type Keeper, keepEvidence, keeperOf, unproven } from './keeper.ts';
import { type Observed, observe, type Request } from './observe.ts';
import { self } from './owner.ts';
import { readRunSettings } from './settings.ts';
import { decideStatus, type StatusDecision } from './status.ts';
import { json, readRunJson, updateRun } from './store.ts';
import {
  type EvidenceRecord,
  NO_CLAIMS,
  NOT_RUN,
  type RunDiagnostic,
  type RunRecord,
  SCHEMA_VERSION,
  type Verification,
} from './types.ts';

type TaskNow = ReturnType<typeof contextNow>;

export async function closeRun(root: string, open: RunRecord, closing: Closing): Promise<Closed> {
  const keeper = keeperOf(root, open.runId);
  keeper.attempt('run.json', () => {
    updateRun(root, open.runId, { closing: { by: self(), at: new Date().toISOString(), outcome: closing.outcome } });
  });
  if (closing.result) keeper.file('runner-result.json', json(resultOf(open, closing)));
  const settings = readRunSettings(readProject(root).project.raw);
  const faults: RunDiagnostic[] = [];
  const request = readRunJson<Request>(root, open.runId, 'runner-request.json', faults) ?? {};
  const seen = observe(root, open, closing, settings, request, keeper, faults);

  const verify = closing.noVerify || !completed(closing) || seen.changed === 0 ? undefined : closing.verify;
  const verification = verify ? await verified(verify) : { ...NOT_RUN, skipped: skipReason(closing, seen) };
  keeper.file('verification.json', json(verification));
  const told = toldBy(closing, { changedFiles: seen.work.changedFiles, verification });

  const now = open.taskId === undefined ? null : contextNow(root, request.taskFile ?? settings.tasks, open.taskId);
  const decision = judge(
    open,
    closing,
    request,
    now,
    seen,
    { ...verification, configured: !verify || verification.configured },
    told,
  );
  const edit = decision.status === 'verified' && now !== null ? editOf(root, now) : null;
  if (edit !== null && 'why' in edit) unproven(decision, `the checkbox update failed safely: ${edit.why}`);
  const box = edit !== null && 'put' in edit ? edit : null;
  const record = keepEvidence(
    root,
    recordOf(root, open, closing, now, seen, verification, told, decision),
    decision,
    keeper,
  );
  const { run, kept } = finish(root, open, closing, now, box, record, { verification, work: seen.work }, keeper);
  if (kept) forgetLost(root, lost => !seen.lost.some(told => told.at === lost.at && told.key === lost.key));
  const note = keeper.notKept.length > 0 ? `run ${open.runId}: not kept: ${keeper.notKept.join(', ')}` : null;
  return { run, evidence: record, verification, kept, note };
}

function resultOf(open: RunRecord, { outcome, result, sessionId, resumeSupported, warnings }: Closing): object {
  return {
    outcome,
    failureReason: null,
    process: null,
    report: null,
    sessionId: sessionId ?? open.sessionId ?? null,
    resumeSupported: resumeSupported ?? open.resumeSupported,
    durationMs: elapsed(open, new Date()),
    warnings: warnings ?? [],
    ...result,
  };
}

/** A clock that was set back gives no negative time. */
const elapsed = (open: RunRecord, until: Date): number =>
  Math.max(0, until.getTime() - Date.parse(open.createdAt)) || 0;

const completed = (closing: Closing): boolean => closing.outcome === 'completed' || closing.outcome === 'no-change';

/** Whatever breaks the run of the commands proves nothing, and leaves the rest of the record to be kept. */
async function verified(verify: NonNullable<Closing['verify']>): Promise<Verification> {
  try {
    return await verify();
  } catch (error) {
    return { ...NOT_RUN, configured: true, skipped: `verification was broken off (${lineOf(error)})` };
  }
}

function toldBy(closing: Closing, seen: Seen): Told {
  const none: Told = { claims: NO_CLAIMS, checks: [], warnings: [] };
  try {
    return closing.claims?.(seen) ?? none;
  } catch (error) {
    return { ...none, warnings: [`what the agent said could not be read (${lineOf(error)})`] };
  }
}

const lineOf = (error: unknown): string => (error instanceof Error ? error.message.split('\n')[0]! : String(error));

/** Where the box cannot be ticked, the record must not say that all is well: this is known before it is stored. */
function editOf(root: string, now: NonNullable<TaskNow>): BoxEdit | { why: string } | null {
  return now.task.state === 'done' ? null : prepareBox(root, now.list.file, now.list.bytes, now.task);
}

const isUnseen = ({ before, after }: Observed): boolean => before === null || !captured(before) || !captured(after);

function skipReason(closing: Closing, seen: Observed): string {
  if (!completed(closing)) return `the run ended as ${closing.outcome}`;
  if (closing.noVerify) return '--no-verify';
  if (isUnseen(seen)) return 'the repository could not be looked at';
  return seen.changed === 0 ? 'nothing changed' : 'nothing was verified';
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
    unseen: isUnseen(seen),
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
    taskId: taskOf(open),
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

function finish(
  root: string,
  open: RunRecord,
  closing: Closing,
  now: TaskNow,
  box: BoxEdit | null,
  record: EvidenceRecord,
  seen: { verification: Verification; work: Attribution },
  keeper: Keeper,
): { run: RunRecord; kept: boolean } {
  let { status } = record;
  const warnings = [...open.warnings, ...record.warnings];
  let applied = false;
  if (box !== null && now && status === 'verified') {
    const { file } = now.list;
    const failed = box.put();
    applied = failed === null;
    if (applied) {
      const { before, after } = box;
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
    durationMs: elapsed(open, finishedAt),
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
  let kept = false;
  keeper.attempt('run.json', () => {
    run = updateRun(root, open.runId, last);
    kept = true;
  });
  return { run, kept };
}

function lifecycleOf(closing: Closing): RunRecord['lifecycleStatus'] {
  if (closing.abortReason !== undefined) return 'ABORTED';
  return closing.outcome === 'interrupted' ? 'INTERRUPTED' : 'COMPLETED';
}
