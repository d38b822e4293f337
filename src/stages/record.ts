/** `evidence/stages/<stage>-<NNNN>.json`: what one attempt at a stage showed, in the shape of seed 000. */
import { existsSync, readdirSync } from 'node:fs';
import type { CheckEntry } from '../checks/evidence.ts';
import type { RuleFinding } from '../delivery/rules.ts';
import { writeJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import type { Trees } from './checkout.ts';
import type { Changes, Failure } from './findings.ts';

export type StageRecord = {
  schema: 1;
  stage: string;
  task: string;
  /** Every path the stage changed, by repository. */
  changes: Changes;
  checks: CheckEntry[];
  /** Of all repositories together; the tree itself where there is one. */
  fingerprint: string;
  trees: Trees;
  passed: boolean;
  rules: RuleFinding[];
  /** In the order in which they are judged: the first is why the stage was refused. */
  failures: Failure[];
  phase: 'red' | 'green' | null;
  /** The checks were all green checks of the plan. */
  complete: boolean;
  binding: string;
  /** Hash of the trust-bearing rules, and whether a human accepted them. */
  contract: string;
  accepted: boolean;
  /** What the agent said. It counts for nothing. */
  summary: string | null;
  started_at: string;
  finished_at: string;
};

const DIGITS = 4;

/** Call under the lock "stages". A number once used is not used again: `used` is the highest known from elsewhere. */
export function writeStageRecord(root: string, record: StageRecord, used: number): string {
  const number = Math.max(used, lastOf(root, record.stage)) + 1;
  const path = `evidence/stages/${record.stage}-${String(number).padStart(DIGITS, '0')}.json`;
  if (existsSync(statePath(root, path))) throw new Error(`${path} exists and is not overwritten`);
  writeJson(statePath(root, path), record);
  return `.claude/state/${path}`;
}

export const numberOf = (path: string): number => Number(/-(\d+)\.json$/.exec(path)?.[1] ?? 0);

function lastOf(root: string, stage: string): number {
  let names: string[];
  try {
    names = readdirSync(statePath(root, 'evidence', 'stages'));
  } catch {
    return 0;
  }
  const own = new RegExp(`^${stage.replace(/[.]/g, '\\.')}-\\d{${DIGITS},}\\.json$`);
  return names.filter(name => own.test(name)).reduce((most, name) => Math.max(most, numberOf(name)), 0);
}
