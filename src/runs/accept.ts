/** A human accepts a task without proof: the record first, the checkbox after, under a run id of its own. */
import { trustHash } from '../config/trust.ts';
import { snapshot } from '../repo/snapshot.ts';
import { prepareBox } from './box.ts';
import { contextOf, findTask, readTaskList } from './context.ts';
import { RunError } from './error.ts';
import { storeEvidence } from './evidence.ts';
import { newRunId, resolveRunId } from './ids.ts';
import { guarded } from './open.ts';
import { readRunSettings } from './settings.ts';
import { createRun, json, latestOf, readRun, runIds, updateRun, writeRunFile } from './store.ts';
import { type EvidenceRecord, NO_CLAIMS, type RunRecord, SCHEMA_VERSION } from './types.ts';

export const NOT_VERIFIED = 'manual acceptance: no automated verification was performed';

export type Acceptance =
  | { kind: 'accepted'; run: RunRecord; evidence: EvidenceRecord; path: string; box: string | null }
  | { kind: 'done'; file: string; line: number };

export function acceptTask(
  root: string,
  raw: Record<string, unknown>,
  wanted: { task: string; reason: string; run?: string },
  now = new Date(),
): Acceptance {
  const settings = readRunSettings(raw);
  const list = readTaskList(root, settings.tasks);
  const task = findTask(list, wanted.task);
  if (task.state === 'done') return { kind: 'done', file: list.file, line: task.line };
  const referenced = wanted.run === undefined ? undefined : reference(root, wanted.run, list.spec, task.id);
  const parent = referenced ?? latestOf(root, list.spec, task.id);
  const seen = snapshot(root, { protect: guarded(settings) });
  const runId = newRunId(root);
  const at = now.toISOString();
  const run: RunRecord = {
    schemaVersion: SCHEMA_VERSION,
    runId,
    kind: 'manual-acceptance',
    specName: list.spec,
    taskId: task.id,
    runner: 'local-user',
    ...(parent ? { parentRunId: parent } : {}),
    createdAt: at,
    resumeSupported: false,
    warnings: [NOT_VERIFIED],
    finishedAt: at,
    durationMs: 0,
    outcome: 'completed',
    evidenceStatus: 'manually-accepted',
    applied: false,
    lifecycleStatus: 'COMPLETED',
  };
  const evidence: EvidenceRecord = {
    schemaVersion: SCHEMA_VERSION,
    runId,
    ...(parent ? { parentRunId: parent } : {}),
    specName: list.spec,
    taskId: task.id,
    status: 'manually-accepted',
    runner: 'local-user',
    repository: {
      ...(seen.head ? { headBefore: seen.head, headAfter: seen.head } : {}),
      ...(seen.branch ? { branch: seen.branch } : {}),
      dirtyBefore: !seen.clean,
      dirtyAfter: !seen.clean,
      fingerprintAfter: null,
    },
    changedFiles: [],
    verificationCommands: [],
    verificationSkipped: true,
    runnerClaims: NO_CLAIMS,
    claimChecks: [],
    violations: [],
    warnings: [NOT_VERIFIED],
    reasons: [],
    evaluatedAt: at,
    contract: trustHash(root),
    manualAcceptance: {
      actor: 'local-user',
      reason: wanted.reason,
      acceptedAt: at,
      ...(referenced ? { referencedRunId: referenced } : {}),
    },
    specContext: contextOf(root, list, task),
  };
  const path = storeEvidence(root, evidence);
  createRun(root, run, { 'git-before.json': json(seen), 'evidence.json': json(evidence) });
  const box = prepareBox(root, list.file, list.bytes, task);
  const failed = 'why' in box ? box.why : box.put();
  if (failed === null && 'put' in box) {
    const { before, after } = box;
    const update = { filePath: list.file, line: task.line, before, after, approvalRehashed: false };
    writeRunFile(root, runId, 'checkbox-update.json', json(update));
  }
  const done = updateRun(root, runId, {
    applied: failed === null,
    ...(failed === null ? {} : { warnings: [NOT_VERIFIED, `the checkbox update failed safely: ${failed}`] }),
  });
  return { kind: 'accepted', run: done, evidence, path, box: failed };
}

function reference(root: string, wanted: string, spec: string, task: string): string {
  const id = resolveRunId(runIds(root), wanted);
  const read = readRun(root, id);
  if (read.kind === 'run' && read.run.specName === spec && read.run.taskId === task) return id;
  const what =
    read.kind === 'run' ? `is about ${read.run.specName}/${read.run.taskId ?? '-'}` : read.diagnostic.message;
  throw new RunError('other-run', `run ${id} ${what}, not about task ${task} of ${spec}`);
}
