/** Single-use tokens under `.claude/state/consent/`: a human's act announced to the hook that will see its effect. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readState, removeState, writeAtomic } from './atomic.ts';
import { statePath } from './paths.ts';

const LIFE_MS = 120_000;
const MOST_MS = 3_600_000;

export function announce(root: string, purpose: string, lifeMs = LIFE_MS, now = Date.now()): void {
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  const dir = statePath(root, 'consent');
  mkdirSync(dir, { recursive: true });
  writeAtomic(join(dir, `${purpose}-${randomBytes(8).toString('hex')}.token`), `${now + lifeMs}\n`);
}

/** One path, one edit: `/touchstone allow <path>`. The path is hashed, for it becomes a part of a file name. */
export function allowPurpose(rel: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `allow-${createHash('sha256').update(rel).digest('hex').slice(0, 24)}`;
}

/** Whether a token waits to be used. */
export function peek(root: string, purpose: string, now = Date.now()): boolean {
  return names(root).some(name => {
    if (!name.startsWith(`${purpose}-`)) return false;
    const read = readState(join(statePath(root, 'consent'), name));
    return read.kind === 'text' && alive(Number(read.text), now);
  });
}

/** True once per announcement: whoever unlinks the file has used it. */
export function consume(root: string, purpose: string, now = Date.now()): boolean {
  const dir = statePath(root, 'consent');
  for (const name of names(root)) {
    if (!name.startsWith(`${purpose}-`)) continue;
    try {
      const until = Number(readFileSync(join(dir, name), 'utf8'));
      removeState(join(dir, name));
      if (alive(until, now)) return true;
    } catch {
      // Another process used it first.
    }
  }
  return false;
}

function names(root: string): string[] {
  try {
    return readdirSync(statePath(root, 'consent')).filter(name => name.endsWith('.token'));
  } catch {
    return [];
  }
}

/** A clock set back must not keep a token alive for ever. */
function alive(until: number, now: number): boolean {
  return until > now && until - now <= MOST_MS;
}
