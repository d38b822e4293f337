import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { forgetLost, recallLost, rememberLost } from '../../src/state/lost.ts';

const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });

function place(t: TestContext): { root: string; git: string } {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-'));
  t.after(() => {
    forgetLost(root, () => false);
    rmSync(root, { recursive: true, force: true });
  });
  return { root, git: join(root, '.git') };
}

test('each loss is new once, is recalled, and is gone once it was told', t => {
  const { root, git } = place(t);
  mkdirSync(git);
  assert.deepEqual(recallLost(root), []);
  assert.equal(rememberLost(root, 'A', 'lines', full), true);
  assert.equal(rememberLost(root, 'A', 'lines', full), false);
  assert.equal(rememberLost(root, 'A', 'a prompt', full), true);
  assert.equal(rememberLost(root, 'B', 'lines', new Error('odd')), true);
  assert.deepEqual(
    recallLost(root).map(({ key, what, why }) => [key, what, why]),
    [
      ['A', 'lines', 'ENOSPC'],
      ['A', 'a prompt', 'ENOSPC'],
      ['B', 'lines', 'error'],
    ],
  );
  assert.equal(statSync(join(git, 'touchstone', 'lost.jsonl')).mode & 0o077, 0);
  forgetLost(root, lost => lost.key === 'B');
  assert.deepEqual(
    recallLost(root).map(lost => lost.key),
    ['B'],
  );
  forgetLost(root, () => false);
  assert.deepEqual(readdirSync(join(git, 'touchstone')), []);
});

test('where the git folder takes nothing, or there is none, the temporary folder does', t => {
  for (const inTheWay of [true, false]) {
    const { root, git } = place(t);
    if (inTheWay) {
      mkdirSync(git);
      writeFileSync(join(git, 'touchstone'), 'in the way\n');
    }
    assert.equal(rememberLost(root, 'A', 'lines', full), true);
    assert.equal(recallLost(root).length, 1);
    assert.equal(rememberLost(root, 'A', 'lines', full), false);
  }
});

test('nothing is written through a link that somebody laid, and foreign lines are skipped', t => {
  const { root, git } = place(t);
  mkdirSync(join(git, 'touchstone'), { recursive: true });
  const target = join(root, 'target');
  symlinkSync(target, join(git, 'touchstone', 'lost.jsonl'));
  assert.equal(rememberLost(root, 'A', 'lines', full), true);
  assert.equal(existsSync(target), false);
  assert.equal(recallLost(root).length, 1);
  rmSync(join(git, 'touchstone', 'lost.jsonl'));
  forgetLost(root, () => false);
  writeFileSync(join(git, 'touchstone', 'lost.jsonl'), '{"at":1}\nnot json\n\n["x"]\nnull\n');
  assert.deepEqual(recallLost(root), []);
});
