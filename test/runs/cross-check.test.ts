import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crossCheck } from '../../src/runs/cross-check.ts';
import { ledgerOf, type OwnVerdict } from '../../src/runs/ledger.ts';
import { saidIn } from '../../src/runs/said.ts';
import { type ClaimCheck, REASONS, type Reason, type RunEvent, type RunnerClaims } from '../../src/runs/types.ts';
import { readCommand } from '../../src/shell/index.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const read = (command: string) => readCommand(command, { cwd: '/p', root: '/p' });

type Step = Partial<RunEvent>;
const ran = (command: string, tail: string, more: Step = {}): Step => ({ tool: 'Bash', command, tail, ...more });
const edit = (path: string): Step => ({ tool: 'Edit', writes: [path] });

function check(
  steps: Step[],
  claims: Partial<RunnerClaims>,
  at: { changed?: string[]; lastChange?: number | null; verdict?: OwnVerdict } = {},
): { checks: ClaimCheck[]; warnings: string[] } {
  const events = steps.map((step, i) => ({ at: new Date(START + i * 1000).toISOString(), type: 'tool', ...step }));
  const changes = { paths: at.changed ?? ['src/a.ts'], lastChange: at.lastChange ?? null };
  const ledger = ledgerOf(events, read, changes, at.verdict ?? null);
  return crossCheck({ changedFiles: [], commandsReported: [], testsReported: [], statements: [], ...claims }, ledger);
}

const PASS = '\n=== 3 passed in 0.12s ===\n'.replaceAll('===', '============================');
const BAD =
  'FAILED test_a.py::test_x - assert 1 == 2\n========================= 1 failed, 2 passed in 0.12s =========================\n';
const EMPTY = 'collected 0 items\n\n============================ no tests ran in 0.01s ============================\n';
const TESTS = { statements: [{ kind: 'tests', text: 'All tests pass' }] };

describe('a claim that tests pass', () => {
  const cases: [string, Reason, Step[], Parameters<typeof check>[2]?][] = [
    ['nothing was run', 'no_command', [edit('src/a.ts')]],
    ['it ran and passed', 'supported', [edit('src/a.ts'), ran('pytest', PASS)]],
    ['a file changed after it', 'stale', [ran('pytest', PASS), edit('src/a.ts')]],
    ['a changed file is younger than it', 'stale', [ran('pytest', PASS)], { lastChange: START + 60_000 }],
    ['it failed', 'failed_exit', [ran('pytest', BAD, { failed: true, exit: 1 })]],
    ['it failed and the exit code does not say so', 'failed_output', [ran('pytest; exit 0', BAD)]],
    ['it ran no test', 'empty_run', [ran('pytest -k nothing', EMPTY)]],
    ['the exit code was hidden and the output cut', 'masked', [ran('pytest | head -2', 'collected 3 items')]],
    ['it ran in the background', 'background_only', [ran('pytest', '', { background: true })]],
    [
      'it passed, then failed',
      'superseded_by_failure',
      [ran('pytest', PASS), ran('pytest', BAD, { failed: true, exit: 1 })],
    ],
    ['it failed, then passed', 'supported', [ran('pytest', BAD, { failed: true, exit: 1 }), ran('pytest', PASS)]],
    ['the summary is whole behind a pipe', 'supported', [ran('pytest | tail -3', PASS)]],
    ['our own run passed', 'supported', [], { verdict: { passed: true, name: 'suite' } }],
    ['our own run failed', 'failed_exit', [], { verdict: { passed: false, name: 'suite' } }],
    [
      'it passed, our own run failed',
      'superseded_by_failure',
      [ran('pytest', PASS)],
      { verdict: { passed: false, name: 'suite' } },
    ],
    ['a word in a search is no test run', 'no_command', [ran('grep -rn pytest .', 'x')]],
  ];
  for (const [name, reason, steps, at] of cases) {
    it(`${name}: ${reason}`, () => {
      const { checks, warnings } = check(steps, TESTS, at);
      assert.deepEqual(
        checks.map(c => c.reason),
        [reason],
      );
      assert.equal(warnings.length, reason === 'supported' ? 0 : 1);
      if (reason !== 'supported') assert.match(warnings[0]!, new RegExp(`\\(${reason}\\)`));
    });
  }
});

describe('tests told by name and number', () => {
  const NAMED =
    'test_a.py::test_x PASSED [ 50%]\ntest_a.py::test_y PASSED [100%]\n\n========= 2 passed in 0.12s =========\n';
  const HALF =
    'test_a.py::test_x PASSED [ 50%]\ntest_a.py::test_y FAILED [100%]\n\n========= short test summary info =========\nFAILED test_a.py::test_y - assert 1 == 2\n========= 1 failed, 1 passed in 0.12s =========\n';
  const LEFT =
    'test_a.py::test_x PASSED [ 50%]\ntest_a.py::test_y SKIPPED (no net) [100%]\n\n========= 1 passed, 1 skipped in 0.12s =========\n';
  const named = (...names: string[]) => ({ testsReported: names.map(name => ({ name, status: 'passed' })) });
  const reasons = (steps: Step[], claims: Partial<RunnerClaims>, at?: Parameters<typeof check>[2]) =>
    check(steps, claims, at).checks.map(c => c.reason);

  it('a named test is held against what the output says of it', () => {
    const both = named('test_a.py::test_x', 'test_y');
    assert.deepEqual(reasons([ran('pytest -v', NAMED)], both), ['supported', 'supported']);
    assert.deepEqual(reasons([ran('pytest -v', HALF, { failed: true, exit: 1 })], both), [
      'supported',
      'failed_output',
    ]);
    assert.deepEqual(reasons([ran('pytest -v', NAMED), ran('pytest -v', HALF, { failed: true, exit: 1 })], both), [
      'supported',
      'superseded_by_failure',
    ]);
    assert.deepEqual(reasons([ran('pytest -v', HALF, { failed: true, exit: 1 }), ran('pytest -v', NAMED)], both), [
      'supported',
      'supported',
    ]);
    assert.deepEqual(reasons([ran('pytest -v', LEFT)], both), ['supported', 'no_result']);
    assert.deepEqual(reasons([ran('pytest -v', NAMED), edit('src/a.ts')], both), ['stale', 'stale']);
  });

  it('a name that a whole list does not hold is doubted, a label or a cut list is not', () => {
    const other = named('test_b.py::test_z');
    assert.deepEqual(reasons([ran('pytest -v', NAMED)], other), ['no_result']);
    assert.deepEqual(reasons([ran('pytest', PASS)], other), ['supported']);
    assert.deepEqual(reasons([ran('pytest -v', NAMED)], named('unit tests')), ['supported']);
    assert.deepEqual(reasons([ran('pytest -v', NAMED), ran('npm test', 'done')], other), ['supported']);
  });

  it('our own run names its tests too', () => {
    const { report } = ledgerOf(
      [{ at: new Date(START).toISOString(), type: 'tool', ...ran('pytest -v', HALF) }],
      read,
      { paths: [], lastChange: null },
      null,
    ).commands[0]!;
    const verdict = { passed: false, name: 'suite', reports: [report!] };
    assert.deepEqual(reasons([], named('test_x', 'test_y'), { verdict }), ['supported', 'failed_exit']);
  });

  it('a number beyond all that ran is doubted, a smaller one may be a part', () => {
    const says = (text: string) => ({ statements: [{ kind: 'tests', text }] });
    const steps = [ran('pytest', PASS)];
    assert.deepEqual(reasons(steps, says('All 58 tests pass.')), ['no_result']);
    assert.deepEqual(reasons(steps, says('1,204 of 1,204 tests passed')), ['no_result']);
    assert.deepEqual(reasons(steps, says('All 3 tests pass.')), ['supported']);
    assert.deepEqual(reasons(steps, says('The 2 new tests pass.')), ['supported']);
    assert.deepEqual(reasons([...steps, ran('pytest b', PASS)], says('6 tests pass')), ['supported']);
    assert.deepEqual(reasons([...steps, ran('npm test', 'ok')], says('60 tests pass')), ['supported']);
    assert.deepEqual(reasons(steps, named('404 responses pass', 'unit (58 passed)')), ['supported', 'no_result']);
  });
});

describe('other claims', () => {
  it('a file that did not change has no result, whatever is said', () => {
    const { checks, warnings } = check([], { changedFiles: ['src/a.ts', './src/a.ts:12', 'a.ts', 'src/b.ts'] });
    assert.deepEqual(
      checks.map(c => c.reason),
      ['supported', 'supported', 'supported', 'no_result'],
    );
    assert.match(warnings.join(), /src\/b\.ts.*the repository shows no such change/);
  });

  it('a command is looked for by its words', () => {
    const steps = [
      ran('cd app && npm   run lint -- --fix', 'ok'),
      ran('npm run build', 'boom', { failed: true, exit: 2 }),
    ];
    const { checks } = check(steps, { commandsReported: ['npm run lint', 'npm run build', 'npm run deploy'] });
    assert.deepEqual(
      checks.map(c => c.reason),
      ['supported', 'failed_exit', 'no_command'],
    );
  });

  it('done needs a change, an admitted failure claims nothing', () => {
    const done = { statements: [{ kind: 'done', text: 'Done.' }] };
    assert.equal(check([], done).checks[0]!.reason, 'supported');
    assert.equal(check([], done, { changed: [] }).checks[0]!.reason, 'no_result');
    assert.deepEqual(check([], { testsReported: [{ name: 't', status: 'failed' }] }).checks, []);
    assert.equal(check([], { testsReported: [{ name: 't', status: 'passed' }] }).checks[0]!.reason, 'no_command');
  });

  it('every reason is of the closed set, and warnings are bounded', () => {
    const files = Array.from({ length: 500 }, (_, i) => `src/none-${i}.ts`);
    const { checks, warnings } = check([], { changedFiles: files });
    assert.equal(checks.length, 500);
    assert.ok(checks.every(c => REASONS.includes(c.reason)));
    assert.equal(warnings.length, 21);
    assert.equal(warnings.at(-1), 'and 480 more claims without support');
  });
});

describe('what a message speaks of', () => {
  const changed = new Set(['src/add.ts', 'lib/deep/util.py', 'README.md']);
  const said = (message: string, commands: string[] = []) => saidIn(message, { changed, commands });

  it('files the ledger knows are found without any verb, in any language', () => {
    assert.deepEqual(said('`src/add.ts` 現在正確です').files, ['src/add.ts']);
    assert.deepEqual(said('Siehe util.py und `util.py`').files, ['util.py']);
  });

  it('others only where they are said to be changed', () => {
    assert.deepEqual(said('I updated `src/gone.ts` as asked.').files, ['src/gone.ts']);
    assert.deepEqual(said('Ich habe `src/weg.ts` geändert.').files, ['src/weg.ts']);
    assert.deepEqual(said('`src/无.ts` を追加しました: `src/new.ts`').files, ['src/new.ts']);
    assert.deepEqual(said('Changed files:\n- `x/one.go`\n- x/two.go\n').files, ['x/one.go', 'x/two.go']);
    assert.deepEqual(said('I read `src/gone.ts` first.').files, []);
  });

  it('not where the sentence denies or plans it', () => {
    assert.deepEqual(said('I did not change `src/gone.ts`.').files, []);
    assert.deepEqual(said('Next, `src/gone.ts` should be updated.').files, []);
    assert.deepEqual(said('Ohne `src/weg.ts` geändert zu haben.').files, []);
  });

  it('commands where they are said to have been run', () => {
    assert.deepEqual(said('I ran `npm test` and `npx tsc --noEmit`.').commands, ['npm test', 'npx tsc --noEmit']);
    assert.deepEqual(said('Please run `npm test`.').commands, []);
    assert.deepEqual(said('You can use `npm test` for it.').commands, []);
    assert.deepEqual(said('`pytest -q` を実行しました').commands, ['pytest -q']);
    assert.deepEqual(said('- `npm test` ✓', ['npm test 2>&1']).commands, ['npm test']);
  });

  it('takes a message of ten megabytes in bounded time', () => {
    const message = 'I updated `src/gone.ts` and ran `npm test`.\n'.repeat(240_000);
    const from = Date.now();
    const found = said(message);
    assert.ok(Date.now() - from < 2000, `${Date.now() - from} ms`);
    assert.deepEqual(found, { files: ['src/gone.ts'], commands: ['npm test'] });
  });
});
