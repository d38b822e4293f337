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
import { resolvedTasks } from './resolved.ts';
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
    const { budget, halted } = spend(before, ask, tree?.value ?? null, resolvedTasks(root));
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

/**
 * Progress is another tree than the gate was re-opened at before, or more tasks resolved. The text of a failure is never
 * part of the budget: another wording is no progress. Nor is a change that was taken back.
 */
export function spend(
  before: Budget | undefined,
  ask: KickbackAsk,
  tree: string | null,
  resolved: number,
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
  const further = resolved > (earlier.resolvedBefore ?? 0);
  const trees = further ? {} : (earlier.trees ?? {});
  const here = tree ?? earlier.treeHash;
  // Where a tree could not be taken, now or before, the count goes on.
  const same = earlier.treeHash === null || here === earlier.treeHash;
  const counted = further ? 0 : same ? earlier.count : own(trees, here);
  const spent = counted >= CAPS.perTree;
  const cumulative = earlier.cumulative + 1;
  const count = Math.min(counted + 1, CAPS.perTree);
  const budget: Budget = {
    ...earlier,
    count,
    cumulative,
    treeHash: here,
    resolvedBefore: Math.max(resolved, earlier.resolvedBefore ?? 0),
    lastReason: evidence,
    ...(here === null ? {} : { trees: { ...trees, [here]: count } }),
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

function own(trees: Record<string, number>, tree: string | null): number {
  return tree !== null && Object.hasOwn(trees, tree) ? trees[tree]! : 0;
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
    if (budget.resolvedBefore !== undefined && !Number.isInteger(budget.resolvedBefore))
      return 'holds a malformed number of tasks';
    if (budget.trees !== undefined && !(isRecord(budget.trees) && Object.values(budget.trees).every(Number.isInteger)))
      return 'holds malformed trees';
    if (budget.treeHash !== null && typeof budget.treeHash !== 'string') return 'holds a malformed tree';
    if (budget.kickback !== undefined && !isKickback(budget.kickback)) return 'holds a malformed kickback';
  }
  for (const failure of Object.values(value.failures)) {
    if (!isRecord(failure) || typeof failure.observedAt !== 'number' || !Array.isArray(failure.failRows))
      return 'holds a malformed failure';
  }
  return null;
}
