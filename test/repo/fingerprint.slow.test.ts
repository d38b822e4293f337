import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fingerprint } from '../../src/repo/fingerprint.ts';
import { FINGERPRINT, sandbox, script } from './sandbox.ts';

test('kill -9 at any moment leaves the next answer right', async t => {
  const s = sandbox(t);
  for (let i = 0; i < 2000; i++) s.write(`many/${i}.txt`, `${i}`);
  s.commit();
  const file = await script(t, FINGERPRINT);
  const launch = () => {
    // Its own group, so that the git it started dies with it.
    const child = spawn(process.execPath, [file, s.root], { detached: true, stdio: 'ignore' });
    return { child, done: new Promise<void>(done => child.on('close', () => done())) };
  };
  const started = Date.now();
  await launch().done;
  const length = Date.now() - started;
  let inTheMiddle = 0;
  for (let round = 0; round < 60; round++) {
    s.write('src/a.txt', `${round}\n`);
    s.write(`many/${round}.txt`, `again ${round}`);
    const { child, done } = launch();
    await new Promise(wake => setTimeout(wake, length * (0.2 + 0.8 * Math.random())));
    if (child.exitCode === null) {
      process.kill(-child.pid!, 'SIGKILL');
      inTheMiddle++;
    }
    await done;
    const now = fingerprint(s.root, { of: 'worktree' });
    s.git('add', '-A');
    // The index form reads what `git add` wrote and nothing that the killed run kept.
    const right = fingerprint(s.root, { of: 'index' });
    assert.ok(now.ok && right.ok, JSON.stringify([now, right]));
    assert.equal(now.value, right.value, `round ${round}`);
  }
  const left = readdirSync(s.path('.claude/state/cache/index')).filter(name => name.startsWith('tmp-'));
  t.diagnostic(`${inTheMiddle} of 60 were killed while running, ${left.length} temporary files left for the sweep`);
  assert.ok(inTheMiddle >= 20);
});
