import { test } from 'node:test';
import { bats } from '../../src/runners/bats.ts';
import { busted } from '../../src/runners/busted.ts';
import { exunit } from '../../src/runners/exunit.ts';
import { minitest } from '../../src/runners/minitest.ts';
import { phpunit } from '../../src/runners/phpunit.ts';
import { prove } from '../../src/runners/prove.ts';
import { rspec } from '../../src/runners/rspec.ts';
import { shunit2 } from '../../src/runners/shunit2.ts';
import { testUnit } from '../../src/runners/test-unit.ts';
import { expectReport, text } from './expect.ts';

test('rspec: expectations, exceptions, pending and hooks', () => {
  expectReport(
    rspec,
    text(
      '12 examples, 0 failures',
      'F*F*',
      '',
      "Pending: (Failures listed here are expected and do not affect your suite's status)",
      '',
      '  1) math later',
      '     # Not yet implemented',
      '     # ./spec/calc_spec.rb:9',
      '',
      '  2) math half',
      '     # bug 7',
      '     Failure/Error: expect(1).to eq(2)',
      '',
      '       expected: 2',
      '            got: 1',
      "     # ./spec/calc_spec.rb:12:in `block (2 levels)'",
      '',
      'Failures:',
      '',
      '  1) math subs RuntimeError:',
      '     Failure/Error: expect(2).to eq(1)',
      '',
      '       expected: 1',
      '            got: 2',
      "     # ./spec/calc_spec.rb:3:in `block (2 levels)'",
      '',
      '  2) math raises',
      '     Failure/Error: Calc.sub(3, 1)',
      '',
      '     NoMethodError:',
      "       undefined method `sub' for Calc:Module",
      "     # ./spec/calc_spec.rb:4:in `block (2 levels)'",
      '',
      'Finished in 0.1 seconds (files took 1.2 seconds to load)',
      '5 examples, 2 failures, 2 pending',
      '',
      'Failed examples:',
      '',
      'rspec ./spec/calc_spec.rb:3 # math subs RuntimeError:',
    ),
    {
      counts: '1/2/0/1/1',
      failed: ['math subs RuntimeError:', 'math raises'],
      assertions: ['math subs RuntimeError:'],
      setup: ['thrown'],
    },
  );
  expectReport(
    rspec,
    text(
      '',
      'An error occurred in a `before(:suite)` hook.',
      "Failure/Error: raise 'db'",
      '',
      'RuntimeError:',
      '  db',
      '# ./spec/calc_spec.rb:2',
      '',
      'Finished in 0.1 seconds (files took 1.2 seconds to load)',
      '0 examples, 0 failures, 1 error occurred outside of examples',
    ),
    { counts: '0/0/1/0/0', setup: ['hook'] },
  );
});

test('rspec: the documentation tree names the passed examples', () => {
  expectReport(
    rspec,
    text(
      '',
      'math',
      '  adds',
      '  when negative',
      '    subs (FAILED - 1)',
      '    muls',
      '',
      'Failures:',
      '',
      '  1) math when negative subs',
      '     Failure/Error: expect(2).to eq(1)',
      '     # ./spec/calc_spec.rb:3',
      '',
      'Finished in 0.1 seconds (files took 1.2 seconds to load)',
      '3 examples, 1 failure',
    ),
    {
      counts: '2/1/0/0/0',
      passed: ['math adds', 'math when negative muls'],
      failed: ['math when negative subs'],
      assertions: ['math when negative subs'],
    },
  );
});

test('rspec: json', () => {
  const example = (name: string, status: string, exception?: object): object => ({
    id: 'x',
    full_description: name,
    status,
    exception,
  });
  const json = JSON.stringify({
    version: '3.12.0',
    examples: [
      example('a', 'passed'),
      example('b', 'failed', { class: 'RSpec::Expectations::ExpectationNotMetError', message: 'expected: 1' }),
      example('c', 'failed', { class: 'NameError', message: 'undefined' }),
      example('d', 'pending'),
    ],
    summary: { example_count: 4, failure_count: 2, pending_count: 1, errors_outside_of_examples_count: 0 },
    summary_line: '4 examples, 2 failures, 1 pending',
  });
  expectReport(rspec, `log line\n${json}`, {
    counts: '1/2/0/1/0',
    failed: ['b', 'c'],
    assertions: ['b'],
    setup: ['thrown'],
  });
});

test('minitest: failures, errors and a run cut short', () => {
  const blocks = [
    '# Running:',
    '',
    '.FES',
    '',
    'Finished in 0.015222s, 131.3929 runs/s, 131.3929 assertions/s.',
    '',
    '  1) Failure:',
    'TestMath#test_sub [test_math.rb:4]:',
    'Expected: 1',
    '  Actual: 2',
    '',
    '  2) Error:',
    'TestMath#test_err:',
    "NameError: undefined local variable or method `nope'",
    "    test_math.rb:6:in `test_err'",
    '',
  ];
  expectReport(
    minitest,
    text(
      '99 runs, 1 assertions, 0 failures, 0 errors, 0 skips',
      ...blocks,
      '4 runs, 2 assertions, 1 failures, 1 errors, 1 skips',
    ),
    {
      counts: '1/1/1/1/0',
      failed: ['TestMath#test_sub'],
      errored: ['TestMath#test_err'],
      assertions: ['TestMath#test_sub'],
      setup: ['thrown'],
    },
  );
  expectReport(minitest, text('Run options: --seed 1', '', '# Running:', '', '.'), {
    counts: '0/0/0/0/0',
    complete: false,
    crashed: true,
  });
});

test('test-unit: an assertion in setup is a hook failure', () => {
  const rule = '='.repeat(79);
  expectReport(
    testUnit,
    text(
      'Loaded suite t',
      'Started',
      rule,
      'Failure: test_a(T): <1> expected but was <2>.',
      "t.rb:4:in `setup'",
      rule,
      'F',
      rule,
      'Error: test_e(T): NoMethodError: undefined method',
      "t.rb:9:in `test_e'",
      rule,
      'E',
      'Finished in 0.18 seconds.',
      '-'.repeat(79),
      '3 tests, 2 assertions, 1 failures, 1 errors, 0 pendings, 0 omissions, 0 notifications',
    ),
    { counts: '1/0/2/0/0', errored: ['T#test_a', 'T#test_e'], setup: ['hook', 'thrown'] },
  );
});

test('phpunit: skipped, incomplete, risky and issues of version 10 and later', () => {
  expectReport(
    phpunit,
    text(
      'PHPUnit 10.5.1 by Sebastian Bergmann and contributors.',
      '',
      'Runtime:       PHP 8.2.0',
      '',
      'OK (12 tests, 12 assertions)',
      '.FSI                                                                4 / 4 (100%)',
      '',
      'Time: 00:00.048, Memory: 8.00 MB',
      '',
      'There was 1 failure:',
      '',
      '1) App\\Tests\\CalcTest::testSubs with data set "odd, name" (1, 2)',
      'Failed asserting that 2 is identical to 1.',
      '',
      '/p/CalcTest.php:5',
      '',
      'FAILURES!',
      'Tests: 4, Assertions: 2, Failures: 1, Skipped: 1, Incomplete: 1.',
    ),
    {
      counts: '1/1/0/1/1',
      failed: ['App\\Tests\\CalcTest::testSubs with data set "odd, name"'],
      assertions: ['App\\Tests\\CalcTest::testSubs with data set "odd, name"'],
    },
  );
  expectReport(
    phpunit,
    text(
      'PHPUnit 11.0.1 by Sebastian Bergmann and contributors.',
      '',
      'There was 1 PHPUnit test runner warning:',
      '',
      '1) No tests found in class "CalcTest".',
      '',
      'No tests executed!',
    ),
    { counts: '0/0/0/0/0' },
  );
  expectReport(phpunit, text('PHPUnit 9.6.7 by Sebastian Bergmann and contributors.', '', '.'), {
    counts: '0/0/0/0/0',
    complete: false,
    crashed: true,
  });
});

test('phpunit testdox: the cross says which test, its first line whether it was an assertion', () => {
  expectReport(
    phpunit,
    text(
      'PHPUnit 9.6.7 by Sebastian Bergmann and contributors.',
      '',
      'Calc',
      ' ✔ Adds',
      ' ✘ Subs two numbers',
      '   ┐',
      '   ├ Failed asserting that 2 is identical to 1.',
      '   ┴',
      ' ✘ Divides',
      '   ┐',
      '   ├ DivisionByZeroError: Division by zero',
      '   ┴',
      '',
      'Time: 00:00.045, Memory: 6.00 MB',
      '',
      'ERRORS!',
      'Tests: 3, Assertions: 2, Errors: 1, Failures: 1.',
    ),
    {
      counts: '1/1/1/0/0',
      failed: ['CalcTest::testSubsTwoNumbers'],
      errored: ['CalcTest::testDivides'],
      assertions: ['CalcTest::testSubsTwoNumbers'],
      setup: ['thrown'],
    },
  );
});

test('prove: failures, a file that dies, a signal and skipped files', () => {
  const tail = (tests: number): string[] => [
    `Files=1, Tests=${tests},  0 wallclock secs ( 0.05 usr  0.01 sys +  0.12 cusr  0.07 csys =  0.25 CPU)`,
  ];
  const report = ['', 'Test Summary Report', '-------------------'];
  expectReport(
    prove,
    text(
      "#   Failed test 'two'",
      '#   at t/a.t line 2.',
      'SKIP, said the test: 12 passed',
      't/a.t .. ',
      'Failed 1/4 subtests ',
      '\t(less 1 skipped subtest: 2 okay)',
      ...report,
      't/a.t (Wstat: 256 (exited 1) Tests: 4 Failed: 1)',
      '  Failed test:  2',
      '  Non-zero exit status: 1',
      ...tail(4),
      'Result: FAIL',
    ),
    { counts: '2/1/0/1/0', failed: ['two'], assertions: ['two'] },
  );
  expectReport(
    prove,
    text(
      'boom',
      '# Looks like your test exited with 255 just after 1.',
      't/d.t .. ',
      'Dubious, test returned 255 (wstat 65280, 0xff00)',
      ...report,
      't/d.t (Wstat: 65280 (exited 255) Tests: 1 Failed: 0)',
      '  Non-zero exit status: 255',
      '  Parse errors: No plan found in TAP output',
      ...tail(1),
      'Result: FAIL',
    ),
    { counts: '1/0/1/0/0', errored: ['t/d.t'], setup: ['thrown'] },
  );
  expectReport(
    prove,
    text(
      't/k.t .. ',
      ...report,
      't/k.t (Wstat: 9 (Signal: KILL) Tests: 1 Failed: 0)',
      '  Non-zero wait status: 9',
      '  Parse errors: No plan found in TAP output',
      ...tail(1),
      'Result: FAIL',
    ),
    { counts: '1/0/0/0/0', crashed: true },
  );
  expectReport(prove, text('t/s.t .. skipped: no net', ...tail(0), 'Result: NOTESTS'), { counts: '0/0/0/1/0' });
});

test('bats: which command failed, in which function, with which status', () => {
  expectReport(
    bats,
    text(
      '1..5',
      'ok 1 adds',
      'not ok 2 subs # not a directive',
      '# (in test file t.bats, line 6)',
      "#   `[ 2 -eq 1 ]' failed",
      'not ok 3 tool',
      '# (in test file t.bats, line 9)',
      "#   `nosuch' failed with status 127",
      '# /p/t.bats: line 9: nosuch: command not found',
      'not ok 4 ready',
      "# (from function `setup' in test file t.bats, line 2)",
      "#   `false' failed",
      'ok 5 later # skip no docker',
    ),
    {
      counts: '1/2/1/1/0',
      failed: ['subs # not a directive', 'tool'],
      errored: ['ready'],
      assertions: ['subs # not a directive'],
      setup: ['missing-command', 'hook'],
    },
  );
  expectReport(bats, text('1..3', 'ok 1 adds'), { counts: '1/0/0/0/0', complete: false, crashed: true });
});

test('bats: the pretty formatter', () => {
  expectReport(
    bats,
    text(
      't.bats',
      ' ✓ adds',
      ' ✗ subs',
      '   (in test file t.bats, line 6)',
      "     `[ 2 -eq 1 ]' failed",
      ' - later (skipped: no docker)',
      '',
      '3 tests, 1 failure, 1 skipped',
    ),
    { counts: '1/1/0/1/0', failed: ['subs'], assertions: ['subs'] },
  );
});

test('shunit2: one test with two failed assertions is one failed test', () => {
  expectReport(
    shunit2,
    text(
      'testAdds',
      'testSubs',
      'ASSERT:expected:<1> but was:<2>',
      'ASSERT:second look expected:<1> but was:<3>',
      '',
      'Ran 2 tests.',
      '',
      'FAILED (failures=2)',
    ),
    { counts: '1/1/0/0/0', failed: ['testSubs'], passed: ['testAdds'], assertions: ['testSubs'] },
  );
});

test('busted: failures, errors, pending and hooks', () => {
  expectReport(
    busted,
    text(
      '1 success / 0 failures / 0 errors / 0 pending : 0.1 seconds, says the test',
      '+-*.',
      '1 success / 1 failure / 2 errors / 1 pending : 0.035624 seconds',
      '',
      'Pending → spec/a_spec.lua @ 9',
      'math later',
      '',
      'Failure → spec/a_spec.lua @ 1',
      'math subs',
      'spec/a_spec.lua:1: Expected objects to be equal.',
      '',
      'Error → spec/a_spec.lua @ 5',
      'math before_each',
      'spec/a_spec.lua:5: attempt to index a nil value',
      '',
      'Error → spec/a_spec.lua @ 7',
      'math divides',
      'spec/a_spec.lua:7: attempt to perform arithmetic on a nil value',
    ),
    {
      counts: '1/1/2/1/0',
      failed: ['math subs'],
      errored: ['math before_each', 'math divides'],
      assertions: ['math subs'],
      setup: ['hook', 'thrown'],
    },
  );
});

test('ExUnit: assertions, exceptions, setup, timeouts and excluded tests', () => {
  expectReport(
    exunit,
    text(
      'Running ExUnit with seed: 1, max_cases: 4',
      '',
      '  1) test subs (CalcTest)',
      '     test/calc_test.exs:3',
      '     Assertion with == failed',
      '     code:  assert Calc.sub(3, 1) == 1',
      '     left:  2',
      '     right: 1',
      '     stacktrace:',
      '       test/calc_test.exs:3: (test)',
      '',
      '  2) test AssertionError (CalcTest)',
      '     test/calc_test.exs:9',
      '     ** (RuntimeError) Assertion with == failed',
      '     stacktrace:',
      '       test/calc_test.exs:9: (test)',
      '',
      '  3) test needs db (CalcTest)',
      '     test/calc_test.exs:12',
      '     ** (MatchError) no match of right hand side value: :error',
      '     stacktrace:',
      '       test/calc_test.exs:2: CalcTest.__ex_unit_setup_0/1',
      '',
      'Finished in 0.1 seconds (0.00s async, 0.1s sync)',
      '1 doctest, 6 tests, 3 failures, 1 excluded, 1 skipped',
    ),
    {
      counts: '2/2/1/1/0',
      failed: ['CalcTest: test subs', 'CalcTest: test AssertionError'],
      errored: ['CalcTest: test needs db'],
      assertions: ['CalcTest: test subs'],
      setup: ['thrown', 'hook'],
    },
  );
  expectReport(exunit, text('', 'Finished in 0.08 seconds (0.00s async, 0.08s sync)', '0 failures'), {
    counts: '0/0/0/0/0',
  });
});
