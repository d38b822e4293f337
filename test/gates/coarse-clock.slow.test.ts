/** Freshness on a file system that keeps whole seconds: ext3 with 128-byte inodes, really mounted from a file. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { floorFor, startAttempt } from '../../src/gates/floors.ts';
import { judgeMarker, lookAt } from '../../src/gates/markers.ts';
import { readSessions, updateSession } from '../../src/gates/session.ts';
import { CLI, cleanEnv } from '../scenarios/world.ts';

const ARTIFACT = '.claude/state/markers/review.pass';
const top = mkdtempSync(join(tmpdir(), 'touchstone-ext3-'));
const root = join(top, 'mounted');
let missing: string | null = null;

before(() => {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const image = join(top, 'image');
  mkdirSync(root);
  const steps: [string, string[]][] = [
    ['truncate', ['-s', '16M', image]],
    ['mkfs.ext3', ['-q', '-F', '-I', '128', image]],
    ['mount', ['-o', 'loop', image, root]],
  ];
  for (const [command, args] of steps) {
    const ran = spawnSync(command, args, { env, encoding: 'utf8' });
    if (ran.status === 0) continue;
    missing = `${command}: ${(ran.stderr || String(ran.error ?? '')).trim().split('\n')[0]}`;
    return;
  }
});

after(() => {
  const unmount = 'umount';
  if (missing === null) execFileSync(unmount, [root]);
  rmSync(top, { recursive: true, force: true });
});

function write(): void {
  const path = join(root, ARTIFACT);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, '');
}

function outcome(): string {
  const floor = floorFor(readSessions(root).sessions, 'review');
  return judgeMarker(lookAt(root, ARTIFACT), floor, Date.now()).outcome;
}

test('whole seconds: written in the attempt is fresh, written before it is not, and the session is exact', async () => {
  if (missing !== null) {
    console.log(`NOT RUN: no ext3 file system could be mounted (${missing})`);
    return;
  }
  writeFileSync(join(root, 'f'), '');
  assert.equal(lstatSync(join(root, 'f'), { bigint: true }).mtimeNs % 1_000_000_000n, 0n, 'the disk keeps seconds');
  for (let i = 0; i < 20; i++) {
    await sleep(Math.floor(Math.random() * 300));
    await startAttempt(root, 'review', ARTIFACT, 'terminal');
    write();
    assert.equal(outcome(), 'fresh', `attempt ${i}`);
  }
  // Beyond the tolerance and the second that the disk takes off.
  await sleep(3100);
  await startAttempt(root, 'review', ARTIFACT, 'terminal');
  assert.equal(outcome(), 'stale');

  rmSync(join(root, '.claude/state/session.json'));
  // In the middle of a second: what is written in it is dated to its beginning, before the session.
  await sleep(1000 - (Date.now() % 1000) + 500);
  await updateSession(root, 'S', () => {});
  write();
  assert.equal(outcome(), 'stale');
  await sleep(1000);
  write();
  assert.equal(outcome(), 'fresh');

  writeFileSync(join(root, '.claude/project.json'), JSON.stringify({ gates: { review: { marker: true } } }));
  const cli = (...args: string[]) =>
    spawnSync(process.execPath, [CLI, ...args], { cwd: root, env: cleanEnv(top), encoding: 'utf8' });
  assert.equal(cli('attempt', 'start', 'review').status, 0);
  const passed = cli('gate', 'pass', 'review');
  assert.equal(passed.status, 0, passed.stdout + passed.stderr);
});
