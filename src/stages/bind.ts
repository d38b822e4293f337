/** Binding: the plan, the rules and the texts it stands on, hashed. A task goes on only while they are what was bound. */
import { join } from 'node:path';
import { version } from '../../package.json';
import { isRecord, readProject } from '../config/project.ts';
import { PLAN_FILE, trustBearing } from '../config/trust.ts';
import { type JsonRead, readJson, readState, setAside, writeJson } from '../state/atomic.ts';
import { PROJECT_FILE, statePath } from '../state/paths.ts';
import { StageError } from './error.ts';
import { planFaultLine, readPlan } from './plan.ts';
import type { Plan } from './plan-types.ts';
import { STAGES } from './task-state.ts';

export const BINDING_FILE = 'binding.json';

export const DRIFT = 'Plan/profile/skills changed; inspect the revision and resume --rebind';

export type Binding = {
  schema: 1;
  sha256: string;
  at: string;
  version: string;
  /** As parsed, keys sorted. */
  plan: unknown;
  rules: unknown;
  /** Texts of the plan files, and of the skills of stages. */
  texts: Record<string, string>;
  skills: Record<string, string>;
};

/** Refuses a plan with faults, naming all of them. */
export function demandPlan(root: string): Plan {
  const { plan, faults } = readPlan(root);
  if (plan !== null) return plan;
  throw new StageError(
    'invalid-plan',
    faults
      .filter(fault => !fault.warning)
      .map(planFaultLine)
      .join('\n'),
  );
}

export function bindingOf(root: string, plan: Plan, now = new Date()): Binding {
  const content = {
    version,
    plan: sorted(JSON.parse(textOf(root, PLAN_FILE).replace(/^\uFEFF/, ''))),
    rules: trustBearing(readProject(root).project.raw),
    texts: Object.fromEntries(plan.planFiles.map(path => [path, textOf(root, path)])),
    skills: Object.fromEntries(plan.stages.flatMap(({ skill }) => (skill ? [[skill, textOf(root, skill)]] : []))),
  };
  return { schema: 1, sha256: sha256(JSON.stringify(sorted(content))), at: now.toISOString(), ...content };
}

function textOf(root: string, path: string): string {
  const read = readState(join(root, path));
  return read.kind === 'text' ? read.text : '';
}

export function sha256(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key])]),
  );
}

export function readBinding(root: string): JsonRead<Binding> {
  return readJson<Binding>(statePath(root, STAGES, BINDING_FILE), value =>
    isRecord(value) &&
    value.schema === 1 &&
    typeof value.sha256 === 'string' &&
    isRecord(value.texts) &&
    isRecord(value.skills)
      ? null
      : 'is malformed',
  );
}

export function writeBinding(root: string, binding: Binding): void {
  const path = statePath(root, STAGES, BINDING_FILE);
  if (readBinding(root).kind === 'corrupt') setAside(path);
  writeJson(path, binding);
}

/** What is no longer as it was bound, by name; empty where nothing moved. Skills are told apart: they cost least. */
export function drift(bound: Binding, now: Binding): { files: string[]; skills: string[] } {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
  const moved = (a: Record<string, string>, b: Record<string, string>): string[] =>
    [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(path => a[path] !== b[path]);
  return {
    files: [
      ...(same(bound.plan, now.plan) ? [] : [PLAN_FILE]),
      ...(same(bound.rules, now.rules) ? [] : [PROJECT_FILE]),
      ...moved(bound.texts, now.texts),
      ...(bound.version === now.version ? [] : [`Touchstone ${bound.version} -> ${now.version}`]),
    ],
    skills: moved(bound.skills, now.skills),
  };
}

/** The plan as bound, or a refusal that names what moved. */
export function demandBound(root: string): { plan: Plan; binding: Binding } {
  const bound = readBinding(root);
  if (bound.kind === 'missing')
    throw new StageError('not-bound', 'Cannot resume a task without run state; run `touchstone plan bind`');
  if (bound.kind === 'corrupt')
    throw new StageError(
      'corrupt-binding',
      `.claude/state/${STAGES}/${BINDING_FILE} ${bound.why}; a human looks at the plan and runs \`touchstone plan rebind\``,
    );
  const { plan, faults } = readPlan(root);
  if (plan === null) {
    const lines = faults.filter(fault => !fault.warning).map(planFaultLine);
    throw new StageError(
      'plan-drift',
      [`${DRIFT} (touchstone plan rebind):`, ...lines.map(line => ` - ${line}`)].join('\n'),
    );
  }
  const moved = drift(bound.value, bindingOf(root, plan));
  const names = [...moved.files, ...moved.skills];
  if (names.length > 0)
    throw new StageError(
      'plan-drift',
      [`${DRIFT} (touchstone plan rebind):`, ...names.map(name => ` - ${name}`)].join('\n'),
    );
  return { plan, binding: bound.value };
}
