import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FIXED, redProject, type World } from './world.ts';

function started(w: World, session = 'S'): void {
  assert.equal(w.cli(['init', '.']).code, 0);
  assert.equal(
    w.hook('session-start', { session_id: session, hook_event_name: 'SessionStart', source: 'startup' }).code,
    0,
  );
}

const BROKEN = 'export const add = (a, b) => a * b;\n';

test('the session note is at most five lines and names the verdict', () => {
  using w = redProject();
  w.cli(['init', '.']);
  const note = w.hook('session-start', { hook_event_name: 'SessionStart', source: 'startup' });
  assert.equal(note.code, 0);
  assert.ok(note.out.trim().split('\n').length <= 5);
  assert.match(note.out, /Verdict: none yet/);
});

test('a turn that changed nothing ends in silence, without a run', () => {
  using w = redProject();
  started(w);
  const ran = w.stop();
  assert.deepEqual([ran.code, ran.out, ran.err], [0, '', '']);
  assert.equal(w.sh('ls .claude/state/last_test_result').code, 2);
  // Edited and put back: the same tree.
  const before = w.read('src/add.js');
  w.file('src/add.js', BROKEN).file('src/add.js', before);
  assert.equal(w.stop().code, 0);
  assert.equal(w.sh('ls .claude/state/last_test_result').code, 2);
});

test('a changed tree is judged: green ends in silence, red is blocked with the failing tail', () => {
  using w = redProject();
  started(w);
  w.file('src/add.js', BROKEN);
  const red = w.stop();
  assert.equal(red.code, 2);
  assert.match(red.err, /the suite FAILS at this tree \(red-assertion/);
  assert.match(red.err, /6 !== 5/);
  assert.equal(red.err.match(/Run:/g)?.length, 1);
  assert.match(w.read('.claude/state/last_test_result'), /^FAIL\n/);
  w.file('src/add.js', FIXED);
  const green = w.stop({ stop_hook_active: true });
  assert.deepEqual([green.code, green.err], [0, '']);
  assert.match(w.read('.claude/state/last_test_result'), /^PASS\n/);
  assert.equal(JSON.parse(w.read('.claude/state/verdict.json')).by, 'stop');
});

test('a session that nobody saw begin is held like another', () => {
  for (const prompted of [true, false]) {
    using w = redProject();
    w.file('src/add.js', FIXED);
    assert.equal(w.cli(['init', '.']).code, 0);
    assert.equal(w.cli(['verify']).code, 0);
    if (prompted) w.hook('user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: 'go' });
    w.file('src/add.js', BROKEN);
    // The agent's own look at the red tree does not make it an old one.
    if (prompted) assert.equal(w.cli(['verify']).code, 1);
    for (const stop_hook_active of [false, true, true]) assert.equal(w.stop({ stop_hook_active }).code, 2);
    const last = w.stop({ stop_hook_active: true });
    assert.deepEqual([last.code, /UNVERIFIED.*3 refusals at an unchanged tree/.test(last.out)], [0, true]);
  }
});

test('every refused end has its line in the log, a silent one has none', () => {
  using w = redProject();
  started(w);
  w.stop();
  assert.equal(w.sh('ls .claude/state/logs/stop.log').code, 2);
  w.file('src/add.js', BROKEN);
  assert.equal(w.stop().code, 2);
  assert.equal(w.stop({ last_assistant_message: 'All tests pass.', stop_hook_active: true }).code, 2);
  const agent = { hook_event_name: 'SubagentStop', agent_id: 'a', last_assistant_message: 'All tests pass.' };
  assert.equal(w.hook('subagent-stop', { ...agent, session_id: 'S', stop_hook_active: false }).code, 2);
  const lines = w.read('.claude/state/logs/stop.log').trim().split('\n');
  assert.equal(lines.length, 3);
  for (const line of lines) assert.match(line, /^\d{4}-\S+Z {2}BLOCKED Touchstone stop: /);
});

test('an end that could not be judged is said to the user', () => {
  using w = redProject();
  started(w);
  w.file('src/add.js', BROKEN);
  rmSync(join(w.root, '.claude/state'), { recursive: true });
  w.file('.claude/state', 'a file where the folder should be');
  const ran = w.stop();
  assert.equal(ran.code, 0);
  assert.match(JSON.parse(ran.out).systemMessage, /UNVERIFIED.*not judged \(.*ENOTDIR.*touchstone doctor/);
});

test('three refusals at an unchanged tree, then let go, marked UNVERIFIED to the user and in the state', () => {
  using w = redProject();
  started(w);
  w.file('src/add.js', BROKEN);
  for (let i = 0; i < 3; i++) assert.equal(w.stop({ stop_hook_active: i > 0 }).code, 2, `refusal ${i + 1}`);
  const last = w.stop({ stop_hook_active: true });
  assert.equal(last.code, 0);
  assert.match(JSON.parse(last.out).systemMessage, /UNVERIFIED/);
  assert.doesNotMatch(last.out, /\bPASS\b/);
  assert.match(w.cli(['status']).out, /UNVERIFIED/);
  for (let i = 0; i < 6; i++) assert.equal(w.stop({ stop_hook_active: true }).code, 0);
});

test('ten stops with a new tree each never reach the cap of the client (field report 7)', () => {
  using w = redProject();
  started(w);
  let blocks = 0;
  for (let i = 0; i < 10; i++) {
    w.file('src/add.js', `${BROKEN}// ${i}\n`);
    if (w.stop({ stop_hook_active: i > 0 }).code === 2) blocks++;
    else break;
  }
  assert.ok(blocks >= 3 && blocks < 8, `${blocks} blocks`);
});

test('a removed counter does not start the count anew (field report 8)', () => {
  using w = redProject();
  started(w);
  w.file('src/add.js', BROKEN);
  let blocks = 0;
  for (let i = 0; i < 8; i++) {
    rmSync(join(w.root, '.claude/state'), { recursive: true, force: true });
    if (w.stop({ stop_hook_active: i > 0 }).code === 2) blocks++;
  }
  assert.ok(blocks <= 1, `${blocks} blocks`);
});

test('an end that was overridden shows as unproven after the next prompt (field report 9)', () => {
  using w = redProject();
  started(w);
  w.file('src/add.js', BROKEN);
  assert.equal(w.stop().code, 2);
  w.hook('user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
  assert.match(w.cli(['status']).out, /UNVERIFIED: the turn ended over a refusal \(stop_overridden\)/);
});

test('background work is waited for (field report 10)', () => {
  using w = redProject();
  started(w);
  w.file('src/add.js', BROKEN);
  const waiting = w.stop({ background_tasks: [{ id: 'b1', type: 'shell', status: 'running' }] });
  assert.deepEqual([waiting.code, waiting.err], [0, '']);
  assert.equal(w.stop({ background_tasks: [{ id: 'b1', type: 'shell', status: 'completed' }] }).code, 2);
});

test('no transcript and no message: judged by the tree alone (field report 12)', () => {
  using w = redProject();
  started(w);
  assert.equal(w.stop({ last_assistant_message: undefined, transcript_path: '/nonexistent' }).code, 0);
});

test("one session is not gated by another one's red, nor an empty id by anybody's (field report 13)", () => {
  using w = redProject();
  started(w, 'A');
  w.file('src/add.js', BROKEN);
  assert.equal(w.stop({ session_id: 'A' }).code, 2);
  w.hook('session-start', { session_id: 'B', hook_event_name: 'SessionStart', source: 'startup' });
  assert.equal(w.stop({ session_id: 'B' }).code, 0);
  assert.equal(w.stop({ session_id: '' }).code, 0);
});

test('a claim of success over no proof is answered once with the facts', () => {
  using w = redProject();
  started(w);
  const claim = { last_assistant_message: 'Done. All tests pass.' };
  const first = w.stop(claim);
  assert.equal(first.code, 2);
  assert.match(first.err, /claims success, but no verdict was ever stamped/);
  assert.equal(w.stop({ ...claim, stop_hook_active: true }).code, 0);
  const sub = { hook_event_name: 'SubagentStop', agent_id: 'x', stop_hook_active: false, ...claim };
  assert.equal(w.hook('subagent-stop', sub).code, 2);
  assert.equal(w.hook('subagent-stop', { ...sub, stop_hook_active: true }).code, 0);
});

test('a project without a test command is left alone', () => {
  using w = redProject();
  w.file('.claude/project.json', '{}');
  started(w);
  w.file('src/add.js', BROKEN);
  assert.equal(w.stop({ last_assistant_message: 'All tests pass.' }).code, 0);
});

test('a suite that changes the tree cannot prove it', () => {
  using w = redProject();
  w.file(
    'test/write.test.js',
    "import test from 'node:test';\nimport { writeFileSync } from 'node:fs';\ntest('w', () => writeFileSync('out.txt', String(Math.random())));\n",
  ).file('src/add.js', FIXED);
  started(w);
  const verify = w.cli(['verify']);
  assert.equal(verify.code, 0);
  assert.match(verify.out, /The tree changed while the suite ran/);
  assert.match(w.write('docs/verify/a.md', 'PASS').err, /stale/);
  w.file('.gitignore', `${w.read('.gitignore')}out.txt\n`);
  assert.equal(w.cli(['verify']).code, 0);
  assert.equal(w.write('docs/verify/a.md', 'PASS').code, 0);
});
