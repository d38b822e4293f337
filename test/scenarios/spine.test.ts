import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FIXED, redProject } from './world.ts';

const REPORT = 'docs/verification/report.md';
const CLAIM = '# Report\n\n## Verdict: PASS\n';

test('red suite, claim denied, fixed, claim allowed, one more edit, claim stale', () => {
  using w = redProject();
  assert.equal(w.cli(['init', '.']).code, 0);
  assert.match(w.write(REPORT, CLAIM).err, /no test evidence exists at \.claude\/state\/last_test_result/);

  const red = w.cli(['verify', '--slug', 'add']);
  assert.equal(red.code, 1);
  assert.match(red.out, /^# Verify — add\n\n## Verdict: FAIL$/m);
  assert.match(w.read('.claude/state/last_test_result'), /^FAIL\n\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n.*test.*\n1\n$/);
  const denied = w.write(REPORT, CLAIM);
  assert.equal(denied.code, 2);
  assert.match(denied.err, /the latest test verdict is 'FAIL'/);
  assert.match(denied.err, /Run: touchstone verify/);
  assert.equal(denied.err.trim().split('\n').length, 1);

  w.file('src/add.js', FIXED);
  const green = w.cli(['verify']);
  assert.equal(green.code, 0, green.out);
  assert.match(w.read('.claude/state/last_test_result'), /^PASS\n.*\n.*\n0\n$/);
  const allowed = w.write(REPORT, CLAIM);
  assert.deepEqual([allowed.code, allowed.out, allowed.err], [0, '', '']);

  // The report itself does not stale the verdict it reports; committing the same content does not either.
  w.file(REPORT, CLAIM).commitAll('fix');
  assert.equal(w.write(REPORT, `${CLAIM}\nPASS\n`).code, 0);

  w.file('src/add.js', `${FIXED}// one more edit\n`);
  const stale = w.write(REPORT, `${CLAIM}\nPASS\n`);
  assert.equal(stale.code, 2);
  assert.match(stale.err, /stale, the tree has changed since/);
  assert.match(w.read('.claude/state/logs/pass-claim.log'), /BLOCKED verdict=PASS .*report\.md/);
  assert.match(w.read('.claude/state/logs/pass-claim.log'), /ALLOWED verdict=PASS file=docs\/verification\/report\.md/);
});

test('an ordinary allowed call prints nothing and writes nothing', () => {
  using w = redProject();
  w.cli(['init', '.']);
  const before = w.sh('find .claude/state -type f | sort').out;
  for (const ran of [
    w.write('src/x.js', 'x'),
    w.edit('src/add.js', 'a - b', 'a + b'),
    w.bash('git status'),
    w.bash('ls | head -3; echo "PASS" > /dev/null'),
  ]) {
    assert.deepEqual([ran.code, ran.out, ran.err], [0, '', '']);
  }
  assert.equal(w.sh('find .claude/state -type f | sort').out, before);
});

test('a hand-written PASS opens nothing, a hand-written FAIL is taken', () => {
  using w = redProject();
  w.cli(['init', '.']);
  w.file('.claude/state/last_test_result', 'PASS\n2026-05-12T18:30:00Z\nnpm test\n0\n');
  assert.match(w.write(REPORT, CLAIM).err, /unattested/);
  assert.equal(JSON.parse(w.cli(['status', '--json']).out).verdict, 'UNATTESTED');
  w.file('.claude/state/last_test_result', 'FAIL\n');
  assert.match(w.write(REPORT, CLAIM).err, /'FAIL'/);
});

test('with verdict.trust "any" a hand-written PASS is as fresh as its file', () => {
  using w = redProject();
  w.cli(['init', '.']);
  const config = JSON.parse(w.read('.claude/project.json'));
  w.file('.claude/project.json', JSON.stringify({ ...config, verdict: { trust: 'any' } }));
  assert.equal(w.cli(['config', 'accept']).code, 0);
  w.file('.claude/state/last_test_result', 'PASS\n2026-05-12T18:30:00Z\nnpm test\n0\n');
  assert.equal(w.write(REPORT, CLAIM).code, 0);
  w.sh('touch -d "2001-01-01" .claude/state/last_test_result');
  assert.match(w.write(REPORT, CLAIM).err, /stale/);
});

test('rules changed behind the back leave every PASS unattested until a human accepts them', () => {
  using w = redProject();
  w.cli(['init', '.']);
  w.file('src/add.js', FIXED);
  assert.equal(w.cli(['verify']).code, 0);
  w.file('.claude/project.json', JSON.stringify({ test: { cmd: 'node --test # weaker' } }));
  assert.match(w.write(REPORT, CLAIM).err, /unattested/);
  const again = w.cli(['verify']);
  assert.match(again.out, /unattested until a human runs `touchstone config accept`/);
  assert.match(w.write(REPORT, CLAIM).err, /unattested/);
  assert.equal(w.cli(['config', 'accept'], { env: { CLAUDECODE: '1' } }).code, 2);
  assert.equal(w.cli(['config', 'accept']).code, 0);
  assert.equal(w.cli(['verify']).code, 0);
  assert.equal(w.write(REPORT, CLAIM).code, 0);
});

test('a linked worktree has its own state and the acceptance of its repository', () => {
  using w = redProject();
  w.file('src/add.js', FIXED);
  w.cli(['init', '.']);
  w.commitAll('wired');
  const tree = join(w.top, 'tree');
  assert.equal(w.git('worktree', 'add', '-q', tree).code, 0);
  assert.equal(w.cli(['verify'], { cwd: tree }).code, 0);
  assert.ok(existsSync(join(tree, '.claude/state/last_test_result')));
  assert.equal(existsSync(join(w.root, '.claude/state/last_test_result')), false);
  const claim = { file_path: join(tree, REPORT), content: CLAIM };
  assert.equal(w.pre('Write', claim, { cwd: tree, env: { CLAUDE_PROJECT_DIR: w.root } }).code, 0);
  assert.equal(w.write(REPORT, CLAIM).code, 2);
});

test('started in a sub-directory, and with the cwd deleted, the same root answers', () => {
  using w = redProject('J D (x) répo');
  w.cli(['init', '.']);
  const claim = { file_path: join(w.root, REPORT), content: CLAIM };
  assert.equal(w.pre('Write', claim, { cwd: join(w.root, 'src') }).code, 2);
  const gone = join(w.root, 'gone');
  w.sh('mkdir gone');
  const ran = w.hook('pre-tool-use', { cwd: gone, tool_name: 'Write', tool_input: claim });
  rmSync(gone, { recursive: true });
  assert.equal(ran.code, 2);
  assert.equal(w.hook('pre-tool-use', { cwd: gone, tool_name: 'Write', tool_input: claim }).code, 2);
});
