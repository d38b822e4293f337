/** A run as its files tell it, for whoever shows it: what happened, what was said, and what could not be read. */
import { readProject } from '../config/project.ts';
import type { ChangedFile } from '../repo/attribution.ts';
import { listEvidence, readEvidence, taskOf } from './evidence.ts';
import { type Bucket, bucketOf, type Freshness, freshnessOf } from './freshness.ts';
import { readRunSettings } from './settings.ts';
import { readRunJson, readRunText } from './store.ts';
import type { EvidenceRecord, RunDiagnostic, RunRecord, Verification } from './types.ts';
import { nowOf } from './verification.ts';

export type Look = {
  run: RunRecord;
  evidence: EvidenceRecord | null;
  changedFiles: ChangedFile[];
  verification: Verification | null;
  freshness: Freshness | null;
  /** What all records of its task amount to. */
  task: { bucket: Bucket; by: string | null } | null;
  diagnostics: RunDiagnostic[];
  prompt?: string | null;
  stdout?: string | null;
  stderr?: string | null;
  /** The agent's last message. */
  message?: string | null;
};

export function lookAt(root: string, run: RunRecord, verbose: boolean): Look {
  const { runId } = run;
  const faults: RunDiagnostic[] = [];
  const changes = readRunJson<{ changedFiles: ChangedFile[] }>(root, runId, 'changed-files.json', faults);
  const verification = readRunJson<Verification>(root, runId, 'verification.json', faults);
  const evidence = readEvidence(root, run.specName, taskOf(run), runId, faults);
  const look: Look = {
    run,
    evidence,
    changedFiles: changes?.changedFiles ?? [],
    verification,
    freshness: null,
    task: null,
    diagnostics: faults,
  };
  if (run.taskId !== undefined) {
    const at = nowOf(root, run, readRunSettings(readProject(root).project.raw).tasks);
    const { records, diagnostics } = listEvidence(root, run.specName, run.taskId);
    look.freshness = evidence ? freshnessOf(evidence, at) : null;
    look.task = bucketOf(records, at);
    faults.push(...diagnostics.filter(d => !faults.some(known => known.path === d.path)));
  }
  if (!verbose) return look;
  return {
    ...look,
    prompt: readRunText(root, runId, 'prompt.md'),
    stdout: readRunText(root, runId, 'raw-stdout.log'),
    stderr: readRunText(root, runId, 'raw-stderr.log'),
    message: readRunJson<{ message: string }>(root, runId, 'runner-result.json', faults)?.message ?? null,
  };
}
