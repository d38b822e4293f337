/** A project with gates, driven through the built command line and hooks. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FIXED, type Ran, redProject, type World } from './world.ts';

export type Verdict = {
  step: string;
  satisfied: boolean | null;
  reason: string;
  checkedAt: number;
  since: number;
  skipped?: string;
  causes: { condition: string; truth: string; why: string; next?: string }[];
  comparison?: { artifact: string; mtimeMs: number; floorMs: number; floorSource: string; outcome: string };
  stamp?: { head: string | null; fingerprint: string };
  failure?: { headSha: string; failRows: string[] };
  kickback?: { from: string; evidence: string };
};

/** A green project whose rules a human accepted, with these gates. */
export function gated(gates: object, more: object = {}): World {
  const w = redProject();
  w.file('src/add.js', FIXED)
    .file('docs/notes.md', 'notes\n')
    .file('.gitignore', '.claude/state/\n')
    .file('.claude/project.json', JSON.stringify({ test: { cmd: 'npm test' }, gates, ...more }))
    .commitAll('gates');
  return w;
}

export const marker = (step: string) => `.claude/state/markers/${step}.pass`;

export function session(w: World, id = 'S', source = 'startup'): void {
  const ran = w.hook('session-start', { session_id: id, hook_event_name: 'SessionStart', source });
  assert.equal(ran.code, 0, ran.err);
}

/** The verdict of one gate, and what the command said and exited with. */
export function evalGate(w: World, step: string, args: string[] = []): { verdict: Verdict; ran: Ran } {
  const ran = w.cli(['gate', 'eval', step, '--json', ...args]);
  assert.ok(ran.out.startsWith('{'), `${ran.code} ${ran.out} ${ran.err}`);
  const verdict = JSON.parse(ran.out) as Verdict;
  const code = verdict.satisfied === true ? 0 : verdict.satisfied === false ? 1 : 3;
  assert.equal(ran.code, code, ran.out);
  return { verdict, ran };
}

export function kept(w: World, step: string): Verdict {
  return JSON.parse(w.read(`.claude/state/gates/${step}.json`)) as Verdict;
}

/** Writes a marker by hand and gives it a time. */
export function mark(w: World, step: string, mtimeMs?: number, text = ''): void {
  const path = join(w.root, marker(step));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (mtimeMs !== undefined) utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}

type Sessions = { sessions: { id: string; startedAt: number; attempts: Record<string, number> }[] };

export function floors(w: World): Sessions['sessions'][number] {
  const file = JSON.parse(readFileSync(join(w.root, '.claude/state/session.json'), 'utf8')) as Sessions;
  return file.sessions.at(-1)!;
}
