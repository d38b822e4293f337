/** What a re-opened gate may still spend. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Budget } from '../../src/gates/gate.ts';
import { spend } from '../../src/gates/kickback.ts';
import { resolvedTasks } from '../../src/gates/resolved.ts';

/** The counts, and whether it halts, of re-openings at these trees with so many tasks resolved. */
function counts(...at: (readonly [tree: string | null, resolved: number])[]): string[] {
  let budget: Budget | undefined;
  return at.map(([tree, resolved], i) => {
    const done = spend(budget, { step: 'build', from: 'review', evidence: `told ${i}` }, tree, resolved);
    budget = done.budget;
    return done.halted === null ? `${budget.count}` : `halt ${budget.count}`;
  });
}

test('twice at a tree, whatever is said; the third halts', () => {
  assert.deepEqual(counts(['a', 0], ['a', 0], ['a', 0], ['a', 0]), ['1', '2', 'halt 2', 'halt 2']);
});

test('another tree or more tasks resolved are progress, fewer are not', () => {
  assert.deepEqual(counts(['a', 0], ['a', 0], ['b', 0]), ['1', '2', '1']);
  assert.deepEqual(counts(['a', 1], ['a', 1], ['a', 2], ['a', 2], ['a', 2]), ['1', '2', '1', '2', 'halt 2']);
  assert.deepEqual(counts(['a', 3], ['a', 3], ['a', 1], ['a', 3]), ['1', '2', 'halt 2', 'halt 2']);
});

test('a change that was taken back is no progress', () => {
  assert.deepEqual(counts(['a', 0], ['b', 0], ['a', 0], ['b', 0], ['a', 0]), ['1', '1', '2', '2', 'halt 2']);
});

test('five in all, with progress at each', () => {
  assert.deepEqual(counts(['a', 0], ['b', 1], ['c', 2], ['d', 3], ['e', 4], ['f', 5]), [
    '1',
    '1',
    '1',
    '1',
    '1',
    'halt 1',
  ]);
});

test('where no tree can be taken the count goes on', () => {
  assert.deepEqual(counts(['a', 0], [null, 0], [null, 0]), ['1', '2', 'halt 2']);
  assert.deepEqual(counts([null, 0], [null, 0], ['a', 0], ['b', 0]), ['1', '2', 'halt 2', '1']);
});

test('resolved are finished stages and tasks with accepted evidence, each once', () => {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-resolved-'));
  const put = (path: string, value: unknown) => {
    const full = join(root, '.claude/state', path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, typeof value === 'string' ? value : JSON.stringify(value));
  };
  try {
    assert.equal(resolvedTasks(root), 0);
    put('stages/task.json', { completed: { specs: {}, build: {} } });
    put('evidence/runs/cart/1.1/a.json', { status: 'failed' });
    put('evidence/runs/cart/1.1/b.json', { status: 'verified' });
    put('evidence/runs/cart/1.1/c.json', { status: 'verified' });
    put('evidence/runs/cart/1.2/a.json', { status: 'manually-accepted' });
    put('evidence/runs/cart/1.3/a.json', { status: 'implemented-unverified' });
    put('evidence/runs/cart/1.4/a.json', '{');
    assert.equal(resolvedTasks(root), 4);
    put('stages/task.json', '[]');
    assert.equal(resolvedTasks(root), 2);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
