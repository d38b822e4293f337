import assert from 'node:assert/strict';
import { test } from 'node:test';
import { go } from '../../src/runners/go.ts';
import { expectReport, text } from './expect.ts';

test('sub-tests: the leaves count, a parent only for its own failure', () => {
  expectReport(
    go,
    text(
      '=== RUN   TestTable',
      '=== RUN   TestTable/zero',
      '=== RUN   TestTable/two_words',
      '    table_test.go:9: got 1, want 2',
      '=== NAME  TestTable',
      '    table_test.go:14: and the sum is wrong',
      '--- FAIL: TestTable (0.00s)',
      '    --- PASS: TestTable/zero (0.00s)',
      '    --- FAIL: TestTable/two_words (0.00s)',
      '=== RUN   TestSkipped',
      '    table_test.go:20: no database',
      '--- SKIP: TestSkipped (0.00s)',
      'FAIL',
      'FAIL\texample.com/table\t0.003s',
      'FAIL',
    ),
    {
      counts: '1/1/0/1/0',
      failed: ['TestTable/two_words'],
      passed: ['TestTable/zero'],
      assertions: ['TestTable/two_words'],
    },
  );
});

test('a program that prints results of its own is not believed', () => {
  expectReport(
    go,
    text(
      '=== RUN   TestA',
      '--- FAIL: TestOther (0.00s)',
      'FAIL\texample.com/other\t0.001s',
      'working--- PASS: TestA (0.01s)',
      'PASS',
      'ok  \texample.com/calc\t0.106s',
    ),
    { counts: '1/0/0/0/0', passed: ['TestA'], failed: [] },
  );
});

test('a test without a result is a crash even where the package is ok', () => {
  expectReport(
    go,
    text('=== RUN   TestA', '--- PASS: TestA (0.00s)', '=== RUN   TestB', 'ok  \texample.com/calc\t0.002s'),
    { counts: '1/0/0/0/0', crashed: true },
  );
  expectReport(
    go,
    text('=== RUN   TestA', '--- PASS: TestA (0.00s)', '=== RUN   TestB', 'exit status 3', 'FAIL\tx/y\t0.002s', 'FAIL'),
    { counts: '1/0/0/0/0', crashed: true },
  );
  expectReport(go, text('=== RUN   TestA', '--- PASS: TestA (0.00s)'), {
    counts: '1/0/0/0/0',
    complete: false,
    crashed: true,
  });
});

test('a panic is no assertion; the word alone is no panic', () => {
  expectReport(
    go,
    text(
      '--- FAIL: TestMap (0.00s)',
      'panic: assignment to entry in nil map [recovered]',
      '\tpanic: assignment to entry in nil map',
      '',
      'goroutine 19 [running]:',
      'testing.tRunner.func1.2({0x508ec0, 0x551ca0})',
      'FAIL\texample.com/calc\t0.019s',
      'FAIL',
    ),
    { counts: '0/0/1/0/0', errored: ['TestMap'], assertions: [], setup: ['thrown'] },
  );
  expectReport(
    go,
    text(
      '=== RUN   TestLog',
      'panic: this is only a log line',
      '--- PASS: TestLog (0.00s)',
      'PASS',
      'ok  \texample.com/calc\t0.019s',
    ),
    { counts: '1/0/0/0/0' },
  );
});

test('a timeout names the test that ran', () => {
  expectReport(
    go,
    text(
      'panic: test timed out after 1s',
      '\trunning tests:',
      '\t\tTestSlow (1s)',
      '',
      'goroutine 18 [running]:',
      'testing.(*M).startAlarm.func1()',
      'FAIL\texample.com/calc\t1.010s',
      'FAIL',
    ),
    { counts: '0/0/1/0/0', errored: ['TestSlow'], setup: ['timeout'], crashed: true },
  );
});

test('plain output has no counts of passes; packages that do not build or start are errors', () => {
  expectReport(go, text('ok  \texample.com/calc\t(cached)', '?   \texample.com/none\t[no test files]'), {
    counts: '0/0/0/0/0',
    counted: false,
  });
  expectReport(go, text('ok  \texample.com/calc\t0.076s [no tests to run]'), { counts: '0/0/0/0/0' });
  expectReport(
    go,
    text(
      '# example.com/calc/b [example.com/calc/b.test]',
      'b/b_test.go:5:28: undefined: Nope',
      'ok  \texample.com/calc\t0.010s',
      'FAIL\texample.com/calc/b [build failed]',
      'FAIL',
    ),
    { counts: '0/0/1/0/0', errored: ['example.com/calc/b'], setup: ['compile'], counted: false },
  );
  expectReport(go, text('2026/01/01 10:00:00 no config', 'FAIL\texample.com/calc\t0.010s', 'FAIL'), {
    counts: '0/0/1/0/0',
    errored: ['example.com/calc'],
    setup: ['startup'],
    counted: false,
  });
});

test('a data race is a failure, not an assertion', () => {
  expectReport(
    go,
    text(
      '=== RUN   TestRace',
      '==================',
      'WARNING: DATA RACE',
      '==================',
      '    testing.go:1312: race detected during execution of test',
      '--- FAIL: TestRace (0.00s)',
      'FAIL',
      'FAIL\texample.com/calc\t0.019s',
    ),
    { counts: '0/1/0/0/0', failed: ['TestRace'], assertions: [], setup: ['other'] },
  );
});

const event = (action: string, more: object): string =>
  JSON.stringify({ Time: '2026-01-01T10:00:00Z', Action: action, Package: 'example.com/calc', ...more });

test('-json: results, sub-tests, skips, build failures and an unfinished run', () => {
  expectReport(
    go,
    text(
      event('run', { Test: 'TestT' }),
      event('run', { Test: 'TestT/a' }),
      event('output', { Test: 'TestT/a', Output: 'panic: only text\n' }),
      event('fail', { Test: 'TestT/a', Elapsed: 0 }),
      event('fail', { Test: 'TestT', Elapsed: 0 }),
      event('run', { Test: 'TestS' }),
      event('skip', { Test: 'TestS', Elapsed: 0 }),
      event('output', { Output: 'FAIL\n' }),
      event('fail', { Elapsed: 0.1 }),
    ),
    { counts: '0/1/0/1/0', failed: ['TestT/a'], assertions: ['TestT/a'] },
  );
  expectReport(
    go,
    text(
      '{"ImportPath":"example.com/calc [example.com/calc.test]","Action":"build-output","Output":"# example.com/calc\\n"}',
      '{"ImportPath":"example.com/calc [example.com/calc.test]","Action":"build-output","Output":"./a_test.go:5:3: undefined: Sub\\n"}',
      '{"ImportPath":"example.com/calc [example.com/calc.test]","Action":"build-fail"}',
      event('start', {}),
      event('output', { Output: 'FAIL\texample.com/calc [build failed]\n' }),
      event('fail', { Elapsed: 0, FailedBuild: 'example.com/calc [example.com/calc.test]' }),
    ),
    { counts: '0/0/1/0/0', errored: ['example.com/calc'], setup: ['compile'] },
  );
  expectReport(go, text(event('run', { Test: 'TestA' }), event('pass', { Test: 'TestA', Elapsed: 0 })), {
    counts: '1/0/0/0/0',
    complete: false,
    crashed: true,
  });
});

test('benchmarks count as passed', () => {
  expectReport(
    go,
    text('goos: linux', 'BenchmarkAdd-8   \t1000000000\t         0.2500 ns/op', 'PASS', 'ok  \texample.com/calc\t0.3s'),
    { counts: '1/0/0/0/0', passed: ['BenchmarkAdd'] },
  );
});

test('50,000 tests are read in linear time', () => {
  const lines = Array.from({ length: 25_000 }, (_, i) => [`=== RUN   TestN${i}`, `--- PASS: TestN${i} (0.00s)`]).flat();
  const from = process.cpuUsage();
  const report = go.parse(text(...lines, 'PASS', 'ok  \texample.com/calc\t0.3s'));
  assert.equal(report.counts.passed, 25_000);
  assert.ok(process.cpuUsage(from).user < 1_500_000);
});
