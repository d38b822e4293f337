/** What an old evidence record is worth now (spec/002, section 8; stage approvals excepted). Pure. */
import type { EvidenceRecord, SpecContext } from './types.ts';

export type Worth = 'valid' | 'stale' | 'invalid' | 'not-accepted';

export type Freshness = { worth: Worth; reasons: string[]; notes: string[] };

export type Now = {
  specName: string;
  taskId: string;
  /** Null: the task is in the list no more. */
  context: SpecContext | null;
  /** Whether the record's last commit lies in the history of HEAD; null where git cannot say. */
  inHistory: (commit: string) => boolean | null;
  now: number;
};

const SKEW_MS = 5 * 60_000;

export function freshnessOf(record: EvidenceRecord, at: Now): Freshness {
  const notes: string[] = [];
  const invalid = invalidity(record, at);
  if (invalid.length > 0) return { worth: 'invalid', reasons: invalid, notes };
  if (Date.parse(record.evaluatedAt) > at.now + SKEW_MS) notes.push('evaluated-in-the-future');
  if (!isAccepted(record)) {
    return { worth: 'not-accepted', reasons: [`status-${record.status}`], notes };
  }
  const stale = staleness(record, at, notes);
  return { worth: stale.length > 0 ? 'stale' : 'valid', reasons: stale, notes };
}

const isAccepted = ({ status }: EvidenceRecord): boolean => status === 'verified' || status === 'manually-accepted';

function invalidity(record: EvidenceRecord, at: Now): string[] {
  const found: string[] = [];
  if (record.specName !== at.specName) found.push('spec-name-mismatch');
  if (record.changedFiles.some(file => isOutside(file.path))) found.push('paths-outside-repository');
  if (Number.isNaN(Date.parse(record.evaluatedAt))) found.push('timestamp-unparseable');
  if (record.status === 'manually-accepted' && !wellFormed(record)) found.push('manual-record-malformed');
  return found;
}

function isOutside(path: unknown): boolean {
  if (typeof path !== 'string' || path === '') return true;
  return /^(?:[/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..');
}

function wellFormed(record: EvidenceRecord): boolean {
  const manual = record.manualAcceptance;
  return (
    manual !== undefined &&
    manual.actor === 'local-user' &&
    typeof manual.reason === 'string' &&
    manual.reason.trim() !== '' &&
    !Number.isNaN(Date.parse(manual.acceptedAt))
  );
}

function staleness(record: EvidenceRecord, at: Now, notes: string[]): string[] {
  if (at.context === null) return ['task-missing'];
  const found: string[] = [];
  const { specContext: then, repository } = record;
  if (record.taskId !== at.taskId || (then && then.taskFingerprint !== at.context.taskFingerprint)) {
    found.push('task-identity-changed');
  }
  if (then) {
    if (then.documentHash !== at.context.documentHash) found.push('document-hash-changed');
    if (then.designHash !== at.context.designHash) found.push('design-hash-changed');
    if (then.tasksPlanHash !== at.context.tasksPlanHash) found.push('plan-hash-changed');
  }
  if (repository.headAfter !== undefined) {
    const kept = at.inHistory(repository.headAfter);
    if (kept === false) found.push('history-diverged');
    if (kept === null) notes.push('history-unknown');
  }
  return found;
}

export type Bucket = 'valid' | 'stale' | 'invalid' | 'missing';

/** The newest accepted record decides. `records` come newest first. */
export function bucketOf(records: readonly EvidenceRecord[], at: Now): { bucket: Bucket; by: string | null } {
  const record = records.find(isAccepted);
  if (record === undefined) return { bucket: 'missing', by: null };
  const { worth } = freshnessOf(record, at);
  return { bucket: worth === 'not-accepted' ? 'missing' : worth, by: record.runId };
}

/** A recorded pass of one command stands again only for the very same tree, under the same rules. */
export function reusable(
  records: readonly EvidenceRecord[],
  wanted: { name: string; argv: readonly string[]; tree: string | null; contract: string },
  at: Now,
): EvidenceRecord | null {
  if (wanted.tree === null) return null;
  const argv = JSON.stringify(wanted.argv);
  return (
    records.find(
      record =>
        record.repository.fingerprintAfter === wanted.tree &&
        record.contract === wanted.contract &&
        freshnessOf(record, at).worth === 'valid' &&
        record.verificationCommands.some(
          c => c.name === wanted.name && c.passed && c.reused === undefined && JSON.stringify(c.argv) === argv,
        ),
    ) ?? null
  );
}
