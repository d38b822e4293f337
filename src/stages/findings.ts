/** What a stage did that it may not have done, before any check is run (spec of seed 000, section 3). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { attribution, type ChangedFile } from '../repo/attribution.ts';
import { listedFiles } from '../repo/listed.ts';
import type { SnapshotEntry } from '../repo/snapshot.ts';
import { commitsBetween, type FrozenTests, folderOf, type Sight, type Sights } from './checkout.ts';
import { isGlob, matcher } from './match.ts';
import type { Plan, PlanRepository, PlanStage } from './plan-types.ts';

/** In the order in which they are judged. */
export type Step = 'scope' | 'frozen' | 'pre-existing' | 'outputs' | 'rules' | 'checks' | 'second-look';

export type Failure = { step: Step; heading: string; lines: string[] };

export const HEADINGS = {
  scope: 'Scope violation; changes retained for inspection:',
  frozen: 'Assertion-proven tests changed after red evidence; revise the plan and rebind',
  preExisting: 'Changes that existed before the task were touched; they are retained for inspection:',
  outputs: 'Missing required custom output',
  rules: 'Blocking rule finding stops the stage:',
  checks: 'Checks did not pass:',
  moved: 'Verification commands changed repository files; fix their output/cleanup configuration',
  noRed: 'No red checks selected',
  noGreen: 'No green checks selected',
} as const;

/** Paths whose content the stage changed, by repository. */
export type Changes = Record<string, string[]>;

export function changesBetween(root: string, plan: Plan, from: Sights, to: Sights): Changes {
  return Object.fromEntries(
    plan.repositories.map(r => [r.id, contentChanges(root, r, from[r.id]!, to[r.id]!).map(file => file.path)]),
  );
}

function contentChanges(root: string, repository: PlanRepository, from: Sight, to: Sight): ChangedFile[] {
  const committed = commitsBetween(folderOf(root, repository), from, to);
  const was = new Map(from.entries.map(entry => [entry.path, entry]));
  const is = new Map(to.entries.map(entry => [entry.path, entry]));
  return attribution(from, to, { headMoves: 'event', committed }).changedFiles.filter(
    file => file.modifiedDuringRun && !sameContent(was.get(file.path), is.get(file.path)),
  );
}

/** Staging a file changes the index, not the file. */
function sameContent(a: SnapshotEntry | undefined, b: SnapshotEntry | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const known = (e: SnapshotEntry): boolean => e.contentHash !== undefined || e.linkTarget !== undefined;
  return known(a) && a.contentHash === b.contentHash && a.mode === b.mode && a.linkTarget === b.linkTarget;
}

export function scopeFailure(
  root: string,
  plan: Plan,
  stage: PlanStage,
  before: Sights,
  after: Sights,
): Failure | null {
  const lines: string[] = [];
  for (const repository of plan.repositories) {
    const { id } = repository;
    const [from, to] = [before[id]!, after[id]!];
    if (from.head !== to.head || from.branch !== to.branch) lines.push(`${id}: stage changed Git HEAD or branch`);
    if (from.index !== to.index) lines.push(`${id}: stage changed the Git index`);
    const allowed = matcher(repository.access === 'write' ? (stage.allow[id] ?? []) : []);
    for (const { path } of contentChanges(root, repository, from, to))
      if (!allowed(path)) lines.push(`${id}/${path}: outside stage write contract`);
  }
  return lines.length === 0 ? null : { step: 'scope', heading: HEADINGS.scope, lines };
}

export function frozenFailure(proven: FrozenTests, now: FrozenTests): Failure | null {
  const lines = Object.keys({ ...proven, ...now }).flatMap(id => {
    const [was, is] = [proven[id] ?? {}, now[id] ?? {}];
    return [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .filter(path => was[path] !== is[path])
      .sort()
      .map(
        path =>
          `${id}/${path}: ${was[path] === undefined ? 'added' : is[path] === undefined ? 'deleted' : 'rewritten'}`,
      );
  });
  return lines.length === 0 ? null : { step: 'frozen', heading: HEADINGS.frozen, lines };
}

export function preExistingFailure(root: string, plan: Plan, baseline: Sights, after: Sights): Failure | null {
  const lines = plan.repositories.flatMap(repository =>
    contentChanges(root, repository, baseline[repository.id]!, after[repository.id]!)
      .filter(file => file.preExisting)
      .map(file => `${repository.id}: a stage touched pre-existing user changes: ${file.path}`),
  );
  return lines.length === 0 ? null : { step: 'pre-existing', heading: HEADINGS.preExisting, lines };
}

export function outputsFailure(root: string, plan: Plan, stage: PlanStage): Failure | null {
  const lines = Object.entries(stage.outputs).flatMap(([id, patterns]) => {
    const folder = folderOf(root, plan.repositories.find(r => r.id === id)!);
    return patterns.filter(pattern => !present(folder, pattern)).map(pattern => `${id}/${pattern}`);
  });
  return lines.length === 0 ? null : { step: 'outputs', heading: HEADINGS.outputs, lines };
}

function present(folder: string, pattern: string): boolean {
  if (!isGlob(pattern)) return existsSync(join(folder, pattern));
  const matches = matcher([pattern]);
  return (listedFiles(folder) ?? []).some(path => matches(path) && existsSync(join(folder, path)));
}

/** Everything the task changed that no stage of the plan may write: for a delivery, which allows commits. */
export function taskScope(root: string, plan: Plan, baseline: Sights, now: Sights): string[] {
  return plan.repositories.flatMap(repository => {
    const { id, access, paths, testPaths } = repository;
    const stages = plan.stages.flatMap(stage => stage.allow[id] ?? []);
    const allowed = matcher(access === 'write' ? [...paths, ...testPaths, ...stages] : []);
    return contentChanges(root, repository, baseline[id]!, now[id]!)
      .filter(file => !allowed(file.path))
      .map(file => `${id}/${file.path}: outside stage write contract`);
  });
}
