/**
 * That something is frozen, and which patterns, in a small file read at every tool call: a manifest of 5,000 files is not
 * parsed for a question about one path. A second copy in the git folder survives the loss of the state folder.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord } from '../config/project.ts';
import { readState, removeState, writeAtomic } from '../state/atomic.ts';
import { ownGitDir, statePath } from '../state/paths.ts';

export type Trace = {
  patterns: string[];
  /** Paths a human opened since; they freeze again with the next red evidence. */
  thawed: string[];
};

const OWN = 'frozen.json';

/** Null where nothing is frozen. A trace that cannot be read freezes what the configuration names. */
export function readTrace(root: string, configured: readonly string[]): Trace | null {
  const paths = [statePath(root, OWN), elsewhere(root)].filter((p): p is string => p !== null);
  let broken = false;
  for (const path of paths) {
    const read = readState(path);
    if (read.kind === 'missing') continue;
    const trace = read.kind === 'text' ? parse(read.text) : null;
    if (trace) return trace;
    broken = true;
  }
  if (broken || readState(statePath(root, 'freeze.json')).kind !== 'missing')
    return { patterns: [...configured], thawed: [] };
  return null;
}

export function writeTrace(root: string, trace: Trace | null): void {
  const text = JSON.stringify(trace) + '\n';
  const other = elsewhere(root);
  if (trace === null) {
    for (const path of [statePath(root, OWN), other]) if (path && existsSync(path)) removeState(path);
    return;
  }
  writeAtomic(statePath(root, OWN), text);
  if (other === null) return;
  try {
    mkdirSync(dirname(other), { recursive: true });
    writeAtomic(other, text);
  } catch {
    // A read-only git folder: the state folder's own copy holds.
  }
}

function elsewhere(root: string): string | null {
  const dir = ownGitDir(root);
  return dir === null ? null : join(dir, 'touchstone', OWN);
}

function parse(text: string): Trace | null {
  try {
    const raw: unknown = JSON.parse(text);
    if (!isRecord(raw) || !Array.isArray(raw.patterns) || !Array.isArray(raw.thawed)) return null;
    return { patterns: raw.patterns.map(String), thawed: raw.thawed.map(String) };
  } catch {
    return null;
  }
}
