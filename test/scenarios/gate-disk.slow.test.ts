/** A gates folder that takes nothing: no verdict is satisfied there, and it is said so. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gated, mark, session, type Verdict } from './gates-world.ts';
import { CLI, type Ran, type World } from './world.ts';

const GATES = '.claude/state/gates';
const root = process.getuid?.() === 0;
/** Root writes everywhere: the command line is then run as nobody. */
const other = root ? 'setpriv --reuid=65534 --regid=65534 --clear-groups ' : '';

function passed(): World {
  const w = gated({ review: { marker: true }, build: { marker: true, after: 'review' } });
  session(w);
  mark(w, 'review');
  mark(w, 'build');
  w.sh(`mkdir -p ${GATES}; chmod 755 ${w.top}`);
  if (root) w.sh(`chown -R 65534:65534 ${w.top}`);
  return w;
}

const cli = (w: World, args: string): Ran =>
  w.sh(`${other}env HOME=${w.home} GIT_CONFIG_NOSYSTEM=1 ${process.execPath} ${CLI} ${args}`);

function cannot(w: World): string | null {
  const ran = cli(w, '--version');
  return ran.code === 0 ? null : `NOT RUN: ${ran.err.trim().split('\n')[0]}`;
}

function noneHolds(w: World, why: RegExp): void {
  const ran = cli(w, 'gate eval --json');
  assert.equal(ran.code, 1, ran.out + ran.err);
  for (const verdict of JSON.parse(ran.out) as Verdict[]) {
    assert.equal(verdict.satisfied, false, verdict.step);
    assert.match(verdict.reason, why);
    assert.equal(verdict.causes[0]?.next, 'touchstone doctor');
  }
  const kick = cli(w, 'gate kickback build --from review --evidence x');
  assert.equal(kick.code, 2);
  assert.match(kick.err, /^touchstone: gate kickback build: not recorded, .*Run: touchstone doctor\n$/);
}

test('read-only: not satisfied, with verdicts that held before or without', () => {
  using w = passed();
  const not = cannot(w);
  if (not !== null) return console.log(not);
  w.sh(`chmod 555 ${GATES}`);
  noneHolds(w, /could not be written to \.claude\/state\/gates \(EACCES\)/);
  w.sh(`chmod 755 ${GATES}`);
  assert.equal(cli(w, 'gate eval').code, 0);
  w.sh(`chmod 555 ${GATES}`);
  noneHolds(w, /could not be written to \.claude\/state\/gates \(EACCES\)/);
  w.sh(`chmod 755 ${GATES}`);
});

test('full: not satisfied, and no half file stays', () => {
  using w = passed();
  const mounted = root ? w.sh(`mount -t tmpfs -o size=4k,mode=777 none ${GATES}`) : { code: 1, err: 'not root' };
  if (mounted.code !== 0) return console.log(`NOT RUN: no small file system could be mounted (${mounted.err.trim()})`);
  try {
    const not = cannot(w);
    if (not !== null) return console.log(not);
    w.sh(`head -c 4096 /dev/zero > ${GATES}/fill`);
    noneHolds(w, /could not be written to \.claude\/state\/gates \(ENOSPC\)/);
    assert.deepEqual(readdirSync(join(w.root, GATES)), ['fill']);
    w.sh(`rm ${GATES}/fill`);
    assert.equal(cli(w, 'gate eval review').code, 0);
  } finally {
    w.sh(`umount ${GATES}`);
  }
});

test('something else in its place: not satisfied', () => {
  using w = passed();
  const not = cannot(w);
  if (not !== null) return console.log(not);
  w.sh(`rm -rf ${GATES}; echo x > ${GATES}`);
  if (root) w.sh(`chown 65534 ${GATES}`);
  noneHolds(w, /could not be written to \.claude\/state\/gates/);
});
