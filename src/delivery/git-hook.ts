/** What git's own hooks ask, so that a human's push is held to the same evidence as an agent's. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Policy } from '../config/project.ts';
import { locate } from '../repo/locate.ts';
import { stagedFingerprint } from '../repo/staging.ts';
import { isOnRemote } from '../repo/tips.ts';
import { bound, rulesFor, verdictOn } from './judge.ts';
import { type Leaving, type Tree, treeOf } from './leaving.ts';

/** Null: nothing to say. Under `warn` it is said and goes through. */
export type HookAnswer = { policy: Policy; text: string } | null;

const NONE = /^0+$/;

/** Lines as git gives them: local ref, local id, remote ref, remote id. */
export function prePush(root: string, remote: string, lines: readonly string[]): HookAnswer {
  if (!bound(root)) return null;
  const { project, policy } = rulesFor(root, 'push');
  if (policy === 'off') return null;
  const trees: Tree[] = [];
  let unclear: string | null = null;
  const seen = new Set<string>();
  for (const line of lines) {
    const [name = '', commit = ''] = line.trim().split(/\s+/);
    if (!/^[0-9a-f]{40,64}$/.test(commit) || NONE.test(commit) || seen.has(commit)) continue;
    seen.add(commit);
    if (isOnRemote(root, commit, remote)) continue;
    const tree = treeOf(root, { name, commit }, project.claims.paths);
    if ('why' in tree) unclear ??= tree.why;
    else trees.push(tree);
  }
  const what: Leaving =
    unclear !== null
      ? { kind: 'unclear', why: unclear }
      : trees.length > 0
        ? { kind: 'trees', trees }
        : { kind: 'nothing' };
  return answer(verdictOn(root, project, policy, 'git push', what));
}

/** `indexFile`: what git set for the commit in progress, which is not the index itself under `-a` or with paths. */
export function commitMsg(root: string, indexFile: string | undefined): HookAnswer {
  if (!bound(root)) return null;
  const { project, policy } = rulesFor(root, 'commit');
  const repo = locate(root);
  if (policy === 'off' || repo.kind !== 'worktree') return null;
  // A rebase replays commits one by one; what comes of it is asked when it leaves.
  if (existsSync(join(repo.gitDir, 'rebase-merge')) || existsSync(join(repo.gitDir, 'rebase-apply'))) return null;
  const index = indexFile === undefined || indexFile === '' ? undefined : resolve(repo.top, indexFile);
  const print = stagedFingerprint(root, [], { exclude: project.claims.paths, indexFile: index });
  const what: Leaving = print.ok
    ? { kind: 'trees', trees: [{ name: 'what is staged', fingerprint: print.value, commit: null }] }
    : { kind: 'unclear', why: print.message };
  return answer(verdictOn(root, project, policy, 'git commit', what));
}

function answer(found: ReturnType<typeof verdictOn>): HookAnswer {
  if (found === null) return null;
  const next = /^touchstone /.test(found.next) ? `Run: ${found.next}` : `Next: ${found.next}.`;
  return { policy: found.policy, text: `Touchstone delivery: ${found.reason} ${next}` };
}
