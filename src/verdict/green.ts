/**
 * `.claude/state/evidence/green.jsonl`: which trees the whole suite passed on, under which rules. The verdict file knows
 * only the last run; a push sends a commit that was proven some edits ago.
 */

import { isRecord } from '../config/project.ts';
import { isAccepted } from '../config/trust.ts';
import { readBroken } from '../freeze/broken.ts';
import { appendLine, readState, writeAtomic } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import type { Sidecar } from './sidecar.ts';

export type GreenLine = {
  schema: 1;
  at: string;
  fingerprint: string;
  head: string | null;
  /** Hash of the trust-bearing rules the suite ran under. */
  rules: string;
  by: 'verify' | 'stop' | 'observation';
  /** FAIL takes an earlier PASS of the same tree back. */
  verdict: 'PASS' | 'FAIL';
};

const FILE = 'green.jsonl';
const MOST_LINES = 1000;
const KEPT_LINES = 500;

const path = (root: string): string => statePath(root, 'evidence', FILE);

/** `moved`: the run changed files, so that its PASS speaks of no tree that anybody has. */
export function recordGreen(root: string, stamped: Sidecar, moved = false): void {
  const { fingerprint, verdict } = stamped;
  if (fingerprint === null) return;
  if (verdict === 'PASS' && (moved || stamped.by === 'observation' || readBroken(root) !== null)) return;
  const lines = readLines(root);
  if (verdict === 'FAIL' && !lines.some(line => line.fingerprint === fingerprint)) return;
  const line: GreenLine = {
    schema: 1,
    at: stamped.stampedAt,
    fingerprint,
    head: stamped.head,
    rules: stamped.rules,
    by: stamped.by,
    verdict,
  };
  if (lines.length >= MOST_LINES) {
    writeAtomic(path(root), [...lines.slice(-KEPT_LINES), line].map(l => `${JSON.stringify(l)}\n`).join(''));
  } else appendLine(path(root), JSON.stringify(line));
}

export type Greens = {
  /** When the suite passed on exactly this tree, under rules a human accepted; null where it never did. */
  of(fingerprint: string): GreenLine | null;
  /** The newest PASS of any tree. */
  newest: GreenLine | null;
};

export function readGreens(root: string): Greens {
  const last = new Map<string, GreenLine>();
  for (const line of readLines(root)) {
    last.delete(line.fingerprint);
    last.set(line.fingerprint, line);
  }
  const counted = new Map<string, boolean>();
  const counts = (line: GreenLine): boolean => {
    const known = counted.get(line.rules) ?? isAccepted(root, line.rules);
    counted.set(line.rules, known);
    return line.verdict === 'PASS' && known;
  };
  const of = (fingerprint: string): GreenLine | null => {
    const line = last.get(fingerprint);
    return line !== undefined && counts(line) ? line : null;
  };
  return { of, newest: [...last.values()].findLast(counts) ?? null };
}

/** A torn or foreign line is no evidence; it costs itself alone. */
function readLines(root: string): GreenLine[] {
  const read = readState(path(root));
  if (read.kind !== 'text') return [];
  return read.text.split('\n').flatMap(text => {
    if (text === '') return [];
    try {
      const line: unknown = JSON.parse(text);
      return isLine(line) ? [line] : [];
    } catch {
      return [];
    }
  });
}

function isLine(value: unknown): value is GreenLine {
  return (
    isRecord(value) &&
    value.schema === 1 &&
    typeof value.fingerprint === 'string' &&
    value.fingerprint !== '' &&
    typeof value.rules === 'string' &&
    (value.verdict === 'PASS' || value.verdict === 'FAIL')
  );
}
