/** One line of `.claude/state/evidence/observations.jsonl`: a run that an agent started and we saw. */
import { appendLine } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import type { Counts } from '../verdict/sidecar.ts';
import type { ResultClass } from './judge.ts';

export type Observation = {
  schema: 1;
  at: string;
  session: string;
  subject: { suite: boolean; checks: string[] };
  /** Redacted. */
  command: string;
  /** Why the exit code of the command is not that of the run; null where it is. */
  masked: string | null;
  exit: number | null;
  /** Null where the outcome could not be seen. */
  class: ResultClass | null;
  runner: string | null;
  counts: Counts | null;
  complete: boolean;
  failed_identities: string[];
  /** The verdict was set to FAIL by it. */
  lowered: boolean;
};

export function appendObservation(root: string, observation: Observation): void {
  appendLine(statePath(root, 'evidence', 'observations.jsonl'), JSON.stringify(observation));
}
