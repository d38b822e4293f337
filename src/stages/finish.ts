/** A stage asks to be finished: what it changed is judged, its checks are run by us, and the tree is looked at again. */
import type { CheckEntry } from '../checks/evidence.ts';
import { readProject } from '../config/project.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import { judgeRules, type RuleFinding, readRules, ruleLine } from '../delivery/rules.ts';
import { checkFrozen, sayBreach } from '../freeze/check.ts';
import { freeze } from '../freeze/freeze.ts';
import { readTrace } from '../freeze/trace.ts';
import { redact } from '../redact/redact.ts';
import { alone } from './alone.ts';
import { demandNoQuestion, heed } from './answer.ts';
import { demandBound } from './bind.ts';
import {
  combined,
  demandSound,
  folderOf,
  hashTests,
  look,
  measure,
  type Sights,
  sameTrees,
  type Trees,
} from './checkout.ts';
import { StageError } from './error.ts';
import {
  type Changes,
  changesBetween,
  type Failure,
  frozenFailure,
  HEADINGS,
  outputsFailure,
  preExistingFailure,
  scopeFailure,
} from './findings.ts';
import { freezeGlobs } from './match.ts';
import { removeOpen } from './open.ts';
import type { Plan } from './plan-types.ts';
import { numberOf, type StageRecord, writeStageRecord } from './record.ts';
import { demandTask, type OpenStage, type TaskState, writeTask } from './task-state.ts';
import { checksFailure, runChecks } from './verify.ts';
import type { FinishOptions, Work } from './work.ts';

export type Finished = { record: StageRecord; path: string; reused: string[]; frozen: number };

export function finishStage(root: string, options: FinishOptions = {}): Promise<Finished> {
  return alone(root, async () => {
    const { plan } = demandBound(root);
    const task = demandTask(root, plan);
    const { open } = task;
    if (open === null)
      throw new StageError('no-stage', 'stage finish: no stage is open; run `touchstone stage start <id>`');
    demandNoQuestion(task);
    const stage = plan.stages.find(s => s.id === open.id)!;
    demandAttempts(plan, task, open);
    demandSound(root, plan, 'finish');
    heed(root, task, stage.id, options.summary ?? null);
    return finish({ root, project: readProject(root).project, plan, stage, task, open }, options);
  });
}

function demandAttempts(plan: Plan, task: TaskState, open: OpenStage): void {
  if (!plan.limits.given.includes('attempts_per_route')) return;
  const failed = task.attempts.filter(a => a.stage === open.id && a.at >= open.startedAt && !a.passed).length;
  if (failed < plan.limits.attempts) return;
  throw new StageError(
    'attempts-used',
    `stage finish: stage ${open.id} used its ${plan.limits.attempts} attempts; a human reads the evidence, revises the plan and rebinds`,
  );
}

async function finish(work: Work, options: FinishOptions): Promise<Finished> {
  const { root, project, plan, stage, task, open } = work;
  const startedAt = new Date().toISOString();
  const contract = trustHash(root);
  const sights = look(root, plan);
  const trees = measure(root, project, plan);
  const changes = changesBetween(root, plan, open.before, sights);
  const failures = before(work, sights);
  const rules = await ruleFindings(work, changes, options);
  const blocking = rules.filter(finding => finding.enforcement === 'blocking');
  if (blocking.length > 0) failures.push({ step: 'rules', heading: HEADINGS.rules, lines: blocking.map(ruleLine) });

  let checks: CheckEntry[] = [];
  let reused: string[] = [];
  const phase = stage.kind === 'tests' && plan.approvedNoRedReason === null ? 'red' : 'green';
  if (failures.length === 0) {
    const run = await runChecks(work, { phase, trees, changes, contract }, options);
    ({ checks, reused } = run);
    const failed = checksFailure(phase, checks);
    if (failed !== null) failures.push(failed);
    failures.push(...after(work, sights, trees));
  }
  const green = plan.checks.filter(check => check.phases.includes('green'));
  const record: StageRecord = {
    schema: 1,
    stage: stage.id,
    task: task.task,
    changes,
    checks,
    fingerprint: combined(trees),
    trees,
    passed: failures.length === 0,
    rules,
    failures,
    phase: checks.length === 0 ? null : phase,
    complete: phase === 'green' && green.every(check => checks.some(c => c.id === check.id)),
    binding: task.binding,
    contract,
    accepted: isAccepted(root, contract),
    summary: options.summary ? redact(options.summary) : null,
    started_at: startedAt,
    finished_at: new Date().toISOString(),
  };
  const used = task.attempts
    .filter(a => a.stage === stage.id)
    .reduce((n, a) => Math.max(n, numberOf(a.record ?? '')), 0);
  const path = writeStageRecord(root, record, used);
  const frozen = record.passed ? await accept(work, record, path) : 0;
  // What a broken-off run proved waits for the next finish; what was judged to its end is in the record.
  if (!record.passed && options.cancel?.aborted !== true) open.verifying = null;
  task.attempts.push({
    stage: stage.id,
    at: record.finished_at,
    summary: record.summary,
    record: path,
    passed: record.passed,
    reused: checks.length > 0 && reused.length === checks.length,
    failure: failures[0]?.heading ?? null,
  });
  writeTask(root, task);
  if (record.passed) removeOpen(root);
  return { record, path, reused, frozen };
}

/** The project's rules, on what the stage changed; paths are named from their repository. */
async function ruleFindings(
  { root, project, plan }: Work,
  changes: Changes,
  { cancel }: FinishOptions,
): Promise<RuleFinding[]> {
  const { rules } = readRules(project.raw);
  const found: RuleFinding[] = [];
  for (const repository of plan.repositories) {
    const own = rules.filter(rule => rule.repositories.length === 0 || rule.repositories.includes(repository.id));
    const findings = await judgeRules(folderOf(root, repository), own, changes[repository.id] ?? [], { cancel });
    found.push(...findings.map(finding => ({ ...finding, path: `${repository.id}/${finding.path}` })));
  }
  return found;
}

/** What is judged before any check is run. */
function before(work: Work, sights: Sights): Failure[] {
  const { root, plan, stage, task, open } = work;
  const proven =
    stage.kind !== 'tests' && task.red !== null ? frozenFailure(task.red.tests, hashTests(root, plan)) : null;
  return [
    scopeFailure(root, plan, stage, open.before, sights),
    proven ?? heldFailure(work),
    preExistingFailure(root, plan, task.baseline, sights),
    outputsFailure(root, plan, stage),
  ].filter(failure => failure !== null);
}

/** Tests that a freeze outside of this task holds. */
function heldFailure({ root, project, plan }: Work): Failure | null {
  const trace = readTrace(root, project.frozen.paths);
  const state = trace === null ? null : checkFrozen(root, trace);
  if (state === null || state.kind === 'intact') return null;
  const own = plan.repositories.find(r => r.path === '.')!.id;
  const lines = state.kind === 'broken' ? state.breaches.map(b => `${own}/${sayBreach(b)}`) : [`${own}: ${state.why}`];
  return { step: 'frozen', heading: HEADINGS.frozen, lines };
}

/** What running the checks did to the files. */
function after(work: Work, sights: Sights, trees: Trees): Failure[] {
  const { root, project, plan, stage, open } = work;
  const again = look(root, plan);
  const found: Failure[] = [];
  const scope = scopeFailure(root, plan, stage, open.before, again);
  if (scope !== null) found.push({ ...scope, step: 'second-look' });
  if (!sameTrees(trees, measure(root, project, plan))) {
    const moved = changesBetween(root, plan, sights, again);
    found.push({
      step: 'second-look',
      heading: HEADINGS.moved,
      lines: Object.entries(moved).flatMap(([id, paths]) => paths.map(path => `${id}/${path}`)),
    });
  }
  return found;
}

/** Returns how many test files are frozen by it. */
async function accept(work: Work, record: StageRecord, path: string): Promise<number> {
  const { root, project, plan, stage, task } = work;
  let frozen = 0;
  if (record.phase === 'red') {
    const tests = hashTests(root, plan);
    const own = plan.repositories.find(r => r.path === '.')!;
    const patterns = [
      ...(readTrace(root, project.frozen.paths)?.patterns ?? []),
      ...project.frozen.paths,
      ...own.testPaths.flatMap(freezeGlobs),
    ];
    if (patterns.length > 0)
      await freeze(root, { patterns: [...new Set(patterns)], record: path.replace(/^\.claude\/state\//, '') });
    task.red = { record: path, tests };
    frozen = Object.values(tests).reduce((n, files) => n + Object.keys(files).length, 0);
  } else if (record.complete) task.green = { record: path, fingerprint: record.fingerprint, trees: record.trees };
  task.completed[stage.id] = {
    at: record.finished_at,
    record: path,
    fingerprint: record.fingerprint,
    trees: record.trees,
  };
  task.open = null;
  return frozen;
}
