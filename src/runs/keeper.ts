/** What a closing run writes: a full disk may refuse any of it, and each missing file is named in the record. */
import { codeOf } from './error.ts';
import { evidencePath, readEvidence, storeEvidence } from './evidence.ts';
import type { StatusDecision } from './status.ts';
import { json, writeRunFile } from './store.ts';
import type { EvidenceRecord } from './types.ts';

export type Keeper = {
  file(name: string, data: string | Uint8Array): void;
  attempt(name: string, write: () => void): void;
  notKept: string[];
};

export function keeperOf(root: string, runId: string): Keeper {
  const notKept: string[] = [];
  const attempt = (name: string, write: () => void): void => {
    try {
      write();
    } catch (error) {
      const lost = `${name} (${codeOf(error)})`;
      if (!notKept.includes(lost)) notKept.push(lost);
    }
  };
  return { attempt, notKept, file: (name, data) => attempt(name, () => writeRunFile(root, runId, name, data)) };
}

export function unproven(decision: StatusDecision, reason: string): void {
  decision.status = 'implemented-unverified';
  decision.reasons.push(reason);
}

/** What was written by a close that was broken off after it stands. Without a stored record nothing is verified. */
export function keepEvidence(
  root: string,
  record: EvidenceRecord,
  decision: StatusDecision,
  keeper: Keeper,
): EvidenceRecord {
  let stands = record;
  try {
    storeEvidence(root, record);
  } catch (error) {
    const { specName, taskId, runId } = record;
    const before = readEvidence(root, specName, taskId, runId);
    if (before) stands = before;
    else {
      keeper.notKept.push(`${evidencePath(specName, taskId, runId)} (${codeOf(error)})`);
      if (decision.status === 'verified') {
        unproven(decision, `the evidence record could not be stored (${codeOf(error)})`);
        stands = { ...record, status: decision.status, reasons: decision.reasons };
      }
    }
  }
  keeper.file('evidence.json', json(stands));
  return stands;
}
