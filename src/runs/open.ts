/** Opens a run: what the repository shows before any work, the prompt, and who is asked. */
import { readProject } from '../config/project.ts';
import { type Snapshot, snapshot } from '../repo/snapshot.ts';
import { readOpen, removeOpen, writeOpen } from '../state/run-files.ts';
import { RunError } from './error.ts';
import { checkRunId, isRunId, newRunId } from './ids.ts';
import { PROTECTED_GLOBS, type RunSettings, readRunSettings } from './settings.ts';
import { createRun, json, runIds } from './store.ts';
import { type Kind, type Lifecycle, type Owner, type RunRecord, SCHEMA_VERSION } from './types.ts';

export type Opening = {
  kind: Kind;
  specName: string;
  taskId?: string;
  runner: string;
  session?: { id: string; subagent?: string };
  parentRunId?: string;
  prompt: string;
  /** What goes into runner-request.json; redacted by the caller. */
  request: Record<string, unknown>;
  owner: Owner | null;
  lifecycle?: Lifecycle;
  runId?: string;
  host?: string;
  /** Name of the pointer by which the run is found while it is open. */
  key: (runId: string) => string;
  /** Files that only this run protects. */
  protect?: string[];
  /** A resumed run is measured against the beginning of the one it continues. */
  baseline?: Snapshot;
  snapshotTimeoutMs?: number;
  /** Throws where a run must not begin on this state; nothing is written then. */
  gate?: (start: Snapshot) => void;
};

export function openRun(root: string, opening: Opening): { run: RunRecord; before: Snapshot } {
  const settings = readRunSettings(readProject(root).project.raw);
  const protect = guarded(settings, opening.protect);
  const start = snapshot(root, { protect, timeoutMs: opening.snapshotTimeoutMs });
  opening.gate?.(start);
  const runId = opening.runId === undefined ? newRunId(root) : unused(root, opening.runId);
  const enclosing = process.env.TOUCHSTONE_RUN;
  const parentRunId = opening.parentRunId ?? (enclosing && isRunId(enclosing) ? enclosing : undefined);
  const run: RunRecord = {
    schemaVersion: SCHEMA_VERSION,
    runId,
    kind: opening.kind,
    specName: opening.specName,
    ...(opening.taskId === undefined ? {} : { taskId: opening.taskId }),
    runner: opening.runner,
    ...(opening.session ? { sessionId: opening.session.id } : {}),
    ...(opening.session?.subagent ? { subagentId: opening.session.subagent } : {}),
    ...(parentRunId ? { parentRunId } : {}),
    createdAt: start.capturedAt,
    resumeSupported: false,
    warnings: start.diagnostics.map(d => `${d.code}: ${d.message}`),
    lifecycleStatus: opening.lifecycle ?? 'OPEN',
    ...(opening.host ? { host: opening.host } : {}),
    owner: opening.owner,
  };
  const key = opening.key(runId);
  const before = opening.baseline ?? start;
  const files: Record<string, string> = {
    'prompt.md': opening.prompt,
    'runner-request.json': json({ ...opening.request, protect, protectedPaths: settings.protectedPaths }),
    'git-before.json': json(before),
    ...(opening.baseline ? { 'git-start.json': json(start) } : {}),
    'events.jsonl': `${JSON.stringify({ at: run.createdAt, type: 'run-start', kind: run.kind, runner: run.runner })}\n`,
  };
  // The pointer first: one that names no run is told from a run, a run without a pointer would never be closed.
  writeOpen(root, key, {
    run: runId,
    session: opening.session?.id ?? '',
    ...(opening.session?.subagent ? { subagent: opening.session.subagent } : {}),
  });
  try {
    createRun(root, run, files);
  } catch (error) {
    if (readOpen(root, key)?.run === runId) removeOpen(root, key);
    throw error;
  }
  return { run, before };
}

/** Before the pointer is written: that of a living run of the same id must not be touched. */
function unused(root: string, runId: string): string {
  if (!runIds(root).includes(checkRunId(runId))) return runId;
  throw new RunError('run-exists', `run ${runId} exists already. Run ids must be unique`);
}

/** Globs of files that are hashed from the disk, before and after. `more` are paths, as the settings' own are. */
export function guarded(settings: RunSettings, more: readonly string[] = []): string[] {
  const globs = settings.protectedPaths.flatMap(path => {
    const glob = literal(path);
    return path.endsWith('/') ? [`${glob}**`] : [glob, `${glob}/**`];
  });
  return [...PROTECTED_GLOBS, ...globs, ...more.map(literal)];
}

/** A folder may well be called `[id]`. */
const literal = (path: string): string => path.replace(/[\\*?[\]{}]/g, '\\$&');
