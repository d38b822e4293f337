/** `repositories` of a plan: which checkouts take part, and what may be written in each. */
import { isRecord } from '../config/project.ts';
import { type Faults, NAME } from './plan-faults.ts';
import type { PlanRepository } from './plan-types.ts';

const KEYS = ['id', 'path', 'access', 'branch', 'base', 'paths', 'test_paths', 'description', 'comment'];

export function readRepositories(value: unknown, faults: Faults): PlanRepository[] {
  const found: PlanRepository[] = [];
  for (const [index, item] of faults.list(value, 'repositories').entries()) {
    const repository = readOne(item, `repositories.${index}`, faults);
    if (repository === null) continue;
    const twin = found.find(other => other.id === repository.id || other.path === repository.path);
    if (twin !== undefined) {
      const what = twin.id === repository.id ? `id "${twin.id}"` : `path "${twin.path}"`;
      faults.add(`repositories.${index}`, `the ${what} stands twice`, 'give each repository one entry');
      continue;
    }
    found.push(repository);
  }
  if (found.length === 0 || !found.some(r => r.access === 'write')) {
    faults.add('repositories', 'no repository may be written', 'give at least one repository "access": "write"');
  }
  if (found.length > 0 && !found.some(r => r.path === '.')) {
    faults.add(
      'repositories',
      'the project itself takes no part',
      'add { "id": "app", "path": ".", "access": "read" }',
    );
  }
  return found;
}

function readOne(item: unknown, path: string, faults: Faults): PlanRepository | null {
  if (!isRecord(item)) {
    faults.add(path, 'is not an object', 'write { "id": ..., "access": "write", "paths": ["src/**"] }');
    return null;
  }
  faults.keys(item, KEYS, path, 'a repository');
  const named = typeof item.id === 'string' && NAME.test(item.id);
  if (!named) faults.add(`${path}.id`, 'is not a short lower-case name', 'name it, such as "app"');
  const access = item.access === 'read' || item.access === 'write' ? item.access : null;
  if (access === null) faults.add(`${path}.access`, 'is neither read nor write', 'write "read" or "write"');
  for (const key of ['branch', 'base'] as const) {
    if (item[key] === undefined || (typeof item[key] === 'string' && item[key] !== '')) continue;
    faults.add(`${path}.${key}`, 'is not the name of a branch', 'name it, such as "feature/export"');
  }
  const place = placeOf(item.path, `${path}.path`, faults);
  const paths = faults.patterns(item.paths, `${path}.paths`);
  const testPaths = faults.patterns(item.test_paths, `${path}.test_paths`);
  if (access === 'write' && item.paths === undefined)
    faults.add(`${path}.paths`, 'a writable repository owns no paths', 'list what may be written, such as ["src/**"]');
  if (access === 'read' && paths.length + testPaths.length > 0)
    faults.warn(path, 'is read-only, so its paths have no effect', 'remove them, or give it "access": "write"');
  if (!named || access === null || place === null) return null;
  return {
    id: item.id as string,
    path: place,
    access,
    ...(typeof item.branch === 'string' ? { branch: item.branch } : {}),
    ...(typeof item.base === 'string' ? { base: item.base } : {}),
    paths,
    testPaths,
  };
}

/** A sister checkout lies beside the project: `../lib` is its place, and nothing else may point upwards. */
function placeOf(value: unknown, path: string, faults: Faults): string | null {
  if (value === undefined) return '.';
  const clean = typeof value === 'string' ? value.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '') || '.' : '';
  if (clean === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(clean) || clean.includes('\0')) {
    faults.add(path, `is not relative to the project: ${String(value)}`, 'write ".", "vendor/lib" or "../lib"');
    return null;
  }
  if (/(?:^|\/)[^/]+\/\.\.(?:\/|$)/.test(clean.replace(/^(?:\.\.\/)+/, ''))) {
    faults.add(path, `goes back by "..": ${clean}`, 'write the shortest path, such as "../lib"');
    return null;
  }
  return clean;
}
