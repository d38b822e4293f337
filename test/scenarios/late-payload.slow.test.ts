import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { cleanEnv, DIST, redProject, type World } from './world.ts';

/** A pipe that does not block, as some clients hand over: reading it early says EAGAIN. */
const UNBLOCK = 'use Fcntl; fcntl(STDIN, F_SETFL, fcntl(STDIN, F_GETFL, 0) | O_NONBLOCK) or die; exec @ARGV or die';

function start(w: World) {
  const hook = spawn('perl', ['-e', UNBLOCK, process.execPath, join(DIST, 'hooks', 'pre-tool-use.cjs')], {
    cwd: w.root,
    env: cleanEnv(w.home),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let err = '';
  hook.stderr.setEncoding('utf8').on('data', text => {
    err += text;
  });
  const ended = once(hook, 'close').then(([code]) => ({ code: code as number | null, err }));
  return { stdin: hook.stdin, ended };
}

const payload = (w: World, content: string): string =>
  JSON.stringify({
    session_id: 'S',
    cwd: w.root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: join(w.root, 'docs/verify/r.md'), content },
  });

test('a payload that comes late and in pieces is judged as a whole', async () => {
  using w = redProject();
  w.cli(['init', '.']);
  for (const [content, code] of [
    [`${'é'.repeat(100_000)}\nVerdict: PASS\n`, 2],
    [`${'é'.repeat(100_000)}\nVerdict: FAIL\n`, 0],
  ] as const) {
    const bytes = Buffer.from(payload(w, content));
    const { stdin, ended } = start(w);
    // Odd sizes, so that letters of two bytes are cut apart.
    for (let at = 0; at < bytes.length; at += 70_001) {
      await wait(150);
      stdin.write(bytes.subarray(at, at + 70_001));
    }
    stdin.end();
    const ran = await ended;
    assert.equal(ran.code, code, ran.err);
    if (code === 2) assert.match(ran.err, /^Touchstone pass-claim: /);
  }
});

test('a payload that never comes is refused before the client loses patience', async () => {
  using w = redProject();
  const from = Date.now();
  const { stdin, ended } = start(w);
  stdin.write(payload(w, 'x').slice(0, 40));
  const ran = await ended;
  stdin.destroy();
  assert.equal(ran.code, 2);
  assert.match(ran.err, /the payload did not arrive in time/);
  assert.ok(Date.now() - from >= 14_900);
});
