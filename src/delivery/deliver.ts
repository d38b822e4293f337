/** `touchstone deliver`: every reason why this task may not leave, after re-running what is stale; else what would leave. */
import { runCheck } from '../checks/check.ts';
import { type Check, readContract } from '../checks/contract.ts';
import { runSuite } from '../checks/suite.ts';
import { type Project, readProject } from '../config/project.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import { checkFrozen, sayBreach } from '../freeze/check.ts';
import { readTrace } from '../freeze/trace.ts';
import { unmetGates, unmetLine } from '../gates/unmet.ts';
import { branchOf, conditions } from '../repo/condition.ts';
import { locate } from '../repo/locate.ts';
import { commitsSince, passedThrough, type TaskFile, taskBase, taskFiles } from '../repo/task-diff.ts';
import { commitOf, unlike } from '../repo/tips.ts';
import { taskReasons } from '../stages/task-reasons.ts';
import { stamp } from '../verdict/stamp.ts';
import { checkPassed, greenIds, greenOf } from './green.ts';
import { type Tree, treeOf } from './leaving.ts';
import { material, materialLine } from './material.ts';
import { judgeRules, readRules, ruleLine } from './rules.ts';

export const REFUSED = {
  material: 'Blocking rule/secret finding prevents publication',
  none: 'Publication requires current green evidence',
  failed: 'Current diff does not have passing verification',
} as const;

export type Proof = { what: string; how: 'fresh' | 're-run' | 'stale' };

export type Delivered = {
  ok: boolean;
  root: string;
  branch: string | null;
  /** Where the task began; null where the history has no other branch to compare with. */
  base: { ref: string; commit: string } | null;
  tree: Tree | null;
  commits: string[];
  files: Pick<TaskFile, 'path' | 'kind'>[];
  proof: Proof[];
  reasons: string[];
  notes: string[];
};

export type DeliverOptions = {
  /** Nothing is run and nothing is stamped: what is stale is named. */
  dryRun: boolean;
  onLine?: (line: string) => void;
  cancel?: AbortSignal;
};

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
    reasons: conditions(root).map(({ what, cure }) => `${root} ${what}: ${cure}`),
    notes: [],
  };
  if (report.reasons.length > 0) return report;
  const { project, ...read } = readProject(root);
  if (read.kind !== 'ok') {
    const why = 'why' in read ? read.why : 'is missing (touchstone init)';
    report.reasons.push(`.claude/project.json ${why}`);
    return report;
  }
  if (!isAccepted(root, trustHash(root)))
    report.reasons.push('nobody accepted the rules in .claude/project.json: a human runs `touchstone config accept`');
  lookAtFreeze(root, project, report);
  const task = taskReasons(root);
  report.reasons.push(...task.reasons);
  report.notes.push(...task.notes);
  await lookAtFiles(root, project, report, options);
  await lookAtEvidence(root, project, report, options);
  report.reasons.push(...unmetGates(root, 'deliver').map(unmetLine));
  report.ok = report.reasons.length === 0;
  return report;
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

async function lookAtFiles(root: string, project: Project, report: Delivered, options: DeliverOptions): Promise<void> {
  const repo = locate(root);
  const top = repo.kind === 'worktree' ? repo.top : root;
  const prefix = repo.kind === 'worktree' ? repo.prefix : '';
  const base = taskBase(root, report.branch);
  report.base = base;
  const files = taskFiles(root, base?.commit ?? null);
  if (files === null) {
    report.reasons.push('git cannot tell what this task changed');
    return;
  }
  report.files = files.map(({ path, kind }) => ({ path, kind }));
  report.commits = commitsSince(root, base?.commit ?? null);
  if (base === null) report.notes.push('there is no other branch to compare with: every file counts as the task');
  const found = await material(top, root, files, passedThrough(root, base?.commit ?? null));
  const { rules, faults } = readRules(project.raw);
  for (const fault of faults)
    report.reasons.push(
      `.claude/project.json at ${fault.path}: ${fault.message}${fault.cure ? `; ${fault.cure}` : ''}`,
    );
  const own = report.files.filter(f => f.path.startsWith(prefix)).map(f => f.path.slice(prefix.length));
  const said = await judgeRules(root, rules, own, { dryRun: options.dryRun, cancel: options.cancel });
  const unrun = options.dryRun ? rules.filter(rule => rule.command !== null).map(rule => rule.id) : [];
  if (unrun.length > 0) report.notes.push(`not run in a dry run: the commands of the rules ${unrun.join(', ')}`);
  for (const finding of said.filter(f => f.enforcement === 'advisory')) report.notes.push(ruleLine(finding));
  const blocking = [...found.map(materialLine), ...said.filter(f => f.enforcement === 'blocking').map(ruleLine)];
  for (const line of blocking) report.reasons.push(`${REFUSED.material}: ${line}`);
}

async function lookAtEvidence(
  root: string,
  project: Project,
  report: Delivered,
  options: DeliverOptions,
): Promise<void> {
  const claims = project.claims.paths;
  const commit = commitOf(root, 'HEAD');
  const tree = commit === null ? null : treeOf(root, { name: report.branch ?? commit, commit }, claims);
  if (tree === null || 'why' in tree) {
    report.reasons.push(tree === null ? 'there is no commit to deliver' : tree.why);
    return;
  }
  report.tree = tree;
  const suite = project.test.cmd.trim() !== '';
  const ids = greenIds(project);
  if (!suite && ids.length === 0) {
    report.reasons.push(`${REFUSED.none}: neither a suite nor a green check is configured (touchstone init)`);
    return;
  }
  const stale = [
    ...(suite && greenOf(root, project).kind === 'asked' && why(root, project, tree) !== null ? ['suite'] : []),
    ...ids.filter(id => !checkPassed(root, id, tree.fingerprint)),
  ];
  for (const what of [...(suite ? ['suite'] : []), ...ids])
    if (!stale.includes(what)) report.proof.push({ what, how: 'fresh' });
  const dirty = unlike(root, tree.commit, claims) ?? [];
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
  } else await rerun(root, project, report, tree, stale, options);
}

function why(root: string, project: Project, tree: Tree): string | null {
  const green = greenOf(root, project);
  return green.kind === 'asked' ? green.why(tree.fingerprint) : null;
}

function said(root: string, project: Project, tree: Tree, stale: readonly string[]): string {
  const suite = stale.includes('suite') ? [`the suite: ${why(root, project, tree)}`] : [];
  const checks = stale.filter(what => what !== 'suite').map(id => `${id}: no green run at ${tree.name}`);
  return [...suite, ...checks].join(', ');
}

async function rerun(
  root: string,
  project: Project,
  report: Delivered,
  tree: Tree,
  stale: readonly string[],
  options: DeliverOptions,
): Promise<void> {
  const proven = (what: string) => {
    report.proof = report.proof.map(p => (p.what === what ? { what, how: 're-run' as const } : p));
  };
  if (stale.includes('suite')) {
    const suite = await runSuite(root, project, {
      slug: 'suite',
      by: 'verify',
      onLine: options.onLine,
      cancel: options.cancel,
    });
    if (suite.finding.class !== 'cancelled') await stamp(root, suite.finding, suite.moved);
    const open = why(root, project, tree);
    if (open === null) proven('suite');
    else if (suite.moved && suite.finding.verdict === 'PASS')
      report.reasons.push(`${REFUSED.failed}: the suite changed repository files; ignore what it writes (.gitignore)`);
    else
      report.reasons.push(
        `${REFUSED.failed}: the suite ${suite.finding.verdict === 'PASS' ? `passed, but ${open}` : `FAILS (${suite.finding.reason})`}`,
      );
  }
  const { checks } = readContract(project.raw);
  for (const id of stale.filter(what => what !== 'suite')) {
    const check: Check | undefined = checks.find(c => c.id === id);
    if (!check) {
      report.reasons.push(`${REFUSED.failed}: check ${id} is not usable as written (touchstone config validate)`);
      continue;
    }
    const ran = await runCheck(root, project, check, 'green', { cancel: options.cancel });
    if (checkPassed(root, id, tree.fingerprint)) proven(id);
    else
      report.reasons.push(
        `${REFUSED.failed}: check ${id}: ${ran.entry.problems[0] ?? 'its evidence is of another tree'} (${ran.path})`,
      );
  }
}

function shown(paths: readonly string[]): string {
  return paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
}
