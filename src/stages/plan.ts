/** `.claude/plan.json`: read into a typed plan, with everything wrong named in one pass (spec of seed 000, section 1). */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { wrongPath } from '../checks/command-spec.ts';
import { faultLine, readContract } from '../checks/contract.ts';
import { validateRules } from '../checks/validate.ts';
import { isRecord, readProject, record } from '../config/project.ts';
import { PLAN_FILE } from '../config/trust.ts';
import { readState } from '../state/atomic.ts';
import { PROJECT_FILE } from '../state/paths.ts';
import { Faults, NAME, type PlanFault } from './plan-faults.ts';
import { readRepositories } from './plan-repositories.ts';
import { readStages } from './plan-stages.ts';
import {
  LIMIT_RANGES,
  type Limits,
  type Plan,
  type PlanCheck,
  type PlanRepository,
  type PlanStage,
} from './plan-types.ts';

export type PlanRead = { plan: Plan | null; faults: PlanFault[] };

const REQUIRED_FILES = ['prompt.md', 'requirements.md', 'implementation.md', 'deferred.md'];
const BASES = ['main', 'master', 'trunk'];
const KEYS = [
  '$schema',
  'schema_version',
  'task',
  'description',
  'comment',
  'plan_files',
  'repositories',
  'stages',
  'commands',
  'checks',
  'outcomes',
  'limits',
  'approved_no_red_reason',
  'delivery',
];

/** Every fault of the plan, and of the project rules that it builds on. */
export function validatePlan(root: string): PlanFault[] {
  return readPlan(root).faults;
}

export const planFaultLine = (fault: PlanFault): string => faultLine(fault.file, fault);

/** `plan` is null where anything is wrong: nothing half-read is ever bound. */
export function readPlan(root: string): PlanRead {
  const faults = new Faults();
  const read = readState(join(root, PLAN_FILE));
  if (read.kind !== 'text') {
    const other = ['yaml', 'yml']
      .map(ext => PLAN_FILE.replace(/json$/, ext))
      .find(name => existsSync(join(root, name)));
    if (read.kind === 'unusable') faults.add('', read.why, 'make it a regular file');
    else if (other !== undefined) faults.add('', `there is none, and ${other} is not read`, 'write the plan as JSON');
    else faults.add('', 'there is none', 'write it (docs/stages.md shows one)');
    return { plan: null, faults: faults.all };
  }
  let raw: unknown;
  try {
    raw = JSON.parse(read.text.replace(/^\uFEFF/, ''));
  } catch (error) {
    faults.add('', `does not parse: not JSON (${(error as Error).message})`, 'correct it there');
    return { plan: null, faults: faults.all };
  }
  if (!isRecord(raw)) {
    faults.add('', 'is not a JSON object', 'write { "schema_version": 1, ... }');
    return { plan: null, faults: faults.all };
  }
  const plan = readWhole(root, raw, faults);
  for (const fault of validateRules(root)) faults.all.push({ file: PROJECT_FILE, ...fault });
  return { plan: faults.all.some(fault => !fault.warning) ? null : plan, faults: faults.all };
}

function readWhole(root: string, raw: Record<string, unknown>, faults: Faults): Plan {
  faults.keys(raw, KEYS, '', 'a plan');
  if (raw.schema_version !== 1)
    faults.add('schema_version', 'Expected pipeline schema_version 1', 'write "schema_version": 1');
  const task = typeof raw.task === 'string' && NAME.test(raw.task) ? raw.task : '';
  if (task === '')
    faults.add(
      'task',
      'is not a task ID of lower-case letters, digits, ".", "_" and "-"',
      'name it, such as "csv-export"',
    );
  const planFiles = readPlanFiles(root, raw.plan_files, faults);
  const repositories = readRepositories(raw.repositories, faults);
  const stages = readStages(raw.stages, repositories, faults);
  const { checks, outcomes } = readChecks(root, raw, repositories, stages, faults);
  const approvedNoRedReason = readReason(raw.approved_no_red_reason, faults);
  const testFirst = stages.find(stage => stage.kind === 'tests');
  const chosen = checks.filter(check => testFirst?.checks?.includes(check.id) ?? true);
  if (testFirst && approvedNoRedReason === null && !chosen.some(check => check.phases.includes('red'))) {
    faults.add(
      'checks',
      'Test-authoring stage requires assertion-level red checks',
      'give a check the phase "red" and its identities, or an approved_no_red_reason',
    );
  }
  return {
    task,
    planFiles,
    repositories,
    stages,
    checks,
    outcomes,
    limits: readLimits(raw.limits, faults),
    approvedNoRedReason,
    delivery: readDelivery(root, raw.delivery, repositories, stages, faults),
  };
}

function readPlanFiles(root: string, value: unknown, faults: Faults): string[] {
  const found: string[] = [];
  for (const [index, item] of faults.list(value, 'plan_files').entries()) {
    const path = `plan_files.${index}`;
    const wrong = wrongPath(item);
    if (wrong !== null) {
      faults.add(path, `a plan file ${wrong}`, 'name a file of the project, relative to its root, without ".."');
      continue;
    }
    const read = readState(join(root, item as string));
    if (read.kind !== 'text' || read.text.trim() === '') {
      const how = read.kind === 'missing' ? 'is missing' : read.kind === 'text' ? 'is empty' : read.why;
      faults.add(path, `Complete the approved plan file: ${item} (it ${how})`, 'write it, and let a human approve it');
    }
    if (found.includes(item as string)) faults.add(path, `${item} stands twice`, 'name it once');
    else found.push(item as string);
  }
  for (const name of REQUIRED_FILES) {
    if (found.some(path => basename(path) === name)) continue;
    faults.add(
      'plan_files',
      `Complete the approved plan file: ${name} (the plan names none)`,
      `add a file named ${name}`,
    );
  }
  return found;
}

/** Declared here or in project.json; what is wrong with one is said at the place where it stands. */
function readChecks(
  root: string,
  raw: Record<string, unknown>,
  repositories: readonly PlanRepository[],
  stages: readonly PlanStage[],
  faults: Faults,
): Pick<Plan, 'checks' | 'outcomes'> {
  const project = readProject(root).project.raw;
  const shared = Array.isArray(project.checks) ? project.checks : [];
  const own = faults.list(raw.checks, 'checks');
  const place = new Map<string, string>();
  const contract = readContract({
    commands: { ...record(project.commands), ...record(raw.commands) },
    checks: [...shared, ...own.map(withoutRepository)],
    outcomes: raw.outcomes,
  });
  const here = (text: string): string =>
    text.replace(/\bchecks\.(\d+)/g, (_, n: string) =>
      Number(n) < shared.length ? `${PROJECT_FILE} checks.${n}` : `checks.${Number(n) - shared.length}`,
    );
  for (const { path, message, cure, warning } of contract.faults) {
    const index = Number(/^checks\.(\d+)/.exec(path)?.[1] ?? shared.length);
    const elsewhere = path.startsWith('commands.') && !(path.split('.')[1]! in record(raw.commands));
    if (index < shared.length || elsewhere) continue;
    faults.all.push({
      file: PLAN_FILE,
      path: here(path),
      message: here(message),
      cure,
      ...(warning ? { warning } : {}),
    });
  }
  const home = repositories.find(r => r.path === '.')?.id ?? '';
  for (const [index, item] of own.entries()) {
    if (!isRecord(item) || typeof item.id !== 'string') continue;
    const repository = item.repository ?? home;
    if (typeof repository === 'string' && repositories.some(r => r.id === repository)) place.set(item.id, repository);
    else
      faults.add(
        `checks.${index}.repository`,
        `Check IDs must be unique and use participating repositories: "${String(repository)}" takes no part`,
        `name one of ${repositories.map(r => r.id).join(', ') || '"repositories"'}`,
      );
  }
  if (faults.list(raw.outcomes, 'outcomes').length === 0)
    faults.add('outcomes', 'Map each planned outcome to executable checks', 'write [{ "id": ..., "checks": [...] }]');
  for (const stage of stages) checkNames(stage, contract.checks, faults);
  const used = new Set([
    ...contract.outcomes.flatMap(o => o.checks),
    ...stages.flatMap(s => s.checks ?? []),
    ...place.keys(),
  ]);
  const checks: PlanCheck[] = contract.checks
    .filter(check => used.has(check.id))
    .map(check => ({ ...check, repository: place.get(check.id) ?? home }));
  return { checks, outcomes: contract.outcomes };
}

function withoutRepository(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { repository: _, ...rest } = item;
  return rest;
}

function checkNames(stage: PlanStage, checks: readonly { id: string }[], faults: Faults): void {
  const unknown = (stage.checks ?? []).filter(name => !checks.some(check => check.id === name));
  if (unknown.length > 0)
    faults.add(
      'stages',
      `stage "${stage.id}" names unknown checks: ${unknown.join(', ')}`,
      'declare them under "checks"',
    );
}

function readReason(value: unknown, faults: Faults): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && value.trim() !== '') return value;
  faults.add('approved_no_red_reason', 'is not a reason', 'say why no test can fail first, or remove it');
  return null;
}

function readLimits(value: unknown, faults: Faults): Limits {
  const given = record(value);
  if (value !== undefined && !isRecord(value))
    faults.add('limits', 'is not an object', 'write { "timeout_seconds": 1800 }');
  faults.keys(given, Object.keys(LIMIT_RANGES), 'limits', 'limits');
  const limit = (key: keyof typeof LIMIT_RANGES): number => {
    const { usual, most } = LIMIT_RANGES[key];
    const n = given[key];
    if (n === undefined) return usual;
    if (typeof n === 'number' && Number.isInteger(n) && n >= 1 && n <= most) return n;
    faults.add(`limits.${key}`, `is not a whole number from 1 to ${most}`, `give 1 to ${most}, usually ${usual}`);
    return usual;
  };
  return {
    attempts: limit('attempts_per_route'),
    timeoutSeconds: limit('timeout_seconds'),
    inactivitySeconds: limit('inactivity_seconds'),
    toolTimeoutSeconds: limit('tool_timeout_seconds'),
    given: Object.keys(given),
  };
}

function readDelivery(
  root: string,
  value: unknown,
  repositories: readonly PlanRepository[],
  stages: readonly PlanStage[],
  faults: Faults,
): Plan['delivery'] {
  const raw = record(value);
  if (value !== undefined && !isRecord(value))
    faults.add('delivery', 'is not an object', 'write { "commit_message": ... }');
  faults.keys(raw, ['commit_message', 'title', 'body_file'], 'delivery', 'delivery');
  const text = (key: string): string | undefined =>
    typeof raw[key] === 'string' && raw[key].trim() !== '' ? raw[key] : undefined;
  const [commitMessage, title, bodyFile] = [text('commit_message'), text('title'), text('body_file')];
  const commits = stages.some(stage => stage.id === 'commit-and-push');
  const drafts = stages.some(stage => stage.id === 'draft-pr');
  if (commits && commitMessage === undefined)
    faults.add(
      'delivery.commit_message',
      'Delivery needs an approved commit_message',
      'write the message of the commit',
    );
  if (drafts && (title === undefined || bodyFile === undefined))
    faults.add('delivery', 'Draft PR delivery needs a title and a body_file', 'write both');
  if (bodyFile !== undefined) {
    const wrong = wrongPath(bodyFile);
    if (wrong !== null) faults.add('delivery.body_file', `a body file ${wrong}`, 'name a file of the project');
    else if (readState(join(root, bodyFile)).kind !== 'text')
      faults.add('delivery.body_file', `there is no file ${bodyFile}`, 'write it');
  }
  for (const [index, repository] of repositories.entries()) {
    if (!(commits || drafts) || repository.access !== 'write') continue;
    const { branch, base } = repository;
    if (branch !== undefined && branch !== base && !(base === undefined && BASES.includes(branch))) continue;
    faults.add(
      `repositories.${index}.branch`,
      'Delivery requires an explicit non-base task branch',
      'name the branch of the task, such as "feature/csv-export"',
    );
  }
  return { commitMessage, title, bodyFile };
}
