/**
 * `touchstone ci`: a verdict on a checkout that trusts nothing the checkout brings along: no local state, and not the
 * branch's own rules. The base revision says what is run, what is frozen, and what may change.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../checks/check.ts';
import { type Check, readContract } from '../checks/contract.ts';
import { runSuite } from '../checks/suite.ts';
import { isRecord, type Project, withDefaults } from '../config/project.ts';
import { PLAN_FILE } from '../config/trust.ts';
import { redact } from '../redact/redact.ts';
import { branchOf, conditions } from '../repo/condition.ts';
import { locate } from '../repo/locate.ts';
import { fileAt, folderLinks, holdsFolder, mergeBase, type TaskFile, taskBase, taskSince } from '../repo/task-diff.ts';
import { commitOf } from '../repo/tips.ts';
import { PROJECT_FILE } from '../state/paths.ts';
import { measureTree, sameTree } from '../verdict/tree.ts';
import { type CiFinding, changesOfProof, weighed } from './ci-findings.ts';
import { programs } from './ci-programs.ts';
import { material } from './material.ts';
import { judgeRules, readRules } from './rules.ts';

export type CiRun = { what: string; command: string; passed: boolean; why: string; tail: string };

export type CiReport = {
  ok: boolean;
  root: string;
  base: { ref: string; commit: string } | null;
  head: string | null;
  runs: CiRun[];
  findings: CiFinding[];
  /** Why no verdict could be reached at all. */
  stopped: string[];
};

export type CiOptions = {
  base?: string;
  env: Record<string, string | undefined>;
  onLine?: (line: string) => void;
  cancel?: AbortSignal;
};

export async function ci(root: string, options: CiOptions): Promise<CiReport> {
  const report: CiReport = {
    ok: false,
    root,
    base: null,
    head: commitOf(root, 'HEAD'),
    runs: [],
    findings: [],
    stopped: [],
  };
  const bad = conditions(root).filter(c => c.kind !== 'detached' && c.kind !== 'shallow');
  report.stopped.push(...bad.map(({ what, cure }) => `${root} ${what}: ${cure}`));
  if (report.stopped.length > 0) return report;
  const base = baseOf(root, options);
  if ('why' in base) {
    report.stopped.push(base.why);
    return report;
  }
  report.base = base;
  const project = baseProject(root, base.commit);
  if ('why' in project) {
    report.stopped.push(project.why);
    return report;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'touchstone-ci-'));
  try {
    await findings(root, scratch, project, base, report, options);
    await runs(root, scratch, project, base.commit, report, options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  // A job's log is read by many; a file's name may hold a secret too.
  report.findings = report.findings.map(f => ({ ...f, path: redact(f.path), what: redact(f.what) }));
  report.runs = report.runs.map(r => ({ ...r, command: redact(r.command), why: redact(r.why), tail: redact(r.tail) }));
  report.ok =
    report.stopped.length === 0 && report.runs.every(r => r.passed) && report.findings.every(f => f.weight !== 'fail');
  return report;
}

type Base = { ref: string; commit: string; from: string };

/** `commit`: whose rules hold; `from`: where the branch left it, so that the base's own later work is not blamed on it. */
function baseOf(root: string, { base, env }: CiOptions): Base | { why: string } {
  const target = env.GITHUB_BASE_REF || env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME;
  const ref = base ?? (target ? `origin/${target}` : taskBase(root, branchOf(root))?.ref);
  if (ref === undefined) return { why: 'no base to compare with: give --base REF' };
  const commit = commitOf(root, ref);
  if (commit === null)
    return { why: `git knows no revision ${ref}: fetch it (in a workflow, checkout with fetch-depth: 0)` };
  const from = mergeBase(root, commit);
  return from === null
    ? {
        why: `${ref} and HEAD share no history here: fetch the whole of it (in a workflow, checkout with fetch-depth: 0)`,
      }
    : { ref, commit, from };
}

function baseProject(root: string, commit: string): Project | { why: string } {
  const text = fileAt(root, commit, PROJECT_FILE);
  if (text === null) return { why: `the base has no ${PROJECT_FILE}: its first one is for a human to merge` };
  try {
    const raw: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isRecord(raw)) return withDefaults(raw);
  } catch {
    // Said below.
  }
  return { why: `${PROJECT_FILE} of the base does not parse: correct it there` };
}

async function findings(
  root: string,
  scratch: string,
  project: Project,
  base: Base,
  report: CiReport,
  options: CiOptions,
): Promise<void> {
  const repo = locate(root);
  const [top, prefix] = repo.kind === 'worktree' ? [repo.top, repo.prefix] : [root, ''];
  const task = await taskSince(root, base.from);
  if (task === null) {
    report.stopped.push('git cannot tell what the branch changed');
    return;
  }
  const all = task.files;
  const own: TaskFile[] = all
    .filter(f => f.path.startsWith(prefix))
    .map(f => ({ ...f, path: f.path.slice(prefix.length) }));
  const now = (path: string): string | null => {
    try {
      return readFileSync(join(root, path), 'utf8');
    } catch {
      return null;
    }
  };
  const plan = basePlan(root, base.commit);
  const sides = {
    // What the base itself changed since the branch left it is no change of the branch.
    before: (path: string) => fileAt(root, base.from, path),
    now,
    folder: (path: string) => holdsFolder(root, base.from, path),
    links: folderLinks(root, base.from),
    programs: programs(root, project, [...readContract(project.raw).checks, ...planChecks(plan)]),
  };
  report.findings.push(...changesOfProof(project, own, sides));
  for (const found of await material(top, scratch, task)) {
    const where = found.commit ? ` in commit ${found.commit.slice(0, 7)}` : '';
    const path = found.path.startsWith(prefix) ? found.path.slice(prefix.length) : found.path;
    const what = `${found.rule}: ${found.what}${where}`;
    report.findings.push(weighed(project, { kind: 'secret', path, line: found.line, what, weight: 'fail' }));
  }
  const id = repositoriesOf(plan).find(r => r.path === undefined || r.path === '.')?.id;
  const rules = readRules(project.raw).rules.filter(
    rule => id === undefined || rule.repositories.length === 0 || rule.repositories.includes(String(id)),
  );
  const paths = own.map(f => f.path);
  for (const { rule, enforcement, path, line, why } of await judgeRules(root, rules, paths, {
    cancel: options.cancel,
  })) {
    const weight = enforcement === 'blocking' ? 'fail' : 'note';
    report.findings.push({ kind: 'rule', path, ...(line ? { line } : {}), what: `${rule}: ${why}`, weight });
  }
}

async function runs(
  root: string,
  scratch: string,
  project: Project,
  commit: string,
  report: CiReport,
  options: CiOptions,
): Promise<void> {
  const { cancel, onLine } = options;
  if (project.test.cmd.trim() !== '') {
    const { finding, moved } = await runSuite(root, project, { slug: 'ci', by: 'verify', onLine, cancel });
    const passed = finding.verdict === 'PASS';
    report.runs.push({
      what: 'suite',
      command: finding.command,
      passed,
      why: finding.reason ?? 'passed',
      tail: finding.tail,
    });
    if (moved) report.findings.push(movedNote('the suite'));
  }
  for (const check of [...readContract(project.raw).checks, ...planChecks(basePlan(root, commit))]) {
    if (!check.phases.includes('green') || report.runs.some(r => r.what === check.id)) continue;
    const tree = measureTree(root, project.claims.paths) ?? { value: '', raw: null, head: null };
    const place = { id: '.', folder: root, tree, changes: [] };
    const { entry } = await runCheck(scratch, project, check, 'green', { place, cancel });
    const why = entry.problems.join('; ') || 'passed';
    report.runs.push({
      what: check.id,
      command: entry.command,
      passed: entry.passed,
      why,
      tail: entry.passed ? '' : entry.output,
    });
    if (!sameTree(tree, measureTree(root, project.claims.paths))) report.findings.push(movedNote(`check ${check.id}`));
  }
  if (report.runs.length === 0)
    report.stopped.push('the base configures neither a suite nor a green check: nothing is proven');
}

function movedNote(what: string): CiFinding {
  return { kind: 'setting', path: '.gitignore', what: `${what} left files that nothing ignores`, weight: 'note' };
}

/** Checks of the base's plan for the project's own repository. */
function planChecks(plan: Record<string, unknown> | null): Check[] {
  if (plan === null || !Array.isArray(plan.checks)) return [];
  const away = new Set(repositoriesOf(plan).flatMap(r => (typeof r.path === 'string' && r.path !== '.' ? [r.id] : [])));
  const checks = plan.checks
    .filter(isRecord)
    .flatMap(({ repository, parser, ...check }) =>
      away.has(repository) ? [] : [{ ...(parser === undefined ? {} : { runner: parser }), ...check }],
    );
  return readContract({ commands: plan.commands, checks }).checks;
}

const repositoriesOf = (plan: Record<string, unknown> | null): Record<string, unknown>[] =>
  Array.isArray(plan?.repositories) ? plan.repositories.filter(isRecord) : [];

function basePlan(root: string, commit: string): Record<string, unknown> | null {
  try {
    const raw: unknown = JSON.parse((fileAt(root, commit, PLAN_FILE) ?? '').replace(/^\uFEFF/, ''));
    return isRecord(raw) ? raw : null;
  } catch {
    return null;
  }
}
