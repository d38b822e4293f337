/** Refusals of seed 000 that no other scenario comes by: stages without a check of their phase, and what a red or a green run lacks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withChecks } from './checks-world.ts';
import { barred, ok, planned, redDone, refused, SUBTRACT_TEST, says, show, UNIT } from './stages-world.ts';
import { FIXED } from './world.ts';

const STEADY = { id: 'steady', command: ['echo', 'steady'], runner: 'generic', success_pattern: '^steady$' };
const BOTH = { checks: [UNIT, STEADY], outcomes: [{ id: 'o', checks: ['unit', 'steady'] }] };

test('a stage that writes tests and names no check with a red phase is never bound', () => {
  using w = planned({ ...BOTH, stages: [{ id: 'implement-tests', checks: ['steady'] }, 'implement'] });
  barred(w, ['plan', 'bind'], 'Test-authoring stage requires assertion-level red checks');
});

test('a stage that names no check with a green phase proves nothing', () => {
  const red = { ...UNIT, id: 'red-only', phases: ['red'] };
  using w = redDone({
    checks: [UNIT, red],
    outcomes: [{ id: 'o', checks: ['unit', 'red-only'] }],
    stages: ['implement-tests', { id: 'implement', checks: ['red-only'] }],
  });
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED);
  refused(w, 'Stage implement is NOT accepted (checks).', 'No green checks selected');
});

test('a red run that fails elsewhere, and a green run that skips or fails', () => {
  const skipping = "import test from 'node:test';\ntest('adds', { skip: true }, () => {});\ntest('other', () => {});\n";
  using w = withChecks([UNIT]);
  const run = (phase: string, ...texts: string[]): void => {
    const ran = w.cli(['check', 'run', 'unit', '--phase', phase]);
    assert.equal(ran.code, 1, show(ran));
    says(ran.out, texts);
  };
  run('green', 'check did not produce successful evidence');
  w.file(
    'test/add.test.js',
    SUBTRACT_TEST.replace("test('adds', () => assert.equal(add(2, 3), 5))", "test('adds', () => {})"),
  );
  w.file(
    'test/other.test.js',
    "import test from 'node:test';\nimport assert from 'node:assert';\ntest('not it', () => assert.equal(1, 2));\n",
  );
  run('red', 'expected tests did not produce the assertion failures');
  w.sh('rm test/other.test.js');
  w.file('test/add.test.js', skipping);
  run('green', 'skipped/pending checks need an explicit plan justification');
  run('red', 'skipped/pending checks need an explicit plan justification: adds');
});
