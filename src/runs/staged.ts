/** Runs that a command opens and closes: a wrapped headless agent, and the begin and finish of other harnesses. */
import { basename } from 'node:path';
import { type Project, readProject } from '../config/project.ts';
import { redact } from '../redact/redact.ts';
import type { Snapshot } from '../repo/snapshot.ts';
import { readCommand } from '../shell/index.ts';
import { rememberLost } from '../state/lost.ts';
import { appendWhole, removeOpen, runPath } from '../state/run-files.ts';
import { readAgentOutput } from './agent-output.ts';
import { closeRun } from './close.ts';
import type { Closed } from './closing.ts';
import { type CommandEnd, runCommand } from './command.ts';
import { contextOf, findTask, readTaskList } from './context.ts';
import { RunError } from './error.ts';
import { LOST_LINES } from './event-line.ts';
import { openRun } from './open.ts';
import { self } from './owner.ts';
import { parseReport, type ReportRead } from './report.ts';
import { type RunSettings, readRunSettings } from './settings.ts';
import { latestOf, readRunText } from './store.ts';
import { subtasksOf } from './tasks.ts';
import { toldOf } from './told.ts';
import type { Kind, Outcome, RunRecord } from './types.ts';
import { runVerification, type VerifyOptions } from './verification.ts';

export type StagedOptions = {
  taskId?: string;
  prompt: string;
  argv: readonly string[];
  noVerify?: boolean;
  allowDirty?: boolean;
  runId?: string;
  session?: string;
  timeoutMs?: number;
  /** The agent's structured report is asked for. */
  claims?: boolean;
  resume?: { of: RunRecord; baseline: Snapshot };
};

export function settingsOf(root: string): { project: Project; settings: RunSettings } {
  const read = readProject(root);
  if (read.kind === 'corrupt')
    throw new RunError('invalid-config', `.claude/project.json ${read.why}; correct it by hand`);
  const settings = readRunSettings(read.project.raw);
  const fault = settings.faults.find(one => !one.warning);
  if (fault) {
    const cure = fault.cure === undefined ? '' : `; ${fault.cure}`;
    throw new RunError('invalid-config', `.claude/project.json at ${fault.path}: ${fault.message}${cure}`);
  }
  return { project: read.project, settings };
}

/** A gate that is closed before the agent is started. */
export class Refused extends Error {
  readonly code = 'refused';
}

export function beginStaged(root: string, kind: Kind, options: StagedOptions): RunRecord {
  const { settings } = settingsOf(root);
  const target = options.taskId === undefined ? null : taskTarget(root, settings, options.taskId);
  const staged = kind === 'interactive-execution';
  const parent = options.resume?.of.runId ?? (target ? latestOf(root, target.spec, options.taskId!) : undefined);
  const { run } = openRun(root, {
    kind,
    specName: target?.spec ?? 'adhoc',
    taskId: options.taskId,
    runner: options.argv.length > 0 ? basename(options.argv[0]!) : 'external',
    ...(options.session === undefined ? {} : { session: { id: options.session } }),
    parentRunId: parent,
    prompt: options.prompt,
    request: {
      runner: options.argv.length > 0 ? basename(options.argv[0]!) : 'external',
      argv: options.argv.map(redact),
      taskId: options.taskId ?? null,
      timeoutMs: options.timeoutMs ?? settings.timeoutMs,
      sessionId: options.session ?? null,
      allowDirty: options.allowDirty ?? false,
      noVerify: options.noVerify ?? false,
      claims: options.claims ?? false,
      ...(target
        ? { taskFile: target.file, specContext: target.context, taskLine: target.line, taskLineText: target.text }
        : {}),
    },
    // Whoever began it elsewhere ends it: no process of ours stands for it.
    owner: staged ? null : self(),
    lifecycle: staged ? 'AWAITING_AGENT_CHANGES' : 'OPEN',
    runId: options.runId,
    host: process.env.TOUCHSTONE_HOST,
    key: id => `run.${id}`,
    protect: target ? [target.file] : [],
    baseline: options.resume?.baseline,
    gate: target && !options.allowDirty && !options.resume ? refuseDirty : undefined,
  });
  return run;
}

function refuseDirty(start: Snapshot): void {
  if (start.clean || !start.gitAvailable) return;
  const paths = start.entries.map(entry => entry.path);
  const shown = paths.slice(0, 10).join(', ') + (paths.length > 10 ? ` and ${paths.length - 10} more` : '');
  throw new Refused(`the tree is dirty: ${shown}; commit or stash it, or give --allow-dirty`);
}

function taskTarget(root: string, settings: RunSettings, id: string) {
  const list = readTaskList(root, settings.tasks);
  const task = findTask(list, id);
  if (task.state === 'done') throw new Refused(`task ${id} is done already (${list.file}, line ${task.line + 1})`);
  const parts = subtasksOf(list.tasks, task).map(one => one.id);
  if (parts.length > 0) throw new Refused(`task ${id} is made of ${parts.slice(0, 10).join(', ')}: name one of those`);
  return { spec: list.spec, file: list.file, line: task.line, text: task.text, context: contextOf(root, list, task) };
}

export type FinishOptions = {
  outcome: Outcome;
  message: string;
  report: ReportRead | null;
  noVerify?: boolean;
  allowDirty?: boolean;
  sessionId?: string;
  result?: Record<string, unknown>;
  abortReason?: string;
  warnings?: string[];
  verify?: VerifyOptions;
};

export async function finishStaged(root: string, run: RunRecord, options: FinishOptions): Promise<Closed> {
  // Settings that broke during the run are its violation, and no reason to leave it open.
  const { project } = readProject(root);
  const { report } = options;
  const valid = report?.kind === 'report' ? report.report : null;
  const cut: string[] = [];
  const telling = toldOf(root, run.runId, {
    message: options.message,
    report: valid,
    readCommand: command => readCommand(command, { cwd: root, root }),
  });
  const closed = await closeRun(root, run, {
    outcome: options.outcome,
    headMoves: 'violation',
    verify: () => runVerification(root, project, run, { ...options.verify, onCut: what => cut.push(what) }),
    claims: seen => {
      const told = telling(seen);
      return { ...told, warnings: [...cut, ...told.warnings] };
    },
    reportValidated: report === null ? null : valid !== null,
    noVerify: options.noVerify,
    allowDirty: options.allowDirty,
    sessionId: options.sessionId,
    resumeSupported: options.sessionId !== undefined,
    abortReason: options.abortReason,
    warnings: [
      ...(options.warnings ?? []),
      ...(report?.kind === 'invalid' ? [`the structured report ${report.why}`] : []),
    ],
    result: { message: options.message, report: valid, sessionId: options.sessionId ?? null, ...options.result },
  });
  // A record that the disk did not take is closed by the next command that finds room.
  if (closed.kept) removeOpen(root, `run.${run.runId}`);
  return closed;
}

export type WrapHooks = {
  onLine?: (line: string) => void;
  onChunk?: (chunk: Buffer, stream: 'stdout' | 'stderr') => void;
  verify?: VerifyOptions;
  cancel?: AbortSignal;
  /** Reads the structured report once the agent has ended. */
  claims?: () => ReportRead;
};

export type Wrapped = Closed & { end: CommandEnd };

export async function wrapAgent(
  root: string,
  run: RunRecord,
  options: StagedOptions,
  hooks: WrapHooks,
): Promise<Wrapped> {
  const { settings } = settingsOf(root);
  const event = (type: string, more: object): void => {
    try {
      appendWhole(
        runPath(root, run.runId, 'events.jsonl'),
        JSON.stringify({ at: new Date().toISOString(), type, ...more }),
      );
    } catch (error) {
      rememberLost(root, `run.${run.runId}`, LOST_LINES, error);
    }
  };
  event('runner-start', { argv: options.argv.map(redact) });
  const end = await runCommand({
    argv: options.argv,
    cwd: root,
    env: { TOUCHSTONE_RUN: run.runId },
    input: options.prompt === '' ? null : options.prompt,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    stdoutPath: runPath(root, run.runId, 'raw-stdout.log'),
    stderrPath: runPath(root, run.runId, 'raw-stderr.log'),
    limit: settings.maximumOutputBytes,
    onLine: hooks.onLine,
    onChunk: hooks.onChunk,
    cancel: hooks.cancel,
  });
  event('runner-finished', { exit: end.exitCode, signal: end.signal, reason: end.reason });
  const output = readAgentOutput(readRunText(root, run.runId, 'raw-stdout.log') ?? end.stdout.tail, options.argv);
  const outcome = outcomeOf(end, output);
  const warnings: string[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    const { bytes, kept } = end[name];
    if (kept < bytes) warnings.push(`raw-${name}.log: ${kept} of ${bytes} bytes were kept`);
  }
  const failureReason = end.why ?? (outcome === 'completed' ? null : `exit ${end.exitCode ?? end.signal}`);
  const closed = await finishStaged(root, run, {
    outcome,
    message: output.message,
    report: hooks.claims?.() ?? null,
    noVerify: options.noVerify,
    allowDirty: options.allowDirty,
    sessionId: output.sessionId ?? undefined,
    warnings,
    verify: hooks.verify,
    result: {
      failureReason,
      process: {
        exitCode: end.exitCode,
        signal: end.signal,
        reason: end.reason,
        stdoutBytes: end.stdout.bytes,
        stderrBytes: end.stderr.bytes,
      },
      durationMs: end.durationMs,
    },
  });
  return { ...closed, end };
}

function outcomeOf(end: CommandEnd, output: ReturnType<typeof readAgentOutput>): Outcome {
  if (end.reason === 'timeout') return 'timed-out';
  if (end.reason === 'cancelled') return 'cancelled';
  if (output.permissionDenied) return 'permission-denied';
  if (end.reason === 'unlaunchable' || end.exitCode !== 0) return 'failed';
  return output.malformed ? 'malformed-output' : 'completed';
}

/** Exit codes of spec/002, section 1. */
export function exitCodeOf(run: RunRecord, violations: readonly string[], unlaunchable = false): number {
  if (unlaunchable) return 3;
  if (run.outcome === 'timed-out' || run.outcome === 'cancelled') return 5;
  if (run.outcome === 'permission-denied' || violations.length > 0) return 6;
  if (run.evidenceStatus === 'failed') return 4;
  if (run.evidenceStatus === 'verified' || run.evidenceStatus === 'manually-accepted') return 0;
  // An agent that was only asked a question has nothing to prove.
  return run.evidenceStatus === 'no-change' && run.taskId === undefined ? 0 : 1;
}

const MOST_CLAIMS = 32 * 1024 * 1024;

export function readReportFile(path: string): ReportRead {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs');
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { kind: 'invalid', why: 'is not a file' };
    if (stat.size > MOST_CLAIMS) return { kind: 'invalid', why: 'is larger than 32 MiB' };
    return parseReport(readFileSync(path, 'utf8'));
  } catch (error) {
    return { kind: 'invalid', why: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})` };
  }
}
