/** What stands against a gate, and what answers it. */
import { currentSession } from './floors.ts';
import type { Cause, Failure, Finding, Gate, Kickback, Look } from './gate.ts';

export type Taint = { tainted: boolean; kickback: Kickback | null; failure: Failure | null };

/** What stands against a gate: a kickback that evidence has not answered, a failure on record in this session. */
export function taintOf(gate: Gate, look: Look): Taint {
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

/** Newer evidence answers a kickback; where a condition has no time of its own the tree must have moved. */
export function answers(
  findings: readonly Finding[],
  kickback: Kickback,
  failure: Failure | null,
  look: Look,
): boolean {
  const timed = findings.filter(f => f.at !== undefined);
  if (timed.length > 0) return timed.every(f => f.at! >= kickback.at);
  return failure === null || failure.fingerprint === null || failure.fingerprint !== look.tree()?.value;
}

export function reopened(gate: Gate, kickback: Kickback): Cause {
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
export function washing(gate: Gate, failure: Failure | null, look: Look): Cause | null {
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

export function observedNow(rows: string[], earlier: Failure | null, look: Look): Failure {
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
