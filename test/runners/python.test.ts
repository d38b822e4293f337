import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nose2 } from '../../src/runners/nose2.ts';
import { pytest } from '../../src/runners/pytest.ts';
import { pythonDoctest } from '../../src/runners/python-doctest.ts';
import { unittest } from '../../src/runners/unittest.ts';
import { expectReport, text } from './expect.ts';

const START = '============================= test session starts ==============================';
const FAILURES = '=================================== FAILURES ===================================';
const ERRORS = '==================================== ERRORS ====================================';
const SHORT = '=========================== short test summary info ============================';

test('pytest tells assertions from exceptions by the exception that ended the test', () => {
  expectReport(
    pytest,
    text(
      START,
      'collected 3 items',
      '',
      'tests/test_a.py FF.                                                      [100%]',
      '',
      FAILURES,
      '_________________________________ test_total __________________________________',
      '',
      '    def test_total():',
      '>       assert total() == 4',
      'E       assert 3 == 4',
      '',
      'tests/test_a.py:4: AssertionError',
      '______________________________ test_ImportError _______________________________',
      '',
      '    def test_ImportError():',
      ">       raise KeyError('assert 1 == 2')",
      "E       KeyError: 'assert 1 == 2'",
      '',
      'tests/test_a.py:8: KeyError',
      '----------------------------- Captured stdout call -----------------------------',
      'FAILED tests/test_z.py::test_fake - assert 0',
      '========= 9 passed in 0.01s =========',
      SHORT,
      'FAILED tests/test_a.py::test_total - assert 3 == 4',
      "FAILED tests/test_a.py::test_ImportError - KeyError: 'assert 1 == 2'",
      '========================= 2 failed, 1 passed in 0.11s ==========================',
    ),
    {
      counts: '1/2/0/0/0',
      failed: ['tests/test_a.py::test_total', 'tests/test_a.py::test_ImportError'],
      assertions: ['tests/test_a.py::test_total'],
      setup: ['thrown'],
    },
  );
});

test('pytest parameters may hold anything', () => {
  expectReport(
    pytest,
    text(
      'FF                                                                       [100%]',
      SHORT,
      'FAILED t.py::test_p[a - b] - assert 1 == 2',
      'FAILED t.py::test_p[x]y::z] - assert 1 == 2',
      '2 failed in 0.02s',
    ),
    {
      counts: '0/2/0/0/0',
      failed: ['t.py::test_p[a - b]', 't.py::test_p[x]y::z]'],
      assertions: ['t.py::test_p[a - b]', 't.py::test_p[x]y::z]'],
    },
  );
});

test('pytest collection errors, fixtures and usage errors are setup errors', () => {
  expectReport(
    pytest,
    text(
      START,
      'collected 1 item / 1 error',
      '',
      ERRORS,
      '_______________________ ERROR collecting tests/test_b.py _______________________',
      "ImportError while importing test module '/p/tests/test_b.py'.",
      'Traceback:',
      'tests/test_b.py:1: in <module>',
      '    import nosuch',
      "E   ModuleNotFoundError: No module named 'nosuch'",
      SHORT,
      'ERROR tests/test_b.py',
      '!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!',
      '=============================== 1 error in 0.08s ===============================',
    ),
    { counts: '0/0/1/0/0', errored: ['tests/test_b.py'], setup: ['import'] },
  );
  expectReport(
    pytest,
    text(
      'ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]',
      'pytest: error: unrecognized arguments: --nope',
    ),
    { counts: '0/0/0/0/0', setup: ['startup'], complete: false },
  );
});

test('pytest: a run that ends in the middle is a crash, whatever it printed', () => {
  const head = [START, 'collected 3 items', '', 'tests/test_a.py .'];
  expectReport(pytest, text(...head), { counts: '1/0/0/0/0', complete: false, crashed: true });
  expectReport(
    pytest,
    text(
      ...head,
      '',
      '!!!!!!!!!!!!!!!!!!!!! _pytest.outcomes.Exit: enough for now !!!!!!!!!!!!!!!!!!!!',
      '============================== 1 passed in 0.02s ===============================',
    ),
    { counts: '1/0/0/0/0', crashed: true },
  );
  expectReport(
    pytest,
    text(
      START,
      'collected 1 item',
      '',
      'tests/test_a.py ',
      '============================== 1 passed in 0.01s ===============================',
    ),
    { counts: '0/0/0/0/0', complete: false, crashed: true },
  );
});

test('pytest books expected failures as todo and a strict unexpected pass as a failure without assertion', () => {
  expectReport(
    pytest,
    text(
      START,
      'collected 3 items',
      '',
      'test_x.py xXF                                                            [100%]',
      '',
      FAILURES,
      '___________________________________ test_s ____________________________________',
      '[XPASS(strict)] bug 7',
      SHORT,
      'FAILED test_x.py::test_s - [XPASS(strict)] bug 7',
      '=================== 1 failed, 1 xfailed, 1 xpassed in 0.05s ====================',
    ),
    { counts: '0/1/0/0/2', failed: ['test_x.py::test_s'], assertions: [], setup: ['other'] },
  );
});

test('pytest runs of a test case whose setUp asserts are hook failures', () => {
  expectReport(
    pytest,
    text(
      'F                                                                        [100%]',
      FAILURES,
      '_________________________________ T.test_a ____________________________________',
      '',
      'self = <test_t.T testMethod=test_a>',
      '',
      '    def setUp(self):',
      ">       self.assertTrue(False, 'db is up')",
      'E       AssertionError: False is not true : db is up',
      '',
      'test_t.py:6: AssertionError',
      SHORT,
      'FAILED test_t.py::T::test_a - AssertionError: False is not true : db is up',
      '1 failed in 0.02s',
    ),
    { counts: '0/0/1/0/0', errored: ['test_t.py::T::test_a'], setup: ['hook'] },
  );
});

test('pytest -q twice in one output is summed', () => {
  expectReport(
    pytest,
    text(
      'F                                                                        [100%]',
      SHORT,
      'FAILED a.py::test_a - assert 0',
      '1 failed in 0.02s',
      '..                                                                       [100%]',
      '2 passed in 0.01s',
    ),
    { counts: '2/1/0/0/0', failed: ['a.py::test_a'], assertions: ['a.py::test_a'] },
  );
});

test('pytest -v and xdist lines name the passed tests', () => {
  expectReport(
    pytest,
    text(
      START,
      'gw0 [2] / gw1 [2]',
      '',
      'scheduling tests via LoadScheduling',
      '',
      't.py::test_a ',
      '[gw0] [ 50%] PASSED t.py::test_a ',
      't.py::test_b[x y] ',
      '[gw1] [100%] PASSED t.py::test_b[x y] ',
      '',
      '============================== 2 passed in 1.22s ===============================',
    ),
    { counts: '2/0/0/0/0', passed: ['t.py::test_a', 't.py::test_b[x y]'] },
  );
});

const DASHES = '-'.repeat(70);
const DOUBLE = '='.repeat(70);

test('unittest: text printed after the true summary counts for nothing', () => {
  expectReport(
    unittest,
    text(
      'F',
      DOUBLE,
      'FAIL: test_x (test_m.T.test_x)',
      DASHES,
      'Traceback (most recent call last):',
      '  File "/p/test_m.py", line 9, in test_x',
      "    self.assertEqual('a', 'b')",
      "AssertionError: 'a' != 'b'",
      '',
      DASHES,
      'Ran 1 test in 0.001s',
      '',
      'FAILED (failures=1)',
      'Ran 12 tests in 0.001s',
      '',
      'OK',
    ),
    { counts: '0/1/0/0/0', failed: ['test_m.T.test_x'], assertions: ['test_m.T.test_x'] },
  );
});

test('unittest: sub-tests, hooks and loader errors', () => {
  const trace = (where: string, last: string): string[] => [
    'Traceback (most recent call last):',
    `  File "/p/test_m.py", line 6, in ${where}`,
    '    self.check()',
    last,
    '',
  ];
  expectReport(
    unittest,
    text(
      'FFE.',
      DOUBLE,
      'ERROR: setUpClass (test_m.B)',
      DASHES,
      ...trace('setUpClass', 'RuntimeError: db'),
      DOUBLE,
      'FAIL: test_many (test_m.A.test_many) (i=1)',
      DASHES,
      ...trace('test_many', 'AssertionError: 1 != 0'),
      DOUBLE,
      'FAIL: test_many (test_m.A.test_many) (i=3)',
      DASHES,
      ...trace('test_many', 'AssertionError: 1 != 0'),
      DASHES,
      'Ran 2 tests in 0.001s',
      '',
      'FAILED (failures=2, errors=1)',
    ),
    {
      counts: '1/1/1/0/0',
      failed: ['test_m.A.test_many'],
      errored: ['test_m.B.setUpClass'],
      assertions: ['test_m.A.test_many'],
      setup: ['hook'],
    },
  );
  expectReport(unittest, text('test_a (m.T) ... ok', 'test_b (m.T) ... '), {
    counts: '1/0/0/0/0',
    passed: ['m.T.test_a'],
    complete: false,
    crashed: true,
  });
});

test('unittest before 3.11 tells an unexpected success in its last line only', () => {
  expectReport(unittest, text('u.', DASHES, 'Ran 2 tests in 0.001s', '', 'FAILED (unexpected successes=1)'), {
    counts: '1/1/0/0/0',
    assertions: [],
    setup: ['other'],
  });
});

test('no tests at all is a complete run of nothing', () => {
  for (const last of ['OK', 'NO TESTS RAN']) {
    expectReport(unittest, text('', DASHES, 'Ran 0 tests in 0.000s', '', last), { counts: '0/0/0/0/0' });
  }
  expectReport(nose2, text('', DASHES, 'Ran 0 tests in 0.000s', '', 'OK'), { counts: '0/0/0/0/0' });
});

test('doctest: a wrong value is an assertion, an exception is not', () => {
  const stars = '*'.repeat(70);
  expectReport(
    pythonDoctest,
    text(
      stars,
      'File "/p/lib.py", line 3, in lib.add',
      'Failed example:',
      '    add(1, 2)',
      'Expected:',
      '    4',
      'Got:',
      '    3',
      stars,
      'File "/p/lib.py", line 9, in lib.div',
      'Failed example:',
      '    div(1, 0)',
      'Exception raised:',
      '    Traceback (most recent call last):',
      '      File "/usr/lib/doctest.py", line 1, in run',
      '    ZeroDivisionError: division by zero',
      stars,
      '2 items had failures:',
      '   1 of   1 in lib.add',
      '   1 of   1 in lib.div',
      '***Test Failed*** 2 failures.',
    ),
    { counts: '0/2/0/0/0', failed: ['lib.div', 'lib.add'], assertions: ['lib.add'], setup: ['thrown'] },
  );
});

test('50,000 lines are read in linear time', () => {
  const noise = Array.from(
    { length: 50_000 },
    (_, i) => `tests/test_${i}.py::test_case_${i} PASSED`.padEnd(70) + '[ 50%]',
  );
  const output = text(START, 'collected 50000 items', '', ...noise, '', '===== 50000 passed in 3.21s =====');
  const from = process.cpuUsage();
  const report = pytest.parse(output);
  const spent = process.cpuUsage(from);
  assert.equal(report.counts.passed, 50_000);
  assert.equal(report.identities.passed.length, 50_000);
  assert.ok(spent.user < 1_500_000, `${spent.user} µs`);
});
