/** May the agent stop? A pure answer from facts (issue of the spine; field reports 7 to 13). */
import type { Standing } from '../verdict/standing.ts';
import type { Session } from './session.ts';

export type StopFacts = {
  configured: boolean;
  /** Background work is running: its outcome is not known yet. */
  pending: boolean;
  standing: Standing;
  fresh: boolean;
  /** Fingerprint of the tree now; null where none could be taken. */
  tree: string | null;
  session: Session | null;
  stopActive: boolean;
  /** Accepted red evidence of a declared check exists at this very tree. */
  redHere: boolean;
  /** The final message states verified success. */
  claims: boolean;
};

export type StopStep =
  | { kind: 'silent'; mark?: 'red' }
  /** Find out by running the suite, or say which command would. */
  | { kind: 'run' }
  /** The suite failed at this very tree already. */
  | { kind: 'block-known' }
  /** The message claims what no evidence supports. */
  | { kind: 'answer-claim' }
  | { kind: 'release'; why: string };

/** The client overrides the ninth block in a row; we let go well before, and say so. */
export const TREE_BLOCKS = 3;
export const TURN_BLOCKS = 6;

export function stopStep(facts: StopFacts): StopStep {
  const { session, standing, tree } = facts;
  if (!facts.configured || facts.pending) return { kind: 'silent' };
  if (standing.kind === 'pass' && facts.fresh) return { kind: 'silent' };
  // A block that left no trace of itself: count what the client tells, never start over.
  if (facts.stopActive && session === null) return { kind: 'release', why: GONE };
  if (!changed(facts)) return answer(facts, { kind: 'silent' });
  if (facts.redHere) return answer(facts, { kind: 'silent', mark: 'red' });
  const spent = capReached(session, tree, facts.stopActive);
  if (spent !== null) return { kind: 'release', why: spent };
  return failedHere(standing, tree) ? { kind: 'block-known' } : { kind: 'run' };
}

/** Why no further refusal is made, or null. */
export function capReached(session: Session | null, tree: string | null, stopActive: boolean): string | null {
  if (session === null) return stopActive ? GONE : null;
  if (session.blockedTree === tree && session.treeBlocks >= TREE_BLOCKS)
    return `${TREE_BLOCKS} refusals at an unchanged tree`;
  return session.turnBlocks >= TURN_BLOCKS ? `${TURN_BLOCKS} refusals in one turn` : null;
}

const GONE = 'the record of earlier refusals is gone';

function changed(facts: StopFacts): boolean {
  const { session, standing, tree } = facts;
  if (session?.fingerprint) return tree === null || session.fingerprint !== tree;
  // Nobody saw the session begin. What was refused at this tree stays refused, however well its red is known by now.
  if (session && session.blockedTree === tree && session.treeBlocks > (session.claimAnswered ? 1 : 0)) return true;
  const measured = 'sidecar' in standing ? (standing.sidecar?.fingerprint ?? null) : null;
  return tree === null || measured !== tree;
}

function failedHere(standing: Standing, tree: string | null): boolean {
  return (
    standing.kind === 'fail' &&
    tree !== null &&
    standing.sidecar?.fingerprint === tree &&
    standing.sidecar.by !== 'observation'
  );
}

function answer(facts: StopFacts, otherwise: StopStep): StopStep {
  const answered = facts.session?.claimAnswered ?? facts.stopActive;
  return facts.claims && !answered ? { kind: 'answer-claim' } : otherwise;
}
