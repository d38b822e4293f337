/** `stages` of a plan: their order, what each may write, must leave and is proven by. */
import { isStrings, wrongPath } from '../checks/command-spec.ts';
import { isRecord } from '../config/project.ts';
import { type Faults, NAME } from './plan-faults.ts';
import { KINDS, type Patterns, type PlanRepository, type PlanStage } from './plan-types.ts';

const KEYS = ['id', 'after', 'paths', 'test_paths', 'outputs', 'checks', 'skill', 'description', 'comment'];

export function readStages(value: unknown, repositories: readonly PlanRepository[], faults: Faults): PlanStage[] {
  const found: PlanStage[] = [];
  const at = new Map<string, string>();
  const items = faults.list(value, 'stages');
  const given = new Set(items.map(item => (isRecord(item) ? item.id : item)));
  for (const [index, item] of items.entries()) {
    const path = `stages.${index}`;
    const raw = typeof item === 'string' ? { id: item } : item;
    if (!isRecord(raw)) {
      faults.add(path, 'is neither a name nor an object', 'write "implement" or { "id": "docs", "outputs": [...] }');
      continue;
    }
    faults.keys(raw, KEYS, path, 'a stage');
    if (typeof raw.id !== 'string' || !NAME.test(raw.id)) {
      faults.add(`${path}.id`, 'is not a short lower-case name', 'name it, such as "implement"');
      continue;
    }
    const first = at.get(raw.id);
    if (first !== undefined) {
      faults.add(`${path}.id`, `stage "${raw.id}" stands twice, at ${first} too`, 'name each stage once');
      continue;
    }
    at.set(raw.id, path);
    found.push(readOne(raw, raw.id, path, found.at(-1)?.id, repositories, given, faults));
  }
  if (!found.some(stage => stage.id === 'implement'))
    faults.add('stages', 'the stages must include implement', 'add "implement"');
  return inOrder(found, faults);
}

function readOne(
  raw: Record<string, unknown>,
  id: string,
  path: string,
  previous: string | undefined,
  repositories: readonly PlanRepository[],
  given: ReadonlySet<unknown>,
  faults: Faults,
): PlanStage {
  const kind = KINDS[id] ?? 'custom';
  const paths = byRepository(raw.paths, `${path}.paths`, repositories, faults);
  const tests = byRepository(raw.test_paths, `${path}.test_paths`, repositories, faults);
  const outputs = byRepository(raw.outputs, `${path}.outputs`, repositories, faults) ?? {};
  const declared = (key: 'paths' | 'testPaths'): Patterns =>
    Object.fromEntries(repositories.filter(r => r.access === 'write').map(r => [r.id, r[key]]));
  const allow =
    kind === 'tests'
      ? (tests ?? declared('testPaths'))
      : kind === 'work'
        ? (paths ?? declared('paths'))
        : kind === 'custom'
          ? merged(paths ?? {}, outputs)
          : {};
  if (kind !== 'delivery' && Object.values(allow).every(list => list.length === 0)) {
    const key = kind === 'tests' ? 'test_paths' : kind === 'custom' ? 'outputs' : 'paths';
    faults.add(
      path,
      `stage "${id}" owns nothing: there is no path it may write`,
      `give it, or its repository, "${key}"`,
    );
  }
  return {
    id,
    kind,
    after: readAfter(raw.after, path, id, previous, given, faults),
    allow,
    outputs,
    checks: readNames(raw.checks, `${path}.checks`, faults),
    ...skillOf(raw.skill, `${path}.skill`, faults),
  };
}

function merged(a: Patterns, b: Patterns): Patterns {
  const ids = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...ids].map(id => [id, [...(a[id] ?? []), ...(b[id] ?? [])]]));
}

/** A plain list speaks of the project's own repository; an object names them. */
function byRepository(
  value: unknown,
  path: string,
  repositories: readonly PlanRepository[],
  faults: Faults,
): Patterns | undefined {
  if (value === undefined) return undefined;
  const own = repositories.find(r => r.path === '.')?.id;
  const sides: Record<string, unknown> = isRecord(value) ? value : own === undefined ? {} : { [own]: value };
  const found: Patterns = {};
  for (const [id, list] of Object.entries(sides)) {
    const at = isRecord(value) ? `${path}.${id}` : path;
    const repository = repositories.find(r => r.id === id);
    const patterns = faults.patterns(list, at);
    if (repository === undefined) faults.add(at, `no repository has the id "${id}"`, 'name one of "repositories"');
    else if (repository.access === 'read')
      faults.add(at, `repository "${id}" is read-only`, 'give it "access": "write", or drop this');
    else found[id] = patterns;
  }
  return found;
}

function readAfter(
  value: unknown,
  path: string,
  id: string,
  previous: string | undefined,
  given: ReadonlySet<unknown>,
  faults: Faults,
): string[] {
  if (value === undefined) return previous === undefined ? [] : [previous];
  if (!isStrings(value)) {
    faults.add(`${path}.after`, 'is not a list of stages', 'write ["implement"]');
    return [];
  }
  const unknown = value.filter(name => !given.has(name));
  if (unknown.length > 0)
    faults.add(`${path}.after`, `names no stage: ${unknown.join(', ')}`, 'name stages of this plan');
  if (value.includes(id)) faults.add(`${path}.after`, `stage "${id}" comes after itself`, 'remove it');
  return value.filter(name => given.has(name) && name !== id);
}

function readNames(value: unknown, path: string, faults: Faults): string[] | null {
  if (value === undefined) return null;
  if (isStrings(value) && value.length > 0) return [...new Set(value)];
  faults.add(path, 'is not a list of checks', 'list ids of checks, or remove it to run all of them');
  return null;
}

function skillOf(value: unknown, path: string, faults: Faults): { skill?: string } {
  if (value === undefined) return {};
  const wrong = wrongPath(value);
  if (wrong === null) return { skill: value as string };
  faults.add(path, `a skill ${wrong}`, 'name a file of the project');
  return {};
}

/** As written, as far as `after` allows. A circle is named by its members. */
function inOrder(stages: PlanStage[], faults: Faults): PlanStage[] {
  const done: PlanStage[] = [];
  let left = [...stages];
  while (left.length > 0) {
    const next = left.find(stage => stage.after.every(name => done.some(d => d.id === name)));
    if (next === undefined) {
      faults.add('stages', `stages wait for each other in a circle: ${circle(left)}`, 'change one "after"');
      return [...done, ...left];
    }
    done.push(next);
    left = left.filter(stage => stage !== next);
  }
  return done;
}

function circle(left: readonly PlanStage[]): string {
  const path: string[] = [];
  let at: PlanStage | undefined = left[0];
  while (at !== undefined && !path.includes(at.id)) {
    path.push(at.id);
    const waits: PlanStage = at;
    at = left.find(stage => waits.after.includes(stage.id));
  }
  return at === undefined ? path.join(' -> ') : [...path.slice(path.indexOf(at.id)), at.id].join(' -> ');
}
