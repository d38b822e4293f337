import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI, FIXED, redProject, World } from './world.ts';

function suite(cmd: string, extra: object = {}): World {
  return new World().file('.claude/project.json', JSON.stringify({ test: { cmd, ...extra } })).commitAll();
}

function verdict(w: World, ...args: string[]) {
  const ran = w.cli(['verify', '--json', ...args]);
  return { code: ran.code, ...JSON.parse(ran.out) };
}

const TAP = "printf 'TAP version 13\\nok 1 - a\\nok 2 - b\\n1..2\\n'";

test('each way to fail has its own reason code, and none is PASS', () => {
  const cases: [string, string, number, object?][] = [
    ['echo hello', 'no-tests', 0],
    ["printf '1..0\\n'", 'no-tests', 0],
    [`${TAP}; exit 3`, 'ambiguous', 3],
    ["printf 'ok 1 - a\\nnot ok 2 - b\\n1..2\\n'", 'ambiguous', 0],
    ["printf 'TAP version 13\\nok 1 - a\\n'", 'crash', 0],
    ["printf 'ok 1 - a\\n1..3\\n'", 'setup-error', 0],
    ['kill -9 $$', 'signal', 137],
    ['sleep 30', 'timeout', 124, { timeout_seconds: 1 }],
    ['nonexistent-command-x', 'unlaunchable', 127],
    ['./.claude/project.json', 'unlaunchable', 126],
    [`${TAP}; nonexistent-command-x`, 'ambiguous', 127],
    [TAP, 'unconfigured', 0, { runner: 'no-such-runner' }],
  ];
  for (const [cmd, kind, exit, extra] of cases) {
    using w = suite(cmd, extra);
    const v = verdict(w);
    assert.equal(v.verdict, 'FAIL', cmd);
    assert.equal(v.class, kind, `${cmd}: ${v.reason}`);
    assert.equal(v.exitCode, exit, cmd);
    assert.equal(v.code, 1, cmd);
    assert.equal(w.read('.claude/state/last_test_result').split('\n')[3], String(exit), cmd);
  }
});

test('a TAP suite passes; the four lines carry the command verbatim', () => {
  using w = suite(`${TAP} # "quoted" $HOME`);
  assert.equal(verdict(w).verdict, 'PASS');
  assert.equal(w.read('.claude/state/last_test_result').split('\n')[2], `${TAP} # "quoted" $HOME`);
});

test('unconfigured is FAIL with an empty command and exit code 1', () => {
  using w = new World().commitAll();
  const v = w.cli(['verify']);
  assert.equal(v.code, 1);
  assert.match(v.out, /project\.json not configured — run `touchstone init`/);
  assert.match(w.read('.claude/state/last_test_result'), /^FAIL\n[^\n]+\n\n1\n$/);
});

test('rules that are there and cannot be used are named, not sent to init alone', () => {
  using broken = new World().file('.claude/project.json', '{"test":').commitAll();
  assert.match(broken.cli(['verify']).out, /## Notes\n- \.claude\/project\.json.*not JSON/);
  using typed = new World().file('.claude/project.json', '{"test":{"cmd":5}}').commitAll();
  assert.match(typed.cli(['verify']).out, /- \.claude\/project\.json at test\.cmd: .*config validate/);
  using runner = suite(TAP, { runner: 'no-such-runner' });
  assert.match(runner.cli(['verify']).out, /unknown runner "no-such-runner": correct test\.runner/);
  const valid = runner.cli(['config', 'validate']);
  assert.equal(valid.code, 1);
  assert.match(valid.out, /at test\.runner: unknown runner "no-such-runner"; one of .*node-test/);
});

test('an empty command or slug is a mistake in the call', () => {
  using w = suite(TAP);
  for (const args of [
    ['--cmd', ''],
    ['--cmd', ' '],
    ['--slug', ''],
  ]) {
    assert.equal(w.cli(['verify', ...args]).code, 2, args.join(' '));
  }
  assert.equal(w.sh('test -e .claude/state/last_test_result').code, 1);
});

test('a custom suite names what success looks like', () => {
  using w = suite('echo ALL 12 GOOD', { success_pattern: '^ALL \\d+ GOOD$' });
  assert.equal(verdict(w).verdict, 'PASS');
  using none = suite('echo SOME BAD', { success_pattern: '^ALL \\d+ GOOD$' });
  assert.equal(verdict(none).verdict, 'FAIL');
});

test('another command is tried and never stamped', () => {
  using w = redProject();
  w.cli(['init', '.']);
  const v = verdict(w, '--cmd', TAP);
  assert.equal(v.verdict, 'PASS');
  assert.equal(v.stamped, false);
  assert.equal(w.sh('test -e .claude/state/last_test_result').code, 1);
});

test('CI is set, there is no terminal, and a nested runner reports to nobody', () => {
  using w = suite(`test "$CI" = 1 && test ! -t 0 && test ! -t 1 && test -z "$NODE_TEST_CONTEXT" && ${TAP}`);
  assert.equal(verdict(w).verdict, 'PASS');
});

test('the whole process group dies at the deadline', () => {
  using w = suite('(sleep 60 & echo $! > child.pid); sleep 60', { timeout_seconds: 1 });
  assert.equal(verdict(w).class, 'timeout');
  const pid = w.read('child.pid').trim();
  assert.notEqual(w.sh(`kill -0 ${pid}`).code, 0);
});

test('whoever ends the command, or closes its terminal, ends the suite', () => {
  for (const signal of ['TERM', 'HUP']) {
    using w = suite('echo $$ > child.pid; exec sleep 60');
    const ran = w.sh(
      `${process.execPath} ${CLI} verify > /dev/null & P=$!; until [ -s child.pid ]; do sleep 0.1; done; kill -${signal} $P; wait $P; echo "exit $?"`,
    );
    assert.equal(ran.out, 'exit 1\n', signal);
    assert.notEqual(w.sh(`kill -0 ${w.read('child.pid').trim()}`).code, 0, signal);
    assert.equal(w.sh('ls .claude/state/last_test_result').code, 2, signal);
  }
});

test('a deadline too far away for a timer is none that has passed', () => {
  using w = suite(TAP, { timeout_seconds: 3_000_000 });
  assert.equal(verdict(w).verdict, 'PASS');
});

test('so does what moved out of the group', { skip: process.platform !== 'linux' && 'told by /proc' }, () => {
  using w = suite('(setsid sh -c "sleep 60 & echo \\$! > child.pid" &); sleep 60', { timeout_seconds: 1 });
  assert.equal(verdict(w).class, 'timeout');
  const lives = w.sh(`grep -E '^State:[[:space:]]+[^ZX]' /proc/${w.read('child.pid').trim()}/status`);
  assert.deepEqual([lives.code === 0, lives.out], [false, '']);
});

test('a grandchild that keeps the pipes open does not keep the verdict', () => {
  using w = suite(`${TAP}; (sleep 20 &)`);
  const start = Date.now();
  assert.equal(verdict(w).verdict, 'PASS');
  assert.ok(Date.now() - start < 15_000);
});

test('the third FAIL in a row for a slug asks for a root-cause analysis', () => {
  using w = redProject();
  w.cli(['init', '.']);
  assert.doesNotMatch(w.cli(['verify', '--slug', 'a']).out, /root-cause/);
  w.cli(['verify', '--slug', 'a']);
  assert.match(w.cli(['verify', '--slug', 'a']).out, /FAIL 3 times in a row for "a": .*root-cause/);
  assert.doesNotMatch(w.cli(['verify', '--slug', 'b']).out, /root-cause/);
  w.file('src/add.js', FIXED);
  w.cli(['verify', '--slug', 'b']);
  assert.equal(JSON.parse(w.read('.claude/state/verdict.json')).streak, 0);
});

test('the report shows the tail in plain text with secrets out of it', () => {
  using w = suite(
    "printf '\\033[31mred\\033[0m token=abcdefghijklmnop\\n'; for i in $(seq 1 100); do echo line $i; done; exit 1",
  );
  const out = w.cli(['verify']).out;
  assert.match(out, /## Output tail \(last 80 lines\)\n```\nline 21\n/);
  assert.doesNotMatch(out, /\u001b/);
  using s = suite("printf '\\033[31mred\\033[0m token=abcdefghijklmnop\\n'; exit 1");
  const short = s.cli(['verify']).out;
  assert.match(short, /red token=\[redacted\]/);
  assert.doesNotMatch(JSON.parse(s.read('.claude/state/verdict.json')).tail, /abcdefghijklmnop/);
  using cause = suite('cat said.txt; exit 127');
  cause.file('said.txt', 'sh: 1: token=abcdefghijklmnop: not found\n');
  assert.doesNotMatch(cause.cli(['verify']).out, /abcdefghijklmnop/);
  assert.doesNotMatch(cause.read('.claude/state/verdict.json'), /abcdefghijklmnop/);
});

test('usage errors exit 2 with one line', () => {
  using w = redProject();
  for (const args of [
    ['verify', '--timeout', 'soon'],
    // A timer of more than 24 days would go off at once.
    ['verify', '--timeout', '1e9'],
    ['verify', '--nonsense'],
    ['nonsense'],
    ['fingerprint', '--rev', 'nothing-of-this-name'],
  ]) {
    assert.equal(w.cli(args).code, 2, args.join(' '));
  }
});

test('the fingerprint is one for the work tree, its index and its commit', () => {
  using w = redProject();
  const tree = w.cli(['fingerprint']).out.trim();
  assert.match(tree, /^[0-9a-f]{40,64}$/);
  assert.equal(w.cli(['fingerprint', '--index']).out.trim(), tree);
  assert.equal(w.cli(['fingerprint', '--rev', 'HEAD']).out.trim(), tree);
  w.file('src/add.js', FIXED);
  const moved = w.cli(['fingerprint']).out.trim();
  assert.notEqual(moved, tree);
  w.commitAll('fix');
  assert.equal(w.cli(['fingerprint', '--rev', 'HEAD']).out.trim(), moved);
});
