/** `touchstone deliver`: every reason why this task may not leave, after re-running what is stale; else what would leave. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Project, readProject } from '../config/project.ts';
import { isAccepted, PLAN_FILE, trustHash } from '../config/trust.ts';
import { checkFrozen, sayBreach } from '../freeze/check.ts';
import { readTrace } from '../freeze/trace.ts';
import { redact } from '../redact/redact.ts';
import { branchOf, conditions } from '../repo/condition.ts';
import { exclusion } from '../repo/exclude.ts';
import { locate } from '../repo/locate.ts';
import { taskOf } from '../repo/task-diff.ts';
import { headCommit } from '../repo/tips.ts';
import { statePath } from '../state/paths.ts';
import { checkPassed, greenIds, whyNot } from './green.ts';
import { type Tree, treeOf } from './leaving.ts';
import { material, materialLine } from './material.ts';
import { type Delivered, type DeliverOptions, REFUSED, shown } from './report.ts';
import { judgeRules, readRules, ruleLine } from './rules.ts';

export async function deliver(root: string, options: DeliverOptions): Promise<Delivered> {
  const report: Delivered = {
    ok: false,
    root,
    branch: branchOf(root),
    base: null,
    tree: null,
    commits: [],
    files: [],
    proof: [],
    repositories: [],
    reasons: conditions(root).map(({ what, cure }) => `${root} ${what}: ${cure}`),
    notes: [],
  };
  if (report.reasons.length > 0) return report;
  const asked = taskOf(root, report.branch);
  const { project, ...read } = readProject(root);
  if (read.kind !== 'ok') {
    const why = 'why' in read ? read.why : 'is missing (touchstone init)';
    report.reasons.push(`.claude/project.json ${why}`);
    return report;
  }
  if (!isAccepted(root, trustHash(root)))
    report.reasons.push('nobody accepted the rules in .claude/project.json: a human runs `touchstone config accept`');
  lookAtFreeze(root, project, report);
  await lookAtTask(root, report);
  const held = report.reasons.length > 0;
  const dirty = await lookAtFiles(root, project, report, asked, options);
  await lookAtEvidence(root, project, report, dirty, options);
  await lookAtRepositories(root, project, report, { dirty, held }, options);
  // A bound plan brings checks of its own.
  if (report.tree !== null && report.proof.length === 0)
    report.reasons.push(`${REFUSED.none}: neither a suite nor a green check is configured (touchstone init)`);
  await lookAtGates(root, project, report);
  report.ok = report.reasons.length === 0;
  return report;
}

async function lookAtTask(root: string, report: Delivered): Promise<void> {
  if (!existsSync(join(root, PLAN_FILE))) return;
  const { taskReasons } = await import('../stages/task-reasons.ts');
  const task = taskReasons(root);
  report.reasons.push(...task.reasons);
  report.notes.push(...task.notes);
}

async function lookAtRepositories(
  root: string,
  project: Project,
  report: Delivered,
  self: { dirty: readonly string[]; held: boolean },
  options: DeliverOptions,
): Promise<void> {
  if (!existsSync(join(root, PLAN_FILE))) return;
  const { deliverPlan } = await import('../stages/deliveries.ts');
  await deliverPlan(root, project, report, self, options);
}

async function lookAtGates(root: string, project: Project, report: Delivered): Promise<void> {
  const { gate, gates } = project.raw;
  if (gate === undefined && gates === undefined && !existsSync(statePath(root, 'markers'))) return;
  const { unmetGates, unmetLine } = await import('../gates/unmet.ts');
  report.reasons.push(...unmetGates(root, 'deliver').map(unmetLine));
}

function lookAtFreeze(root: string, project: Project, report: Delivered): void {
  const trace = readTrace(root, project.frozen.paths);
  if (trace === null) return;
  const state = checkFrozen(root, trace);
  if (state.kind === 'unproven')
    report.reasons.push(`frozen tests cannot be compared (${state.why}): touchstone doctor`);
  if (state.kind === 'broken')
    report.reasons.push(
      `frozen tests were changed (${state.breaches.map(sayBreach).join('; ')}): touchstone freeze restore`,
    );
}

/** Returns what is not committed. */
async function lookAtFiles(
  root: string,
  project: Project,
  report: Delivered,
  asked: ReturnType<typeof taskOf>,
  options: DeliverOptions,
): Promise<string[]> {
  const repo = locate(root);
  const top = repo.kind === 'worktree' ? repo.top : root;
  const prefix = repo.kind === 'worktree' ? repo.prefix : '';
  const { base, task } = await asked;
  report.base = base;
  if (task === null) {
    report.reasons.push('git cannot tell what this task changed');
    return [];
  }
  const { files } = task;
  report.files = files.map(({ path, kind }) => ({ path: redact(path), kind }));
  report.commits = task.commits.map(redact);
  if (base === null) report.notes.push('there is no other branch to compare with: every file counts as the task');
  const found = await material(top, root, task);
  const { rules: all, faults } = readRules(project.raw);
  const id = existsSync(join(root, PLAN_FILE)) ? (await import('../stages/deliveries.ts')).ownId(root) : null;
  const rules = all.filter(rule => id === null || rule.repositories.length === 0 || rule.repositories.includes(id));
  for (const fault of faults)
    report.reasons.push(
      `.claude/project.json at ${fault.path}: ${fault.message}${fault.cure ? `; ${fault.cure}` : ''}`,
    );
  const own = files.filter(f => f.path.startsWith(prefix)).map(f => f.path.slice(prefix.length));
  const said = await judgeRules(root, rules, own, { dryRun: options.dryRun, cancel: options.cancel });
  const unrun = options.dryRun ? rules.filter(rule => rule.command !== null).map(rule => rule.id) : [];
  if (unrun.length > 0) report.notes.push(`not run in a dry run: the commands of the rules ${unrun.join(', ')}`);
  for (const finding of said.filter(f => f.enforcement === 'advisory')) report.notes.push(ruleLine(finding));
  const blocking = [...found.map(materialLine), ...said.filter(f => f.enforcement === 'blocking').map(ruleLine)];
  for (const line of blocking) report.reasons.push(`${REFUSED.material}: ${line}`);
  const left = exclusion(project.claims.paths, prefix);
  return task.uncommitted.filter(path => !left.excludes(path));
}

async function lookAtEvidence(
  root: string,
  project: Project,
  report: Delivered,
  dirty: readonly string[],
  options: DeliverOptions,
): Promise<void> {
  const claims = project.claims.paths;
  const commit = headCommit(root);
  const tree = commit === null ? null : treeOf(root, { name: report.branch ?? commit, commit }, claims);
  if (tree === null || 'why' in tree) {
    report.reasons.push(tree === null ? 'there is no commit to deliver' : tree.why);
    return;
  }
  report.tree = tree;
  const suite = project.test.cmd.trim() !== '';
  const ids = greenIds(project);
  const stale = [
    ...(suite && whyNot(root, project, tree.fingerprint) !== null ? ['suite'] : []),
    ...ids.filter(id => !checkPassed(root, id, tree.fingerprint)),
  ];
  for (const what of [...(suite ? ['suite'] : []), ...ids])
    if (!stale.includes(what)) report.proof.push({ what, how: 'fresh' });
  if (stale.length === 0) {
    if (dirty.length > 0) report.notes.push(`not committed, so not delivered: ${shown(dirty)}`);
    return;
  }
  for (const what of stale) report.proof.push({ what, how: 'stale' });
  if (dirty.length > 0) {
    report.reasons.push(
      `${REFUSED.none}: ${stale.join(', ')} must run at ${tree.name}, and the work tree differs from it (${shown(dirty)}); commit, stash or ignore these`,
    );
  } else if (options.dryRun) {
    report.reasons.push(`${REFUSED.none}: ${said(root, project, tree, stale)}; \`touchstone deliver\` runs it`);
  } else if (report.reasons.length > 0) {
    report.reasons.push(`${REFUSED.none}: ${stale.join(', ')} not run, for the reasons above`);
  } else {
    // What runs things costs more to load than all the rest of this.
    const { rerun } = await import('./rerun.ts');
    await rerun(root, project, report, tree, stale, options);
  }
}

function said(root: string, project: Project, tree: Tree, stale: readonly string[]): string {
  const suite = stale.includes('suite') ? [`the suite: ${whyNot(root, project, tree.fingerprint)}`] : [];
  const checks = stale.filter(what => what !== 'suite').map(id => `${id}: no green run at ${tree.name}`);
  return [...suite, ...checks].join(', ');
}
