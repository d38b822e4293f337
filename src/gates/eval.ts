/**
 * The verdict of gates, computed anew from the disk each time it is asked. Three-valued inside: satisfied only on True,
 * and what nobody looked at is not what somebody saw fail.
 */
import { accessSync, constants } from 'node:fs';
import { type Project, readProject } from '../config/project.ts';
import { withLock } from '../state/lock.ts';
import { statePath } from '../state/paths.ts';
import { measureTree } from '../verdict/tree.ts';
import { type GateContract, type GateFault, readGates, refusals } from './contract.ts';
import type { Gate, GateFile, GateRead, Look } from './gate.ts';
import { judgeGate, unwritten } from './judge.ts';
import { LOCK } from './kickback.ts';
import { keyed, type LookOptions, lookFor, once } from './look.ts';
import { GATES, readGateFile, writeGateFile } from './record.ts';
import { taintOf } from './taint.ts';

export type EvalOptions = LookOptions & {
  /** Only these, and what they wait for. */
  steps?: readonly string[];
  /** Where they were read already. */
  given?: { project: Project; contract: GateContract };
};

/** How far `checkedAt` on disk may lag behind the last look, while nothing changes. */
const KEPT_MS = 60_000;

export type Evaluated = { gates: GateFile[]; faults: GateFault[] };

/** Judges and writes. One writer at a time: what a kickback or another session wrote between is not lost. */
export async function evaluate(root: string, options: EvalOptions = {}): Promise<Evaluated> {
  const { project, contract } = options.given ?? configured(root);
  const faults = refusals(contract);
  if (faults.length > 0 || contract.gates.length === 0) return { gates: [], faults };
  const at = { ...options, treeOf: once(() => measureTree(root, project.claims.paths)) };
  // Nothing to write, nothing to wait for.
  const readOf = keyed((step: string) => readGateFile(root, step));
  const now = judge(root, project, contract, { ...at, readOf }, false);
  if (isWritable(root) && now.every(file => isKept(readOf(file.step), file))) return { gates: now, faults };
  try {
    return await withLock(root, LOCK, () => ({ gates: judge(root, project, contract, at, true), faults: [] }));
  } catch (error) {
    const why = `the state folder takes no lock (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
    return { gates: judge(root, project, contract, at, false).map(file => unwritten(file, why)), faults: [] };
  }
}

/** Judges and writes nothing: for callers that must not wait. */
export function judgeOnly(root: string, options: EvalOptions = {}): Evaluated {
  const { project, contract } = options.given ?? configured(root);
  const faults = refusals(contract);
  return { gates: faults.length > 0 ? [] : judge(root, project, contract, options, false), faults };
}

function configured(root: string): { project: Project; contract: GateContract } {
  const { project } = readProject(root);
  return { project, contract: readGates(project.raw) };
}

/** Whether the marker with this signature was judged at a tree that still counts, and nothing stands against the gate. */
export function stampStands(
  root: string,
  project: Project,
  contract: GateContract,
  gate: Gate,
  written: string,
  tree: LookOptions['tree'],
): boolean {
  const look: Look = lookFor(root, project, contract.surfaces, new Map(), g => taintOf(g, look).tainted, { tree });
  const stamp = look.prev(gate.step)?.stamp;
  return stamp?.marker === written && written !== '' && look.holds(gate, stamp).holds;
}

function judge(
  root: string,
  project: Project,
  contract: GateContract,
  options: EvalOptions,
  write: boolean,
): GateFile[] {
  const wanted = withPrerequisites(contract.gates, options.steps);
  const judged = new Map<string, GateFile>();
  const look: Look = lookFor(root, project, contract.surfaces, judged, gate => taintOf(gate, look).tainted, options);
  for (const gate of wanted) {
    let file = judgeGate(gate, look);
    const failed = write ? writeGateFile(root, file, look.read(gate.step)) : null;
    if (failed !== null) file = unwritten(file, `the verdict could not be written to .claude/state/gates (${failed})`);
    judged.set(gate.step, file);
  }
  return [...judged.values()];
}

function isWritable(root: string): boolean {
  try {
    accessSync(statePath(root, GATES), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A verdict that says the same and was looked at just now is not written again. */
function isKept(before: GateRead, file: GateFile): boolean {
  if (before.kind !== 'value' || Math.abs(file.checkedAt - before.value.checkedAt) > KEPT_MS) return false;
  return alike({ ...before.value, checkedAt: 0 }, { ...file, checkedAt: 0 });
}

function alike(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return left.length === Object.keys(right).length && left.every(([key, value]) => alike(value, right[key]));
}

function withPrerequisites(gates: readonly Gate[], steps?: readonly string[]): Gate[] {
  if (steps === undefined) return [...gates];
  const wanted = new Set(steps);
  // Each comes after those it waits for: from the end, every need is known before its giver is reached.
  for (const gate of [...gates].reverse()) if (wanted.has(gate.step)) for (const step of gate.after) wanted.add(step);
  return gates.filter(gate => wanted.has(gate.step));
}
