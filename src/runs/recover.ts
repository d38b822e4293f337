/** Closes what crashed hooks, commands and sessions left open, with what is known, and says so. */

import { setAside } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import { openKeys, readOpen, removeOpen } from '../state/run-files.ts';
import { closeRun } from './close.ts';
import { codeOf } from './error.ts';
import { isAlive, pidAlive } from './owner.ts';
import { readRun, sweep } from './store.ts';
import { byHooks, type RunRecord } from './types.ts';

/** Why a run whose process lives is over all the same; null leaves it alone. */
export type Over = (run: RunRecord) => string | null;

export async function recover(root: string, over: Over = () => null): Promise<string[]> {
  const notes: string[] = [];
  for (const key of openKeys(root)) {
    try {
      notes.push(...(await recoverOne(root, key, over)));
    } catch (error) {
      // One that cannot be looked after must not hide the others, nor what there is to see.
      notes.push(`the open run of ${key} could not be looked after (${codeOf(error)})`);
    }
  }
  try {
    const swept = sweep(root);
    if (swept.length > 0) notes.push(`${swept.length} unfinished file(s) of a broken-off command were removed`);
  } catch (error) {
    notes.push(`unfinished files of a broken-off command could not be removed (${codeOf(error)})`);
  }
  return notes;
}

export async function recoverOne(root: string, key: string, over: Over): Promise<string[]> {
  const open = readOpen(root, key);
  if (open === null) {
    const aside = setAside(statePath(root, 'open-runs', `${key}.json`));
    return aside === null ? [] : [`an unreadable pointer to a run was kept aside as ${aside}`];
  }
  const read = readRun(root, open.run);
  if (read.kind !== 'run') {
    if (open.by !== undefined && pidAlive(open.by)) return [];
    removeOpen(root, key);
    return [`run ${open.run} was never begun (broken off before its record was written)`];
  }
  const { run } = read;
  if (run.finishedAt !== undefined) {
    removeOpen(root, key);
    return [];
  }
  const why = whyOver(run, over);
  if (why === null) return [];
  const known = run.closing?.outcome;
  const outcome = known ?? 'interrupted';
  const closed = await closeRun(root, run, {
    outcome,
    headMoves: byHooks(run) ? 'event' : 'violation',
    warnings: [
      known === undefined
        ? `the run was not closed by its own session (${why}): what happened after its last recorded event is not known`
        : 'the closing of the run was broken off and ended by the next command: claims and verification were not looked at',
    ],
  });
  if (closed.kept) removeOpen(root, key);
  const word = known === undefined ? 'closed as interrupted' : 'its closing was ended';
  return [`run ${run.runId} was left open (${why}): ${word}`, ...(closed.note ? [closed.note] : [])];
}

function whyOver(run: RunRecord, over: Over): string | null {
  if (run.closing && !isAlive(run.closing.by)) return 'the process that was closing it is gone';
  if (run.closing) return null;
  const said = over(run);
  if (said !== null) return said;
  return run.owner && !isAlive(run.owner) ? 'its process is gone' : null;
}
