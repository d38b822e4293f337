import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, sameTest } from '../../src/checks/judge.ts';
import { emptyReport, type Report } from '../../src/runners/report.ts';

function report(change: Partial<Report> = {}): Report {
  return { ...emptyReport('pytest'), complete: true, ...change };
}

const counts = (passed: number, failed = 0, errored = 0, skipped = 0, todo = 0): Report['counts'] => ({
  passed,
  failed,
  errored,
  skipped,
  todo,
});

const red = report({
  counts: counts(1, 1),
  identities: { passed: ['t.py::test_ok'], failed: ['t.py::test_sum'], errored: [], skipped: [], todo: [] },
  assertions: ['t.py::test_sum'],
});

test('green needs exit 0, a test that ran, and nothing else', () => {
  assert.equal(judge(report({ counts: counts(2) }), { exitCode: 0 }).verdict, 'PASS');
  assert.equal(judge(report({ counts: counts(2) }), { exitCode: 1 }).class, 'ambiguous');
  assert.equal(judge(report(), { exitCode: 0 }).class, 'no-tests');
  assert.equal(judge(report({ counts: counts(2), complete: false }), { exitCode: 0 }).class, 'crash');
  assert.equal(judge(report({ counts: counts(2), crashed: true }), { exitCode: 0 }).verdict, 'FAIL');
  assert.equal(
    judge(report({ counts: counts(2), contradictions: ['two totals'] }), { exitCode: 0 }).class,
    'ambiguous',
  );
  assert.equal(judge(report({ counts: counts(2), emptySections: 1 }), { exitCode: 0 }).class, 'no-tests');
});

test('skips fail a check without a reason, and the suite only when nothing else ran', () => {
  const some = judge(report({ counts: counts(2, 0, 0, 1) }), { exitCode: 0 });
  assert.equal(some.verdict, 'FAIL');
  assert.equal(some.suite, 'PASS');
  assert.match(some.problems.join('\n'), /skipped\/pending checks need an explicit plan justification/);
  assert.equal(
    judge(report({ counts: counts(2, 0, 0, 1) }), { exitCode: 0, approvedSkipReason: 'no database' }).verdict,
    'PASS',
  );
  assert.equal(judge(report({ counts: counts(0, 0, 0, 3) }), { exitCode: 0 }).suite, 'FAIL');
});

test('red needs every expected test to fail on an assertion', () => {
  const seen = judge(red, { exitCode: 1, phase: 'red', identities: ['test_sum'] });
  assert.equal(seen.red, true);
  assert.deepEqual(seen.problems, []);
  const absent = judge(red, { exitCode: 1, phase: 'red', identities: ['test_other'] });
  assert.equal(
    absent.problems.some(line => line.startsWith('expected test identity is absent from output')),
    true,
  );
  const passing = judge(red, { exitCode: 1, phase: 'red', identities: ['test_ok'] });
  assert.deepEqual(passing.problems, ['expected tests did not produce the assertion failures']);
  assert.match(judge(red, { exitCode: 0, phase: 'red' }).problems.join(), /no observed assertion-level failure/);
});

test('a broken set-up is no red evidence, whatever failed beside it', () => {
  const broken = { ...red, setupErrors: [{ kind: 'import' as const, line: 3, text: 'No module named x' }] };
  const judged = judge(broken, { exitCode: 1, phase: 'red', identities: ['test_sum'] });
  assert.equal(judged.class, 'setup-error');
  assert.equal(judged.red, false);
  assert.match(judged.problems.join(), /setup\/compile failure is not assertion evidence/);
});

test('what we stopped ourselves names its class', () => {
  for (const reason of ['timeout', 'inactive', 'output-limit', 'cancelled'] as const) {
    const judged = judge(report({ counts: counts(2) }), { exitCode: 0, reason });
    assert.equal(judged.class, reason);
    assert.equal(judged.verdict, 'FAIL');
    assert.equal(judged.suite, 'FAIL');
    assert.ok(judged.problems.includes(reason));
  }
  assert.equal(judge(report({ counts: counts(2) }), { exitCode: null, signal: 'SIGKILL' }).class, 'crash');
  assert.equal(judge(report({ counts: counts(2) }), { exitCode: 0, reason: 'watch' }).verdict, 'FAIL');
});

test('green identities must be seen passing', () => {
  const green = report({
    counts: counts(1),
    identities: { passed: ['t.py::test_a[1]'], failed: [], errored: [], skipped: [], todo: [] },
  });
  assert.equal(judge(green, { exitCode: 0, identities: ['test_a'] }).verdict, 'PASS');
  assert.match(
    judge(green, { exitCode: 0, identities: ['test_b'] }).problems.join(),
    /expected test identity is absent from output: test_b/,
  );
});

test('a declared name is the whole name or its last parts', () => {
  assert.equal(sameTest('adds', 'math > adds'), true);
  assert.equal(sameTest('math > adds', 'math > adds'), true);
  assert.equal(sameTest('test_a', 't.py::T::test_a[1-2]'), true);
  assert.equal(sameTest('test_a', 'test_a (tests.T.test_a)'), true);
  assert.equal(sameTest('adds', 'readds'), false);
  assert.equal(sameTest('', 'x'), false);
});
