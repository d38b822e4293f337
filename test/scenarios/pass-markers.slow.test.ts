import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { evalGate, floors, gated, kept, mark, marker, session } from './gates-world.ts';
import type { World } from './world.ts';

const REVIEW = { review: { marker: true } };

/** A gate with a session and an attempt of its step. */
function attempted(): World {
  const w = gated(REVIEW);
  session(w);
  assert.equal(w.cli(['attempt', 'start', 'review']).code, 0);
  return w;
}

describe('pass markers', () => {
  test('1: newer than the attempt: done, by the attempt floor', () => {
    using w = attempted();
    mark(w, 'review');
    const { verdict } = evalGate(w, 'review');
    assert.equal(verdict.satisfied, true);
    assert.deepEqual(
      [verdict.comparison?.floorSource, verdict.comparison?.outcome, verdict.comparison?.artifact],
      ['attempt', 'rewritten', marker('review')],
    );
    assert.equal(verdict.comparison?.floorMs, floors(w).attempts.review);
    assert.deepEqual(kept(w, 'review'), verdict);
  });

  for (const [n, before, satisfied] of [
    [2, 1500, true],
    [3, 2500, false],
    ['2b', 2000, true],
    ['3b', 2001, false],
  ] as const) {
    test(`${n}: ${before} ms before the attempt: ${satisfied ? 'done' : 'stale'}`, () => {
      using w = attempted();
      const floor = floors(w).attempts.review!;
      mark(w, 'review', floor - before);
      const { verdict, ran } = evalGate(w, 'review');
      assert.equal(verdict.satisfied, satisfied);
      if (!satisfied) assert.match(ran.out, /stale .*review must rewrite it during this attempt/);
      assert.equal(verdict.comparison?.mtimeMs, floor - before);
    });
  }

  test('4: no attempt, 1 ms before the session: stale; at its very start: done', () => {
    using w = gated(REVIEW);
    session(w);
    const floor = floors(w).startedAt;
    mark(w, 'review', floor - 1);
    const { verdict } = evalGate(w, 'review');
    assert.equal(verdict.satisfied, false);
    assert.match(verdict.reason, /stale \(written 1 ms before the session began\)/);
    mark(w, 'review', floor);
    assert.equal(evalGate(w, 'review').verdict.satisfied, true);
  });

  test('5: no attempt and no session: refused, with the command that gives a floor', () => {
    using w = gated(REVIEW);
    mark(w, 'review');
    const { verdict } = evalGate(w, 'review');
    assert.equal(verdict.satisfied, null);
    assert.match(verdict.reason, /cannot be verified without an attempt or session freshness floor/);
    assert.equal(verdict.causes[0]?.next, 'touchstone attempt start review');
  });

  test('missing: the step must write it', () => {
    using w = attempted();
    const { verdict } = evalGate(w, 'review');
    assert.equal(verdict.satisfied, null);
    assert.match(verdict.reason, /missing: review must write it after a passing review/);
    assert.equal(verdict.causes[0]?.next, 'touchstone gate pass review');
  });

  test('6: a directory, a symlink or a pipe is no regular file, however fresh', () => {
    using w = attempted();
    const path = join(w.root, marker('review'));
    mkdirSync(path, { recursive: true });
    const makers: [string, () => unknown][] = [
      ['a directory', () => mkdirSync(path)],
      ['a symlink', () => symlinkSync(join(w.root, 'package.json'), path)],
      ['a pipe', () => w.sh(`mkfifo '${path}'`)],
    ];
    for (const [what, make] of makers) {
      rmSync(path, { recursive: true, force: true });
      make();
      const { verdict } = evalGate(w, 'review');
      assert.equal(verdict.satisfied, false, what);
      assert.match(verdict.reason, new RegExp(`is ${what}, not a regular file`));
    }
  });

  test('7: an empty one is done, and so is one that says FAIL: contents are not read', () => {
    using w = attempted();
    mark(w, 'review', undefined, '');
    assert.equal(evalGate(w, 'review').verdict.satisfied, true);
    mark(w, 'review', undefined, 'FAIL\n');
    assert.equal(evalGate(w, 'review').verdict.satisfied, true);
  });

  test('8: a verdict file that is `{` is no verdict, and is computed anew', () => {
    using w = attempted();
    w.file('.claude/state/gates/review.json', '{');
    assert.equal(evalGate(w, 'review').verdict.satisfied, null);
    mark(w, 'review');
    w.file('.claude/state/gates/review.json', '{');
    assert.equal(evalGate(w, 'review').verdict.satisfied, true);
    assert.equal(kept(w, 'review').satisfied, true);
    assert.match(w.sh('ls .claude/state/gates').out, /review\.json\.corrupt-/);
  });

  test('dated in the future: not fresh, and named so', () => {
    using w = attempted();
    mark(w, 'review', Date.now() + 60_000);
    const { verdict } = evalGate(w, 'review');
    assert.equal(verdict.satisfied, false);
    assert.match(verdict.reason, /in the future: not fresh/);
  });

  test('an attempt makes the marker of the one before stale', () => {
    using w = attempted();
    assert.equal(w.cli(['gate', 'pass', 'review']).code, 0);
    w.sh('sleep 2.1');
    assert.equal(w.cli(['attempt', 'start', 'review']).code, 0);
    assert.equal(evalGate(w, 'review').verdict.satisfied, false);
    assert.equal(w.cli(['gate', 'pass', 'review']).code, 0);
  });
});
