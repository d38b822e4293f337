/** `.claude/state/stages/task.json`: where a bound task stands. Written under the lock "stages" only. */
import { isRecord } from '../config/project.ts';
import { readJson, writeJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import type { FrozenTests, Sights, Trees } from './checkout.ts';
import { StageError } from './error.ts';
import type { Plan } from './plan-types.ts';

export const STAGES = 'stages';
export const TASK_FILE = 'task.json';

export type Attempt = {
  stage: string;
  at: string;
  /** What the agent said. Kept, and counted for nothing. */
  summary: string | null;
  /** Null where nothing was judged: the agent asked, or gave up. */
  record: string | null;
  passed: boolean;
  reused: boolean;
  failure: string | null;
};

export type Completed = { at: string; record: string; fingerprint: string; trees: Trees };

export type OpenStage = {
  id: string;
  startedAt: string;
  before: Sights;
  /** Checks that passed in a finish that was broken off, with the trees they were run at. */
  verifying: { trees: Trees; rules: string; checks: { id: string; phase: string; record: string }[] } | null;
};

export type TaskState = {
  schema: 1;
  task: string;
  binding: string;
  boundAt: string;
  /** What every repository showed when the task was bound; files that a rebind adopted, as they were then. */
  baseline: Sights;
  completed: Record<string, Completed>;
  open: OpenStage | null;
  /** What red evidence proved. */
  red: { record: string; tests: FrozenTests } | null;
  /** Newest evidence that covers every green check. */
  green: { record: string; fingerprint: string; trees: Trees } | null;
  attempts: Attempt[];
  /** What the agent asked; the task waits. */
  pending: { stage: string; question: string; at: string } | null;
  answers: { stage: string; question: string; answer: string; at: string }[];
};

/** Null where no task is bound. */
export function readTask(root: string): TaskState | null {
  const read = readJson<TaskState>(statePath(root, STAGES, TASK_FILE), shape);
  if (read.kind === 'missing') return null;
  if (read.kind === 'value') return read.value;
  throw new StageError(
    'corrupt-task',
    `.claude/state/${STAGES}/${TASK_FILE} ${read.why}: where the task stands is not known; a human moves it away and binds the plan anew`,
  );
}

export function demandTask(root: string, plan: Plan): TaskState {
  const task = readTask(root);
  if (task !== null && task.task === plan.task) return task;
  throw new StageError('not-bound', 'Cannot resume a task without run state; run `touchstone plan bind`');
}

export function writeTask(root: string, task: TaskState): void {
  writeJson(statePath(root, STAGES, TASK_FILE), task);
}

function shape(value: unknown): string | null {
  if (!isRecord(value)) return 'is not a JSON object';
  if (value.schema !== 1) return `has schema ${String(value.schema)}, this version reads 1`;
  for (const key of ['baseline', 'completed']) if (!isRecord(value[key])) return `has no ${key}`;
  if (typeof value.task !== 'string' || typeof value.binding !== 'string' || !Array.isArray(value.attempts))
    return 'is not whole';
  return value.open === null || (isRecord(value.open) && isRecord(value.open.before))
    ? null
    : 'holds a malformed stage';
}
