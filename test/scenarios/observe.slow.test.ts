import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { observationSchema } from '../../src/checks/schema.ts';
import { FIXED, type Ran, redProject, World } from './world.ts';

const RED = `TAP version 13
# Subtest: adds
not ok 1 - adds
  ---
  duration_ms: 15.003324
  location: '/project/test/add.test.js:4:1'
  failureType: 'testCodeFailure'
  error: '-1 == 5'
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 5
  actual: -1
  operator: '=='
  stack: |-
    TestContext.<anonymous> (file:///project/test/add.test.js:4:27)
    Test.run (node:internal/test_runner/test:796:25)
  ...
1..1
# tests 1
# suites 0
# pass 0
# fail 1
# cancelled 0
# skipped 0
# todo 0
# duration_ms 921.795159
`;
const GREEN = `ok 1 - adds
  ---
  duration_ms: 1.5
  ...
1..1
# tests 1
# suites 0
# pass 1
# fail 0
# cancelled 0
# skipped 0
# todo 0
# duration_ms 50.1
`;

type Seen = ReturnType<typeof observationSchema.parse>;

const SUITE = { test: { cmd: 'npm test' } };

let template: World | undefined;
after(() => template?.remove());

/** A project whose stamped verdict is a fresh PASS: verified once, copied for each test. */
function green(): World {
  template ??= verified();
  const w = new World();
  cpSync(template.root, w.root, { recursive: true, verbatimSymlinks: true });
  return w;
}

function verified(project: object = SUITE): World {
  const w = redProject();
  w.file('src/add.js', FIXED).file('.gitignore', '.claude/state/\n');
  w.file('.claude/project.json', JSON.stringify(project)).commitAll('green');
  assert.equal(w.cli(['config', 'accept']).code, 0);
  assert.equal(w.cli(['verify']).code, 0);
  return w;
}

function seen(w: World): Seen[] {
  const path = join(w.root, '.claude/state/evidence/observations.jsonl');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => observationSchema.parse(JSON.parse(line)));
}

function done(w: World, command: string, response: object, input: object = {}, cwd?: string): Ran {
  return w.hook(
    'post-tool-use',
    {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command, ...input },
      tool_response: { stdout: '', stderr: '', interrupted: false, ...response },
      tool_use_id: 't',
    },
    cwd === undefined ? {} : { cwd },
  );
}

function failed(w: World, command: string, error: string): Ran {
  const payload = { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: { command }, error };
  return w.hook('post-tool-use-failure', { ...payload, tool_use_id: 't', is_interrupt: false });
}

const verdict = (w: World): string => w.read('.claude/state/last_test_result').split('\n')[0]!;
const silent = (ran: Ran): void => assert.deepEqual([ran.code, ran.out, ran.err], [0, '', '']);

test('a failing run that comes as a failure event alone stamps FAIL (field report 20)', () => {
  using w = green();
  silent(failed(w, 'npm test', `Exit code 1\n${RED}`));
  assert.equal(verdict(w), 'FAIL');
  const sidecar = JSON.parse(w.read('.claude/state/verdict.json'));
  assert.deepEqual(
    [sidecar.by, sidecar.class, sidecar.command, sidecar.exitCode],
    ['observation', 'red-assertion', 'npm test', 1],
  );
  assert.match(sidecar.tail, /not ok 1 - adds/);
  const [one] = seen(w);
  assert.deepEqual(one!.subject, { suite: true, checks: [] });
  assert.deepEqual([one!.masked, one!.exit, one!.counts!.failed, one!.lowered], [null, 1, 1, true]);
  assert.deepEqual([one!.failed_identities, one!.session], [['adds'], 'S']);
});

test('an observed pass raises nothing', () => {
  using w = green();
  silent(failed(w, 'npm test', `Exit code 1\n${RED}`));
  silent(done(w, 'npm test', { stdout: GREEN }));
  assert.equal(verdict(w), 'FAIL');
  const last = seen(w).at(-1)!;
  assert.deepEqual([last.class, last.masked, last.exit, last.lowered], ['green', null, 0, false]);
});

for (const [command, masked] of [
  ['npm test 2>&1 | tail -30', 'pipe'],
  ['npm test || true', 'or'],
  ['npm run test; true', 'then'],
  ['set +e; npm t', 'set +e'],
] as const) {
  test(`${command}: masked, and failed tests in plain sight still lower (field report 18)`, () => {
    using w = green();
    silent(done(w, command, { stdout: GREEN }));
    assert.equal(verdict(w), 'PASS');
    silent(done(w, command, { stdout: RED }));
    assert.deepEqual(
      seen(w).map(o => [o.masked, o.lowered]),
      [
        [masked, false],
        [masked, true],
      ],
    );
    assert.equal(verdict(w), 'FAIL');
  });
}

test('a masked run whose summary is cut says nothing (field report 18)', () => {
  using w = green();
  silent(done(w, 'npm test | tail -2', { stdout: '# todo 0\n# duration_ms 50.1' }));
  const [one] = seen(w);
  assert.deepEqual([one!.masked, one!.class, one!.lowered], ['pipe', null, false]);
  assert.equal(verdict(w), 'PASS');
});

test('runs in the background, asked for or after a timeout, are no outcome', () => {
  using w = green();
  silent(done(w, 'npm test', { backgroundTaskId: 'b1' }, { run_in_background: true }));
  silent(done(w, 'npm test', { backgroundTaskId: 'b2', timedOutAfterMs: 1500, stdout: 'TAP version 13\n' }));
  silent(failed(w, 'npm test', 'Exit code 143\nCommand timed out after 1s'));
  assert.deepEqual(
    seen(w).map(o => [o.masked, o.exit, o.lowered]),
    [
      ['background', null, false],
      ['timed-out-to-background', null, false],
      ['timeout', null, false],
    ],
  );
  assert.equal(verdict(w), 'PASS');
});

test('output the client cut is read whole from where it put it', () => {
  using w = green();
  const path = join(w.top, 'whole.txt');
  w.file('../whole.txt', RED);
  silent(
    done(w, 'npm test || true', { stdout: 'x'.repeat(100), persistedOutputPath: path, persistedOutputSize: 40000 }),
  );
  assert.equal(verdict(w), 'FAIL');
  silent(done(w, 'npm test', { stdout: 'ok 1 - adds', persistedOutputPath: join(w.top, 'gone.txt') }));
  assert.equal(seen(w).at(-1)!.masked, 'output-cut');
});

test('a failing exit code counts although the client cut the middle of the output', () => {
  using w = green();
  silent(
    failed(
      w,
      'npm test',
      'Exit code 1\nTAP version 13\n... [52000 characters truncated] ...\nnpm error Lifecycle script',
    ),
  );
  const [one] = seen(w);
  assert.deepEqual([one!.masked, one!.exit, one!.class, one!.lowered], ['output-cut', 1, null, true]);
  assert.equal(verdict(w), 'FAIL');
});

test('zero tests are no pass, also when seen in passing (field report 17)', () => {
  const cargo =
    '\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 775 filtered out; finished in 0.00s\n';
  using w = green();
  silent(done(w, 'npm test', { stdout: cargo }));
  assert.equal(seen(w)[0]!.class, 'no-tests');
  assert.equal(verdict(w), 'FAIL');
});

test('colours hide no failure, words in names make none (field report 19)', () => {
  const coloured =
    '\u001b[1m Test Files \u001b[22m \u001b[1m\u001b[31m1 failed\u001b[39m\u001b[22m\u001b[90m (1)\u001b[39m\n\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[31m3 failed\u001b[39m\u001b[22m\u001b[2m | \u001b[22m\u001b[1m\u001b[32m12 passed\u001b[39m\u001b[22m\u001b[90m (15)\u001b[39m\n   Start at  10:00:00\n   Duration  1.2s\n';
  using w = green();
  silent(
    done(w, 'npm test', {
      stdout:
        'tests/test_ff.py::test_ffmpeg_failure_raises PASSED  [100%]\n\n============ 80 passed in 0.24s ============\n',
    }),
  );
  assert.deepEqual([seen(w)[0]!.counts!.passed, verdict(w)], [80, 'PASS']);
  silent(done(w, 'npm test || true', { stdout: coloured }));
  const { counts } = seen(w)[1]!;
  assert.deepEqual([counts!.passed, counts!.failed, verdict(w)], [12, 3, 'FAIL']);
});

test('a mention, a subset, another project and another program are no run of the suite', () => {
  using w = green();
  w.file('other/package.json', '{"scripts":{"test":"node --test"}}');
  for (const command of [
    'echo npm test',
    "git commit -m 'npm test fails'",
    'grep -rn "npm test" docs',
    'npm test -- test/add.test.js',
    'node --test test/add.test.js',
    'npm run test:other',
    'cd other && npm test',
    'npm install --save-dev test',
  ]) {
    silent(failed(w, command, `Exit code 1\n${RED}`));
  }
  assert.deepEqual(seen(w), []);
  assert.equal(verdict(w), 'PASS');
});

test('other spellings and surroundings of the same run are the suite', () => {
  using w = green();
  w.file('src/deep/x.js', '');
  for (const command of [
    'npm t',
    'npm run test --silent',
    'CI=1 npm test',
    'cd src/deep && npm test',
    'node --test',
    'bash -c "npm test"',
    'timeout 60 npm test 2>&1',
    'pnpm test',
  ]) {
    silent(done(w, command, { stdout: GREEN }));
  }
  assert.deepEqual(
    seen(w).map(o => [o.subject.suite, o.class]),
    Array.from({ length: 8 }, () => [true, 'green']),
  );
  assert.equal(verdict(w), 'PASS');
});

test("a failure after the suite's own success is not the suite's", () => {
  using w = green();
  silent(failed(w, 'npm test && npx eslint .', `Exit code 1\n${GREEN}\n/src/add.js\n  1:1  error  no\n`));
  silent(failed(w, 'npm ci && npm test', 'Exit code 1\nnpm error code EUSAGE\n'));
  assert.deepEqual(
    seen(w).map(o => o.lowered),
    [false, false],
  );
  assert.equal(verdict(w), 'PASS');
});

test('a declared check is observed by its argv and lowers nothing', () => {
  using w = verified({
    ...SUITE,
    checks: [{ id: 'lint', command: ['npx', 'eslint', '.'], success_pattern: 'no problems here' }],
  });
  silent(failed(w, 'npx eslint .', 'Exit code 1\nerror'));
  assert.deepEqual(
    seen(w).map(o => [o.subject, o.lowered]),
    [[{ suite: false, checks: ['lint'] }, false]],
  );
  assert.equal(verdict(w), 'PASS');
});

test('secrets in a command are not written down', () => {
  using w = green();
  silent(done(w, 'API_TOKEN=hunter2hunter2 npm test', { stdout: GREEN }));
  assert.doesNotMatch(w.read('.claude/state/evidence/observations.jsonl'), /hunter2/);
});
