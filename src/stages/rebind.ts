/** A human adopts a revised plan: the old binding is archived, and what it no longer carries is dropped (spec, section 5). */
import { readProject } from '../config/project.ts';
import { isAccepted, PLAN_FILE, trustHash } from '../config/trust.ts';
import { thaw } from '../freeze/thaw.ts';
import { PROJECT_FILE } from '../state/paths.ts';
import { alone } from './alone.ts';
import { type Binding, bindingOf, demandPlan, drift, readBinding, writeBinding } from './bind.ts';
import { demandSound, look, type Sight } from './checkout.ts';
import { StageError } from './error.ts';
import { freezeGlobs } from './match.ts';
import { removeOpen } from './open.ts';
import type { Plan } from './plan-types.ts';
import { keepRevision } from './stage.ts';
import { readTask, type TaskState, writeTask } from './task-state.ts';

export type Rebound = {
  changed: string[];
  archived: string | null;
  /** Stages whose completion was dropped. */
  dropped: string[];
  /** Red evidence was dropped, and its tests opened. */
  redDropped: boolean;
  accepted: boolean;
};

export function rebindPlan(root: string): Promise<Rebound> {
  return alone(root, async () => {
    const task = readTask(root);
    if (task === null)
      throw new StageError('not-bound', 'Cannot resume a task without run state; run `touchstone plan bind`');
    const plan = demandPlan(root);
    const read = readBinding(root);
    const old = read.kind === 'value' ? read.value : null;
    if (plan.task !== task.task || !sameCheckouts(old, plan, task))
      throw new StageError(
        'new-task',
        'Repository membership/checkout changes require a new task ID: give the plan another "task" and run `touchstone plan bind`',
      );
    const binding = bindingOf(root, plan);
    const moved = old === null ? { files: ['binding.json'], skills: [] } : drift(old, binding);
    const changed = [...moved.files, ...moved.skills];
    const accepted = isAccepted(root, trustHash(root));
    if (changed.length === 0) return { changed, archived: null, dropped: [], redDropped: false, accepted };
    demandSound(root, plan, 'start');

    const from = firstInvalid(plan, moved);
    const dropped = plan.stages.slice(from).filter(stage => task.completed[stage.id] !== undefined);
    const gone = Object.keys(task.completed).filter(id => !plan.stages.some(stage => stage.id === id));
    const completed = Object.keys(task.completed);
    const invalid = new Set([...dropped.map(stage => stage.id), ...gone]);
    for (const id of invalid) delete task.completed[id];
    const testFirst = plan.stages.find(stage => stage.kind === 'tests');
    const redDropped = task.red !== null && (testFirst === undefined || task.completed[testFirst.id] === undefined);
    const adopted = [PLAN_FILE, PROJECT_FILE, ...plan.planFiles, ...moved.files, ...moved.skills];
    const archived = keepRevision(root, old, {
      binding_sha256: task.binding,
      rebound_at: new Date().toISOString(),
      completed,
      invalidate_from: plan.stages[from]?.id ?? null,
      preserved_inputs: adopted,
    });
    if (redDropped) {
      await openTests(root, plan, task);
      task.red = null;
    }
    adopt(root, plan, task, adopted);
    task.green = null;
    task.pending = null;
    task.open = null;
    task.binding = binding.sha256;
    writeBinding(root, binding);
    removeOpen(root);
    writeTask(root, task);
    return { changed, archived, dropped: [...invalid], redDropped, accepted };
  });
}

/** Which repositories take part, where they lie and how: another set is another task. */
function sameCheckouts(old: Binding | null, plan: Plan, task: TaskState): boolean {
  const now = plan.repositories.map(r => `${r.id}\0${r.path}`).sort();
  const before = (old?.plan as { repositories?: { id?: string; path?: string }[] } | undefined)?.repositories;
  if (before === undefined)
    return (
      Object.keys(task.baseline).sort().join() ===
      plan.repositories
        .map(r => r.id)
        .sort()
        .join()
    );
  const place = (path: string | undefined): string =>
    (path ?? '.').replace(/^(?:\.\/)+/, '').replace(/\/+$/, '') || '.';
  return (
    now.join() ===
    before
      .map(r => `${r.id}\0${place(r.path)}`)
      .sort()
      .join()
  );
}

/** Everything falls with anything but a skill; a skill takes down its own stage and what follows. */
function firstInvalid(plan: Plan, moved: { files: string[]; skills: string[] }): number {
  if (moved.files.length > 0) return 0;
  const at = plan.stages.findIndex(stage => stage.skill !== undefined && moved.skills.includes(stage.skill));
  return Math.max(at, 0);
}

/** The red proof is gone: its tests are to be written anew. */
async function openTests(root: string, plan: Plan, task: TaskState): Promise<void> {
  const own = plan.repositories.find(r => r.path === '.')!;
  const paths = [...own.testPaths.flatMap(freezeGlobs), ...Object.keys(task.red?.tests[own.id] ?? {})];
  if (paths.length === 0) return;
  const configured = readProject(root).project.frozen.paths;
  await thaw(root, configured, { paths, reason: 'plan rebind' }, { who: 'terminal', session: null });
}

/** Files the human revised are theirs from now on, as they are now: no stage is blamed for them. */
function adopt(root: string, plan: Plan, task: TaskState, paths: readonly string[]): void {
  const own = plan.repositories.find(r => r.path === '.')!.id;
  const now = look(root, plan)[own]!;
  const baseline: Sight = task.baseline[own]!;
  const taken = new Set(paths);
  baseline.entries = [
    ...baseline.entries.filter(entry => !taken.has(entry.path)),
    ...now.entries.filter(entry => taken.has(entry.path)),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}
