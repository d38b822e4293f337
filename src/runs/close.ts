/** Closes a run: what the repository shows afterwards, whose changes these are, and what that amounts to. */
import { join } from 'node:path';
import { readProject } from '../config/project.ts';
import { trustHash } from '../config/trust.ts';
import { type Attribution, attribution, type ChangedFile } from '../repo/attribution.ts';
import { committedChanges, diffPatch } from '../repo/patch.ts';
import { type Snapshot, snapshot } from '../repo/snapshot.ts';
import { readState } from '../state/atomic.ts';
import { appendWhole, placeFile, runPath } from '../state/run-files.ts';
import { contextNow } from './context.ts';
import { RunError } from './error.ts';
import { evidencePath, readEvidence, storeEvidence } from './evidence.ts';
import { guarded } from './open.ts';
import { overlapping, writesOf } from './overlap.ts';
import { self } from './owner.ts';
import { readRunSettings } from './settings.ts';
import { decideStatus, type StatusDecision } from './status.ts';
import { json, readRunJson, updateRun, writeRunFile } from './store.ts';
import { tick } from './tasks.ts';
import {
  type ClaimCheck,
  type EvidenceRecord,
  type Outcome,
  type RunnerClaims,
  type RunRecord,
  SCHEMA_VERSION,
  type SpecContext,
  type Verification,
} from './types.ts';

export type Seen = { changedFiles: ChangedFile[]; verification: Verification };

export type Closing = {
  outcome: Outcome;
  /** Where the run went by hooks, commits are events that the delivery policy judges. */
  headMoves: 'violation' | 'event';
  /** Called only where it can matter: the run completed and changed something. */
  verify?: () => Promise<Verification> | Verification;
  /** What the agent said, held against what was seen. */
  claims?: (seen: Seen) => { claims: RunnerClaims; checks: ClaimCheck[]; warnings: string[] };
  reportValidated?: boolean | null;
  noVerify?: boolean;
  allowDirty?: boolean;
  /** For runner-result.json. */
  result?: Record<string, unknown>;
  sessionId?: string;
  resumeSupported?: boolean;
  abortReason?: string;
  warnings?: string[];
};

export type Closed = { run: RunRecord; evidence: EvidenceRecord; verification: Verification; note: string | null };

export const NO_CLAIMS: RunnerClaims = { changedFiles: [], commandsReported: [], testsReported: [], statements: [] };

export const NOT_RUN: Verification = {
  ran: false,
  skipped: 'not run',
  configured: false,
  commands: [],
  requiredFailed: [],
  optionalFailed: [],
  passed: false,
  fingerprint: null,
};

/** The rules of the run's beginning hold to its end, whatever it did to them. */
type Request = {
  protect?: string[];
  protectedPaths?: string[];
  specContext?: SpecContext;
  taskLine?: number;
  taskLineText?: string;
};

export async function closeRun(root: string, open: RunRecord, closing: Closing): Promise<Closed> {
  const { runId } = open;
  const notKept: string[] = [];
  const keep = (name: string, write: () => void): void => {
    try {
      write();
    } catch (error) {
      notKept.push(`${name} (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
    }
  };
  const file = (name: string, data: string | Uint8Array): void =>
    keep(name, () => writeRunFile(root, runId, name, data));
  keep('run.json', () => {
    updateRun(root, runId, { closing: { by: self(), at: new Date().toISOString(), outcome: closing.outcome } });
  });
  if (closing.result) file('runner-result.json', json({ outcome: closing.outcome, ...closing.result }));

  const { project } = readProject(root);
  const settings = readRunSettings(project.raw);
  const request = readRunJson<Request>(root, runId, 'runner-request.json') ?? {};
  const before = readRunJson<Snapshot>(root, runId, 'git-before.json');
  // A close that was broken off has seen the end already, and nearer to it.
  let after = readRunJson<Snapshot>(root, runId, 'git-after.json');
  if (after === null) {
    after = snapshot(root, { protect: request.protect ?? guarded(settings), timeoutMs: 60_000 });
    file('git-after.json', json(after));
  }
  const warnings = [...(closing.warnings ?? [])];
  const work = attribute(
    root,
    runId,
    before,
    after,
    request.protectedPaths ?? settings.protectedPaths,
    closing.headMoves,
  );
  if (before === null) warnings.push('the state before the run was not recorded: nothing can be attributed to it');
  else if (!before.gitAvailable || !after.gitAvailable)
    warnings.push('no git state was captured: nothing can be attributed');
  warnings.push(...work.warnings);
  warnings.push(...leaveToOthers(root, open, work.changedFiles));
  file('changed-files.json', json({ changedFiles: work.changedFiles, ambiguousPaths: work.ambiguousPaths }));
  const mine = work.changedFiles.filter(changed => changed.modifiedDuringRun);
  if (mine.length > 0) warnings.push(...keepPatch(root, settings.maximumPatchBytes, file));
  if (work.headMoved) {
    const line = JSON.stringify({ at: after.capturedAt, type: 'head-moved', ...work.headMoved });
    keep('events.jsonl', () => appendWhole(runPath(root, runId, 'events.jsonl'), line));
  }

  const completed = closing.outcome === 'completed' || closing.outcome === 'no-change';
  const verify = completed && mine.length > 0 && !closing.noVerify ? closing.verify : undefined;
  const verification = verify ? await verify() : { ...NOT_RUN, skipped: skipReason(closing, mine.length) };
  file('verification.json', json(verification));

  const told = closing.claims?.({ changedFiles: work.changedFiles, verification }) ?? {
    claims: NO_CLAIMS,
    checks: [],
    warnings: [],
  };
  const now = open.taskId === undefined ? null : contextNow(root, settings.tasks, open.taskId);
  const decision = decideStatus({
    outcome: closing.outcome,
    reportValidated: closing.reportValidated ?? null,
    claimedFiles: told.claims.changedFiles.length,
    changed: mine.length,
    ambiguous: work.ambiguousPaths.length,
    protectedViolations: work.violations.filter(v => v.startsWith('protected path')),
    headMoved:
      closing.headMoves === 'violation' && work.headMoved
        ? { from: work.headMoved.from ?? 'none', to: work.headMoved.to ?? 'none' }
        : null,
    otherViolations: work.violations.filter(v => !/^(?:protected path|HEAD moved)/.test(v)),
    approvalsStillValid: true,
    taskStillExists:
      open.taskId === undefined ||
      request.specContext === undefined ||
      now?.context.taskFingerprint === request.specContext.taskFingerprint,
    noVerify: closing.noVerify ?? false,
    allowDirty: closing.allowDirty,
    commands: verify && !verification.configured ? null : verification.commands,
    unproven: verification.ran ? null : verification.skipped,
  });
  const edit = decision.status === 'verified' && now !== null ? tick(now.list.text, now.task) : null;
  if (edit?.kind === 'refused' && now?.task.state !== 'done') drop(decision, edit.why);

  let record: EvidenceRecord = {
    schemaVersion: SCHEMA_VERSION,
    runId,
    ...(open.parentRunId ? { parentRunId: open.parentRunId } : {}),
    specName: open.specName,
    taskId: open.taskId ?? taskOf(open),
    status: decision.status,
    runner: open.runner,
    ...((closing.sessionId ?? open.sessionId) ? { sessionId: closing.sessionId ?? open.sessionId } : {}),
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
    warnings: [...warnings, ...told.warnings, ...decision.warnings],
    reasons: decision.reasons,
    evaluatedAt: new Date().toISOString(),
    contract: trustHash(root),
    ...(now ? { specContext: now.context } : {}),
  };
  try {
    storeEvidence(root, record);
  } catch (error) {
    // Written by a close that was broken off after it: that record stands.
    const stands = readEvidence(root, record.specName, record.taskId, runId);
    if (stands) record = stands;
    else notKept.push(`${evidencePath(record.specName, record.taskId, runId)} (${codeOf(error)})`);
  }
  file('evidence.json', json(record));
  let status = record.status;
  let applied = false;
  if (edit?.kind === 'edited' && now && status === 'verified') {
    const failed = tickBox(root, now.list.file, now.list.text, edit.text);
    if (failed === null) {
      applied = true;
      const update = {
        filePath: now.list.file,
        line: now.task.line,
        before: edit.before,
        after: edit.after,
        approvalRehashed: false,
      };
      file('checkbox-update.json', json(update));
    } else {
      status = 'implemented-unverified';
      record.warnings.push(`the checkbox update failed safely: ${failed}`);
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
    warnings: [...open.warnings, ...record.warnings],
    lifecycleStatus:
      closing.abortReason !== undefined ? 'ABORTED' : closing.outcome === 'interrupted' ? 'INTERRUPTED' : 'COMPLETED',
    ...(closing.abortReason === undefined ? {} : { abortReason: closing.abortReason }),
  };
  const report = { run: { ...open, ...change }, evidence: record, verification, ambiguousPaths: work.ambiguousPaths };
  file('report.json', json({ schema: 'touchstone.run-report/1', report }));
  let run: RunRecord = { ...open, ...change, ...(notKept.length > 0 ? { notKept } : {}) };
  keep('run.json', () => {
    run = updateRun(root, runId, { ...change, closing: undefined, ...(notKept.length > 0 ? { notKept } : {}) });
  });
  const note = notKept.length > 0 ? `run ${runId}: not kept: ${notKept.join(', ')}` : null;
  return { run, evidence: record, verification, note };
}

const codeOf = (error: unknown): string =>
  error instanceof RunError ? error.code : ((error as NodeJS.ErrnoException).code ?? 'error');

/** Runs without a task are kept by who they were about. */
export function taskOf(run: RunRecord): string {
  return run.sessionId ?? run.kind;
}

function drop(decision: StatusDecision, why: string): void {
  decision.status = 'implemented-unverified';
  decision.reasons.push(`the checkbox update failed safely: ${why}`);
}

function skipReason(closing: Closing, changed: number): string {
  if (closing.noVerify) return '--no-verify';
  if (closing.outcome !== 'completed' && closing.outcome !== 'no-change') return `the run ended as ${closing.outcome}`;
  return changed === 0 ? 'nothing changed' : 'nothing was verified';
}

function attribute(
  root: string,
  runId: string,
  before: Snapshot | null,
  after: Snapshot,
  protectedPaths: readonly string[],
  headMoves: Closing['headMoves'],
): Attribution {
  if (before === null || !before.gitAvailable || !after.gitAvailable) {
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
  const committed =
    before.head !== after.head && after.head !== undefined
      ? (committedChanges(root, before.head ?? null, after.head) ?? [])
      : [];
  const found = attribution(before, after, { headMoves, committed, protectedPaths });
  const start = readRunJson<Snapshot>(root, runId, 'git-start.json');
  // A resumed run answers for protected files and HEAD from its own start only.
  if (start === null) return found;
  const own = attribution(start, after, { headMoves, committed: [], protectedPaths });
  return { ...found, violations: own.violations, headMoved: own.headMoved, branchMoved: own.branchMoved };
}

/** Two runs at once: what another session's tools wrote, and ours did not, is not this run's change. */
function leaveToOthers(root: string, run: RunRecord, files: ChangedFile[]): string[] {
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

function keepPatch(root: string, limit: number, file: (name: string, data: Uint8Array) => void): string[] {
  const patch = diffPatch(root, limit);
  if (patch.kind === 'patch') file('diff.patch', patch.bytes);
  if (patch.kind === 'too-large') return [patch.warning];
  return patch.kind === 'none' ? [`no patch was kept: ${patch.reason}`] : [];
}

/** Null when done; else why not. The file must still be what the edit was made from. */
export function tickBox(root: string, file: string, before: string, after: string): string | null {
  const read = readState(join(root, file));
  if (read.kind !== 'text' || read.text !== before) return `${file} changed in the meantime`;
  try {
    const { statSync } = process.getBuiltinModule('node:fs');
    placeFile(root, join(root, file), after, { mode: statSync(join(root, file)).mode & 0o777 });
    return null;
  } catch (error) {
    return `${file} cannot be written (${codeOf(error)})`;
  }
}
