/** `.claude/state/stages/delivery.json`: what of a task in several repositories was proven, and may have left already. */
import { isRecord } from '../config/project.ts';
import { readJson, writeJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import { STAGES } from './task-state.ts';

/** Fingerprint of what would leave of each repository; of what lies there in one that is only read. */
export type Prints = Record<string, string>;

/** A check that passed while all repositories showed this. */
export type Proven = { record: string; prints: Prints; contract: string };

/** A repository that was found fit to leave, at this commit. */
export type Fit = { commit: string; fingerprint: string; at: string };

export type DeliveryState = {
  schema: 1;
  task: string;
  binding: string;
  checks: Record<string, Proven>;
  repositories: Record<string, Fit>;
};

const FILE = 'delivery.json';

/** Empty where none is kept, or it is of another task or another binding of it. */
export function readDelivery(root: string, task: string, binding: string): DeliveryState {
  const read = readJson<DeliveryState>(statePath(root, STAGES, FILE), value =>
    isRecord(value) && value.schema === 1 && isRecord(value.checks) && isRecord(value.repositories)
      ? null
      : 'is malformed',
  );
  return read.kind === 'value' && read.value.task === task && read.value.binding === binding
    ? read.value
    : { schema: 1, task, binding, checks: {}, repositories: {} };
}

/** After each check and each repository, so that a kill costs no more than the one at work. */
export function writeDelivery(root: string, state: DeliveryState): void {
  writeJson(statePath(root, STAGES, FILE), state);
}
