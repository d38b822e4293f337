import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from './world.ts';

const PYTEST_RED = `============================= test session starts ==============================
collected 2 items

tests/test_cart.py .F                                                    [100%]

=================================== FAILURES ===================================
_________________________________ test_total ___________________________________

    def test_total():
>       assert total([1, 2]) == 4
E       assert 3 == 4
E        +  where 3 = total([1, 2])

tests/test_cart.py:8: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - assert 3 == 4
========================= 1 failed, 1 passed in 0.03s ==========================
`;
const PYTEST_SKIP = `============================= test session starts ==============================
collected 2 items

tests/test_cart.py .s                                                    [100%]

========================= 1 passed, 1 skipped in 0.03s =========================
`;
const KEYS = [
  'runner',
  'verdict',
  'green',
  'red',
  'class',
  'passed',
  'failed',
  'errored',
  'skipped',
  'todo',
  'failedIdentities',
  'passedIdentities',
  'problems',
  'complete',
];

test('parse judges a saved output by phase, in exactly the promised keys', () => {
  using w = new World();
  w.file('out.txt', PYTEST_RED);
  const green = w.cli(['parse', 'out.txt', '--exit', '1', '--json']);
  assert.equal(green.code, 1);
  const report = JSON.parse(green.out) as Record<string, unknown>;
  assert.deepEqual(Object.keys(report).sort(), [...KEYS].sort());
  assert.deepEqual(
    [report.runner, report.verdict, report.green, report.red, report.class, report.passed, report.failed],
    ['pytest', 'FAIL', false, true, 'red-assertion', 1, 1],
  );
  const red = ['parse', 'out.txt', '--exit', '1', '--phase', 'red', '--identity', 'test_total'];
  assert.equal(w.cli(red).code, 0);
  const missed = w.cli([...red, '--identity', 'test_tax', '--json']);
  assert.equal(missed.code, 1);
  assert.match(JSON.parse(missed.out).problems.join('\n'), /expected test identity is absent from output: test_tax/);
});

test('parse reads standard input, and takes a reason for skips', () => {
  using w = new World();
  assert.equal(w.cli(['parse', '-', '--exit', '0'], { input: PYTEST_SKIP }).code, 1);
  const approved = w.cli(['parse', '--exit', '0', '--approved-skip', 'needs a device'], { input: PYTEST_SKIP });
  assert.equal(approved.code, 0, approved.out);
  assert.match(approved.out, /^runner {4}pytest\nverdict {3}PASS \(green yes, red no\)\n/);
});

test('nothing, noise and a cut output are no PASS and no crash', () => {
  using w = new World();
  for (const input of ['', '\0\0\u0001\r\r', '\ufffd'.repeat(50), PYTEST_RED.slice(0, 300)]) {
    const ran = w.cli(['parse', '-', '--json'], { input });
    assert.deepEqual([ran.code, JSON.parse(ran.out).verdict, ran.err], [1, 'FAIL', '']);
  }
});

test('parse names what is wrong with its use', () => {
  using w = new World();
  for (const [args, message] of [
    [['gone.txt'], /parse gone\.txt: cannot be read \(ENOENT\)/],
    [['-', '--runner', 'jist'], /--runner jist: no such runner; one of .*pytest/],
    [['-', '--exit', 'x'], /--exit x: give the exit code/],
    [['-', '--phase', 'blue'], /--phase blue: give red or green/],
  ] as const) {
    const ran = w.cli(['parse', ...args]);
    assert.deepEqual([ran.code, ran.out], [2, '']);
    assert.match(ran.err, message);
  }
});
