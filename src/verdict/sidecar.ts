/** `.claude/state/verdict.json`: what stands behind the four lines. Plain checks for the hook path; `schema.ts` has the full ones. */
import { isRecord } from '../config/project.ts';
import { type JsonRead, readJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import type { Verdict } from './statefile.ts';

export const SIDECAR = 'verdict.json';

export type Counts = { passed: number; failed: number; errored: number; skipped: number; todo: number };

export type Sidecar = {
  schema: 1;
  verdict: Verdict;
  /** One word of the closed set in `checks/judge.ts`, or `unconfigured`, `unlaunchable`, `signal`, `observed`. */
  class: string;
  /** One sentence; null on PASS. */
  reason: string | null;
  command: string;
  exitCode: number;
  signal: string | null;
  stampedAt: string;
  /** The same to the millisecond: what happened within one second has an order too. */
  stampedMs?: number;
  durationMs: number;
  /** SHA-256 of the statefile's bytes this sidecar belongs to. */
  statefile: string;
  /** Content hash of the tree that was measured; null where none could be taken. */
  fingerprint: string | null;
  /** Second component where clean filters apply; comparable on this machine only. */
  raw: string | null;
  head: string | null;
  /** Hash of the rules the suite ran under. */
  rules: string;
  counts: Counts | null;
  runner: string | null;
  slug: string;
  /** FAILs in a row for this slug, this one included. */
  streak: number;
  /** Last lines of the output, redacted. */
  tail: string;
  /** `verify` and `stop` ran the suite themselves; `observation` only ever lowers. */
  by: 'verify' | 'stop' | 'observation';
};

export function readSidecar(root: string): JsonRead<Sidecar> {
  return readJson<Sidecar>(statePath(root, SIDECAR), shape);
}

function shape(value: unknown): string | null {
  if (!isRecord(value)) return 'is not a JSON object';
  if (value.schema !== 1) return `has schema ${String(value.schema)}, this version reads 1`;
  if (value.verdict !== 'PASS' && value.verdict !== 'FAIL') return 'has no verdict';
  for (const key of ['class', 'command', 'stampedAt', 'statefile', 'rules', 'slug', 'tail', 'by']) {
    if (typeof value[key] !== 'string') return `has no ${key}`;
  }
  for (const key of ['exitCode', 'streak', 'durationMs']) if (typeof value[key] !== 'number') return `has no ${key}`;
  for (const key of ['fingerprint', 'head', 'raw', 'reason']) {
    if (value[key] !== null && typeof value[key] !== 'string') return `has a wrong ${key}`;
  }
  return null;
}

export function sha256(data: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(data).digest('hex');
}
