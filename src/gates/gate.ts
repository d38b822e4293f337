/** The words of gates: what is configured, what one condition finds, what a verdict file holds. */
import type { Truth } from '../event.ts';
import type { FrozenState } from '../freeze/check.ts';
import type { Freshness } from '../verdict/freshness.ts';
import type { Standing } from '../verdict/standing.ts';
import type { Tree } from '../verdict/tree.ts';
import type { Session } from './session.ts';
import type { Halt } from './signals.ts';

export type Enforcement = 'advisory' | 'gating' | 'structural';

export type GateCheck = { id: string; phase: 'red' | 'green' };

export type Gate = {
  step: string;
  /** Relative to the root. */
  marker: string | null;
  checks: GateCheck[];
  verdict: boolean;
  frozen: boolean;
  after: string[];
  surface: string | null;
  enforcement: Enforcement;
  /** Why it is skipped. */
  disabled: string | null;
  /** Commands, skills and subagents whose call starts an attempt, besides those of the step's own name. */
  dispatch: string[];
};

export type FloorSource = 'attempt' | 'session';

export type Comparison = {
  artifact: string;
  mtimeMs: number;
  floorMs: number;
  floorSource: FloorSource;
  outcome: 'rewritten' | 'stale_invalidated' | 'preserved_surface_miss';
};

/** The tree and the rules a PASS was formed against; `marker` ties it to one writing of the marker. */
export type Stamp = { head: string | null; fingerprint: string; raw: string | null; rules: string; marker?: string };

/** A FAIL on record: what a later PASS at the same place cannot wash away. */
export type Failure = {
  observedAt: number;
  headSha: string | null;
  fingerprint: string | null;
  failRows: string[];
  /** `judged` by a step (kickback), or `observed` by the engine. */
  by: 'judged' | 'observed';
};

export type Kickback = { from: string; evidence: string; at: number };

export type Cause = { condition: string; truth: Truth; why: string; next?: string };

/** `gates/<step>.json`. */
export type GateFile = {
  schema: 1;
  step: string;
  satisfied: boolean | null;
  reason: string;
  checkedAt: number;
  /** When `satisfied` last became what it is. */
  since: number;
  skipped?: string;
  causes: Cause[];
  comparison?: Comparison;
  fingerprint?: string;
  stamp?: Stamp;
  failure?: Failure;
  kickback?: Kickback;
  /** Time of the newest kickback or failure that later evidence answered. */
  answered?: number;
};

export type Finding = {
  truth: Truth;
  why: string;
  /** The one command, or act, that would move it. */
  next?: string;
  /** Unix ms of the evidence, where it has a time. */
  at?: number;
  comparison?: Comparison;
  stamp?: Stamp;
  /** Rows of a failure the engine observed. */
  failed?: string[];
};

export type Floor = {
  ms: number;
  source: FloorSource;
  /** Signatures of the marker as it lay there when floors were taken. */
  seen: readonly string[];
};

export type Recorded = {
  name: string;
  /** Relative to the state folder. */
  path: string;
  passed: boolean;
  class: string;
  problems: string[];
  failed: string[];
  /** Unix ms when the run began. */
  at: number;
  tree: { value: string; raw: string | null } | null;
  head: string | null;
  rules: string;
  red: unknown;
};

export type GateRead = { kind: 'value'; value: GateFile } | { kind: 'missing' } | { kind: 'corrupt'; why: string };

export type Holds = {
  holds: boolean;
  why: string;
  /** It was not asked of the code: there is no surface, or the gate carries failure history. */
  withheld?: true;
};

export type Budget = {
  count: number;
  cumulative: number;
  /** Fingerprint of the tree the count is about; null where none could be taken. */
  treeHash: string | null;
  /** Re-openings at each tree since more tasks were resolved: a tree that comes again is no progress. */
  trees?: Record<string, number>;
  /** Tasks resolved at the last re-opening. */
  resolvedBefore?: number;
  lastReason: string;
  mechanicalFaults: number;
  lastMechanicalFault?: string;
  kickback?: Kickback;
};

export type Ledger = {
  schema: 1;
  gates: Record<string, Budget>;
  /** By the step that failed: what it may not pass over at the same commit. */
  failures: Record<string, Failure>;
};

export type Records = {
  newest(): Recorded | undefined;
  find(test: (record: Recorded) => boolean): Recorded | undefined;
};

export type Look = {
  root: string;
  now: number;
  halt(): Halt | null;
  rules(): string;
  /** Whether a human's acceptance stands against these rules; true where nobody was ever asked. */
  accepted(): boolean;
  tree(): Tree | null;
  standing(): Standing;
  freshByHand(): Freshness;
  frozen(): FrozenState | null;
  records(asked: GateCheck): Records;
  sessions(): Session[];
  floorOf(step: string): Floor | null;
  read(step: string): GateRead;
  prev(step: string): GateFile | null;
  ledger(): Ledger;
  /** A gate that was judged before this one. */
  gate(step: string): GateFile;
  /** Whether evidence of another tree still speaks for this gate. */
  holds(gate: Gate, stamp: Stamp): Holds;
  /** What a PASS formed now is formed against. */
  stampTree(): Omit<Stamp, 'marker'> | null;
};

export type FaultAt = (key: string, message: string, cure: string) => void;

/** What the configuration names, for a condition that refers to it. */
export type Names = {
  steps: ReadonlySet<string>;
  checks: ReadonlyMap<string, readonly string[]>;
  surfaces: ReadonlySet<string>;
};

/** One condition is one file of this shape and one line in `conditions/registry.ts`. */
export type Condition = {
  key: string;
  /** Reads its key of a gate's configuration into the gate; names what is wrong. */
  read(value: unknown, gate: Gate, names: Names, fault: FaultAt): void;
  /** What it finds now; nothing where the gate does not ask for it. */
  judge(gate: Gate, look: Look): Finding[];
};
