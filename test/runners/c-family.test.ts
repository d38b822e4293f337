import { test } from 'node:test';
import { catch2 } from '../../src/runners/catch2.ts';
import { check } from '../../src/runners/check.ts';
import { cmocka } from '../../src/runners/cmocka.ts';
import { criterion } from '../../src/runners/criterion.ts';
import { ctest } from '../../src/runners/ctest.ts';
import { cunit } from '../../src/runners/cunit.ts';
import { doctestCpp } from '../../src/runners/doctest-cpp.ts';
import { gtest } from '../../src/runners/gtest.ts';
import { swift } from '../../src/runners/swift.ts';
import { expectReport, text } from './expect.ts';

test('gtest: assertions, exceptions, skips, disabled tests', () => {
  expectReport(
    gtest,
    text(
      '[==========] Running 5 tests from 1 test suite.',
      '[----------] 5 tests from Math',
      '[ RUN      ] Math.Adds',
      '[  FAILED  ] Math.Subs (0 ms)',
      'working[       OK ] Math.Adds (0 ms)',
      '[ RUN      ] Math.Subs',
      't.cpp:4: Failure',
      'Expected equality of these values:',
      '[  FAILED  ] Math.Subs (0 ms)',
      '[ RUN      ] Math.Throws',
      'unknown file: Failure',
      'C++ exception with description "Expected equality" thrown in the test body.',
      '[  FAILED  ] Math.Throws (0 ms)',
      '[ RUN      ] Math.Fixture',
      'unknown file: Failure',
      'C++ exception with description "db" thrown in SetUp().',
      '[  FAILED  ] Math.Fixture (0 ms)',
      '[ RUN      ] Math.Later',
      't.cpp:9: Skipped',
      '[  SKIPPED ] Math.Later (0 ms)',
      '[==========] 5 tests from 1 test suite ran. (13 ms total)',
      '[  PASSED  ] 1 test.',
      '[  SKIPPED ] 1 test, listed below:',
      '[  SKIPPED ] Math.Later',
      '[  FAILED  ] 3 tests, listed below:',
      '[  FAILED  ] Math.Subs',
      '',
      ' 3 FAILED TESTS',
      '  YOU HAVE 1 DISABLED TEST',
    ),
    {
      counts: '1/2/1/2/0',
      failed: ['Math.Subs', 'Math.Throws'],
      errored: ['Math.Fixture'],
      passed: ['Math.Adds'],
      assertions: ['Math.Subs'],
      setup: ['thrown', 'hook'],
    },
  );
});

test('gtest: a test without a result is a crash, also behind a printed summary', () => {
  expectReport(
    gtest,
    text(
      '[==========] Running 2 tests from 1 test suite.',
      '[ RUN      ] Math.Adds',
      '[       OK ] Math.Adds (0 ms)',
      '[ RUN      ] Math.Exits',
      '[==========] 2 tests from 1 test suite ran. (0 ms total)',
      '[  PASSED  ] 2 tests.',
    ),
    { counts: '1/0/0/0/0', complete: false, crashed: true },
  );
});

test('cmocka: failed, skipped, group set-up and an exception', () => {
  expectReport(
    cmocka,
    text(
      '[==========] math: Running 3 test(s).',
      '[ RUN      ] test_a',
      '[  ERROR   ] --- 0x1 != 0x2',
      '[   LINE   ] --- t.c:5: error: Failure!',
      '[  FAILED  ] test_a',
      '[ RUN      ] test_b',
      '[  ERROR   ] --- Test failed with exception: Segmentation fault(11)',
      '[  FAILED  ] test_b',
      '[ RUN      ] test_c',
      '[       OK ] test_c',
      '[==========] math: 3 test(s) run.',
      '[  PASSED  ] 1 test(s).',
      '[  FAILED  ] math: 2 test(s), listed below:',
      '[  FAILED  ] test_a',
      '[  FAILED  ] test_b',
      '',
      ' 2 FAILED TEST(S)',
    ),
    {
      counts: '1/2/0/0/0',
      failed: ['test_a', 'test_b'],
      passed: ['test_c'],
      assertions: ['test_a'],
      setup: ['thrown'],
    },
  );
  expectReport(
    cmocka,
    text(
      '[==========] Running 1 test(s).',
      '[  FAILED  ] GROUP SETUP',
      '[  ERROR   ] --- ',
      '[==========] 0 test(s) run.',
      '[  PASSED  ] 0 test(s).',
    ),
    { counts: '0/0/1/0/0', setup: ['hook'] },
  );
});

test('Catch2 in versions 2 and 3', () => {
  const rule = '='.repeat(79);
  const dashes = '-'.repeat(79);
  const block = (name: string, ...why: string[]): string[] => [
    dashes,
    name,
    dashes,
    't.cpp:5',
    '.'.repeat(79),
    '',
    ...why,
    '',
  ];
  expectReport(
    catch2,
    text(
      'Randomness seeded to: 123',
      ...block('subs', 't.cpp:5: FAILED:', '  REQUIRE( 3 - 1 == 1 )', 'with expansion:', '  2 == 1'),
      ...block('throws', 't.cpp:9: FAILED:', 'due to unexpected exception with message:', '  boom'),
      rule,
      'test cases: 5 | 1 passed | 2 failed | 1 skipped | 1 failed as expected',
      'assertions: 3 | 1 passed | 1 failed | 1 failed as expected',
      '',
    ),
    {
      counts: '1/2/0/1/1',
      failed: ['subs', 'throws'],
      assertions: ['subs'],
      setup: ['thrown'],
    },
  );
  expectReport(catch2, text('All tests passed (9 assertions in 9 test cases)', rule, 'No tests ran', ''), {
    counts: '0/0/0/0/0',
  });
});

test('doctest: two failed checks are one failed test case; an exception is none', () => {
  const rule = '='.repeat(79);
  expectReport(
    doctestCpp,
    text(
      '[doctest] doctest version is "2.4.9"',
      rule,
      't.cpp:5:',
      'TEST CASE:  subs',
      '  when negative',
      '',
      't.cpp:5: ERROR: CHECK( 3 - 1 == 1 ) is NOT correct!',
      '  values: CHECK( 2 == 1 )',
      '',
      't.cpp:6: ERROR: CHECK( 3 - 1 == 0 ) is NOT correct!',
      '',
      rule,
      't.cpp:9:',
      'TEST CASE:  boom',
      '',
      't.cpp:9: ERROR: test case THREW exception: CHECK( 1 ) is NOT correct!',
      '',
      rule,
      '[doctest] test cases: 3 | 1 passed | 2 failed | 0 skipped',
      '[doctest] assertions: 3 | 1 passed | 2 failed |',
      '[doctest] Status: FAILURE!',
    ),
    { counts: '1/2/0/0/0', failed: ['subs', 'boom'], assertions: ['subs'], setup: ['thrown'] },
  );
});

test('Check, CUnit and Criterion', () => {
  expectReport(
    check,
    text(
      '100%: Checks: 9, Failures: 0, Errors: 0',
      'Running suite(s): Math',
      '33%: Checks: 3, Failures: 1, Errors: 1',
      "t.c:4:F:core:test_b:0: Assertion 'x == 1' failed: x == 2, 1 == 1",
      't.c:9:E:core:test_c:0: (after this point) Test timeout expired',
    ),
    {
      counts: '1/1/1/0/0',
      failed: ['Math:core:test_b'],
      errored: ['Math:core:test_c'],
      assertions: ['Math:core:test_b'],
      setup: ['timeout'],
    },
  );
  expectReport(
    cunit,
    text(
      '     CUnit - A unit testing framework for C - Version 2.1-3',
      'Suite: math',
      '  Test: adds ...passed',
      '  Test: prints ...hello',
      'passed',
      '  Test: subs ...FAILED',
      '    1. t.c:3  - CU_ASSERT_EQUAL(3 - 1,1)',
      '',
      'Run Summary:    Type  Total    Ran Passed Failed Inactive',
      '              suites      1      1    n/a      0        0',
      '               tests      3      3      2      1        0',
      '             asserts      3      3      2      1      n/a',
    ),
    {
      counts: '2/1/0/0/0',
      failed: ['math > subs'],
      passed: ['math > adds', 'math > prints'],
      assertions: ['math > subs'],
    },
  );
  expectReport(
    criterion,
    text(
      '[----] t.c:5: Assertion Failed',
      '[----]   The expression 3 - 1 == 1 is false.',
      '[FAIL] math::subs: (0.00s)',
      '[----] t.c:3: Unexpected signal caught below this line!',
      '[FAIL] math::boom: CRASH!',
      '[SKIP] math::later: Test was skipped',
      '[====] Synthesis: Tested: 3 | Passing: 1 | Failing: 2 | Crashing: 1 ',
    ),
    {
      counts: '1/1/1/1/0',
      failed: ['math::subs'],
      errored: ['math::boom'],
      assertions: ['math::subs'],
      setup: ['thrown'],
    },
  );
});

test('CTest: only a shown assertion is one', () => {
  expectReport(
    ctest,
    text(
      'Test project /p',
      '    Start 1: adds',
      '1/5 Test #1: adds .............................   Passed    0.04 sec',
      '    Start 2: subs',
      '2/5 Test #2: subs .............................Subprocess aborted***Exception:   0.04 sec',
      "t: /p/t.c:2: main: Assertion `3 - 1 == 1' failed.",
      '',
      '    Start 3: silent',
      '3/5 Test #3: silent ...........................***Failed    0.02 sec',
      '    Start 4: slow',
      '4/5 Test #4: slow .............................***Timeout   1.01 sec',
      '    Start 5: later',
      '5/5 Test #5: later ............................***Skipped   0.01 sec',
      '',
      '40% tests passed, 3 tests failed out of 5',
      '',
      'The following tests FAILED:',
      '\t  2 - subs (Subprocess aborted)',
      'Errors while running CTest',
    ),
    {
      counts: '1/3/0/1/0',
      failed: ['subs', 'silent', 'slow'],
      passed: ['adds'],
      assertions: ['subs'],
      setup: ['timeout'],
    },
  );
  expectReport(ctest, text('Test project /p', 'No tests were found!!!'), { counts: '0/0/0/0/0' });
});

test('XCTest and Swift Testing in one output', () => {
  expectReport(
    swift,
    text(
      "Test Suite 'All tests' started at 2026-01-01 10:00:00.000",
      "Test Case 'CalcTests.testAdd' started at 2026-01-01 10:00:00.000",
      "Test Case 'CalcTests.testAdd' passed (0.001 seconds)",
      "Test Case 'CalcTests.testSub' started at 2026-01-01 10:00:00.000",
      '/p/CalcTests.swift:8: error: CalcTests.testSub : XCTAssertEqual failed: ("2") is not equal to ("1") - ',
      "Test Case 'CalcTests.testSub' failed (0.002 seconds)",
      "Test Case '-[CalcTests.More testThrows]' started.",
      '<EXPR>:0: error: -[CalcTests.More testThrows] : threw error "Boom()"',
      "Test Case '-[CalcTests.More testThrows]' failed (0.002 seconds).",
      "Test Suite 'All tests' failed at 2026-01-01 10:00:00.010",
      '\t Executed 3 tests, with 2 failures (1 unexpected) in 0.003 (0.003) seconds',
      '◇ Test run started.',
      '◇ Test muls() started.',
      '◇ Test divs() started.',
      '✘ Test divs() recorded an issue at CalcTests.swift:9:5: Expectation failed: (1 → 1) == 2',
      '✔ Test muls() passed after 0.001 seconds.',
      '✘ Test divs() failed after 0.001 seconds with 1 issue.',
      '➜ Test later() skipped: "no network"',
      '✘ Test run with 3 tests failed after 0.001 seconds with 1 issue.',
    ),
    {
      counts: '2/3/0/1/0',
      failed: ['CalcTests.testSub', 'CalcTests.More.testThrows', 'divs()'],
      passed: ['CalcTests.testAdd', 'muls()'],
      assertions: ['CalcTests.testSub', 'divs()'],
      setup: ['thrown'],
    },
  );
  expectReport(swift, text('◇ Test run started.', '◇ Test muls() started.'), {
    counts: '0/0/0/0/0',
    complete: false,
    crashed: true,
  });
});
