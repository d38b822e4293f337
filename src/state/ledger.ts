/**
 * What Touchstone itself wrote to its state: one line a write, appended by whoever writes. A file that moved without a line
 * was changed behind our back. Lives in the git folder where there is one, out of reach of what empties the state folder.
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownGitDir, STATE, statePath } from './paths.ts';

/** Written by several hands and worth nothing to a forger: not watched. */
const VOLATILE =
  /^(?:logs|cache|runs|open-runs|tmp|locks|vault\.git|evidence\/runs)(?:\/|$)|^(?:session|refused|install)\.json|^doctor-|\.tmp$|\.corrupt-|\.(?:log|pass)$|^\.gitignore$|^watch\./;

export const isWatched = (rel: string): boolean => !VOLATILE.test(rel);

export function ledgerPath(root: string, name: 'watch.json' | 'watch.log'): string {
  const git = ownGitDir(root);
  return git === null ? statePath(root, name) : join(git, 'touchstone', name);
}

/**
 * Said before a file is put in place, so that nobody finds the file without its line; a crash between leaves a line too
 * many. `bytes` is what will be there, null for nothing; left out, what is there now. Never throws: a lost line costs a
 * question, never a write.
 */
export function noteWrite(path: string, bytes?: string | Uint8Array | null): void {
  const at = path.replace(/\\/g, '/').lastIndexOf(`/${STATE}/`);
  if (at < 0) return;
  const rel = path.slice(at + STATE.length + 2).replace(/\\/g, '/');
  if (!isWatched(rel)) return;
  const log = ledgerPath(path.slice(0, at), 'watch.log');
  const hash = bytes === undefined ? hashOf(path) : bytes === null ? null : sha256(bytes);
  const line = `${JSON.stringify([rel, hash])}\n`;
  try {
    appendFileSync(log, line);
  } catch {
    try {
      mkdirSync(dirname(log), { recursive: true });
      appendFileSync(log, line);
    } catch {
      // A read-only git folder: nothing is watched there.
    }
  }
}

/** The hashes written for each path since `from`, null where it was removed; and how far the log goes. */
export function readLedger(root: string, from: number): { written: Map<string, Set<string | null>>; size: number } {
  const written = new Map<string, Set<string | null>>();
  let text: string;
  try {
    const log = ledgerPath(root, 'watch.log');
    if (statSync(log).size === from) return { written, size: from };
    text = readFileSync(log, 'utf8');
  } catch {
    return { written, size: 0 };
  }
  const bytes = Buffer.byteLength(text);
  const fresh = from <= bytes ? Buffer.from(text).subarray(from).toString('utf8') : text;
  for (const line of fresh.split('\n')) {
    try {
      const [rel, hash] = JSON.parse(line) as [string, string | null];
      written.set(rel, (written.get(rel) ?? new Set()).add(hash));
    } catch {
      // An empty or a torn line.
    }
  }
  return { written, size: bytes };
}

const LONG = 512 * 1024;

/** Begins the log anew once it is long; returns where it ends. */
export function trimLedger(root: string): { size: number } {
  const log = ledgerPath(root, 'watch.log');
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LONG) return { size };
  truncateSync(log);
  return { size: 0 };
}

/** What watching left in the git folder goes with the wiring. */
export function forgetWatch(root: string): void {
  for (const name of ['watch.json', 'watch.log'] as const) rmSync(ledgerPath(root, name), { force: true });
}

export function hashOf(path: string): string | null {
  try {
    return sha256(readFileSync(path));
  } catch {
    return null;
  }
}

function sha256(bytes: string | Uint8Array): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
}
