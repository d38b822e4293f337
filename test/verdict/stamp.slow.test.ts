import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { readSidecar, sha256 } from '../../src/verdict/sidecar.ts';
import { parseStamp } from '../../src/verdict/statefile.ts';

const STAMPER = join(import.meta.dirname, 'stamper.ts');

function start(root: string, rounds: number, name: string): ChildProcess {
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  return spawn(process.execPath, ['--import', 'tsx', STAMPER, root, String(rounds), name], { stdio: 'ignore', env });
}

const ended = (child: ChildProcess) => new Promise<number | null>(done => child.once('exit', done));

/** Whole and old, or whole and new: nothing in between is ever seen. */
function check(path: string): boolean {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOENT');
    return false;
  }
  assert.match(text, /^(?:PASS|FAIL)\n\d{4}-[^\n]+Z\nsuite of w\d+ #*\n[01]\n$/);
  assert.equal(parseStamp(text).kind, 'stamp');
  return true;
}

test('eight stampers for 200 rounds: every read sees four whole lines', { timeout: 600_000 }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'stampers-'));
  const path = join(root, '.claude/state/last_test_result');
  const children = Array.from({ length: 8 }, (_, i) => start(root, 200, `w${i}`));
  const all = Promise.all(children.map(ended));
  let running = true;
  void all.then(() => {
    running = false;
  });
  let reads = 0;
  while (running) {
    if (check(path)) reads++;
    await wait(1);
  }
  assert.deepEqual([...new Set(await all)], [0]);
  assert.ok(reads > 200, `only ${reads} reads`);
  const side = readSidecar(root);
  assert.ok(
    side.kind === 'value' && side.value.statefile === sha256(readFileSync(path, 'utf8')),
    'the last pair belongs together',
  );
  rmSync(root, { recursive: true, force: true });
});

test('kill -9 at random moments leaves whole lines, and the next stamp goes through', { timeout: 600_000 }, async t => {
  const root = mkdtempSync(join(tmpdir(), 'stampers-'));
  const path = join(root, '.claude/state/last_test_result');
  let kills = 0;
  let torn = 0;
  for (let round = 0; round < 12; round++) {
    const children = Array.from({ length: 3 }, (_, i) => start(root, 100_000, `w${i}`));
    const deadline = Date.now() + 20_000;
    while (!check(path) && Date.now() < deadline) await wait(20);
    for (const child of children) {
      await wait(Math.random() * 150);
      child.kill('SIGKILL');
      kills++;
    }
    await Promise.all(children.map(c => (c.exitCode === null && c.signalCode === null ? ended(c) : null)));
    check(path);
    const side = readSidecar(root);
    assert.notEqual(side.kind, 'corrupt', 'a sidecar is whole or old');
    if (side.kind === 'value' && side.value.statefile !== sha256(readFileSync(path, 'utf8'))) torn++;
  }
  t.diagnostic(
    `${kills} kills, ${torn} between statefile and sidecar, ${readdirSync(join(root, '.claude/state')).filter(n => n.endsWith('.tmp')).length} temp files left`,
  );
  assert.equal(await ended(start(root, 1, 'w9')), 0, 'a lock left behind by the dead goes stale');
  assert.equal(parseStamp(readFileSync(path, 'utf8')).kind, 'stamp');
  assert.match(readFileSync(path, 'utf8'), /suite of w9/);
  rmSync(root, { recursive: true, force: true });
});
