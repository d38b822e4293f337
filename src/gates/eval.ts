/**
 * The verdict of gates, computed anew from the disk each time it is asked. Three-valued inside: satisfied only on True,
 * and what nobody looked at is not what somebody saw fail.
 */
import { accessSync, constants } from 'node:fs';
import { type Project, readProject } from '../config/project.ts';
import { withLock } from '../state/lock.ts';
import { statePath } from '../state/paths.ts';
import { measureTree } from '../verdict/tree.ts';
import { CONDITIONS } from './conditions/registry.ts';
import { type GateContract, type GateFault, readGates, refusals } from './contract.ts';
import { currentSession } from './floors.ts';
import type { Cause, Failure, Finding, Gate, GateFile, GateRead, Kickback, Look } from './gate.ts';
import { LOCK } from './kickback.ts';
import { keyed, type LookOptions, lookFor, once } from './look.ts';
import { GATES, readGateFile, writeGateFile } from './record.ts';

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

type Taint = { tainted: boolean; kickback: Kickback | null; failure: Failure | null };

/** What stands against a gate: a kickback that evidence has not answered, a failure on record in this session. */
function taintOf(gate: Gate, look: Look): Taint {
  const ledger = look.ledger();
  const prev = look.prev(gate.step);
  const answered = prev?.answered ?? Number.NEGATIVE_INFINITY;
  const kickback = newest([ledger.gates[gate.step]?.kickback, prev?.kickback], k => k.at);
  const failure = newest([ledger.failures[gate.step], prev?.failure], f => f.observedAt);
  const open = kickback !== null && kickback.at > answered ? kickback : null;
  const session = currentSession(look.sessions());
  const before = failure !== null && session !== null && failure.observedAt < session.startedAt;
  const stands = failure !== null && failure.observedAt > answered && !before ? failure : null;
  return { tainted: open !== null || stands !== null, kickback: open, failure: stands };
}

function newest<T>(items: readonly (T | undefined)[], time: (item: T) => number): T | null {
  return items.reduce<T | null>(
    (last, item) => (item !== undefined && (last === null || time(item) > time(last)) ? item : last),
    null,
  );
}

function judgeGate(gate: Gate, look: Look): GateFile {
  const prev = look.prev(gate.step);
  const taint = taintOf(gate, look);
  const halt = look.halt();
  if (halt !== null) {
    const cause: Cause = {
      condition: 'halt',
      truth: 'false',
      why: `halted (${halt.class}): ${halt.reason}`,
      next: 'ask the user: touchstone marker clear halt',
    };
    return verdict(gate, look, prev, [cause], taint, {});
  }
  if (!look.accepted()) {
    const cause: Cause = {
      condition: 'rules',
      truth: 'unknown',
      why: 'the rules in .claude/project.json changed since a human accepted them',
      next: 'ask the user: touchstone config accept',
    };
    return verdict(gate, look, prev, [cause], taint, {});
  }
  if (gate.disabled !== null) return disabled(gate, look, prev, taint);
  const found = CONDITIONS.flatMap(condition =>
    condition.judge(gate, look).map(finding => ({ condition: condition.key, finding })),
  );
  const causes: Cause[] = found.map(({ condition, finding: { truth, why, next } }) => ({
    condition,
    truth,
    why,
    ...(next && truth !== 'true' ? { next } : {}),
  }));
  const findings = found.map(f => f.finding);
  const holds = causes.every(cause => cause.truth === 'true');
  const open = taint.kickback !== null && !(holds && answers(findings, taint.kickback, taint.failure, look));
  if (open) causes.unshift(reopened(gate, taint.kickback!));
  const whitewash = holds && !open ? washing(gate, taint.failure, look) : null;
  if (whitewash !== null) causes.unshift(whitewash);
  const observed = findings.flatMap(f => f.failed ?? []);
  const failure = observed.length > 0 ? observedNow(observed, taint.failure, look) : taint.failure;
  return verdict(gate, look, prev, causes, { ...taint, failure }, evidence(findings));
}

/** Newer evidence answers a kickback; where a condition has no time of its own the tree must have moved. */
function answers(findings: readonly Finding[], kickback: Kickback, failure: Failure | null, look: Look): boolean {
  const timed = findings.filter(f => f.at !== undefined);
  if (timed.length > 0) return timed.every(f => f.at! >= kickback.at);
  return failure === null || failure.fingerprint === null || failure.fingerprint !== look.tree()?.value;
}

function reopened(gate: Gate, kickback: Kickback): Cause {
  const next = gate.marker
    ? `fix it, commit, then touchstone gate pass ${gate.step}`
    : gate.checks[0]
      ? `fix it, then touchstone check run ${gate.checks[0].id}`
      : gate.verdict
        ? 'fix it, then touchstone verify'
        : 'fix it';
  return { condition: 'kickback', truth: 'false', why: `re-opened by ${kickback.from}: ${kickback.evidence}`, next };
}

/** A judgement is washed by a commit, what the engine saw fail by another tree. An unreadable HEAD turns the guard off. */
function washing(gate: Gate, failure: Failure | null, look: Look): Cause | null {
  if (failure === null) return null;
  const tree = look.tree();
  if (tree === null) return null;
  const same =
    failure.by === 'judged'
      ? failure.headSha !== null && failure.headSha === tree.head
      : failure.fingerprint !== null && failure.fingerprint === tree.value;
  if (!same) return null;
  const rows = failure.failRows.slice(0, 3).join('; ');
  return {
    condition: 'whitewash',
    truth: 'false',
    why: `${gate.step} failed at this very ${failure.by === 'judged' ? 'commit' : 'tree'} (${rows}): no new commits means no fix`,
    next: 'fix what failed and commit it',
  };
}

function observedNow(rows: string[], earlier: Failure | null, look: Look): Failure {
  const tree = look.tree();
  const same = earlier !== null && earlier.headSha === (tree?.head ?? null) && earlier.by === 'judged';
  return {
    observedAt: look.now,
    headSha: tree?.head ?? null,
    fingerprint: tree?.value ?? null,
    failRows: [...new Set([...(same ? earlier.failRows : []), ...rows])].slice(0, 20),
    by: same ? 'judged' : 'observed',
  };
}

function disabled(gate: Gate, look: Look, prev: GateFile | null, taint: Taint): GateFile {
  const laundered = gate.enforcement === 'advisory' ? null : washing(gate, taint.failure, look);
  if (laundered !== null) {
    const cause = { ...laundered, why: `${laundered.why}; a skip does not launder it` };
    return verdict(gate, look, prev, [cause], taint, {});
  }
  return { ...verdict(gate, look, prev, [], taint, {}), ...skip(gate.disabled!, prev, look) };
}

function skip(cause: string, prev: GateFile | null, look: Look): Partial<GateFile> {
  const since = prev?.skipped !== undefined ? prev.since : look.now;
  return { satisfied: true, reason: `skipped: ${cause}`, skipped: cause, since };
}

function evidence(findings: readonly Finding[]): Partial<GateFile> {
  const comparison = findings.find(f => f.comparison)?.comparison;
  const stamp = findings.find(f => f.stamp?.marker)?.stamp;
  return { ...(comparison ? { comparison } : {}), ...(stamp ? { stamp } : {}) };
}

function verdict(
  gate: Gate,
  look: Look,
  prev: GateFile | null,
  causes: Cause[],
  taint: Taint,
  more: Partial<GateFile>,
): GateFile {
  const wrong = causes.filter(cause => cause.truth === 'false');
  const open = causes.filter(cause => cause.truth === 'unknown');
  const satisfied = wrong.length > 0 ? false : open.length > 0 ? null : true;
  const told = wrong.length > 0 ? wrong : open.length > 0 ? open : causes;
  const tree = satisfied === true && causes.length > 0 ? look.tree() : null;
  // The stamp of a marker that is not fresh now may hold again later, for the same writing of it.
  const stamp = more.stamp ?? (gate.marker !== null ? prev?.stamp : undefined);
  const met = satisfied === true && gate.disabled === null;
  const answered = Math.max(
    prev?.answered ?? 0,
    met ? (taint.kickback?.at ?? 0) : 0,
    met ? (taint.failure?.observedAt ?? 0) : 0,
  );
  const file: GateFile = {
    schema: 1,
    step: gate.step,
    satisfied,
    reason: told.map(cause => cause.why).join('; '),
    checkedAt: look.now,
    since: prev !== null && prev.satisfied === satisfied && prev.skipped === undefined ? prev.since : look.now,
    causes,
    ...more,
    ...(stamp ? { stamp } : {}),
    ...(tree ? { fingerprint: tree.value } : {}),
    ...(taint.failure && !met ? { failure: taint.failure } : {}),
    ...(taint.kickback && !met ? { kickback: taint.kickback } : {}),
    ...(answered > 0 ? { answered } : {}),
  };
  if (satisfied !== false || gate.enforcement !== 'advisory' || wrong.some(c => c.condition === 'halt')) return file;
  return { ...file, ...skip(`advisory failure (${file.reason})`, prev, look) };
}

/** Nothing that cannot be kept is satisfied. */
function unwritten(file: GateFile, why: string): GateFile {
  const cause: Cause = { condition: 'state', truth: 'false', why, next: 'touchstone doctor' };
  const { skipped: _, ...rest } = file;
  return { ...rest, satisfied: false, reason: why, causes: [cause, ...file.causes] };
}
