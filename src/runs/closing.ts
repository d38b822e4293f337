/** What whoever closes a run brings along, and what comes of it. */
import type { ChangedFile } from '../repo/attribution.ts';
import type { ClaimCheck, EvidenceRecord, Outcome, RunnerClaims, RunRecord, Verification } from './types.ts';

export type Seen = { changedFiles: ChangedFile[]; verification: Verification };

export type Told = { claims: RunnerClaims; checks: ClaimCheck[]; warnings: string[] };

export type Closing = {
  outcome: Outcome;
  /** Where the run went by hooks, commits are events that the delivery policy judges. */
  headMoves: 'violation' | 'event';
  /** Called only where it can matter: the run completed and changed something. */
  verify?: () => Promise<Verification> | Verification;
  /** What the agent said, held against what was seen. */
  claims?: (seen: Seen) => Told;
  reportValidated?: boolean | null;
  noVerify?: boolean;
  allowDirty?: boolean;
  /** For runner-result.json. */
  result?: Record<string, unknown>;
  sessionId?: string;
  resumeSupported?: boolean;
  abortReason?: string;
  warnings?: string[];
};

export type Closed = {
  run: RunRecord;
  evidence: EvidenceRecord;
  verification: Verification;
  /** Whether run.json says that the run is over: a full disk may not have taken it. */
  kept: boolean;
  note: string | null;
};
