/**
 * The one verdict an agent may write: a step re-opens a gate before it, with provenance. How often that may happen without
 * the tree moving is kept in `gates/ledger.json`.
 */
import { isRecord } from '../config/project.ts';
import { readJson, setAside, writeJson } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { statePath } from '../state/paths.ts';
import type { Tree } from '../verdict/tree.ts';
import type { Budget, Failure, Kickback, Ledger } from './gate.ts';
import { isKickback } from './record.ts';
import { halt } from './signals.ts';

/** Re-openings at an unchanged tree, in all, and faults that no judgement stands behind. One more halts. */
export const CAPS = { perTree: 2, cumulative: 5, mechanical: 3 } as const;

export const LOCK = 'gates';
const LEDGER = 'gates/ledger.json';
const ROWS = 20;

export function emptyLedger(): Ledger {
  return { schema: 1, gates: Object.create(null), failures: Object.create(null) };
}

/** Missing, malformed or of another version: an empty budget. */
export function readLedger(root: string): Ledger {
  const read = readJson<Ledger>(statePath(root, LEDGER), shape);
  const ledger = emptyLedger();
  if (read.kind === 'value') {
    Object.assign(ledger.gates, read.value.gates);
    Object.assign(ledger.failures, read.value.failures);
  }
  return ledger;
}

export type KickbackAsk = { step: string; from: string; evidence: string; mechanical?: boolean };

export type KickbackDone = { budget: Budget; halted: string | null };

/** Counts first, then re-opens; both stand in one file, so that a kill between leaves neither without the other. */
export async function kickBack(
  root: string,
  ask: KickbackAsk,
  tree: Tree | null,
  now = Date.now(),
): Promise<KickbackDone> {
  return withLock(root, LOCK, () => {
    const path = statePath(root, LEDGER);
    if (readJson<Ledger>(path, shape).kind === 'corrupt') setAside(path);
    const ledger = readLedger(root);
    const before = ledger.gates[ask.step];
    const { budget, halted } = spend(before, ask, tree?.value ?? null);
    const kickback: Kickback = { from: ask.from, evidence: ask.evidence, at: now };
    ledger.gates[ask.step] = { ...budget, kickback };
    if (!ask.mechanical) {
      const failure: Failure = {
        observedAt: now,
        headSha: tree?.head ?? null,
        fingerprint: tree?.value ?? null,
        failRows: [ask.evidence],
        by: 'judged',
      };
      for (const step of new Set([ask.step, ask.from])) {
        const earlier = ledger.failures[step];
        const rows = earlier?.headSha === failure.headSha ? (earlier?.failRows ?? []) : [];
        ledger.failures[step] = { ...failure, failRows: [...rows, ask.evidence].slice(-ROWS) };
      }
    }
    writeJson(path, ledger);
    if (halted !== null) halt(root, halted, ask.mechanical ? 'mechanical' : 'needs-human', ask.from, now);
    return { budget: ledger.gates[ask.step]!, halted };
  });
}

/** The text of a failure is never part of the budget: another wording is no progress. */
export function spend(
  before: Budget | undefined,
  ask: KickbackAsk,
  tree: string | null,
): { budget: Budget; halted: string | null } {
  const { step, evidence } = ask;
  const earlier = before ?? { count: 0, cumulative: 0, treeHash: null, lastReason: '', mechanicalFaults: 0 };
  if (ask.mechanical) {
    const faults = earlier.mechanicalFaults + 1;
    const halted =
      faults > CAPS.mechanical
        ? `mechanical faults: ${step} hit ${CAPS.mechanical} faults (cap ${CAPS.mechanical}): ${evidence}`
        : null;
    return { budget: { ...earlier, mechanicalFaults: faults, lastMechanicalFault: evidence }, halted };
  }
  const moved = before !== undefined && tree !== null && earlier.treeHash !== null && earlier.treeHash !== tree;
  const spent = !moved && earlier.count >= CAPS.perTree;
  const cumulative = earlier.cumulative + 1;
  const budget: Budget = {
    ...earlier,
    count: moved ? 1 : Math.min(earlier.count + 1, CAPS.perTree),
    cumulative,
    treeHash: tree ?? earlier.treeHash,
    lastReason: evidence,
  };
  if (spent)
    return {
      budget,
      halted: `kickback ping-pong: ${step} was re-opened ${CAPS.perTree} times (cap ${CAPS.perTree}): ${evidence}`,
    };
  if (cumulative > CAPS.cumulative)
    return {
      budget,
      halted: `${step} was re-opened ${CAPS.cumulative} times in all (cap ${CAPS.cumulative}): ${evidence}`,
    };
  return { budget, halted: null };
}

/** A fresh session has a fresh budget. What is re-opened stays so: a kickback is answered by evidence, not by time. */
export async function freshBudget(root: string): Promise<void> {
  const path = statePath(root, LEDGER);
  const read = readJson<Ledger>(path, shape);
  if (read.kind === 'missing') return;
  await withLock(root, LOCK, () => {
    if (read.kind === 'corrupt') setAside(path);
    const ledger = readLedger(root);
    const gates: Record<string, Budget> = Object.create(null);
    for (const [step, { kickback }] of Object.entries(ledger.gates)) {
      if (kickback)
        gates[step] = { count: 0, cumulative: 0, treeHash: null, lastReason: '', mechanicalFaults: 0, kickback };
    }
    writeJson(path, { ...ledger, gates } satisfies Ledger);
  });
}

function shape(value: unknown): string | null {
  if (!isRecord(value)) return 'is not a JSON object';
  if (value.schema !== 1) return `has schema ${String(value.schema)}, this version reads 1`;
  if (!isRecord(value.gates) || !isRecord(value.failures)) return 'has no gates';
  for (const budget of Object.values(value.gates)) {
    if (!isRecord(budget)) return 'holds a malformed budget';
    for (const key of ['count', 'cumulative', 'mechanicalFaults'])
      if (!Number.isInteger(budget[key]) || (budget[key] as number) < 0) return `holds a malformed ${key}`;
    if (budget.treeHash !== null && typeof budget.treeHash !== 'string') return 'holds a malformed tree';
    if (budget.kickback !== undefined && !isKickback(budget.kickback)) return 'holds a malformed kickback';
  }
  for (const failure of Object.values(value.failures)) {
    if (!isRecord(failure) || typeof failure.observedAt !== 'number' || !Array.isArray(failure.failRows))
      return 'holds a malformed failure';
  }
  return null;
}
