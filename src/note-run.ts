/** What the hooks keep of a run: a line for each finished call, and the close of a turn. */
import type { Reply } from './agents/stdio.ts';
import type { Event } from './event.ts';
import { engine, loaders, suite } from './load.ts';
import { noteCall } from './runs/event-line.ts';

/** Null, or one line about what could not be kept. */
export const noted = (event: Event): string | null => noteCall(event, root => engine().openLate(event, root));

export const closeRun = (event: Event, root: string): Promise<string | null> =>
  suite().closeTurn(event, root, command => loaders.shell().readCommand(command, { cwd: event.cwd, root }));

/** The user hears it too; where the reply is a refusal the client reads nothing but its words. */
export function saying(reply: Reply, note: string | null): Reply {
  if (note === null) return reply;
  const stderr = reply.stderr === undefined ? note : `${reply.stderr}\n${note}`;
  if (reply.exit !== 0) return { ...reply, stderr };
  return { exit: 0, stdout: JSON.stringify({ systemMessage: note }), stderr };
}
