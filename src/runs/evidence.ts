/** `evidence/runs/<spec>/<task>/<run>.json`: one record per attempt, never overwritten (spec/002, section 6). */
import { isRecord } from '../config/project.ts';
import { readJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import { namesIn, placeFile } from '../state/run-files.ts';
import { RunError } from './error.ts';
import { evidenceShape } from './shapes.ts';
import { json } from './store.ts';
import { type EvidenceRecord, type RunDiagnostic, type RunRecord, STATUSES } from './types.ts';

export function folderName(text: string): string {
  return (
    text
      .replace(/[^A-Za-z0-9._-]/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 100) || 'none'
  );
}

/** Runs without a task are kept by who they were about. */
export function taskOf(run: RunRecord): string {
  return run.taskId ?? run.sessionId ?? run.kind;
}

export function evidencePath(spec: string, task: string, runId: string): string {
  return `evidence/runs/${folderName(spec)}/${folderName(task)}/${runId}.json`;
}

export function storeEvidence(root: string, record: EvidenceRecord): string {
  const path = evidencePath(record.specName, record.taskId, record.runId);
  try {
    placeFile(root, statePath(root, path), json(record), { fresh: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new RunError(
      'evidence-exists',
      `${path} exists. Evidence records are append-only; a new attempt needs a new run id`,
    );
  }
  return path;
}

/** The record of an attempt, else the copy beside its run. What cannot be read is told in `faults`. */
export function readEvidence(
  root: string,
  spec: string,
  task: string,
  runId: string,
  faults?: RunDiagnostic[],
): EvidenceRecord | null {
  for (const path of [evidencePath(spec, task, runId), `runs/${runId}/evidence.json`]) {
    const read = readJson<EvidenceRecord>(statePath(root, path), shape);
    if (read.kind === 'value') return read.value;
    if (read.kind === 'corrupt') faults?.push(faultOf(path, read.why));
  }
  return null;
}

function faultOf(path: string, message: string): RunDiagnostic {
  const unreadable = /^(?:is not JSON|is not a regular|cannot|is a |is too)/.test(message);
  const code = unreadable ? 'EVIDENCE_UNREADABLE' : 'EVIDENCE_INVALID_SHAPE';
  return { code, path: `.claude/state/${path}`, message };
}

export type EvidenceList = { records: EvidenceRecord[]; diagnostics: RunDiagnostic[] };

/** Every readable record of a spec, or of one of its tasks, newest first. */
export function listEvidence(root: string, spec: string, task?: string): EvidenceList {
  const found: EvidenceList = { records: [], diagnostics: [] };
  const base = ['evidence', 'runs', folderName(spec)];
  const folders = task === undefined ? namesIn(statePath(root, ...base)).sort() : [folderName(task)];
  for (const folder of folders) {
    for (const name of namesIn(statePath(root, ...base, folder))
      .sort()
      .reverse()) {
      const path = [...base, folder, name].join('/');
      const read = readJson<EvidenceRecord>(statePath(root, path), shape);
      if (read.kind === 'value' && `${read.value.runId}.json` !== name) {
        found.diagnostics.push(faultOf(path, `says it is run ${read.value.runId}`));
      } else if (read.kind === 'value') {
        if (task === undefined || read.value.taskId === task) found.records.push(read.value);
      } else if (read.kind === 'corrupt') found.diagnostics.push(faultOf(path, read.why));
    }
  }
  found.records.sort((a, b) => time(b) - time(a) || (a.runId < b.runId ? 1 : -1));
  return found;
}

const time = (record: EvidenceRecord): number => Date.parse(record.evaluatedAt) || 0;

function shape(value: unknown): string | null {
  if (!isRecord(value)) return 'is not a JSON object';
  if (typeof value.schemaVersion !== 'string' || !value.schemaVersion.startsWith('1.')) {
    return `has schemaVersion ${JSON.stringify(value.schemaVersion)}, this version reads 1`;
  }
  if (!(STATUSES as readonly unknown[]).includes(value.status)) return 'has no known status';
  return evidenceShape(value);
}
