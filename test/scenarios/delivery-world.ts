/** A wired project with a suite of one shell script and a remote to push to. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Ran, World } from './world.ts';

/** TAP, so that a broken run cannot pass for a green one; passes while `f` holds the word. */
export const SUITE = [
  'echo TAP version 13',
  'echo 1..1',
  'if grep -q good f; then echo "ok 1 - f is good"; else echo "not ok 1 - f is good"; exit 1; fi',
  '',
].join('\n');

export type Rules = Record<string, unknown>;

export function deliverable(rules: Rules = {}, name?: string): World {
  const w = new World(name);
  w.file('suite.sh', SUITE)
    .file('f', 'good\n')
    .file(
      '.claude/project.json',
      `${JSON.stringify({ test: { cmd: 'sh suite.sh', runner: 'tap' }, ...rules }, null, 2)}\n`,
    );
  w.git('init', '-q', '-b', 'main');
  const wired = w.cli(['init']);
  if (wired.code !== 0) throw new Error(wired.err);
  w.commitAll('start');
  mkdirSync(join(w.top, 'remote'));
  w.sh('git init -q --bare .', join(w.top, 'remote'));
  w.git('remote', 'add', 'origin', join(w.top, 'remote'));
  return w;
}

export function verified(rules?: Rules, name?: string): World {
  const w = deliverable(rules, name);
  const done = w.cli(['verify']);
  if (done.code !== 0) throw new Error(done.out + done.err);
  return w;
}

/** What the remote has on a branch; empty where it has none. */
export function remoteHead(w: World, branch = 'main'): string {
  return w.sh(`git rev-parse -q --verify refs/heads/${branch} || true`, join(w.top, 'remote')).out.trim();
}

export const refused = (ran: Ran): string => {
  if (ran.code !== 2) throw new Error(`not refused: exit ${ran.code} ${ran.out}${ran.err}`);
  return ran.err;
};
