import { test } from 'node:test';
import { cargo } from '../../src/runners/cargo.ts';
import { nextest } from '../../src/runners/nextest.ts';
import { expectReport, text } from './expect.ts';

const result = (passed: number, failed: number, ignored: number): string =>
  `test result: ${failed > 0 ? 'FAILED' : 'ok'}. ${passed} passed; ${failed} failed; ${ignored} ignored; 0 measured; 0 filtered out; finished in 0.00s`;

test('cargo: only assertion panics are assertions, in old and new wording', () => {
  expectReport(
    cargo,
    text(
      '     Running unittests src/lib.rs (target/debug/deps/calc-c6626fb655a8d231)',
      '',
      'running 5 tests',
      'test tests::fine ... ok',
      'test tests::equal ... FAILED',
      'test tests::old ... FAILED',
      'test tests::none ... FAILED',
      'test tests::later ... ignored, needs a database',
      '',
      'failures:',
      '',
      '---- tests::equal stdout ----',
      '',
      "thread 'tests::equal' (3668) panicked at src/lib.rs:9:17:",
      'assertion `left == right` failed: three minus one',
      '  left: 2',
      ' right: 1',
      '',
      '---- tests::old stdout ----',
      "thread 'tests::old' panicked at 'assertion failed: ready()', src/lib.rs:12:5",
      '',
      '---- tests::none stdout ----',
      '',
      "thread 'tests::none' (3670) panicked at src/lib.rs:15:7:",
      'called `Option::unwrap()` on a `None` value',
      '',
      'failures:',
      '    tests::equal',
      '    tests::none',
      '    tests::old',
      '',
      result(1, 3, 1),
      '',
      'error: test failed, to rerun pass `--lib`',
    ),
    {
      counts: '1/3/0/1/0',
      failed: ['tests::equal', 'tests::old', 'tests::none'],
      passed: ['tests::fine'],
      assertions: ['tests::equal', 'tests::old'],
      setup: ['thrown'],
    },
  );
});

test('cargo: a section without its own result is a crash although a later one is ok', () => {
  expectReport(
    cargo,
    text(
      'running 3 tests',
      'test tests::a ... ok',
      result(12, 0, 0),
      'test tests::b_exits ...    Doc-tests calc',
      '',
      'running 1 test',
      'test src/lib.rs - add (line 1) ... ok',
      '',
      result(1, 0, 0),
    ),
    { counts: '2/0/0/0/0', complete: false, crashed: true },
  );
});

test('cargo: compile errors and missing targets', () => {
  expectReport(
    cargo,
    text(
      '   Compiling calc v0.1.0 (/p)',
      'error[E0425]: cannot find function `sub` in this scope',
      ' --> src/lib.rs:7:25',
      'error: could not compile `calc` (lib test) due to 1 previous error',
    ),
    { counts: '0/0/1/0/0', errored: ['calc (lib test)'], setup: ['compile'], complete: false },
  );
  expectReport(cargo, text('error: no test target named `nosuch` in default-run packages'), {
    counts: '0/0/0/0/0',
    setup: ['startup'],
    complete: false,
  });
});

test('nextest', () => {
  expectReport(
    nextest,
    text(
      '────────────',
      ' Nextest run ID 0f6a with nextest profile: default',
      '    Starting 4 tests across 2 binaries (1 test skipped)',
      '        PASS [   0.004s] (1/4) calc tests::adds',
      '        FAIL [   0.005s] (2/4) calc tests::subs',
      '  stderr ───',
      '',
      "    thread 'tests::subs' (99) panicked at src/lib.rs:9:17:",
      '    assertion `left == right` failed',
      '      left: 2',
      '     right: 1',
      '',
      '        FAIL [   0.005s] (3/4) calc::it unwraps',
      '  stderr ───',
      '',
      "    thread 'unwraps' (99) panicked at tests/it.rs:3:5:",
      '    called `Option::unwrap()` on a `None` value',
      '',
      '     TIMEOUT [   2.001s] (4/4) calc::it sleeps',
      '────────────',
      '     Summary [   2.013s] 4 tests run: 1 passed, 2 failed, 1 timed out, 1 skipped',
      '        FAIL [   0.005s] (2/4) calc tests::subs',
      'error: test run failed',
    ),
    {
      counts: '1/2/1/1/0',
      failed: ['tests::subs', 'unwraps'],
      errored: ['sleeps'],
      passed: ['tests::adds'],
      assertions: ['tests::subs'],
      setup: ['thrown', 'timeout'],
    },
  );
  expectReport(nextest, text('    Starting 2 tests across 1 binary', '        PASS [   0.004s] calc tests::adds'), {
    counts: '1/0/0/0/0',
    complete: false,
    crashed: true,
  });
});
