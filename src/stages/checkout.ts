/** The repositories of a plan as they lie on the disk: their condition, what they show, and the hash of their tree. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Project } from '../config/project.ts';
import type { CommittedChange } from '../repo/attribution.ts';
import { branchOf, type Condition, conditions } from '../repo/condition.ts';
import { contentOf } from '../repo/content.ts';
import { fingerprint } from '../repo/fingerprint.ts';
import { indexDigest, listedFiles } from '../repo/listed.ts';
import { locate } from '../repo/locate.ts';
import { openable } from '../repo/names.ts';
import { committedChanges } from '../repo/patch.ts';
import { type Snapshot, snapshot } from '../repo/snapshot.ts';
import { statePath } from '../state/paths.ts';
import { measureTree, type Tree } from '../verdict/tree.ts';
import { folderOf } from './checkout-folder.ts';
import { StageError } from './error.ts';
import { matcher } from './match.ts';
import type { Plan, PlanRepository } from './plan-types.ts';

/** A snapshot with the digest of the index beside it. */
export type Sight = Snapshot & { index: string | null };

export type Sights = Record<string, Sight>;

export { folderOf };

/** A read-only checkout may be a detached or a shallow one, as submodules are. */
export const HARMLESS_TO_READ: readonly Condition['kind'][] = ['detached', 'shallow'];
/** What a stage may have brought about is a finding about the stage. */
const SEEN_OTHERWISE: readonly Condition['kind'][] = [...HARMLESS_TO_READ, 'no-commit'];

/** Throws with every repository that is in no state to be worked in; nothing was changed then. */
export function demandSound(root: string, plan: Plan, at: 'start' | 'finish'): void {
  const wrong = plan.repositories.flatMap(repository => {
    const folder = folderOf(root, repository);
    const found = conditions(folder)
      .filter(
        c =>
          !(at === 'finish' ? SEEN_OTHERWISE : repository.access === 'read' ? HARMLESS_TO_READ : []).includes(c.kind),
      )
      .map(c => `repository ${repository.id} (${repository.path}) ${c.what}; ${c.cure}`);
    if (found.length > 0 || repository.branch === undefined || at === 'finish') return found;
    const branch = branchOf(folder);
    return branch === repository.branch
      ? []
      : [
          `repository ${repository.id} (${repository.path}) is on ${branch ?? 'no branch'}; the plan says ${repository.branch}`,
        ];
  });
  if (wrong.length > 0) throw new StageError('repository-state', wrong.join('\n'));
}

export function look(root: string, plan: Plan): Sights {
  const own = resolve(root);
  const nested = plan.repositories.filter(r => r.path !== '.' && !r.path.startsWith('..')).map(r => r.path);
  return Object.fromEntries(
    plan.repositories.map(repository => {
      const folder = folderOf(root, repository);
      const seen = snapshot(folder, {
        ...(folder === own
          ? { excludePrefixes: nested.map(path => `${path}/`) }
          : { cacheDir: cacheOf(root, repository) }),
      });
      const error = seen.diagnostics.find(d => d.severity === 'error');
      if (error)
        throw new StageError('repository-state', `repository ${repository.id} (${repository.path}): ${error.message}`);
      if (folder === own) seen.entries = seen.entries.filter(e => !nested.includes(e.path.replace(/\/$/, '')));
      return [repository.id, fromFolder({ ...seen, index: indexDigest(folder) }, folder)];
    }),
  );
}

export const cacheOf = (root: string, repository: PlanRepository): string =>
  statePath(root, 'cache', `repo-${repository.id}`);

/** Paths count from the folder the plan names; what lies beside it in the same checkout is `../...`. */
function fromFolder(seen: Sight, folder: string): Sight {
  const moved = mover(folder);
  if (moved === null) return seen;
  return {
    ...seen,
    entries: seen.entries.map(entry => ({ ...entry, path: moved(entry.path) })),
    excludedPrefixes: seen.excludedPrefixes.map(moved),
  };
}

function mover(folder: string): ((path: string) => string) | null {
  const repo = locate(folder);
  const prefix = repo.kind === 'worktree' ? repo.prefix : '';
  if (prefix === '') return null;
  const up = '../'.repeat(prefix.split('/').length - 1);
  return path => (path.startsWith(prefix) ? path.slice(prefix.length) : up + path);
}

/** What commits changed between two sights of a repository. */
export function commitsBetween(folder: string, from: Sight, to: Sight): CommittedChange[] {
  if (from.head === to.head || to.head === undefined) return [];
  const moved = mover(folder) ?? (path => path);
  return (committedChanges(folder, from.head ?? null, to.head) ?? []).map(c => ({ ...c, path: moved(c.path) }));
}

export type Trees = Record<string, Tree>;

export function measure(root: string, project: Project, plan: Plan): Trees {
  return Object.fromEntries(
    plan.repositories.map(repository => {
      const folder = folderOf(root, repository);
      const tree =
        repository.path === '.' ? measureTree(root, project.claims.paths) : otherTree(root, repository, folder);
      if (tree === null) {
        throw new StageError(
          'no-fingerprint',
          `repository ${repository.id} (${repository.path}): no fingerprint of its tree could be taken`,
        );
      }
      return [repository.id, tree];
    }),
  );
}

function otherTree(root: string, repository: PlanRepository, folder: string): Tree | null {
  const print = fingerprint(folder, { of: 'worktree', cacheDir: cacheOf(root, repository) });
  return print.ok ? { value: print.value, raw: print.raw, head: print.head } : null;
}

/** One value for all: the tree itself where the project is alone, so that it compares with every other evidence. */
export function combined(trees: Trees): string {
  const ids = Object.keys(trees).sort();
  if (ids.length === 1) return trees[ids[0]!]!.value;
  const { createHash } = process.getBuiltinModule('node:crypto');
  const pairs = Object.fromEntries(ids.map(id => [id, { raw: trees[id]!.raw, value: trees[id]!.value }]));
  return createHash('sha256')
    .update(`${JSON.stringify(pairs, null, 2)}\n`)
    .digest('hex');
}

export function sameTrees(a: Trees, b: Trees): boolean {
  const ids = Object.keys(a);
  return (
    ids.length === Object.keys(b).length && ids.every(id => a[id]!.value === b[id]?.value && a[id]!.raw === b[id]?.raw)
  );
}

/** Hashes of every file under the test paths, by repository: what red evidence proves. */
export type FrozenTests = Record<string, Record<string, string>>;

export function hashTests(root: string, plan: Plan): FrozenTests {
  const found: FrozenTests = {};
  for (const repository of plan.repositories) {
    if (repository.access === 'read' || repository.testPaths.length === 0) continue;
    const folder = folderOf(root, repository);
    const isTest = matcher(repository.testPaths);
    const files: Record<string, string> = {};
    for (const path of listedFiles(folder) ?? []) {
      if (!isTest(path) || !existsSync(openable(folder, path))) continue;
      const { contentHash, linkTarget, mode } = contentOf(openable(folder, path), 'sha1');
      files[path] = `${mode ?? ''} ${contentHash ?? `link ${linkTarget ?? ''}`}`;
    }
    found[repository.id] = files;
  }
  return found;
}
