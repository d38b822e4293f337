/** The shell around every hook process: read, decode, handle, answer. Whatever breaks inside answers, never throws. */
import type { Event, EventKind } from '../event.ts';
import { decode } from './registry.ts';
import { type Reply, readInput, send } from './stdio.ts';

/** Well below the client's own timeouts, after which it would let the call through. */
const STDIN_DEADLINE_MS = 15_000;

export type Broken = (why: string) => Reply;

/** The event kinds whose failure must block: exit 2 and one line on fd 2. */
export const refuse: Broken = why => ({
  exit: 2,
  stderr: `Touchstone internal-error: ${why}; what could not be judged is refused. Run: touchstone doctor`,
});

/** Where blocking would only stop the session: say so and go on. */
export const letGo: Broken = why => ({ exit: 0, stderr: `Touchstone: ${why}. Run: touchstone doctor` });

/** The same, to the user and not to the debug log alone: what was not looked at or not kept is theirs to know. */
export const letGoAloud: Broken = why => ({
  ...letGo(why),
  stdout: JSON.stringify({ systemMessage: `Touchstone: ${why}. Run: touchstone doctor` }),
});

/** The end of a turn, which no failure may hold for ever: the user hears that nobody judged it, not the debug log alone. */
export const letGoUnjudged: Broken = why => ({
  ...letGo(why),
  stdout: JSON.stringify({
    systemMessage: `Touchstone: UNVERIFIED. This end of a turn was not judged (${why}). Run: touchstone doctor`,
  }),
});

export async function runHook(
  kind: EventKind,
  handle: (event: Event) => Reply | Promise<Reply>,
  broken: Broken,
): Promise<never> {
  // Only messages are ever shown; gathering stacks would cost as much as the looks that fail.
  Error.stackTraceLimit = 0;
  process.on('uncaughtException', error => send(broken(message(error))));
  process.on('unhandledRejection', error => send(broken(message(error))));
  try {
    const input = readInput(STDIN_DEADLINE_MS);
    if (input.kind === 'unusable') return send(broken(input.why));
    const decoded = decode(input.text, kind);
    if (decoded.kind === 'invalid') return send(broken(decoded.why));
    const reply = handle(decoded.event);
    return send(reply instanceof Promise ? await reply : reply);
  } catch (error) {
    return send(broken(message(error)));
  }
}

function message(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}
