/** What the hooks keep of a run: a line for each finished call, and the close of a turn. */
import type { Event } from './event.ts';
import { engine, loaders, suite } from './load.ts';
import { noteCall } from './runs/event-line.ts';

/** Passes the event on to what else looks at a finished call. */
export function noted(event: Event): Event {
  noteCall(event, root => engine().openLate(event, root));
  return event;
}

export const closeRun = (event: Event, root: string): Promise<string | null> =>
  suite().closeTurn(event, root, command => loaders.shell().readCommand(command, { cwd: event.cwd, root }));
