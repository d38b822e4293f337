/** `commands`, `checks` and `outcomes` of project.json: read into typed checks, with everything wrong named in one pass. */
import { isRecord } from '../config/project.ts';
import type { Fault } from '../config/schema.ts';
import { type CommandSpec, commandOf, isStrings, readCommands, readSetting, wrongPath } from './command-spec.ts';
import { isBroad, patternProblem } from './pattern.ts';
import { isRunner, runnerNames } from './runner-names.ts';

export type Phase = 'red' | 'green';

export type Check = {
  id: string;
  argv: string[];
  /** Relative to the root, forward slashes, '.' for the root itself. */
  cwd: string;
  timeoutSeconds: number;
  inactivitySeconds: number;
  env: Record<string, string>;
  envRefs: string[];
  /** Absent: whoever recognises the output reads it. */
  runner?: string;
  phases: Phase[];
  identities: string[];
  successPattern?: string;
  failurePattern?: string;
  approvedSkipReason: string | null;
  environment?: string;
  junit: string[];
  reports: string[];
};

export type Outcome = { id: string; checks: string[] };

export type Contract = { checks: Check[]; outcomes: Outcome[]; faults: Fault[] };

export const CHECK_DEFAULTS = { timeoutSeconds: 1800, inactivitySeconds: 300 } as const;

const CHECK_KEYS = new Set([
  'id',
  'command',
  'cwd',
  'timeout_seconds',
  'inactivity_seconds',
  'env',
  'env_refs',
  'runner',
  'phases',
  'identities',
  'success_pattern',
  'failure_pattern',
  'approved_skip_reason',
  'environment',
  'junit',
  'report',
  'description',
  'comment',
]);

const NAME = /^[a-z0-9][a-z0-9._-]{0,79}$/i;

export function faultLine(file: string, fault: Fault): string {
  const where = fault.path ? ` at ${fault.path}` : '';
  return `${file}${where}: ${fault.warning ? 'warning: ' : ''}${fault.message}${fault.cure ? `; ${fault.cure}` : ''}`;
}

export function validateChecks(raw: unknown): Fault[] {
  return readContract(raw).faults;
}

/** Checks with a fault are left out of `checks`: nothing half-read is ever run. */
export function readContract(raw: unknown): Contract {
  const faults: Fault[] = [];
  const file = isRecord(raw) ? raw : {};
  const commands = readCommands(file.commands, faults);
  const checks: Check[] = [];
  const phases = new Map<string, unknown>();
  const at = new Map<string, number>();
  for (const [index, item] of listOf(file.checks, 'checks', faults).entries()) {
    const before = errors(faults);
    const check = readCheck(item, `checks.${index}`, commands, faults);
    if (check.id !== '') {
      const first = at.get(check.id);
      if (first !== undefined) {
        faults.push({
          path: `checks.${index}.id`,
          message: `Check IDs must be unique and use participating repositories: "${check.id}" is the id of checks.${first} too`,
          cure: 'give each check an id of its own',
        });
      } else at.set(check.id, index);
      if (!phases.has(check.id)) phases.set(check.id, check.phases);
    }
    if (errors(faults) === before) checks.push(check);
  }
  const outcomes = readOutcomes(file.outcomes, phases, faults);
  return { checks, outcomes, faults };
}

const errors = (faults: readonly Fault[]): number => faults.filter(fault => fault.warning !== true).length;

function listOf(value: unknown, path: string, faults: Fault[]): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  faults.push({ path, message: 'is not a list', cure: `write "${path}": [ ... ]` });
  return [];
}

function readCheck(item: unknown, path: string, commands: Map<string, CommandSpec>, faults: Fault[]): Check {
  const check: Check = {
    id: '',
    argv: [],
    cwd: '.',
    ...CHECK_DEFAULTS,
    env: {},
    envRefs: [],
    phases: ['green'],
    identities: [],
    approvedSkipReason: null,
    junit: [],
    reports: [],
  };
  if (!isRecord(item)) {
    faults.push({ path, message: 'is not an object', cure: 'write { "id": ..., "command": [...] }' });
    return check;
  }
  for (const key of Object.keys(item)) {
    if (CHECK_KEYS.has(key)) continue;
    faults.push({
      path: `${path}.${key}`,
      message: 'is no key of a check and has no effect',
      cure: 'remove it or correct its spelling',
      warning: true,
    });
  }
  if (typeof item.id === 'string' && NAME.test(item.id)) check.id = item.id;
  else {
    faults.push({
      path: `${path}.id`,
      message: item.id === undefined ? 'a check has no id' : 'is not a short name of letters, digits, ".", "_" and "-"',
      cure: 'name it, such as "unit"',
    });
  }
  const command = commandOf(item.command, `${path}.command`, commands, faults);
  check.argv = command.argv;
  readSetting(item, path, faults);
  applySetting(check, command);
  applySetting(check, item);
  readMeaning(check, item, path, faults);
  return check;
}

function applySetting(check: Check, item: Record<string, unknown> | CommandSpec): void {
  if (typeof item.cwd === 'string') check.cwd = item.cwd.replace(/\/+$/, '') || '.';
  if (typeof item.timeout_seconds === 'number') check.timeoutSeconds = item.timeout_seconds;
  if (typeof item.inactivity_seconds === 'number') check.inactivitySeconds = item.inactivity_seconds;
  if (isRecord(item.env)) check.env = { ...check.env, ...(item.env as Record<string, string>) };
  if (isStrings(item.env_refs)) check.envRefs = [...new Set([...check.envRefs, ...item.env_refs])];
}

function readMeaning(check: Check, item: Record<string, unknown>, path: string, faults: Fault[]): void {
  const fault = (key: string, message: string, cure: string, warning?: true): void => {
    faults.push({ path: `${path}.${key}`, message, cure, ...(warning ? { warning } : {}) });
  };
  if (item.phases !== undefined) {
    const given = item.phases;
    if (isStrings(given) && given.length > 0 && given.every(p => p === 'red' || p === 'green')) {
      check.phases = [...new Set(given as Phase[])];
    } else fault('phases', 'Checks require red and/or green phases', 'write ["green"], ["red"] or ["red", "green"]');
  }
  if (item.identities !== undefined) {
    if (isStrings(item.identities) && item.identities.every(name => name.trim() !== ''))
      check.identities = item.identities;
    else fault('identities', 'is not a list of test names', "name tests as the runner's output names them");
  }
  if (item.runner !== undefined) {
    if (typeof item.runner === 'string' && isRunner(item.runner)) check.runner = item.runner;
    else fault('runner', `unknown runner "${String(item.runner)}"`, `one of ${runnerNames().join(', ')}`);
  }
  for (const key of ['success_pattern', 'failure_pattern'] as const) {
    const source = item[key];
    if (source === undefined) continue;
    const problem =
      typeof source === 'string' && source !== '' ? patternProblem(source) : 'is not a regular expression';
    if (problem !== null) {
      fault(key, problem, 'use a plain marker tied to this check, without repetition inside repetition');
      continue;
    }
    check[key === 'success_pattern' ? 'successPattern' : 'failurePattern'] = source as string;
    if (isBroad(source as string)) {
      fault(
        key,
        `is broad: "${source}" matches much that proves nothing`,
        'tie it to a line only this outcome prints',
        true,
      );
    }
  }
  if (check.runner === undefined && (item.success_pattern !== undefined || item.failure_pattern !== undefined)) {
    check.runner = 'generic';
  }
  if (check.runner === 'generic' && item.success_pattern === undefined) {
    fault('success_pattern', 'generic checks need an explicit success_pattern', 'give the line that a success prints');
  }
  if (check.phases.includes('red')) {
    if (check.identities.length === 0 && (item.identities === undefined || isStrings(item.identities))) {
      fault('identities', 'red proof needs expected test identities', 'list the tests that must fail before the work');
    }
    if (check.runner === 'generic' && item.failure_pattern === undefined) {
      fault(
        'failure_pattern',
        'generic red proof needs an assertion failure_pattern',
        'give the line a failed assertion prints',
      );
    }
  }
  if (item.approved_skip_reason !== undefined) {
    if (typeof item.approved_skip_reason === 'string' && item.approved_skip_reason.trim() !== '') {
      check.approvedSkipReason = item.approved_skip_reason;
    } else fault('approved_skip_reason', 'is not a reason', 'say why the skips are accepted, or remove it');
  }
  if (item.environment !== undefined) {
    if (typeof item.environment === 'string') check.environment = item.environment;
    else fault('environment', 'is not a string', 'name the environment the check runs against');
  }
  check.junit = readReports(item.junit, `${path}.junit`, faults);
  check.reports = readReports(item.report, `${path}.report`, faults);
}

function readReports(value: unknown, path: string, faults: Fault[]): string[] {
  if (value === undefined) return [];
  const list = typeof value === 'string' ? [value] : value;
  if (!isStrings(list) || list.length === 0) {
    faults.push({ path, message: 'is not a path or a list of paths', cure: 'name the report files, relative to cwd' });
    return [];
  }
  for (const name of list) {
    const wrong = wrongPath(name);
    if (wrong !== null)
      faults.push({ path, message: `a report path ${wrong}`, cure: 'name a file inside the project' });
  }
  return list;
}

function readOutcomes(value: unknown, phases: Map<string, unknown>, faults: Fault[]): Outcome[] {
  const outcomes: Outcome[] = [];
  const seen = new Set<string>();
  for (const [index, item] of listOf(value, 'outcomes', faults).entries()) {
    const path = `outcomes.${index}`;
    const id = isRecord(item) && typeof item.id === 'string' ? item.id : '';
    if (!isRecord(item) || !NAME.test(id)) {
      faults.push({
        path: `${path}.id`,
        message: 'an outcome has no id',
        cure: 'write { "id": ..., "checks": [...] }',
      });
    } else if (seen.has(id))
      faults.push({ path: `${path}.id`, message: `outcome "${id}" stands twice`, cure: 'merge the two' });
    seen.add(id);
    const checks = isRecord(item) && isStrings(item.checks) ? item.checks : [];
    if (checks.length === 0) {
      faults.push({
        path: `${path}.checks`,
        message: 'Map each planned outcome to executable checks',
        cure: 'list the ids of its checks',
      });
      continue;
    }
    const unknown = checks.filter(name => !phases.has(name));
    if (unknown.length > 0) {
      faults.push({
        path: `${path}.checks`,
        message: `Every outcome must reference existing checks: ${unknown.join(', ')}`,
        cure: `declare them under "checks" (${[...phases.keys()].join(', ') || 'there are none'})`,
      });
    } else if (!checks.some(name => (phases.get(name) as Phase[]).includes('green'))) {
      faults.push({
        path: `${path}.checks`,
        message: 'Every outcome needs a green check',
        cure: 'give one of its checks the phase "green"',
      });
    }
    outcomes.push({ id, checks });
  }
  return outcomes;
}
