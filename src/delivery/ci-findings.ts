/** What a branch changed of the things that decide whether it is proven, seen from the base revision's rules. */
import { matchAny } from '../config/glob.ts';
import { isRecord, type Project, record } from '../config/project.ts';
import { PLAN_FILE, trustBearing } from '../config/trust.ts';
import { isSettingsFile, keepsDeciding } from '../freeze/settings.ts';
import type { TaskFile } from '../repo/task-diff.ts';
import { PROJECT_FILE } from '../state/paths.ts';
import { isProduct } from './ci-programs.ts';

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
export type Sides = {
  before(path: string): string | null;
  now(path: string): string | null;
  /** Whether the base had a folder of this name. */
  folder(path: string): boolean;
  /** Links of the base to folders of the project: what lies behind one is known by both names. */
  links: readonly { path: string; target: string }[];
  /** Scripts that the base's commands run, each with what runs it. */
  programs: ReadonlyMap<string, string>;
};

const WORKFLOWS =
  /^(?:\.github\/(?:workflows\/[^/]+|actions\/.+\/action)\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml|azure-pipelines\.yml|Jenkinsfile)$/;

/** `files` are from the project root. */
export function changesOfProof(base: Project, files: readonly TaskFile[], sides: Sides): CiFinding[] {
  const found = files.flatMap(file => [
    ...frozenChange(base, file, sides),
    ...programChange(file, sides),
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

function frozenChange(base: Project, file: TaskFile, sides: Sides): CiFinding[] {
  const { path, kind } = file;
  const pattern = frozenBy(base.frozen.paths, file, sides);
  if (pattern === null) return [];
  // New tests are what a task is asked for; they take nothing away.
  const weight = kind === 'added' ? 'note' : 'fail';
  return [{ kind: 'frozen', path, what: `frozen test ${kind} (${pattern})`, weight }];
}

/** By its own name, by the name a link gives it, or as the repository or the link that frozen tests lie in. */
function frozenBy(patterns: readonly string[], { path, submodule }: TaskFile, { links }: Sides): string | null {
  const names = links.flatMap(({ path: from, target }) =>
    path === target || path.startsWith(`${target}/`) ? [from + path.slice(target.length)] : [],
  );
  for (const name of [path, ...names]) {
    const pattern = matchAny(patterns, name);
    if (pattern !== null) return pattern;
  }
  const holds = submodule || links.some(link => link.path === path);
  return holds ? (patterns.find(pattern => pattern.startsWith(`${path}/`)) ?? null) : null;
}

function programChange({ path, kind }: TaskFile, { programs }: Sides): CiFinding[] {
  const runs = programs.get(path);
  if (runs === undefined || kind === 'added') return [];
  const weight = isProduct(path) ? 'note' : 'fail';
  return [{ kind: 'check', path, what: `a script that ${runs} runs was ${kind}`, weight }];
}

/** Settings deeper down bend what lies beside them; those of a new folder bend nothing that was there. */
function settingChange({ path, kind }: TaskFile, { before, now, folder }: Sides): CiFinding[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = isSettingsFile(path) ? path : isSettingsFile(name) ? name : null;
  if (known === null || keepsDeciding(known, before(path), now(path))) return [];
  const fresh = kind === 'added' && known !== path && !folder(path.slice(0, -name.length - 1));
  const what = 'which tests run, or how, was changed';
  return [{ kind: 'setting', path, what, weight: fresh ? 'note' : 'fail' }];
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
