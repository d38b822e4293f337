import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type CommandSpec, runCommand } from '../../src/runs/command.ts';

const dir = mkdtempSync(join(tmpdir(), 'touchstone-command-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const out = join(dir, 'out.log');
const err = join(dir, 'err.log');
const start = (argv: string[], more: Partial<CommandSpec> = {}) =>
  runCommand({ argv, cwd: dir, input: '', timeoutMs: 20_000, stdoutPath: out, stderrPath: err, limit: 1000, ...more });

describe('a wrapped command', () => {
  it('has its two outputs apart, its input, and its exit code', async () => {
    const end = await start(['sh', '-c', 'cat; echo oops >&2; exit 7'], { input: 'given' });
    assert.deepEqual([end.exitCode, end.reason, end.stdout.bytes, end.stderr.tail], [7, null, 5, 'oops\n']);
    assert.deepEqual([readFileSync(out, 'utf8'), readFileSync(err, 'utf8')], ['given', 'oops\n']);
  });

  it('is kept up to the limit and counted beyond it', async () => {
    const end = await start(['sh', '-c', 'yes | head -c 50000; printf END']);
    assert.deepEqual([end.stdout.bytes, end.stdout.kept, end.stdout.tail.length], [50_003, 1000, 8192]);
    assert.ok(end.stdout.tail.endsWith('END'));
    assert.equal(readFileSync(out).length, 1000);
  });

  it('does not read what it is given', async () => {
    const end = await start(['true'], { input: 'x'.repeat(5_000_000) });
    assert.deepEqual([end.exitCode, end.reason], [0, null]);
  });

  it('ends at its deadline with all it started', async () => {
    const from = Date.now();
    const mark = join(dir, 'late');
    const end = await start(['sh', '-c', `(sleep 3; touch ${mark}) & sleep 30`], { timeoutMs: 300 });
    assert.equal(end.reason, 'timeout');
    assert.ok(Date.now() - from < 10_000);
    await new Promise(done => setTimeout(done, 3500));
    assert.equal(existsSync(mark), false);
  });

  it('ends when it is cancelled, also before it began', async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 100);
    assert.equal((await start(['sleep', '30'], { cancel: cancel.signal })).reason, 'cancelled');
    assert.equal((await start(['sleep', '30'], { cancel: cancel.signal })).reason, 'cancelled');
  });

  it('leaves nothing that whoever waited for it would wait for again', async () => {
    const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length;
    const before = timers();
    await start(['true']);
    assert.equal(timers(), before);
  });

  it('that cannot be started says why', async () => {
    const end = await start(['no-such-program-here']);
    assert.deepEqual([end.exitCode, end.reason], [null, 'unlaunchable']);
    assert.match(end.why!, /ENOENT/);
  });

  it('goes on when the disk takes none of its output', {
    skip: !existsSync('/dev/full') && 'no /dev/full here',
  }, async () => {
    const end = await start(['sh', '-c', 'yes | head -c 50000; exit 5'], { stdoutPath: '/dev/full' });
    assert.deepEqual([end.exitCode, end.stdout.bytes, end.stdout.kept], [5, 50_000, 0]);
    const nowhere = await start(['echo', 'x'], { stdoutPath: join(dir, 'none/there.log') });
    assert.deepEqual([nowhere.exitCode, nowhere.stdout.kept], [0, 0]);
  });
});
