/** A push out of another repository of the bound plan: it has no rules of its own, so the plan's project answers for it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecord } from '../config/project.ts';
import { PLAN_FILE } from '../config/trust.ts';
import { locate } from '../repo/locate.ts';
import { isOnRemote, pushRemote } from '../repo/tips.ts';
import type { Delivery, Reading } from '../shell/effect.ts';
import { readDelivery } from '../stages/delivery-state.ts';
import { readTask, type TaskState } from '../stages/task-state.ts';
import { before } from './before.ts';
import { tipsOf } from './leaving.ts';
import { pushWords } from './words.ts';

export type Sister = { id: string; access: unknown };

/** The repository of the plan that a folder lies in; null where it is the project's own, or none of them. */
export function sisterAt(root: string, cwd: string): Sister | null {
  const at = locate(cwd);
  if (at.kind !== 'worktree') return null;
  let plan: unknown;
  try {
    plan = JSON.parse(readFileSync(join(root, PLAN_FILE), 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
  for (const repository of isRecord(plan) && Array.isArray(plan.repositories) ? plan.repositories : []) {
    if (!isRecord(repository) || typeof repository.path !== 'string' || repository.path === '.') continue;
    const there = locate(resolve(root, repository.path));
    if (there.kind === 'worktree' && there.top === at.top)
      return { id: String(repository.id), access: repository.access };
  }
  return null;
}

/** Why it may not leave; null where it may, or where no task binds it. */
export function sisterWhy(root: string, sister: Sister, delivery: Delivery, reading: Reading): string | null {
  const args = delivery.argv.slice(2);
  const words = delivery.verb === 'push' ? pushWords(args) : { remote: null, sources: 'default' as const };
  if (delivery.verb === 'commit' || delivery.dryRun || words === null) return null;
  let task: TaskState | null;
  try {
    task = readTask(root);
  } catch (error) {
    return (error as Error).message;
  }
  if (task === null || words.sources.length === 0) return null;
  if (sister.access !== 'write') return `repository ${sister.id} is read-only in this plan`;
  const at = delivery.cwd;
  const first = before(reading, delivery, at);
  if (first.commit !== null || first.unclear !== null)
    return `what the same command does before it decides what leaves of repository ${sister.id}`;
  const sources = words.sources === 'default' ? [{ kind: 'rev' as const, rev: 'HEAD' }] : words.sources;
  const fit = readDelivery(root, task.task, task.binding).repositories[sister.id];
  const remote = words.remote ?? pushRemote(at);
  const bad = sources
    .flatMap(source => tipsOf(at, source))
    .find(({ commit }) => commit !== fit?.commit && !isOnRemote(at, commit, remote));
  if (bad === undefined) return null;
  const name = `${bad.name.replace(/^refs\/(?:heads|tags)\//, '')} (${bad.commit.slice(0, 7)})`;
  return `it would deliver ${name} of repository ${sister.id}, which no delivery of task ${task.task} found fit to leave`;
}
