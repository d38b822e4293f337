/** A delivery over the repositories of a bound plan: each judged on its own, what was proven or has left not done again. */
import { runCheck } from '../checks/check.ts';
import type { Project } from '../config/project.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import { material, materialLine } from '../delivery/material.ts';
import { type Delivered, type DeliverOptions, type Parted, REFUSED, shown } from '../delivery/report.ts';
import { judgeRules, readRules, ruleLine } from '../delivery/rules.ts';
import { branchOf, conditions } from '../repo/condition.ts';
import { fingerprint } from '../repo/fingerprint.ts';
import { locate } from '../repo/locate.ts';
import { type Task, taskOf, taskSince } from '../repo/task-diff.ts';
import { headCommit, isOnRemote, pushRemote } from '../repo/tips.ts';
import { alone } from './alone.ts';
import { cacheOf, folderOf, HARMLESS_TO_READ } from './checkout.ts';
import { type DeliveryState, type Prints, readDelivery, writeDelivery } from './delivery-state.ts';
import { planFaultLine, readPlan } from './plan.ts';
import type { Plan, PlanCheck, PlanRepository } from './plan-types.ts';
import { readTask, type TaskState } from './task-state.ts';

type Work = {
  root: string;
  project: Project;
  plan: Plan;
  task: TaskState;
  report: Delivered;
  options: DeliverOptions;
  state: DeliveryState;
  parts: Parted[];
  prints: Prints;
  /** Files that are not committed, by repository. */
  dirty: Record<string, string[]>;
};

/** By which rules name the project's own repository. */
export function ownId(root: string): string | null {
  return readPlan(root).plan?.repositories.find(r => r.path === '.')?.id ?? null;
}

export type OwnPart = {
  /** What of the project's own repository is not committed. */
  dirty: readonly string[];
  /** Whether something binds the whole task: it holds back every part, where findings in one hold back that one. */
  held: boolean;
};

/** Nothing to do where no task is bound. */
export async function deliverPlan(
  root: string,
  project: Project,
  report: Delivered,
  self: OwnPart,
  options: DeliverOptions,
): Promise<void> {
  const task = readTask(root);
  const { plan, faults } = readPlan(root);
  if (task === null || plan === null || plan.task !== task.task) {
    if (task !== null && plan === null) report.notes.push(...faults.filter(f => !f.warning).map(planFaultLine));
    return;
  }
  const work: Work = {
    root,
    project,
    plan,
    task,
    report,
    options,
    state: readDelivery(root, task.task, task.binding),
    parts: [],
    prints: {},
    dirty: {},
  };
  const go = () => judge(work, self);
  // What is only looked at does not wait for a stage at work.
  await (options.dryRun ? go() : alone(root, go));
}

async function judge(work: Work, { dirty, held }: OwnPart): Promise<void> {
  const { plan, report, parts } = work;
  for (const repository of plan.repositories)
    parts.push(repository.path === '.' ? own(work, repository, dirty) : await other(work, repository));
  if (plan.repositories.length > 1) report.repositories = parts;
  for (const part of parts) await prove(work, part, held || (part.path === '.' && report.reasons.length > 0));
  const open = plan.checks.filter(c => c.phases.includes('green') && !proven(work, c));
  for (const part of parts) settle(work, part, held, open);
  report.reasons.push(...parts.flatMap(p => p.reasons.map(why => sayOf(work, p, why))));
}

/** A plan of one repository needs no name before each line. */
const sayOf = (work: Work, part: Parted, why: string): string =>
  work.plan.repositories.length > 1 ? `${part.id}: ${why}` : why;

function own(work: Work, { id, access }: PlanRepository, dirty: readonly string[]): Parted {
  const { report, prints } = work;
  if (report.tree !== null) prints[id] = report.tree.fingerprint;
  work.dirty[id] = [...dirty];
  const commit = report.tree?.commit ?? null;
  const { length } = report.commits;
  return { id, path: '.', access, state: length > 0 ? 'ready' : 'unchanged', commit, commits: length, reasons: [] };
}

async function other(work: Work, repository: PlanRepository): Promise<Parted> {
  const { root, state, prints } = work;
  const { id, path, access } = repository;
  const folder = folderOf(root, repository);
  const part: Parted = { id, path, access, state: 'unchanged', commit: null, commits: 0, reasons: [] };
  const wrong = conditions(folder).filter(c => access === 'write' || !HARMLESS_TO_READ.includes(c.kind));
  part.reasons.push(...wrong.map(({ what, cure }) => `${path} ${what}: ${cure}`));
  if (wrong.length > 0) return part;
  const branch = branchOf(folder);
  if (repository.branch !== undefined && branch !== repository.branch)
    part.reasons.push(`${path} is on ${branch ?? 'no branch'}; the plan says ${repository.branch}`);
  const commit = headCommit(folder);
  const of = access === 'read' || commit === null ? ('worktree' as const) : { rev: commit };
  const print = fingerprint(folder, { of, cacheDir: cacheOf(root, repository) });
  if (!print.ok) {
    part.reasons.push(`no fingerprint of ${path} could be taken (${print.message})`);
    return part;
  }
  prints[id] = print.value;
  part.commit = commit;
  if (access === 'read' || commit === null) return part;
  const fit = state.repositories[id];
  if (fit?.commit === commit && isOnRemote(folder, commit, pushRemote(folder))) part.state = 'left';
  const { task, base } = await taskHere(work, id, folder, branch);
  if (task === null) {
    part.reasons.push(`git cannot tell what this task changed in ${path}`);
    return part;
  }
  work.dirty[id] = task.uncommitted;
  part.commits = task.commits.length;
  if (task.uncommitted.length > 0)
    work.report.notes.push(`${id}: not committed, so not delivered: ${shown(task.uncommitted)}`);
  if (part.state === 'left') return part;
  if (base !== commit) part.state = 'ready';
  await findings(work, repository, folder, task, part);
  return part;
}

/** A checkout without another branch to compare with is seen from where the task found it. */
async function taskHere(
  { task }: Work,
  id: string,
  folder: string,
  branch: string | null,
): Promise<{ task: Task | null; base: string | null }> {
  const seen = await taskOf(folder, branch);
  if (seen.base !== null) return { task: seen.task, base: seen.base.commit };
  const bound = task.baseline[id]?.head ?? null;
  return { task: await taskSince(folder, bound), base: bound };
}

/** Secrets, links that lead out, and the project's rules, on what the task changed there. */
async function findings(
  { root, project, report, options }: Work,
  { id }: PlanRepository,
  folder: string,
  task: Task,
  part: Parted,
): Promise<void> {
  const repo = locate(folder);
  const [top, prefix] = repo.kind === 'worktree' ? [repo.top, repo.prefix] : [folder, ''];
  const found = (await material(top, root, task)).map(materialLine);
  const rules = readRules(project.raw).rules.filter(r => r.repositories.length === 0 || r.repositories.includes(id));
  const paths = task.files.flatMap(f => (f.path.startsWith(prefix) ? [f.path.slice(prefix.length)] : []));
  for (const finding of await judgeRules(folder, rules, paths, { dryRun: options.dryRun, cancel: options.cancel })) {
    if (finding.enforcement === 'blocking') found.push(ruleLine(finding));
    else report.notes.push(`${id}: ${ruleLine(finding)}`);
  }
  part.reasons.push(...found.map(line => `${REFUSED.material}: ${line}`));
}

const green = ({ plan }: Work, id: string): PlanCheck[] =>
  plan.checks.filter(check => check.repository === id && check.phases.includes('green'));

function same(a: Prints, b: Prints): boolean {
  const ids = Object.keys(a);
  return ids.length === Object.keys(b).length && ids.every(id => a[id] === b[id]);
}

/** By an accepted stage that ran all green checks, or by this delivery, while every repository showed what it shows now. */
function proven({ root, task, state, prints, plan }: Work, check: PlanCheck): boolean {
  if (plan.repositories.some(r => prints[r.id] === undefined)) return false;
  const staged = task.green === null ? {} : task.green.trees;
  if (same(Object.fromEntries(Object.entries(staged).map(([id, tree]) => [id, tree.value])), prints)) return true;
  const kept = state.checks[check.id];
  return kept !== undefined && same(kept.prints, prints) && isAccepted(root, kept.contract);
}

async function prove(work: Work, part: Parted, held: boolean): Promise<void> {
  const { options, report, state, root } = work;
  const checks = green(work, part.id);
  const name = (check: PlanCheck) => (work.plan.repositories.length > 1 ? `${part.id}/${check.id}` : check.id);
  // What has left has left: nothing here makes that undone, or better.
  if (part.state === 'left') {
    for (const check of checks) report.proof.push({ what: name(check), how: 'left' });
    return;
  }
  const stale = checks.filter(check => !proven(work, check));
  for (const check of checks) report.proof.push({ what: name(check), how: stale.includes(check) ? 'stale' : 'fresh' });
  if (stale.length > 0) {
    const ids = stale.map(check => check.id).join(', ');
    const bare = Object.entries(work.dirty).flatMap(([id, files]) => files.map(file => `${id}/${file}`));
    const missing = work.plan.repositories.filter(r => work.prints[r.id] === undefined).map(r => r.id);
    if (missing.length > 0) part.reasons.push(`${REFUSED.none}: ${ids} not run, since nothing is known of ${missing}`);
    else if (bare.length > 0)
      part.reasons.push(
        `${REFUSED.none}: ${ids} must run at what is committed; commit, stash or ignore ${shown(bare)}`,
      );
    else if (options.dryRun)
      part.reasons.push(`${REFUSED.none}: no green run of ${ids} at these trees; \`touchstone deliver\` runs it`);
    else if (held || part.reasons.length > 0)
      part.reasons.push(`${REFUSED.none}: ${ids} not run, for the reasons above`);
    else for (const check of stale) await run(work, part, check, name(check));
  }
  if (part.reasons.length > 0 || held || options.dryRun || part.commit === null || part.access === 'read') return;
  if (checks.length === 0 || part.state !== 'ready') return;
  keep(work, part);
  writeDelivery(root, state);
}

async function run(work: Work, part: Parted, check: PlanCheck, name: string): Promise<void> {
  const { root, project, plan, options, report, state, prints } = work;
  if (options.cancel?.aborted) {
    part.reasons.push(`${REFUSED.none}: ${check.id} not run, interrupted`);
    return;
  }
  const repository = plan.repositories.find(r => r.id === part.id)!;
  const folder = folderOf(root, repository);
  const look = () => fingerprint(folder, { of: 'worktree', cacheDir: cacheOf(root, repository) });
  const seen = part.path === '.' ? null : look();
  const place =
    seen?.ok !== true
      ? undefined
      : { id: part.id, folder, tree: { value: seen.value, raw: seen.raw, head: seen.head }, changes: [] };
  const ran = await runCheck(root, project, check, 'green', { cancel: options.cancel, place });
  const after = place === undefined ? null : look();
  const bad = ran.entry.passed ? null : (ran.entry.problems[0] ?? 'it failed');
  if (bad !== null) part.reasons.push(`${REFUSED.failed}: check ${check.id}: ${bad} (${ran.path})`);
  else if (ran.record.fingerprint !== prints[part.id])
    part.reasons.push(`${REFUSED.failed}: check ${check.id}: its evidence is of another tree (${ran.path})`);
  else if (place !== undefined && !(after?.ok && after.value === place.tree.value))
    part.reasons.push(`${REFUSED.failed}: check ${check.id} changed files of ${part.path}; ignore what it writes`);
  else {
    state.checks[check.id] = { record: ran.path, prints: { ...prints }, contract: trustHash(root) };
    writeDelivery(root, state);
    report.proof = report.proof.map(p => (p.what === name ? { what: name, how: 're-run' as const } : p));
  }
}

function keep({ state, prints }: Work, part: Parted): void {
  state.repositories[part.id] = { commit: part.commit!, fingerprint: prints[part.id]!, at: new Date().toISOString() };
}

/** A repository without a check of its own is covered by those of the others. */
function settle(work: Work, part: Parted, held: boolean, open: readonly PlanCheck[]): void {
  const { options, report, root, state } = work;
  if (part.state === 'left' || part.state === 'unchanged' || part.access === 'read') {
    if (part.reasons.length > 0) part.state = 'refused';
    return;
  }
  const bare = green(work, part.id).length === 0;
  if (bare && part.reasons.length === 0 && open.length > 0)
    part.reasons.push(`${REFUSED.none}: no green run of ${open.map(c => c.id).join(', ')} at these trees`);
  const own = part.path === '.' && report.reasons.length > 0;
  if (part.reasons.length > 0 || held || own) part.state = 'refused';
  else if (bare && !options.dryRun && part.commit !== null) {
    keep(work, part);
    writeDelivery(root, state);
  }
}
