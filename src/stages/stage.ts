/** Binding a plan to a task, opening a stage, and where the task stands. */

import { readProject } from '../config/project.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import { readTrace } from '../freeze/trace.ts';
import { writeJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import { sameTree } from '../verdict/tree.ts';
import { alone } from './alone.ts';
import { demandNoQuestion } from './answer.ts';
import { type Binding, bindingOf, demandBound, demandPlan, drift, readBinding, writeBinding } from './bind.ts';
import { combined, demandSound, look, measure } from './checkout.ts';
import { StageError } from './error.ts';
import { changesBetween } from './findings.ts';
import { removeOpen, writeOpen } from './open.ts';
import { planFaultLine, readPlan } from './plan.ts';
import type { Plan, PlanStage } from './plan-types.ts';
import { demandTask, readTask, STAGES, type TaskState, writeTask } from './task-state.ts';

export type Bound = { task: string; binding: string; stages: string[]; accepted: boolean; dirty: string[] };

export function bindPlan(root: string): Promise<Bound> {
  return alone(root, () => {
    const plan = demandPlan(root);
    const before = readTask(root);
    if (before !== null && before.task === plan.task)
      throw new StageError(
        'task-exists',
        `A task run exists; use resume, answer, or a new task ID (${plan.task} is bound since ${before.boundAt}; touchstone stage status)`,
      );
    if (before?.open)
      throw new StageError(
        'stage-open',
        `plan bind: stage ${before.open.id} of task ${before.task} is open; finish it, or rebind that plan first`,
      );
    demandSound(root, plan, 'start');
    const binding = bindingOf(root, plan);
    const baseline = look(root, plan);
    const old = readBinding(root);
    if (before !== null) keepRevision(root, old.kind === 'value' ? old.value : null, { task: before });
    writeBinding(root, binding);
    removeOpen(root);
    writeTask(root, {
      schema: 1,
      task: plan.task,
      binding: binding.sha256,
      boundAt: binding.at,
      baseline,
      completed: {},
      open: null,
      red: null,
      green: null,
      attempts: [],
      pending: null,
      answers: [],
    });
    return {
      task: plan.task,
      binding: binding.sha256,
      stages: plan.stages.map(stage => stage.id),
      accepted: isAccepted(root, trustHash(root)),
      dirty: plan.repositories.flatMap(r => baseline[r.id]!.entries.map(entry => `${r.id}/${entry.path}`)),
    };
  });
}

export function keepRevision(root: string, binding: Binding | null, more: object): string {
  const name = `${STAGES}/revisions/${binding?.sha256 ?? `unknown-${Date.now()}`}.json`;
  writeJson(statePath(root, name), { ...binding, ...more });
  return `.claude/state/${name}`;
}

export type Started = {
  stage: string;
  resumed: boolean;
  allow: Record<string, string[]>;
  between: string[];
  frozen: string[];
};

export function startStage(root: string, id: string): Promise<Started> {
  return alone(root, () => {
    const { plan } = demandBound(root);
    const task = demandTask(root, plan);
    demandNoQuestion(task);
    const stage = demandStage(plan, task, id);
    const resumed = task.open !== null;
    demandSound(root, plan, resumed ? 'finish' : 'start');
    const between = resumed ? [] : movedSince(root, plan, task);
    if (!resumed) {
      task.open = { id, startedAt: new Date().toISOString(), before: look(root, plan), verifying: null };
      writeTask(root, task);
    }
    writeOpen(root, plan, stage);
    return { stage: id, resumed, allow: stage.allow, between, frozen: stage.kind === 'tests' ? held(root) : [] };
  });
}

/** Patterns that an earlier freeze holds still: a stage that writes tests will be refused there. */
function held(root: string): string[] {
  const trace = readTrace(root, readProject(root).project.frozen.paths);
  return trace === null ? [] : trace.patterns.filter(pattern => !trace.thawed.includes(pattern));
}

/** Repositories whose files changed since a stage was last accepted. */
function movedSince(root: string, plan: Plan, task: TaskState): string[] {
  const last = Object.values(task.completed).sort((a, b) => (a.at < b.at ? 1 : -1))[0];
  if (last === undefined) return [];
  const trees = measure(root, readProject(root).project, plan);
  return Object.keys(trees).filter(id => !sameTree(trees[id]!, last.trees[id] ?? null));
}

function demandStage(plan: Plan, task: TaskState, id: string): PlanStage {
  const refuse = (code: string, why: string): never => {
    throw new StageError(code, `stage start ${id}: ${why}`);
  };
  const stage = plan.stages.find(s => s.id === id);
  if (stage === undefined)
    return refuse('unknown-stage', `the plan has no such stage (there: ${plan.stages.map(s => s.id).join(', ')})`);
  if (task.open !== null && task.open.id !== id)
    refuse(
      'stage-open',
      `stage ${task.open.id} is open since ${task.open.startedAt}; finish it first (touchstone stage finish)`,
    );
  if (task.completed[id] !== undefined)
    refuse(
      'stage-complete',
      `it is complete (${task.completed[id].record}); a human revises the plan and rebinds to do it again`,
    );
  if (stage.kind === 'delivery') refuse('delivery-stage', 'the engine does it: touchstone deliver');
  const waits = stage.after.filter(name => task.completed[name] === undefined);
  if (waits.length > 0)
    refuse('stage-waits', `it waits for ${waits.join(', ')}; run \`touchstone stage start ${waits[0]}\``);
  return stage;
}

export type StageStatus = {
  task: string | null;
  binding: string | null;
  /** Why the task cannot go on as bound; empty where it can. */
  drift: string[];
  stages: { id: string; kind: string; state: 'complete' | 'open' | 'ready' | 'waiting'; record: string | null }[];
  open: { id: string; since: string; changed: string[]; attempts: number } | null;
  frozen: number;
  green: 'none' | 'fresh' | 'stale';
  pending: string | null;
  attempts: { stage: string; at: string; passed: boolean; record: string | null; failure: string | null }[];
};

export function stageStatus(root: string): StageStatus {
  const task = readTask(root);
  const bound = readBinding(root);
  const status: StageStatus = {
    task: task?.task ?? null,
    binding: bound.kind === 'value' ? bound.value.sha256 : null,
    drift: [],
    stages: [],
    open: null,
    frozen: Object.values(task?.red?.tests ?? {}).reduce((n, files) => n + Object.keys(files).length, 0),
    green: 'none',
    pending: task?.pending?.question ?? null,
    attempts: (task?.attempts ?? []).map(({ stage, at, passed, record, failure }) => ({
      stage,
      at,
      passed,
      record,
      failure,
    })),
  };
  if (task === null) return status;
  const { plan, faults } = readPlan(root);
  if (plan === null) {
    status.drift = faults.filter(f => !f.warning).map(planFaultLine);
    return status;
  }
  if (bound.kind === 'value') {
    const moved = drift(bound.value, bindingOf(root, plan));
    status.drift = [...moved.files, ...moved.skills];
  } else status.drift = ['binding.json'];
  if (plan.task !== task.task) return status;
  status.stages = plan.stages.map(stage => ({
    id: stage.id,
    kind: stage.kind,
    state: stateOf(stage, task),
    record: task.completed[stage.id]?.record ?? null,
  }));
  if (status.drift.length > 0) return status;
  const { open } = task;
  if (open !== null) {
    const changes = changesBetween(root, plan, open.before, look(root, plan));
    status.open = {
      id: open.id,
      since: open.startedAt,
      changed: Object.entries(changes).flatMap(([id, paths]) => paths.map(path => `${id}/${path}`)),
      attempts: task.attempts.filter(a => a.stage === open.id && a.at >= open.startedAt).length,
    };
  }
  if (task.green !== null)
    status.green =
      combined(measure(root, readProject(root).project, plan)) === task.green.fingerprint ? 'fresh' : 'stale';
  return status;
}

function stateOf(stage: PlanStage, task: TaskState): 'complete' | 'open' | 'ready' | 'waiting' {
  if (task.completed[stage.id] !== undefined) return 'complete';
  if (task.open?.id === stage.id) return 'open';
  return stage.after.every(name => task.completed[name] !== undefined) ? 'ready' : 'waiting';
}
