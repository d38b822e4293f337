/** What a branch changed of the things that decide whether it is proven, seen from the base revision's rules. */
import { matchAny } from '../config/glob.ts';
import { isRecord, type Project, record } from '../config/project.ts';
import { PLAN_FILE, trustBearing } from '../config/trust.ts';
import { isSettingsFile, keepsDeciding } from '../freeze/settings.ts';
import type { TaskFile } from '../repo/task-diff.ts';
import { PROJECT_FILE } from '../state/paths.ts';

export type FindingKind = 'frozen' | 'check' | 'setting' | 'rules' | 'plan' | 'workflow' | 'secret' | 'rule';

export type CiFinding = {
  kind: FindingKind;
  /** From the project root. */
  path: string;
  line?: number;
  what: string;
  /** Fails the job unless the base allows it; `note` never does. */
  weight: 'fail' | 'allowed' | 'note';
};

/** Text of a file in the base and in the checkout; null where there is none. */
export type Sides = { before(path: string): string | null; now(path: string): string | null };

const WORKFLOWS =
  /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml|azure-pipelines\.yml|Jenkinsfile)$/;

/** `files` are from the project root. */
export function changesOfProof(base: Project, files: readonly TaskFile[], sides: Sides): CiFinding[] {
  const found = files.flatMap(file => [
    ...frozenChange(base, file),
    ...settingChange(file, sides),
    ...workflowChange(file, sides),
  ]);
  return [...found, ...rulesChange(sides), ...planChange(sides)].map(finding => weighed(base, finding));
}

/** `ci.allow` of the base: paths whose changes a human accepted beforehand. */
export function weighed(base: Project, finding: CiFinding): CiFinding {
  const given = record(base.raw.ci).allow;
  const globs = Array.isArray(given) ? given.filter((g): g is string => typeof g === 'string') : [];
  return finding.weight === 'fail' && matchAny(globs, finding.path) !== null
    ? { ...finding, weight: 'allowed' }
    : finding;
}

function frozenChange(base: Project, { path, kind }: TaskFile): CiFinding[] {
  const pattern = matchAny(base.frozen.paths, path);
  if (pattern === null) return [];
  // New tests are what a task is asked for; they take nothing away.
  const weight = kind === 'added' ? 'note' : 'fail';
  return [{ kind: 'frozen', path, what: `frozen test ${kind} (${pattern})`, weight }];
}

function settingChange({ path }: TaskFile, { before, now }: Sides): CiFinding[] {
  if (!isSettingsFile(path)) return [];
  return keepsDeciding(path, before(path), now(path))
    ? []
    : [{ kind: 'setting', path, what: 'which tests run, or how, was changed', weight: 'fail' }];
}

function workflowChange({ path }: TaskFile, { before }: Sides): CiFinding[] {
  if (!WORKFLOWS.test(path) || !/\btouchstone\b/.test(before(path) ?? '')) return [];
  return [{ kind: 'workflow', path, what: 'the job that runs this check was changed', weight: 'fail' }];
}

function rulesChange({ before, now }: Sides): CiFinding[] {
  const [was, is] = [rulesOf(before(PROJECT_FILE)), rulesOf(now(PROJECT_FILE))];
  const found: CiFinding[] = [];
  const say = (kind: FindingKind, what: string) => found.push({ kind, path: PROJECT_FILE, what, weight: 'fail' });
  if (is === null) {
    if (was !== null) say('rules', 'the rules are gone, or cannot be read');
    return found;
  }
  for (const key of new Set([...Object.keys(was ?? {}), ...Object.keys(is)])) {
    if (same(was?.[key], is[key])) continue;
    if (key !== 'checks') say('rules', `"${key}" was ${wordFor(was?.[key], is[key])}`);
    else for (const what of checkChanges(was?.checks, is.checks)) say('check', what);
  }
  return found;
}

function checkChanges(was: unknown, is: unknown): string[] {
  const [before, after] = [byId(was), byId(is)];
  const ids = new Set([...before.keys(), ...after.keys()]);
  const changed = [...ids].filter(id => !same(before.get(id), after.get(id)));
  const said = changed.map(id => `check "${id}" was ${wordFor(before.get(id), after.get(id))}`);
  return said.length > 0 ? said : ['"checks" was changed'];
}

function byId(list: unknown): Map<string, unknown> {
  const items = Array.isArray(list) ? list.filter(isRecord) : [];
  return new Map(items.map(item => [String(item.id), item]));
}

function planChange({ before, now }: Sides): CiFinding[] {
  const [was, is] = [before(PLAN_FILE), now(PLAN_FILE)];
  if (was === is || (was !== null && is !== null && same(json(was) ?? was, json(is) ?? is))) return [];
  const what = was === null ? 'a plan came' : is === null ? 'the plan was removed' : 'the plan was changed';
  // Where the base has none, there is nothing that a new one could weaken.
  return [{ kind: 'plan', path: PLAN_FILE, what, weight: was === null ? 'note' : 'fail' }];
}

function rulesOf(text: string | null): Record<string, unknown> | null {
  const bearing = text === null ? null : trustBearing(json(text));
  return isRecord(bearing) ? bearing : null;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}

function wordFor(was: unknown, is: unknown): string {
  return was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, ordered(value[key])]),
  );
}
