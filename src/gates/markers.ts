/** Is a pass marker of this attempt? By `lstat` alone, in the order: floor, presence, kind, time. */
import { lstatSync } from 'node:fs';
import type { Floor } from './gate.ts';

/** Clocks of file systems lag behind the clock that took the floor; the session floor is taken seconds before any write. */
export const ATTEMPT_TOLERANCE_MS = 2_000;

export type Found =
  | { kind: 'file'; mtimeMs: number; ctimeMs: number; signature: string }
  | { kind: 'missing' }
  | { kind: 'other'; is: string }
  | { kind: 'unreadable'; code: string };

export type MarkerOutcome =
  | { outcome: 'no-floor' | 'missing' }
  | { outcome: 'not-regular'; is: string }
  | { outcome: 'unreadable'; code: string }
  | { outcome: 'future' | 'fresh'; mtimeMs: number }
  | { outcome: 'stale'; mtimeMs: number; why: string };

export function lookAt(root: string, artifact: string): Found {
  let stat: import('node:fs').BigIntStats;
  try {
    stat = lstatSync(`${root}/${artifact}`, { bigint: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'missing' } : { kind: 'unreadable', code };
  }
  if (!stat.isFile()) return { kind: 'other', is: kindOf(stat) };
  return {
    kind: 'file',
    mtimeMs: milliseconds(stat.mtimeNs),
    ctimeMs: milliseconds(stat.ctimeNs),
    signature: `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`,
  };
}

/** To the hundredth: a time that was set as seconds in a double comes back a microsecond short. */
function milliseconds(ns: bigint): number {
  return Math.round(Number(ns / 1000n) / 10) / 100;
}

export function signature(found: Found): string {
  return found.kind === 'file' ? found.signature : '';
}

function inode(signature: string): string {
  return signature.slice(0, signature.indexOf('.'));
}

function kindOf(stat: import('node:fs').BigIntStats): string {
  if (stat.isDirectory()) return 'a directory';
  if (stat.isSymbolicLink()) return 'a symlink';
  if (stat.isFIFO()) return 'a pipe';
  return stat.isSocket() ? 'a socket' : 'a device';
}

/**
 * A time can be set to anything, but what set it leaves the time of the act itself (ctime): the earlier of the two counts.
 * A clock set back makes an old marker look new: one that lay there when the floor was taken is known by its signature.
 * Writing to that very file leaves both times alike; where they are apart, only its time was set.
 */
export function judgeMarker(found: Found, floor: Floor | null, now: number): MarkerOutcome {
  if (floor === null) return { outcome: 'no-floor' };
  if (found.kind === 'missing') return { outcome: 'missing' };
  if (found.kind === 'other') return { outcome: 'not-regular', is: found.is };
  if (found.kind === 'unreadable') return { outcome: 'unreadable', code: found.code };
  const { mtimeMs } = found;
  const time = Math.min(mtimeMs, found.ctimeMs);
  // A clock of whole milliseconds is behind the file's own within one.
  if (Math.floor(mtimeMs) > now) return { outcome: 'future', mtimeMs };
  const least = floor.source === 'attempt' ? floor.ms - ATTEMPT_TOLERANCE_MS : floor.ms;
  if (time < least) {
    const changed = mtimeMs >= least ? 'last touched' : 'written';
    return { outcome: 'stale', mtimeMs, why: `${changed} ${say(floor.ms - time)} before the ${floor.source} began` };
  }
  if (floor.seen.includes(found.signature)) {
    if (floor.source === 'session' || time > floor.ms)
      return { outcome: 'stale', mtimeMs, why: `it lay there unchanged when the ${floor.source} began` };
  } else if (floor.seen.some(seen => inode(seen) === inode(found.signature))) {
    const apart = Math.abs(mtimeMs - found.ctimeMs);
    if (apart > ATTEMPT_TOLERANCE_MS)
      return { outcome: 'stale', mtimeMs, why: `its time was set, ${say(apart)} away from when that was done` };
  }
  return { outcome: 'fresh', mtimeMs };
}

function say(ms: number): string {
  return ms < 10_000 ? `${Math.ceil(ms)} ms` : `${Math.round(ms / 1000)} s`;
}
