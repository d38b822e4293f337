/** Before which instant does evidence belong to another run? The attempt's start where one is known, else the session's. */
import type { Floor } from './gate.ts';
import { lookAt, signature } from './markers.ts';
import { type Session, updateSession } from './session.ts';

/** Attempts started where no session is: it has no session floor of its own. */
export const TERMINAL = 'terminal';

/** The session asked for; else the newest that is still open, else the newest there was. */
export function currentSession(sessions: readonly Session[], id?: string): Session | null {
  const own = sessions.filter(session => session.id !== TERMINAL);
  const named = id === undefined ? undefined : own.find(session => session.id === id);
  if (named) return named;
  const open = own.filter(session => session.endedAt === null);
  return newest(open.length > 0 ? open : own);
}

function newest(sessions: readonly Session[]): Session | null {
  return sessions.reduce<Session | null>(
    (best, s) => (best === null || s.startedAt >= best.startedAt ? s : best),
    null,
  );
}

/** Of attempts that several sessions started the newest counts: a floor too high asks for more work, never for less. */
export function floorFor(sessions: readonly Session[], step: string, id?: string): Floor | null {
  const session = currentSession(sessions, id);
  let attempt: Floor | null = null;
  for (const other of sessions) {
    const ms = Object.hasOwn(other.attempts, step) ? other.attempts[step] : undefined;
    if (ms === undefined || (other !== session && session !== null && ms < session.startedAt)) continue;
    if (attempt === null || ms > attempt.ms) attempt = { ms, source: 'attempt', ...seenBy(other, step) };
  }
  if (attempt !== null) return attempt;
  return session === null ? null : { ms: session.startedAt, source: 'session', ...seenBy(session, step) };
}

function seenBy(session: Session, step: string): { seen?: string } {
  const seen = session.seen !== undefined && Object.hasOwn(session.seen, step) ? session.seen[step] : undefined;
  return seen === undefined ? {} : { seen };
}

/** Sets the attempt floor of a step: evidence older than this is of an earlier attempt. */
export async function startAttempt(
  root: string,
  step: string,
  artifact: string | null,
  session: string,
  now = Date.now(),
): Promise<void> {
  const lying = artifact === null ? '' : signature(lookAt(root, artifact));
  await updateSession(
    root,
    session,
    s => {
      s.attempts[step] = now;
      s.seen = { ...s.seen, [step]: lying };
    },
    now,
  );
}
