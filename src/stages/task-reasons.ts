/** What a bound task has to say to a delivery: the whole of it, from the state it was bound at until now (spec, section 4). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PLAN_FILE } from '../config/trust.ts';
import { bindingOf, DRIFT, drift, readBinding } from './bind.ts';
import { hashTests, look } from './checkout.ts';
import { StageError } from './error.ts';
import { frozenFailure, taskScope } from './findings.ts';
import { planFaultLine, readPlan } from './plan.ts';
import type { Plan } from './plan-types.ts';
import { readTask, type TaskState } from './task-state.ts';

export type TaskReasons = { reasons: string[]; notes: string[] };

/** Empty where no task is bound, or its plan is gone: then there is no contract to hold. */
export function taskReasons(root: string): TaskReasons {
  const found: TaskReasons = { reasons: [], notes: [] };
  try {
    const task = existsSync(join(root, PLAN_FILE)) ? readTask(root) : null;
    if (task !== null) judgeTask(root, task, found);
  } catch (error) {
    if (!(error instanceof StageError)) throw error;
    found.reasons.push(error.message);
  }
  return found;
}

function judgeTask(root: string, task: TaskState, found: TaskReasons): void {
  const { plan, faults } = readPlan(root);
  const bound = readBinding(root);
  const moved =
    plan === null
      ? faults.filter(fault => !fault.warning).map(planFaultLine)
      : bound.kind === 'value'
        ? Object.values(drift(bound.value, bindingOf(root, plan))).flat()
        : ['binding.json'];
  if (plan === null || moved.length > 0) {
    found.reasons.push(`${DRIFT} (touchstone plan rebind): ${moved.join('; ')}`);
    return;
  }
  if (task.open !== null) found.reasons.push(`stage ${task.open.id} is open: touchstone stage finish`);
  const left = plan.stages.filter(stage => stage.kind !== 'delivery' && task.completed[stage.id] === undefined);
  if (left.length > 0) {
    const line = `stages of task ${task.task} are not complete: ${left.map(stage => stage.id).join(', ')}`;
    // A plan that delivers does so after its stages; another one leaves that to its human.
    (plan.stages.some(stage => stage.kind === 'delivery') ? found.reasons : found.notes).push(line);
  }
  found.reasons.push(...scopeReasons(root, plan, task));
}

function scopeReasons(root: string, plan: Plan, task: TaskState): string[] {
  const frozen = task.red === null ? null : frozenFailure(task.red.tests, hashTests(root, plan));
  return [
    ...taskScope(root, plan, task.baseline, look(root, plan)).map(line => `Scope violation: ${line}`),
    ...(frozen?.lines ?? []).map(line => `${frozen!.heading}: ${line}`),
  ];
}
