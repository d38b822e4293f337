/**
 * `.claude/state/stages/open.json`: while it exists a stage is open. Hooks load this file only then, so it imports little;
 * patterns are kept compiled to regular expressions.
 */
import { realpathSync, rmSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import type { Touch } from '../guards/guard.ts';
import { gitWords, has } from '../repo/git-args.ts';
import { ignoredPaths } from '../repo/listed.ts';
import type { Invocation } from '../shell/effect.ts';
import { readState, writeAtomic } from '../state/atomic.ts';
import { STATE, statePath } from '../state/paths.ts';
import { folderOf } from './checkout-folder.ts';
import { patternSource } from './match.ts';
import type { Plan, PlanStage } from './plan-types.ts';

const OPEN = 'stages/open.json';

type Area = { id: string; root: string; access: 'read' | 'write'; allow: string[] };
export type Open = { stage: string; areas: Area[] };

export function writeOpen(root: string, plan: Plan, stage: PlanStage): void {
  const areas = plan.repositories.map(repository => ({
    id: repository.id,
    root: realpathSync(folderOf(root, repository)),
    access: repository.access,
    allow: repository.access === 'read' ? [] : (stage.allow[repository.id] ?? []).map(patternSource),
  }));
  writeAtomic(statePath(root, OPEN), `${JSON.stringify({ stage: stage.id, areas } satisfies Open)}\n`);
}

export function removeOpen(root: string): void {
  rmSync(statePath(root, OPEN), { force: true });
}

/** Why a call may not run while the open stage is; null where it may. An unreadable file refuses every write of the project. */
export function outOfScope(root: string, touches: readonly Touch[], invocations: readonly Invocation[]): string | null {
  const open = readOpen(root);
  if (open === null) return null;
  const outside: { area: Area; rel: string; touch: Touch }[] = [];
  for (const touch of touches) {
    if (touch.via === 'mkdir' && touch.op === 'create') continue;
    const found = place(touch.at.real, open.areas);
    if (found === null || found.rel.startsWith('.git/') || found.rel.startsWith(`${STATE}/`)) continue;
    if (!found.area.allow.some(source => new RegExp(source, 'su').test(found.rel))) outside.push({ ...found, touch });
  }
  for (const { area, rel, touch } of outside) {
    if (rel !== '' && ignoredPaths(area.root, [rel]).size > 0) continue;
    const what =
      area.access === 'read'
        ? `repository ${area.id} is read-only in this plan`
        : `stage ${open.stage} may not write there`;
    return `${touch.via} would change ${area.id}/${rel}: ${what}.`;
  }
  const moving = invocations.find(call => place(folderOfCall(call), open.areas) !== null && moves(call));
  return moving === undefined
    ? null
    : `\`git ${moving.argv.slice(1, 3).join(' ')}\` would move HEAD, the branch or the index, and stage ${open.stage} may not.`;
}

function readOpen(root: string): Open | null {
  const read = readState(statePath(root, OPEN));
  if (read.kind === 'missing') return null;
  const broken: Open = {
    stage: '(unreadable)',
    areas: [{ id: '.', root: realpathSync(root), access: 'write', allow: [] }],
  };
  try {
    const open = read.kind === 'text' ? (JSON.parse(read.text) as Open) : broken;
    return Array.isArray(open.areas) && open.areas.every(a => Array.isArray(a.allow) && typeof a.root === 'string')
      ? open
      : broken;
  } catch {
    return broken;
  }
}

/** The innermost repository of the plan that holds a path, and the path in it. */
function place(real: string, areas: readonly Area[]): { area: Area; rel: string } | null {
  const holding = areas.filter(area => real === area.root || real.startsWith(area.root + sep));
  const area = holding.sort((a, b) => b.root.length - a.root.length)[0];
  return area === undefined
    ? null
    : {
        area,
        rel: real
          .slice(area.root.length + 1)
          .split(sep)
          .join('/'),
      };
}

const GLOBAL_VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);

function gitCall(call: Invocation): { folder: string; verb: string; rest: string[] } | null {
  if (basename(call.argv[0] ?? '') !== 'git') return null;
  let folder = call.cwd;
  for (let i = 1; i < call.argv.length; i++) {
    const word = call.argv[i]!;
    if (word === '-C') folder = resolve(folder, call.argv[i + 1] ?? '');
    if (GLOBAL_VALUED.has(word)) i++;
    else if (!word.startsWith('-')) return { folder, verb: word, rest: call.argv.slice(i + 1) };
  }
  return null;
}

function folderOfCall(call: Invocation): string {
  const folder = gitCall(call)?.folder ?? call.cwd;
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

const MOVERS = new Set(
  'switch merge rebase cherry-pick revert am pull rm mv update-ref read-tree update-index'.split(' '),
);

/** `reset` and `restore --staged` are left alone: they are also how a violation is undone. */
function moves(call: Invocation): boolean {
  const git = gitCall(call);
  if (git === null) return false;
  const words = gitWords(git.rest, '-m -F -C -c --message --file');
  if (git.verb === 'commit') return !has(words, '--dry-run');
  if (git.verb === 'add') return !has(words, '-n', '--dry-run');
  if (git.verb === 'stash') return !/^(?:list|show)$/.test(words.words[0] ?? 'push');
  if (git.verb === 'checkout') return words.paths === null && words.words[0] !== '.';
  return MOVERS.has(git.verb);
}
