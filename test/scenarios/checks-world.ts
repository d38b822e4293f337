/** A project with declared checks, and the records their runs left. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ran, redProject, type World } from './world.ts';

type Project = Record<string, unknown>;

/** The red project of the world with checks declared in it. */
export function withChecks(checks: object[], more: Project = {}): World {
  const w = redProject();
  w.file('.claude/project.json', JSON.stringify({ test: { cmd: 'npm test' }, checks, ...more }));
  w.file('.gitignore', '.claude/state/\nout/\n').commitAll('checks');
  return w;
}

export const UNIT = {
  id: 'unit',
  command: ['node', '--test', '--test-reporter=spec'],
  runner: 'node-test',
  phases: ['red', 'green'],
  identities: ['adds'],
};

type Entry = {
  class: string;
  reason: string | null;
  problems: string[];
  notes: string[];
  passed: boolean;
  log: string;
  counts: Record<string, number>;
  output: string;
  command: string;
  parser: string;
};
export type CheckRecord = {
  passed: boolean;
  fingerprint: string;
  changes: Record<string, string[]>;
  checks: Entry[];
  rules: unknown[];
  red?: Record<string, unknown>;
};

export function records(w: World): CheckRecord[] {
  const dir = join(w.root, '.claude/state/evidence/checks');
  return readdirSync(dir)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => JSON.parse(readFileSync(join(dir, name), 'utf8')) as CheckRecord);
}

export function only(w: World): Entry {
  const all = records(w);
  assert.equal(all.length, 1);
  return all[0]!.checks[0]!;
}

/** A check that runs a script of its own. */
export function scripted(source: string, extra: object = {}): World {
  const check = { id: 'own', command: ['node', 'own.mjs'], runner: 'tap', ...extra };
  const w = withChecks([check]);
  return w.file('own.mjs', source).commitAll('own');
}

export const show = (ran: Ran): string => `${ran.code}\n${ran.out}\n${ran.err}`;
