/**
 * The keys of project.json (and plan.json) that decide what counts as proof. They change by a human's act only:
 * `init` and `config accept` record their hash, a PASS attests it, and while it differs no PASS is attested.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readState } from '../state/atomic.ts';
import { commonGitDir, PROJECT_FILE, statePath } from '../state/paths.ts';
import { isRecord } from './project.ts';

const UNTRUSTED_KEYS = new Set([
  '$schema',
  'name',
  'description',
  'comment',
  'comments',
  'notes',
  'statusline',
  'tasks',
]);
export const PLAN_FILE = '.claude/plan.json';

/** The part of a project file that bears trust, with its keys in one order. */
export function trustBearing(raw: unknown): unknown {
  if (!isRecord(raw)) return null;
  return sorted(Object.fromEntries(Object.entries(raw).filter(([key]) => !UNTRUSTED_KEYS.has(key))));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key])]),
  );
}

/** Hash of the rules in force; an unreadable file hashes as its bytes, so that breaking it shows. */
export function trustHash(root: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256');
  for (const file of [PROJECT_FILE, PLAN_FILE]) {
    const path = join(root, file);
    if (file === PLAN_FILE && !existsSync(path)) continue;
    const read = readState(path);
    hash.update(file + '\0');
    if (read.kind !== 'text') hash.update(read.kind);
    else hash.update(canonical(read.text, file === PROJECT_FILE));
    hash.update('\0');
  }
  return hash.digest('hex');
}

function canonical(text: string, filtered: boolean): string {
  try {
    const raw: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return JSON.stringify(filtered ? trustBearing(raw) : sorted(raw));
  } catch {
    return 'unparsable:' + text;
  }
}

/** True when both texts carry the same trust-bearing rules. */
export function sameTrust(before: string, after: string): boolean {
  return canonical(before, true) === canonical(after, true);
}

export type Acceptance = { sha256: string; at: string; by: string };

export const ACCEPTED_FILE = 'accepted.json';

/** Where a human's acceptance is kept for every worktree of the repository: a new worktree starts with no state. */
export function sharedAcceptance(root: string): string | null {
  const common = commonGitDir(root);
  return common === null ? null : join(common, 'touchstone', 'accepted');
}

/** Whether a human accepted exactly these rules, here or in another worktree of the same repository. */
export function isAccepted(root: string, sha256: string): boolean {
  const own = readState(statePath(root, ACCEPTED_FILE));
  if (own.kind === 'text') {
    try {
      return (JSON.parse(own.text) as Acceptance).sha256 === sha256;
    } catch {
      return false;
    }
  }
  const shared = sharedAcceptance(root);
  const read = shared === null ? null : readState(shared);
  return read?.kind === 'text' && read.text.split('\n').includes(sha256);
}

/** Whether a human ever accepted rules of this project: `init` does, a project wired by nobody has none. */
export function hasAcceptance(root: string): boolean {
  const shared = sharedAcceptance(root);
  return existsSync(statePath(root, ACCEPTED_FILE)) || (shared !== null && existsSync(shared));
}
