/** The process a run belongs to: the agent's own, above whatever shell started the hook. */
import { readFileSync } from 'node:fs';
import type { Owner } from './types.ts';

const SHELLS = /^(?:sh|bash|dash|zsh|fish|ash|ksh|busybox|env|timeout)$/;

export function ownerOf(pid = process.ppid): Owner {
  let at = pid;
  for (let up = 0; up < 8; up++) {
    const stat = procStat(at);
    if (stat === null || !SHELLS.test(stat.name) || stat.parent <= 1) break;
    at = stat.parent;
  }
  return { pid: at, start: procStat(at)?.start ?? null };
}

export function self(): Owner {
  return { pid: process.pid, start: procStat(process.pid)?.start ?? null };
}

export function isAlive(owner: Owner): boolean {
  if (!pidAlive(owner.pid)) return false;
  const stat = procStat(owner.pid);
  return owner.start === null || stat === null || stat.start === owner.start;
}

export function sameOwner(a: Owner | null | undefined, b: Owner): boolean {
  return a != null && a.pid === b.pid && a.start === b.start;
}

export function pidAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return procStat(pid)?.state !== 'Z';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function procStat(pid: number): { name: string; state: string; parent: number; start: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in brackets and may hold any character.
    const close = text.lastIndexOf(')');
    const rest = text.slice(close + 2).split(' ');
    return {
      name: text.slice(text.indexOf('(') + 1, close),
      state: rest[0] ?? '',
      parent: Number(rest[1]),
      start: rest[19] ?? '',
    };
  } catch {
    return null;
  }
}
