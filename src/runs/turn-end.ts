/** A turn that ends by itself: its run is closed with what the agent said last, and with the verdict of this tree. */
import { readProject } from '../config/project.ts';
import type { Event } from '../event.ts';
import { openKey, readOpen, removeOpen } from '../state/run-files.ts';
import { verdictAtTree } from './at-tree.ts';
import { closeRun } from './close.ts';
import type { ReadCommand } from './ledger.ts';
import { readRun } from './store.ts';
import { toldOf } from './told.ts';

/** Null, or one line about what could not be kept. */
export async function closeTurn(event: Event, root: string, readCommand: ReadCommand): Promise<string | null> {
  try {
    const key = openKey(event.session, event.subagent);
    const open = readOpen(root, key);
    const read = open === null ? null : readRun(root, open.run);
    if (read?.kind !== 'run' || read.run.finishedAt !== undefined) return null;
    const { run } = read;
    const message = event.message ?? '';
    const { project } = readProject(root);
    const pending = (event.background ?? []).filter(task => task.status === 'running' || task.status === 'pending');
    const closed = await closeRun(root, run, {
      outcome: 'completed',
      headMoves: 'event',
      verify: () => verdictAtTree(root, project),
      claims: toldOf(root, run.runId, { message, report: null, readCommand }),
      result: { message, sessionId: event.session },
      warnings:
        pending.length > 0 ? [`${pending.length} background task(s) were still running when the turn ended`] : [],
    });
    if (closed.kept) removeOpen(root, key);
    return closed.note;
  } catch (error) {
    return `the run was not closed (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`;
  }
}
