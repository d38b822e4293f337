/** The run directory: made whole, written file by file, read with tolerance for what others left there. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../config/project.ts';
import { readJson, readState } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import {
  namesIn,
  placeFile,
  RUNS,
  runPath,
  settle,
  stageFolder,
  sweepTemporary,
  writeWhole,
} from '../state/run-files.ts';
import { RunError } from './error.ts';
import { checkRunId, isRunId } from './ids.ts';
import { pidAlive } from './owner.ts';
import { type RunFile, runShape, SHAPES } from './shapes.ts';
import { KINDS, type RunDiagnostic, type RunEvent, type RunRecord, STATUSES } from './types.ts';

/** Prompts and raw output are for the person at this machine. */
const PRIVATE = 0o600;
const OWN_FILES = /^(?:prompt\.md|raw-.*\.log|verification-.*\.log|diff\.patch|runner-.*\.json)$/;

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The folder appears with all of `files` in it, or not at all. An existing id is an error. */
export function createRun(root: string, record: RunRecord, files: Record<string, string>): void {
  checkRunId(record.runId);
  const staged = stageFolder(root);
  for (const [name, text] of Object.entries({ 'run.json': json(record), ...files })) {
    writeWhole(join(staged, name), text, modeOf(name));
  }
  try {
    settle(staged, runPath(root, record.runId));
  } catch (error) {
    process.getBuiltinModule('node:fs').rmSync(staged, { recursive: true, force: true });
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error;
    throw new RunError('run-exists', `run ${record.runId} exists already. Run ids must be unique`);
  }
}

export function writeRunFile(root: string, runId: string, name: string, data: string | Uint8Array): void {
  placeFile(root, runPath(root, runId, name), data, { mode: modeOf(name) });
}

const modeOf = (name: string): number | undefined => (OWN_FILES.test(name) ? PRIVATE : undefined);

export type RecordRead = { kind: 'run'; run: RunRecord } | { kind: 'diagnostic'; diagnostic: RunDiagnostic };

export function readRun(root: string, runId: string): RecordRead {
  const path = `.claude/state/runs/${runId}/run.json`;
  const wrong = (code: string, message: string): RecordRead => ({
    kind: 'diagnostic',
    diagnostic: { code, path, message },
  });
  if (!isRunId(runId)) return wrong('RUN_ID_INVALID', 'the folder name is no run id');
  const folder = lstatSync(runPath(root, runId), { throwIfNoEntry: false });
  if (folder && !folder.isDirectory()) return wrong('RUN_UNREADABLE', 'is not a folder');
  const read = readJson<RunRecord>(runPath(root, runId, 'run.json'), shape);
  if (read.kind === 'missing') return wrong('RUN_UNREADABLE', 'is missing');
  if (read.kind === 'corrupt') {
    return wrong(
      /^(?:is not JSON|is not a regular|cannot|is a |is too)/.test(read.why) ? 'RUN_UNREADABLE' : 'RUN_INVALID_SHAPE',
      read.why,
    );
  }
  if (read.value.runId !== runId) return wrong('RUN_INVALID_SHAPE', `says it is run ${String(read.value.runId)}`);
  return { kind: 'run', run: read.value };
}

/** Fields this version does not know survive. */
export function updateRun(root: string, runId: string, change: Partial<RunRecord>): RunRecord {
  const read = readRun(root, runId);
  if (read.kind !== 'run') throw new RunError('unreadable-run', `${read.diagnostic.path} ${read.diagnostic.message}`);
  const next = { ...read.run, ...change };
  writeRunFile(root, runId, 'run.json', json(next));
  return next;
}

export type RunList = { runs: RunRecord[]; diagnostics: RunDiagnostic[] };

/** Newest first. */
export function listRuns(root: string): RunList {
  const found: RunList = { runs: [], diagnostics: [] };
  for (const name of namesIn(statePath(root, RUNS)).sort().reverse()) {
    const read = readRun(root, name);
    if (read.kind === 'run') found.runs.push(read.run);
    else found.diagnostics.push(read.diagnostic);
  }
  found.runs.sort((a, b) => order(b) - order(a) || (a.runId < b.runId ? 1 : -1));
  return found;
}

/** The newest run about a task. */
export function latestOf(root: string, spec: string, taskId: string): string | undefined {
  return listRuns(root).runs.find(run => run.specName === spec && run.taskId === taskId)?.runId;
}

/** Ids made by us carry a time that never goes back; others go by what their record says. */
function order(run: RunRecord): number {
  const own = /^([0-9a-z]{9})-[0-9a-z]{7}$/.exec(run.runId)?.[1];
  const time = own === undefined ? Date.parse(run.createdAt) : Number.parseInt(own, 36);
  return Number.isNaN(time) ? 0 : time;
}

export function runIds(root: string): string[] {
  return namesIn(statePath(root, RUNS)).filter(isRunId);
}

export function sweep(root: string): string[] {
  return sweepTemporary(root, pidAlive);
}

/** Null where it is missing or not what it should be; the latter is told in `faults`. */
export function readRunJson<T>(root: string, runId: string, name: RunFile, faults?: RunDiagnostic[]): T | null {
  const read = readJson<T>(runPath(root, runId, name), SHAPES[name]);
  if (read.kind === 'value') return read.value;
  if (read.kind === 'corrupt') {
    faults?.push({ code: 'RUN_FILE_INVALID', path: `.claude/state/runs/${runId}/${name}`, message: read.why });
  }
  return null;
}

export function readRunText(root: string, runId: string, name: string): string | null {
  const read = readState(runPath(root, runId, name));
  return read.kind === 'text' ? read.text : null;
}

export function readRunBytes(root: string, runId: string, name: string): Buffer | null {
  const path = runPath(root, runId, name);
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

/** Whole lines only; one that a crash tore is counted and left out. */
export function readEvents(root: string, runId: string): { events: RunEvent[]; torn: number } {
  const found: { events: RunEvent[]; torn: number } = { events: [], torn: 0 };
  const read = readState(runPath(root, runId, 'events.jsonl'));
  // What stands there and is no file of ours (a pipe would never end) is a line that could not be read.
  if (read.kind !== 'text') return { events: [], torn: read.kind === 'missing' ? 0 : 1 };
  for (const line of read.text.split('\n')) {
    if (line === '') continue;
    try {
      const value: unknown = JSON.parse(line);
      if (isRecord(value) && typeof value.at === 'string' && typeof value.type === 'string') {
        found.events.push(value as RunEvent);
      } else found.torn++;
    } catch {
      found.torn++;
    }
  }
  return found;
}

function shape(value: unknown): string | null {
  if (!isRecord(value)) return 'is not a JSON object';
  if (typeof value.schemaVersion !== 'string' || !value.schemaVersion.startsWith('1.')) {
    return `has schemaVersion ${JSON.stringify(value.schemaVersion)}, this version reads 1`;
  }
  for (const key of ['runId', 'specName', 'runner', 'createdAt', 'lifecycleStatus']) {
    if (typeof value[key] !== 'string') return `has no ${key}`;
  }
  if (!(KINDS as readonly unknown[]).includes(value.kind)) return `has an unknown kind ${JSON.stringify(value.kind)}`;
  if (!Array.isArray(value.warnings) || !value.warnings.every(w => typeof w === 'string')) return 'has no warnings';
  if (value.evidenceStatus !== undefined && !(STATUSES as readonly unknown[]).includes(value.evidenceStatus)) {
    return `has an unknown evidenceStatus ${JSON.stringify(value.evidenceStatus)}`;
  }
  return runShape(value);
}
