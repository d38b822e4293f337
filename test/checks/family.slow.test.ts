import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { run } from '../../src/checks/run.ts';

const dir = mkdtempSync(join(tmpdir(), 'touchstone-family-'));
after(() => rmSync(dir, { recursive: true, force: true }));

/** A zombie that nobody asks for has ended all the same. */
function lives(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(text.slice(text.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

const pids = (name: string): number[] => readFileSync(join(dir, name), 'utf8').trim().split('\n').map(Number);

const skip = process.platform !== 'linux' && '/proc tells it on Linux only';

describe('at the deadline', { skip }, () => {
  const ways: [string, string][] = [
    ['a session of its own', 'setsid sh -c "echo \\$\\$ >> $F; sleep 60" & sleep 60'],
    ['one whose parent has gone', '(setsid sh -c "sleep 60 & echo \\$! >> $F; exit" &); sleep 60'],
    [
      'one that shed its environment',
      'env -i F=$F PATH="$PATH" setsid sh -c "echo \\$\\$ >> $F; sleep 60; :" & sleep 60',
    ],
    [
      'one that ignores the first signal',
      `setsid sh -c "trap '' TERM; echo \\$\\$ >> $F; sleep 60; sleep 60" & sleep 60`,
    ],
    ['what came of it in turn', 'setsid sh -c "setsid sleep 60 & echo \\$! >> $F; echo \\$\\$ >> $F; wait" & sleep 60'],
  ];
  for (const [name, command] of ways) {
    it(`${name} is ended too, and nobody waits for it`, async () => {
      const file = `${name.replaceAll(' ', '-')}.pids`;
      const from = Date.now();
      const result = await run({ command, cwd: dir, timeoutMs: 800, env: { F: join(dir, file) } });
      assert.deepEqual([result.reason, result.signal], ['timeout', 'SIGTERM']);
      assert.ok(Date.now() - from < 8000);
      const left = pids(file);
      assert.ok(left.every(pid => pid > 1));
      await new Promise(done => setTimeout(done, 50));
      assert.deepEqual(left.filter(lives), []);
    });
  }

  it('the program of another family goes on', async () => {
    const other = run({
      command: 'setsid sh -c "echo \\$\\$ > other.pids; exec sleep 3"',
      cwd: dir,
      timeoutMs: 20_000,
    });
    const result = await run({ command: 'setsid sleep 60 & sleep 60', cwd: dir, timeoutMs: 800 });
    assert.equal(result.reason, 'timeout');
    assert.deepEqual(pids('other.pids').map(lives), [true]);
    assert.equal((await other).exitCode, 0);
  });
});

it('what ended by itself may leave a daemon behind', { skip }, async () => {
  const command = 'setsid sh -c "echo \\$\\$ > daemon.pids; exec sleep 30" >/dev/null 2>&1 & sleep 0.5';
  const result = await run({ command, cwd: dir, timeoutMs: 20_000 });
  assert.equal(result.exitCode, 0);
  const [daemon] = pids('daemon.pids');
  const lived = lives(daemon!);
  process.kill(daemon!, 'SIGKILL');
  assert.equal(lived, true);
});

it('one family within another is ended with it', { skip }, async () => {
  const module = JSON.stringify(join(import.meta.dirname, '../../src/checks/run.ts'));
  const inner = `import(${module}).then(m => m.run({ command: 'echo $$ > inner.pids; exec sleep 60', cwd: ${JSON.stringify(dir)}, timeoutMs: 60000 }))`;
  const result = await run({
    command: [process.execPath, '--import', import.meta.resolve('tsx'), '-e', inner],
    cwd: dir,
    timeoutMs: 5000,
  });
  assert.equal(result.reason, 'timeout');
  assert.deepEqual(pids('inner.pids').filter(lives), []);
});
