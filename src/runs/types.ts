/** The files of a run, as types (spec of seed 002, sections 5 and 6). Field names are the seed's. */
import type { ChangedFile } from '../repo/attribution.ts';

export const SCHEMA_VERSION = '1.0.0';

/** How a harness may say that a run ended. */
export const OUTCOMES = [
  'completed',
  'blocked',
  'failed',
  'cancelled',
  'timed-out',
  'permission-denied',
  'malformed-output',
  'no-change',
] as const;
/** Interrupted: the session went away without closing the run. */
export type Outcome = (typeof OUTCOMES)[number] | 'interrupted';

export const STATUSES = [
  'no-change',
  'implemented-unverified',
  'verified',
  'failed',
  'blocked',
  'cancelled',
  'timed-out',
  'manually-accepted',
] as const;
export type Status = (typeof STATUSES)[number];

export const KINDS = [
  'agent-turn',
  'subagent-turn',
  'task-execution',
  'task-resume',
  'interactive-execution',
  'manual-acceptance',
] as const;
export type Kind = (typeof KINDS)[number];

export type Lifecycle = 'OPEN' | 'AWAITING_AGENT_CHANGES' | 'COMPLETED' | 'INTERRUPTED' | 'ABORTED';

/** The process whose end ends the run; `start` tells a reused number apart, where the system says it. */
export type Owner = { pid: number; start: string | null };

export type RunRecord = {
  schemaVersion: string;
  runId: string;
  kind: Kind;
  specName: string;
  taskId?: string;
  runner: string;
  sessionId?: string;
  subagentId?: string;
  parentRunId?: string;
  createdAt: string;
  finishedAt?: string;
  durationMs?: number;
  outcome?: Outcome;
  evidenceStatus?: Status;
  applied?: boolean;
  resumeSupported: boolean;
  warnings: string[];
  lifecycleStatus: Lifecycle;
  host?: string;
  abortReason?: string;
  owner?: Owner | null;
  /** Set before the closing work begins: whoever finds it with a dead process ends that work. */
  closing?: { by: Owner; at: string; outcome: Outcome };
  /** Files that a full or broken disk did not take. */
  notKept?: string[];
};

export type ReportedTest = { name: string; status: string };

/** What the agent said, verbatim. Shown as claims, never credited. */
export type RunnerClaims = {
  outcome?: string;
  summary?: string;
  changedFiles: string[];
  commandsReported: string[];
  testsReported: ReportedTest[];
  /** Sentences of the final message that claim something. */
  statements: { kind: string; text: string }[];
  /** Beyond a size the rest is left out here; runner-result.json has it. */
  truncated?: true;
};

export const NO_CLAIMS: RunnerClaims = { changedFiles: [], commandsReported: [], testsReported: [], statements: [] };

export const REASONS = [
  'supported',
  'no_command',
  'stale',
  'failed_exit',
  'failed_output',
  'empty_run',
  'masked',
  'background_only',
  'superseded_by_failure',
  'no_result',
] as const;
export type Reason = (typeof REASONS)[number];

export type ClaimCheck = {
  kind: 'file' | 'command' | 'tests' | 'build' | 'types' | 'lint' | 'verified' | 'done' | 'fixed' | 'deployed';
  text: string;
  reason: Reason;
  /** What of the ledger it was held against. */
  against?: string;
};

export type CommandResult = {
  name: string;
  argv: string[];
  required: boolean;
  exitCode: number | null;
  durationMs: number;
  passed: boolean;
  /** Taken from a recorded pass at exactly this tree. */
  reused?: 'reused-evidence';
  why?: string;
};

export type Verification = {
  ran: boolean;
  /** Why nothing ran. */
  skipped: string | null;
  configured: boolean;
  commands: (CommandResult & { stdoutTail?: string; stderrTail?: string })[];
  requiredFailed: string[];
  optionalFailed: string[];
  passed: boolean;
  /** The tree the commands ran on. */
  fingerprint: string | null;
};

export const NOT_RUN: Verification = {
  ran: false,
  skipped: 'not run',
  configured: false,
  commands: [],
  requiredFailed: [],
  optionalFailed: [],
  passed: false,
  fingerprint: null,
};

export type SpecContext = {
  documentHash: string | null;
  designHash: string | null;
  tasksPlanHash: string;
  taskFingerprint: string;
  taskText: string;
};

export type EvidenceRecord = {
  schemaVersion: string;
  runId: string;
  parentRunId?: string;
  specName: string;
  taskId: string;
  status: Status;
  runner: string;
  sessionId?: string;
  repository: {
    headBefore?: string;
    headAfter?: string;
    branch?: string;
    dirtyBefore: boolean;
    dirtyAfter: boolean;
    /** Content hash of the whole tree at the end. */
    fingerprintAfter: string | null;
  };
  changedFiles: ChangedFile[];
  verificationCommands: CommandResult[];
  verificationSkipped: boolean;
  runnerClaims: RunnerClaims;
  claimChecks: ClaimCheck[];
  violations: string[];
  warnings: string[];
  reasons: string[];
  evaluatedAt: string;
  /** Hash of the rules in force. */
  contract: string;
  manualAcceptance?: { actor: 'local-user'; reason: string; acceptedAt: string; referencedRunId?: string };
  specContext?: SpecContext;
};

export type RunDiagnostic = { code: string; path: string; message: string };

/** One line of events.jsonl. */
export type RunEvent = {
  at: string;
  type: string;
  tool?: string;
  id?: string;
  /** Redacted. */
  command?: string;
  writes?: string[];
  failed?: boolean;
  exit?: number;
  background?: boolean;
  /** Last part of what a command printed, redacted. */
  tail?: string;
  bytes?: number;
  [more: string]: unknown;
};

export const byHooks = (run: RunRecord): boolean => run.kind === 'agent-turn' || run.kind === 'subagent-turn';
