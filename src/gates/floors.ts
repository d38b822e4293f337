/** Before which instant does evidence belong to another run? The attempt's start where one is known, else the session's. */
import type { Floor } from './gate.ts';
import { lookAt, signature } from './markers.ts';
import { type Session, updateSession } from './session.ts';

/** Attempts started where no session is: it has no session floor of its own. */
export const TERMINAL = 'terminal';

/** The session asked for; else the one that was last active among those still open, else the last there was. */
export function currentSession(sessions: readonly Session[], id?: string): Session | null {
  const own = sessions.filter(session => session.id !== TERMINAL);
  const named = id === undefined ? undefined : own.find(session => session.id === id);
  // Each change of a session puts it last: no clock is asked, for clocks step back.
  return named ?? own.filter(session => session.endedAt === null).at(-1) ?? own.at(-1) ?? null;
}

/** Of attempts that several sessions started the newest counts: a floor too high asks for more work, never for less. */
export function floorFor(sessions: readonly Session[], step: string, id?: string): Floor | null {
  const session = currentSession(sessions, id);
  const seen = sessions.flatMap(s => own(s.seen, step) ?? []);
  let attempt: number | null = null;
  for (const other of sessions) {
    const ms = own(other.attempts, step);
    if (ms === undefined || (other !== session && session !== null && ms < session.startedAt)) continue;
    if (attempt === null || ms > attempt) attempt = ms;
  }
  if (attempt !== null) return { ms: attempt, source: 'attempt', seen };
  return session === null ? null : { ms: session.startedAt, source: 'session', seen };
}

function own<T>(of: Record<string, T> | undefined, step: string): T | undefined {
  return of !== undefined && Object.hasOwn(of, step) ? of[step] : undefined;
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
