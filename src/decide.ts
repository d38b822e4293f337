/** The one chokepoint of every entry: an event and a view of the state in, a decision out (design, section 3). */
import { ALLOW, type Decision, type Deny, type Event } from './event.ts';
import type { Guard, View } from './guards/guard.ts';
import { GUARDS } from './guards/registry.ts';

export type Verdict = { decision: Decision; refusals: Deny[] };

/** First refusal wins; the others are still named, for the log and for `explain`. A guard that throws refuses. */
export function decide(event: Event, view: View, guards: readonly Guard[] = GUARDS): Verdict {
  const refusals: Deny[] = [];
  for (const guard of guards) {
    let decision: Decision;
    try {
      decision = guard.judge(event, view);
    } catch (error) {
      decision = internalError(guard.name, error, event);
    }
    if (decision.kind === 'deny') refusals.push(decision);
  }
  return { decision: refusals[0] ?? ALLOW, refusals };
}

/** A broken guard refuses what could write; nothing else reaches a guard. */
function internalError(guard: string, error: unknown, event: Event): Decision {
  if (event.kind !== 'pre-tool') return ALLOW;
  const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return {
    kind: 'deny',
    rule: 'internal-error',
    reason: `the guard ${guard} failed (${why}), and a call that could write is refused rather than let through.`,
    next: 'touchstone doctor',
  };
}

/** One line for the agent: what was refused, by which rule, and the next right step. */
export function refusalLine(deny: Deny): string {
  const next =
    deny.next === undefined ? '' : /^touchstone /.test(deny.next) ? ` Run: ${deny.next}` : ` Next: ${deny.next}.`;
  return `Touchstone ${deny.rule}: ${deny.reason}${next}`.replace(/\s*[\r\n]+\s*/g, ' ');
}
