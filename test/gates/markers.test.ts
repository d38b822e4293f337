import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { floorFor } from '../../src/gates/floors.ts';
import type { Floor } from '../../src/gates/gate.ts';
import { type Found, judgeMarker, lookAt } from '../../src/gates/markers.ts';
import { freshSession, type Session } from '../../src/gates/session.ts';

const T = Date.UTC(2026, 4, 1, 12, 0, 0, 500);

function file(mtimeMs: number, ctimeMs = mtimeMs, signature = 's'): Found {
  return { kind: 'file', mtimeMs, ctimeMs, signature };
}

const floor = (source: Floor['source'], ms = T, seen: string[] = []): Floor => ({ ms, source, seen });
const outcome = (found: Found, at: Floor | null, now = T + 60_000) => judgeMarker(found, at, now).outcome;

describe('freshness to the millisecond', () => {
  test('the attempt floor has 2,000 ms of tolerance, the session floor none', () => {
    for (const [source, offset, expected] of [
      ['attempt', 1, 'fresh'],
      ['attempt', 0, 'fresh'],
      ['attempt', -2000, 'fresh'],
      ['attempt', -2000.01, 'stale'],
      ['attempt', -2001, 'stale'],
      ['session', 0, 'fresh'],
      ['session', -0.01, 'stale'],
      ['session', -1, 'stale'],
    ] as const) {
      assert.equal(outcome(file(T + offset, T + 1000), floor(source)), expected, `${source} ${offset}`);
    }
  });

  test('in order: no floor, missing, kind, future, age', () => {
    assert.equal(outcome({ kind: 'missing' }, null), 'no-floor');
    assert.equal(outcome({ kind: 'missing' }, floor('session')), 'missing');
    assert.equal(outcome({ kind: 'other', is: 'a directory' }, floor('session')), 'not-regular');
    assert.equal(outcome({ kind: 'unreadable', code: 'EACCES' }, floor('session')), 'unreadable');
    assert.equal(outcome(file(T + 1), floor('session'), T), 'future');
    // A file written within the same millisecond as the clock was read is not of the future.
    assert.equal(outcome(file(T + 0.9), floor('session'), T), 'fresh');
  });

  test('a time set ahead does not outlive its attempt: the earlier of mtime and ctime counts', () => {
    const dated = file(T + 5_000, T - 60_000);
    assert.equal(outcome(dated, floor('attempt')), 'stale');
    assert.equal(outcome(dated, floor('session')), 'stale');
  });

  test('a clock set back does not make the marker of an earlier attempt fresh', () => {
    // Written at T, the clock goes back an hour, the next attempt starts, the clock passes T again.
    const back = T - 3_600_000;
    assert.equal(outcome(file(T), floor('attempt', back, ['s']), back + 1000), 'future');
    assert.equal(outcome(file(T), floor('attempt', back, ['s']), T + 1000), 'stale');
    assert.equal(outcome(file(T, T, 'rewritten'), floor('attempt', back, ['s']), T + 1000), 'fresh');
  });

  test('a time set on the marker of an earlier attempt is no writing of it', () => {
    const lying = floor('attempt', T, ['7.0.1.1']);
    const touched = (mtimeMs: number, ctimeMs: number, ino = 7) =>
      file(mtimeMs, ctimeMs, `${ino}.0.${mtimeMs}.${ctimeMs}`);
    assert.equal(outcome(touched(T + 5_000, T + 9_000), lying), 'stale', 'set to an instant of this attempt');
    assert.equal(outcome(touched(T - 1_000, T + 9_000), lying), 'stale', 'set into the tolerance');
    assert.equal(outcome(touched(T + 9_000, T + 9_000), lying), 'fresh', 'written in place');
    assert.equal(outcome(touched(T + 8_000, T + 9_000), lying), 'fresh', 'on a disk of whole seconds');
    assert.equal(outcome(touched(T + 5_000, T + 9_000, 8), lying), 'fresh', 'another file in its place');
    assert.equal(outcome(touched(T + 5_000, T + 9_000), floor('attempt', T, [''])), 'fresh', 'nothing lay there');
  });

  test('the hour that a change of summer time repeats is not an hour earlier', () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Europe/Berlin';
    const root = mkdtempSync(join(tmpdir(), 'touchstone-dst-'));
    try {
      const last = Date.UTC(2026, 9, 25, 0, 59, 59, 999);
      const first = last + 1;
      assert.deepEqual([new Date(last).getHours(), new Date(first).getHours()], [2, 2], 'the hour repeats');
      mkdirSync(join(root, 'm'));
      writeFileSync(join(root, 'm/a.pass'), '');
      const at = (ms: number) => {
        utimesSync(join(root, 'm/a.pass'), ms / 1000, ms / 1000);
        const found = lookAt(root, 'm/a.pass');
        assert.ok(found.kind === 'file');
        assert.equal(found.mtimeMs, ms);
        return found;
      };
      assert.equal(outcome(at(first), floor('session', last), Date.now() + 1e12), 'fresh');
      assert.equal(outcome(at(last), floor('session', first), Date.now() + 1e12), 'stale');
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
      rmSync(root, { recursive: true, force: true });
    }
  });
});

type Op =
  | { op: 'write' }
  | { op: 'touch'; by: number }
  | { op: 'attempt' }
  | { op: 'session'; swept: boolean }
  | { op: 'clock'; by: number };

const ms = fc.oneof(fc.integer({ min: -10_000, max: 10_000 }), fc.integer({ min: -7_200_000, max: 7_200_000 }));
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ op: fc.constant('write' as const) }),
  fc.record({ op: fc.constant('touch' as const), by: ms }),
  fc.record({ op: fc.constant('attempt' as const) }),
  fc.record({ op: fc.constant('session' as const), swept: fc.boolean() }),
  fc.record({ op: fc.constant('clock' as const), by: ms }),
);

test('no order of writes, touches, floors, attempts and clock steps makes an earlier marker count', () => {
  let counted = 0;
  fc.assert(
    fc.property(fc.array(op, { minLength: 2, maxLength: 30 }), ops => {
      let now = T;
      let serial = 0;
      /** The floors taken so far, and how many there were when the marker last changed. */
      let floors = 0;
      let marker = null as { mtime: number; ctime: number; ino: number; floors: number } | null;
      let sessions: Session[] = [];
      const found = (): Found =>
        marker === null
          ? { kind: 'missing' }
          : file(marker.mtime, marker.ctime, `${marker.ino}.${marker.mtime}.${marker.ctime}`);
      const lying = () => (marker === null ? '' : (found() as { signature: string }).signature);
      for (const step of ops) {
        if (step.op === 'clock') now += step.by;
        else if (step.op === 'write') marker = { mtime: now, ctime: now, ino: ++serial, floors };
        else if (step.op === 'touch' && marker)
          // Within the tolerance it cannot be told from a writing.
          marker = {
            ...marker,
            mtime: now + step.by,
            ctime: now,
            floors: Math.abs(step.by) <= 2000 ? floors : marker.floors,
          };
        else if (step.op === 'session') {
          floors++;
          if (step.swept) marker = null;
          sessions = [...sessions, { ...freshSession(`s${floors}`, now), seen: { r: lying() } }];
        } else if (step.op === 'attempt') {
          floors++;
          const last = sessions.at(-1) ?? freshSession('s0', now);
          const session = { ...last, attempts: { r: now }, seen: { r: lying() } };
          sessions = [...sessions.slice(0, -1), session];
        }
        const at = floorFor(sessions, 'r');
        const seen = judgeMarker(found(), at, now);
        if (seen.outcome !== 'fresh') continue;
        counted++;
        const time = Math.min(marker!.mtime, marker!.ctime);
        const tolerated = at!.source === 'attempt' && time <= at!.ms && time >= at!.ms - 2000;
        assert.ok(marker!.floors === floors || tolerated, 'it was changed after the last floor was taken');
        assert.ok(marker!.mtime <= now, 'it is not of the future');
        assert.ok(time >= at!.ms - (at!.source === 'attempt' ? 2000 : 0));
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(counted > 1000, `markers counted ${counted} times`);
});
