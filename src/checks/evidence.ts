/** `evidence/checks/<check>-<NNNN>.json`: what one run of a check showed (seed 000), and its whole output beside it. */
import { existsSync, readdirSync } from 'node:fs';
import { readJson, writeAtomic, writeJson } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { statePath } from '../state/paths.ts';
import type { Counts } from '../verdict/sidecar.ts';
import type { Phase } from './contract.ts';
import type { ResultClass, RunReason } from './judge.ts';

/** The one repository a project has, in the seed's per-repository shapes. */
export const REPOSITORY = '.';

export type CheckEntry = {
  id: string;
  repository: string;
  /** Redacted. */
  command: string;
  cwd: string;
  parser: string;
  phase: Phase;
  identities: string[];
  exit_code: number | null;
  signal: string | null;
  reason: RunReason | 'unlaunchable' | null;
  class: ResultClass;
  counts: Counts;
  failed_identities: string[];
  passed_identities: string[];
  /** Head and tail, redacted; the whole is in `log`. */
  output: string;
  log: string;
  duration_seconds: number;
  started_at: string;
  environment?: string;
  approved_skip_reason: string | null;
  passed: boolean;
  /** Every reason why it did not pass. */
  problems: string[];
  /** Said, without weight. */
  notes: string[];
};

/** What a gate reads of red evidence (spec/001, section 5). */
export type RedProof = {
  outcome: 'specs-generated';
  command: string;
  targetSpecs: string[];
  executed: number;
  passed: number;
  failed: number;
  skipped: number;
  errors: number;
  failingTests: string[];
};

export type CheckRecord = {
  schema: 1;
  /** Paths that differ from HEAD, by repository. */
  changes: Record<string, string[]>;
  checks: CheckEntry[];
  fingerprint: string | null;
  /** As in the verdict's sidecar. */
  raw: string | null;
  head: string | null;
  passed: boolean;
  /** Findings of project rules. */
  rules: { rule: string; enforcement: string; path: string }[];
  /** Hash of the trust-bearing rules the check ran under. */
  contract: string;
  red?: RedProof;
};

export function redProof(entry: CheckEntry): RedProof {
  const { counts } = entry;
  return {
    outcome: 'specs-generated',
    command: entry.command,
    targetSpecs: [...new Set(entry.identities.map(specOf))],
    executed: counts.passed + counts.failed + counts.errored,
    passed: counts.passed,
    failed: counts.failed,
    skipped: counts.skipped + counts.todo,
    errors: counts.errored,
    failingTests: entry.failed_identities,
  };
}

/** `tests/test_a.py::test_b` names its file; other names are all there is. */
function specOf(identity: string): string {
  const file = identity.split('::')[0]!;
  return file !== identity && /[./]/.test(file) ? file : identity;
}

const NUMBERS = 'check-numbers.json';
const DIGITS = 4;

export function recordName(check: string, number: number): string {
  return `${check}-${String(number).padStart(DIGITS, '0')}`;
}

/** Writes log, then record, then the number used: a crash between leaves no record without a log and reuses no number. */
export async function writeRecord(
  root: string,
  check: string,
  log: string,
  record: (logPath: string) => CheckRecord,
): Promise<{ path: string; record: CheckRecord }> {
  return withLock(root, 'check-evidence', () => {
    const numbers = readNumbers(root);
    const number = Math.max(numbers[check] ?? 0, lastOf(root, check)) + 1;
    const name = recordName(check, number);
    const relative = `evidence/checks/${name}`;
    const path = statePath(root, `${relative}.json`);
    if (existsSync(path)) throw new Error(`${path} exists and is not overwritten`);
    const made = record(`${relative}.log`);
    writeAtomic(statePath(root, `${relative}.log`), log);
    writeJson(path, made);
    writeJson(statePath(root, 'evidence', NUMBERS), { ...numbers, [check]: number });
    return { path: `.claude/state/${relative}.json`, record: made };
  });
}

function readNumbers(root: string): Record<string, number> {
  const read = readJson<Record<string, number>>(statePath(root, 'evidence', NUMBERS), value =>
    typeof value === 'object' && value !== null && Object.values(value).every(n => Number.isInteger(n))
      ? null
      : 'is not a map of numbers',
  );
  return read.kind === 'value' ? read.value : {};
}

function lastOf(root: string, check: string): number {
  let names: string[];
  try {
    names = readdirSync(statePath(root, 'evidence', 'checks'));
  } catch {
    return 0;
  }
  const own = new RegExp(`^${check.replace(/[.]/g, '\\.')}-(\\d{${DIGITS},})\\.json$`);
  return names.reduce((most, name) => Math.max(most, Number(own.exec(name)?.[1] ?? 0)), 0);
}
