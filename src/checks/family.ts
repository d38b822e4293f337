/**
 * A program we started and all that came of it. Its process group is the most that every system can end; on Linux `/proc`
 * also tells who moved into a session of its own, by the chain of parents or, where that is broken, by a mark in the
 * environment.
 */
import { readdirSync, readFileSync } from 'node:fs';

const NAME = 'TOUCHSTONE_FAMILY';

export type Family = {
  /** For the environment of the program. */
  env: Record<string, string>;
  /** Sends it to all of them, newcomers included. */
  signal(leader: number | undefined, signal: NodeJS.Signals): void;
  /** Whether one of them lives. */
  lives(leader: number | undefined): boolean;
};

let serial = 0;

export function family(): Family {
  const mark = `${process.pid}.${process.hrtime.bigint().toString(36)}.${serial++}`;
  // One within another keeps both marks: the outer deadline ends the inner program too.
  const outer = process.env[NAME];
  const known = new Map<number, string>();
  return {
    env: { [NAME]: outer === undefined || outer.length > 2000 ? mark : `${outer} ${mark}` },
    signal(leader, signal) {
      if (leader === undefined) return;
      for (const one of kin(leader, mark, known)) known.set(one.pid, one.start);
      toGroup(leader, signal);
      for (const [pid, start] of known) {
        // Its number may have gone to another process meanwhile.
        if (statOf(pid)?.start === start) toProcess(pid, signal);
      }
    },
    lives(leader) {
      if (leader === undefined) return false;
      return toGroup(leader, 0) || [...known].some(([pid, start]) => statOf(pid)?.start === start);
    },
  };
}

/** What ended by itself may have sent a daemon away on purpose: only what still belongs to its group is ended. */
export function killGroup(leader: number | undefined): void {
  if (leader !== undefined) toGroup(leader, 'SIGKILL');
}

/** False when the group is gone. */
function toGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  return toProcess(process.platform === 'win32' ? leader : -leader, signal);
}

function toProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

type Stat = { pid: number; parent: number; start: string };

/** Null for one that is gone, or has ended and waits for a parent that never asks. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? null : { pid, parent: Number(parent), start: rest[17] ?? '' };
  } catch {
    return null;
  }
}

function kin(leader: number, mark: string, known: ReadonlyMap<number, string>): Stat[] {
  if (process.platform !== 'linux') return [];
  const all: Stat[] = [];
  const children = new Map<number, Stat[]>();
  for (const pid of numbers()) {
    const stat = pid === process.pid ? null : statOf(pid);
    if (stat === null) continue;
    all.push(stat);
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), stat]);
  }
  const found = new Map<number, Stat>();
  const heads = all.filter(one => one.pid === leader || known.get(one.pid) === one.start || isMarked(one.pid, mark));
  for (let next = heads; next.length > 0; next = next.flatMap(one => children.get(one.pid) ?? [])) {
    next = next.filter(one => !found.has(one.pid));
    for (const one of next) found.set(one.pid, one);
  }
  return [...found.values()];
}

function numbers(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    return false;
  }
}
