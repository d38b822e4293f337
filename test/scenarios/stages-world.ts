/** A project with a plan of three stages, driven through the built command line. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planSchema } from '../../src/stages/plan-schema.ts';
import { STAGE_SCHEMAS } from '../../src/stages/schema.ts';
import { FIXED, type Ran, redProject, type World } from './world.ts';

export type Json = Record<string, unknown>;

export const SUBTRACT_TEST =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(2, 3), 5));\ntest('adds none', () => assert.equal(add(0, 0), 0));\n";

export const UNIT = {
  id: 'unit',
  command: ['node', '--test', '--test-reporter=spec'],
  runner: 'node-test',
  phases: ['red', 'green'],
  identities: ['adds'],
};

export const PLAN: Json = {
  schema_version: 1,
  task: 'adding',
  plan_files: ['plan/prompt.md', 'plan/requirements.md', 'plan/implementation.md', 'plan/deferred.md'],
  repositories: [{ id: 'app', access: 'write', paths: ['src/**', 'docs/**'], test_paths: ['test/**'] }],
  stages: ['implement-tests', 'implement', 'review'],
  checks: [UNIT],
  outcomes: [{ id: 'adds-numbers', checks: ['unit'] }],
};

export function planned(plan: Json = {}, project: Json = {}): World {
  planSchema.parse({ ...PLAN, ...plan });
  const w = redProject();
  for (const name of ['prompt', 'requirements', 'implementation', 'deferred'])
    w.file(`plan/${name}.md`, `The ${name} of the task.\n`);
  w.file('.gitignore', '.claude/state/\nout/\n');
  w.file('.claude/project.json', JSON.stringify({ test: { cmd: 'npm test' }, ...project }));
  replan(w, plan);
  w.commitAll('plan');
  assert.equal(w.cli(['config', 'accept']).code, 0);
  return w;
}

export function replan(w: World, plan: Json): void {
  w.file('.claude/plan.json', JSON.stringify({ ...PLAN, ...plan }, null, 2));
}

export const show = (ran: Ran): string => `${ran.code}\n${ran.out}\n${ran.err}`;

/** A command that must succeed. */
export function ok(w: World, ...args: string[]): Ran {
  const ran = w.cli(args);
  assert.equal(ran.code, 0, `${args.join(' ')}: ${show(ran)}`);
  return ran;
}

/** A finish that judged and refused. */
export function refused(w: World, ...texts: (RegExp | string)[]): Ran {
  const ran = w.cli(['stage', 'finish']);
  assert.equal(ran.code, 1, show(ran));
  says(ran.out, texts);
  return ran;
}

/** A command that would not begin. */
export function barred(w: World, args: string[], ...texts: (RegExp | string)[]): Ran {
  const ran = w.cli(args);
  assert.equal(ran.code, 2, show(ran));
  assert.match(ran.err, /^touchstone: /);
  says(ran.err, texts);
  return ran;
}

export function says(text: string, wanted: readonly (RegExp | string)[]): void {
  for (const want of wanted) {
    if (typeof want === 'string') assert.ok(text.includes(want), `no "${want}" in:\n${text}`);
    else assert.match(text, want);
  }
}

/** Bound, the tests proven red, the code of the next stage still to be written. */
export function redDone(plan: Json = {}, project: Json = {}): World {
  const w = planned(plan, project);
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
  return w;
}

export function greenDone(plan: Json = {}): World {
  const w = redDone(plan);
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED);
  ok(w, 'stage', 'finish');
  return w;
}

/** As stored, and held to its schema. */
export function stageRecord(w: World, name: string): Json {
  const record = JSON.parse(readFileSync(join(w.root, '.claude/state/evidence/stages', `${name}.json`), 'utf8'));
  STAGE_SCHEMAS.stage.parse(record);
  STAGE_SCHEMAS.binding.parse(JSON.parse(readFileSync(join(w.root, '.claude/state/stages/binding.json'), 'utf8')));
  return record;
}

export const checkCount = (w: World): number => Number(w.sh('ls .claude/state/evidence/checks/*.json | wc -l').out);

/** A sister checkout beside the project. */
export function sister(w: World, name: string): string {
  const folder = join(w.top, name);
  w.sh(
    `mkdir -p ${folder}/src ${folder}/test && cd ${folder} && git init -q -b main && echo one > src/lib.js && echo t > test/lib.test.js && git add -A && git commit -q -m lib`,
  );
  return folder;
}
