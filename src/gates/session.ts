/** `.claude/state/session.json`: floors of each session, and how often its end was refused. */
import { isRecord } from '../config/project.ts';
import { readJson, setAside, writeJson } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { statePath } from '../state/paths.ts';

export const SESSION_FILE = 'session.json';
const KEPT = 40;

export type Session = {
  id: string;
  /** Unix ms: the session floor, compared exactly. */
  startedAt: number;
  head: string | null;
  /** Tree at session start; null where none could be taken. */
  fingerprint: string | null;
  /** Refused ends since the human last spoke. */
  turnBlocks: number;
  /** Refused ends at `blockedTree`. */
  treeBlocks: number;
  blockedTree: string | null;
  lastStop: 'blocked' | 'ended' | null;
  /** A claim without proof was answered with the facts in this turn. */
  claimAnswered: boolean;
  /** The session was let go without proof. */
  unverified: { at: string; why: string; fingerprint: string | null } | null;
  /** Accepted red evidence let it end. */
  red: boolean;
  /** Our hooks in each settings file when the session began: what a later change of settings may not lose. */
  wired: { file: string; hooks: string[] }[];
  endedAt: string | null;
  /** Unix ms by step: attempt floors, 2 s tolerance. */
  attempts: Record<string, number>;
  /** Signature of each step's pass marker as it lay there when its floor was taken. */
  seen?: Record<string, string>;
  /** The tree at the last end of a turn: what a later one changed is told from it. */
  turnTree?: string | null;
};

export type SessionFile = { schema: 1; sessions: Session[] };

export function freshSession(id: string, now: number): Session {
  return {
    id,
    startedAt: now,
    head: null,
    fingerprint: null,
    turnBlocks: 0,
    treeBlocks: 0,
    blockedTree: null,
    lastStop: null,
    claimAnswered: false,
    unverified: null,
    red: false,
    wired: [],
    endedAt: null,
    attempts: {},
  };
}

export function readSessions(
  root: string,
): { kind: 'ok'; sessions: Session[] } | { kind: 'missing' | 'corrupt'; sessions: Session[] } {
  const read = readJson<SessionFile>(statePath(root, SESSION_FILE), shape);
  return read.kind === 'value' ? { kind: 'ok', sessions: read.value.sessions } : { kind: read.kind, sessions: [] };
}

export function findSession(root: string, id: string): Session | null {
  return readSessions(root).sessions.find(s => s.id === id) ?? null;
}

/** Read-modify-write of one session under the lock; a corrupt file is set aside first. */
export async function updateSession(
  root: string,
  id: string,
  change: (session: Session) => void,
  now = Date.now(),
): Promise<Session> {
  return withLock(root, 'session', () => {
    const path = statePath(root, SESSION_FILE);
    const read = readSessions(root);
    if (read.kind === 'corrupt') setAside(path);
    const session = read.sessions.find(s => s.id === id) ?? freshSession(id, now);
    change(session);
    const others = read.sessions.filter(s => s.id !== id);
    writeJson(path, { schema: 1, sessions: [...others.slice(-KEPT + 1), session] } satisfies SessionFile);
    return session;
  });
}

function shape(value: unknown): string | null {
  if (!isRecord(value)) return 'is not a JSON object';
  if (value.schema !== 1) return `has schema ${String(value.schema)}, this version reads 1`;
  if (!Array.isArray(value.sessions)) return 'has no sessions';
  for (const s of value.sessions) {
    if (!isRecord(s) || typeof s.id !== 'string' || typeof s.startedAt !== 'number' || !isRecord(s.attempts))
      return 'holds a malformed session';
    if (typeof s.turnBlocks !== 'number' || typeof s.treeBlocks !== 'number') return 'holds a malformed session';
  }
  return null;
}
