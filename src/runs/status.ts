/** What a run amounts to: the eight statuses, decided in one order (spec of seed 002, section 4). Pure. */
import type { Outcome, Status } from './types.ts';

export type StatusInput = {
  outcome: Outcome;
  /** Whether the structured report was valid; null where none was asked for. */
  reportValidated: boolean | null;
  claimedFiles: number;
  changed: number;
  ambiguous: number;
  /** As attribution words them: `protected path modified: p`. */
  protectedViolations: readonly string[];
  /** From and to, where commits are a violation and HEAD moved. */
  headMoved: { from: string; to: string } | null;
  otherViolations?: readonly string[];
  /** The repository could not be looked at, before or after. */
  unseen?: boolean;
  approvalsStillValid: boolean;
  taskStillExists: boolean;
  noVerify: boolean;
  allowDirty?: boolean;
  /** What was configured, and how it ended. Null: nothing is configured. */
  commands: readonly { name: string; required: boolean; passed: boolean }[] | null;
  /** Why configured commands say nothing of this tree, where that is so. */
  unproven?: string | null;
};

export type StatusDecision = { status: Status; reasons: string[]; warnings: string[]; violations: string[] };

export const NO_COMMANDS =
  'no verification commands are configured: add "verification" to .claude/project.json, or a suite (touchstone init)';

export function decideStatus(input: StatusInput): StatusDecision {
  const warnings: string[] = [];
  const violations = violationsOf(input);
  if (input.allowDirty) {
    warnings.push('the run was allowed on a dirty tree: changes made before it are not attributed to it');
  }
  const decided = (status: Status, ...reasons: string[]): StatusDecision => ({ status, reasons, warnings, violations });

  const ended = byOutcome(input.outcome);
  if (ended !== null) return decided(ended, `the run ended as ${input.outcome}`);
  const touched = input.changed > 0 || input.ambiguous > 0;
  if (violations.length > 0) return decided(touched ? 'implemented-unverified' : 'failed', ...violations);
  if (!touched) {
    if (input.claimedFiles > 0) {
      const shown = input.unseen ? 'nothing of the repository was seen' : 'the repository shows none';
      warnings.push(`the runner claimed ${input.claimedFiles} changed file(s) but ${shown}`);
    }
    const why = input.unseen
      ? 'no repository state was captured: no change can be told to belong to this run'
      : 'the repository shows no change that belongs to this run';
    return decided('no-change', why);
  }
  const unverified = (reason: string): StatusDecision => decided('implemented-unverified', reason);
  if (input.ambiguous > 0) return unverified(`${input.ambiguous} changed path(s) cannot be attributed reliably`);
  if (input.reportValidated === false) return unverified('the structured report did not validate');
  if (input.noVerify) return unverified('verification was left out (--no-verify)');
  if (input.commands === null) return unverified(NO_COMMANDS);
  if (input.unproven) return unverified(input.unproven);
  const failed = (required: boolean) =>
    input.commands!.filter(c => c.required === required && !c.passed).map(c => c.name);
  if (failed(true).length > 0) return unverified(`required verification failed: ${failed(true).join(', ')}`);
  for (const name of failed(false)) warnings.push(`optional verification command "${name}" failed`);
  return decided('verified');
}

function violationsOf(input: StatusInput): string[] {
  const found = [...input.protectedViolations];
  if (input.headMoved) {
    const { from, to } = input.headMoved;
    found.push(`HEAD moved during the run (${from} → ${to}); runners must never commit`);
  }
  if (!input.approvalsStillValid) found.push('an approved spec stage changed during the run (stale approval)');
  if (!input.taskStillExists) found.push('the selected task no longer exists in tasks.md with its recorded text');
  return [...found, ...(input.otherViolations ?? [])];
}

function byOutcome(outcome: Outcome): Status | null {
  switch (outcome) {
    case 'timed-out':
    case 'cancelled':
    case 'blocked':
      return outcome;
    case 'interrupted':
      return 'cancelled';
    case 'failed':
    case 'permission-denied':
    case 'malformed-output':
      return 'failed';
    case 'completed':
    case 'no-change':
      return null;
  }
}
