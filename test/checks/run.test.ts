import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { type RunSpec, run } from '../../src/checks/run.ts';

const node = (source: string, more: Partial<RunSpec> = {}) =>
  run({ command: [process.execPath, '-e', source], cwd: tmpdir(), timeoutMs: 20_000, ...more });

describe('run', () => {
  it('gives no terminal, sets CI, and hides what would make a nested node runner report to ours', async () => {
    const before = process.env.NODE_TEST_CONTEXT;
    process.env.NODE_TEST_CONTEXT = 'child-v8';
    const source =
      'console.log([process.env.CI, process.env.NODE_TEST_CONTEXT, process.stdout.isTTY, process.stdin.isTTY, process.env.X].join())';
    const result = await node(source, { env: { X: 'given' } });
    if (before === undefined) delete process.env.NODE_TEST_CONTEXT;
    else process.env.NODE_TEST_CONTEXT = before;
    assert.equal(result.output, '1,,,,given\n');
    assert.deepEqual([result.exitCode, result.signal, result.reason], [0, null, null]);
  });

  it('withholds variables by name', async () => {
    process.env.TOUCHSTONE_TEST_TOKEN = 'x';
    const result = await node('console.log(process.env.TOUCHSTONE_TEST_TOKEN)', {
      withhold: name => /TOKEN/.test(name),
    });
    delete process.env.TOUCHSTONE_TEST_TOKEN;
    assert.equal(result.output, 'undefined\n');
  });

  it('keeps the exit code, the signal, and both streams', async () => {
    const coded = await node("console.log('out'); console.error('err'); process.exitCode = 7");
    assert.equal(coded.exitCode, 7);
    assert.deepEqual(coded.output.trim().split('\n').sort(), ['err', 'out']);
    const killed = await node("process.kill(process.pid, 'SIGKILL')");
    assert.deepEqual([killed.exitCode, killed.signal, killed.reason], [null, 'SIGKILL', null]);
  });

  it('tells a program that cannot be started from one that fails', async () => {
    const missing = await run({ command: ['no-such-program-here'], cwd: tmpdir(), timeoutMs: 5000 });
    assert.deepEqual([missing.reason, missing.exitCode], ['unlaunchable', null]);
    assert.match(missing.output, /ENOENT/);
    const shell = await run({ command: 'no-such-program-here', cwd: tmpdir(), timeoutMs: 5000 });
    assert.deepEqual([shell.reason, shell.exitCode], [null, 127]);
  });

  it('tears no character that lies across two chunks', async () => {
    const source = `
      const bytes = Buffer.from('é'.repeat(40000));
      process.stdout.write(bytes.subarray(0, 1));
      setTimeout(() => process.stdout.write(bytes.subarray(1, 65537)), 50);
      setTimeout(() => process.stdout.write(bytes.subarray(65537)), 100);`;
    const result = await node(source);
    assert.equal(result.output, 'é'.repeat(40000));
  });

  it('does not wait for a grandchild that holds the output open', async () => {
    const source = `
      require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 12000)'], { stdio: 'inherit', detached: true }).unref();
      console.log('done');`;
    const result = await node(source);
    assert.deepEqual([result.output, result.exitCode, result.reason], ['done\n', 0, null]);
    assert.ok(result.durationMs < 11_000);
  });

  it('ends on cancel, with KILL for a program that ignores TERM', async () => {
    const cancel = new AbortController();
    const source = "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)";
    const result = await node(source, { cancel: cancel.signal, onLine: () => cancel.abort() });
    assert.deepEqual([result.reason, result.signal], ['cancelled', 'SIGKILL']);
    assert.ok(result.durationMs >= 2900);
  });
});
