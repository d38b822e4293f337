/** Checks that must be ended, or that print too much. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { only, scripted } from './checks-world.ts';

test('a runner that waits for changes is ended with reason watch (field report 20)', () => {
  using w = scripted("console.log(' PASS  Waiting for file changes...');\nsetInterval(() => {}, 1000);\n", {
    runner: undefined,
  });
  assert.equal(w.cli(['check', 'run', 'own']).code, 1);
  const entry = only(w);
  assert.deepEqual([entry.reason, entry.passed], ['watch', false]);
});

/** Ended, or a zombie that nobody has collected yet. */
async function isGone(pid: number): Promise<boolean> {
  for (const until = Date.now() + 3000; Date.now() < until; await new Promise(done => setTimeout(done, 50))) {
    try {
      process.kill(pid, 0);
      if (existsSync(`/proc/${pid}/stat`) && / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return true;
    } catch {
      return true;
    }
  }
  return false;
}

test('a deadline ends the whole process group', async () => {
  const source = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'inherit' });
writeFileSync('out/pid', String(child.pid));
console.log('ok 1 - a');
setInterval(() => console.log('# alive'), 100);
`;
  using w = scripted(source, { timeout_seconds: 1 });
  w.file('out/.keep', '');
  assert.equal(w.cli(['check', 'run', 'own']).code, 1);
  const entry = only(w);
  assert.deepEqual([entry.reason, entry.class], ['timeout', 'timeout']);
  const pid = Number(w.read('out/pid'));
  assert.ok(pid > 1);
  assert.ok(await isGone(pid), `process ${pid} is still there`);
});

test('silence ends a run with reason inactive', () => {
  using w = scripted("console.log('ok 1 - a');\nsetInterval(() => {}, 1000);\n", { inactivity_seconds: 1 });
  assert.equal(w.cli(['check', 'run', 'own']).code, 1);
  assert.deepEqual([only(w).reason, only(w).class], ['inactive', 'inactive']);
});

test('more than 16 MB of output is no evidence; head and tail are kept', () => {
  using w = scripted(`
const line = '# ' + 'x'.repeat(998) + '\\n';
process.stdout.write('FIRST\\n' + line.repeat(17000) + '1..1\\nok 1 - a\\nLAST\\n');
`);
  assert.equal(w.cli(['check', 'run', 'own']).code, 1);
  const entry = only(w);
  assert.deepEqual([entry.reason, entry.class], ['output-limit', 'output-limit']);
  const log = w.read(`.claude/state/${entry.log}`);
  assert.match(log, /^FIRST\n/);
  assert.match(log, /\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/);
  assert.match(log, /LAST\n$/);
  assert.ok(Buffer.byteLength(log) < 16_100_000);
});
