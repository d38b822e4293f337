/** Runs as the hooks open them: a prompt begins one, a subagent's first call a child, and what crashed is closed. */
import { existsSync } from 'node:fs';
import type { Event } from '../event.ts';
import { rememberLost } from '../state/lost.ts';
import { stateDir } from '../state/paths.ts';
import { openKey, openKeys, readOpen } from '../state/run-files.ts';
import { openRun } from './open.ts';
import { ownerOf, sameOwner } from './owner.ts';
import { recover, recoverOne } from './recover.ts';
import { readRun, runIds } from './store.ts';
import type { RunRecord } from './types.ts';

const SNAPSHOT_MS = 15_000;
const AGAIN = 'the next prompt came before its turn had ended';

/** A prompt opens a run. Never throws: a disk that takes no run must not stop the person who typed. */
export async function openTurn(event: Event, root: string): Promise<string> {
  if (!existsSync(stateDir(root))) return '';
  return guarded(async () => {
    const key = openKey(event.session);
    const notes = await recoverOne(root, key, () => AGAIN).catch(failed);
    try {
      open(root, event, event.prompt ?? '');
    } catch (error) {
      rememberLost(root, key, 'the run of a prompt', error);
      throw error;
    }
    return notes;
  });
}

/** A call that belongs to no run yet: of a subagent, or of a turn that went on after its end. */
export function openLate(event: Event, root: string): void {
  open(root, event, '');
}

function open(root: string, event: Event, prompt: string): void {
  const { session, subagent } = event;
  const parent = subagent === undefined ? undefined : readOpen(root, openKey(session))?.run;
  openRun(root, {
    kind: subagent === undefined ? 'agent-turn' : 'subagent-turn',
    specName: 'session',
    runner: event.agent,
    session: { id: session, subagent },
    parentRunId: parent ?? (subagent === undefined && prompt === '' ? lastOf(root, session) : undefined),
    prompt,
    request: {
      runner: event.agent,
      sessionId: session,
      ...(subagent === undefined ? {} : { subagentId: subagent }),
      promptSource: event.promptSource ?? null,
      openedBy: event.kind,
      cwd: event.cwd,
    },
    owner: ownerOf(),
    key: () => openKey(session, subagent),
    snapshotTimeoutMs: SNAPSHOT_MS,
  });
}

/** The turn before, in a session whose run was closed while it went on. */
function lastOf(root: string, session: string): string | undefined {
  for (const id of runIds(root).sort().reverse().slice(0, 20)) {
    const read = readRun(root, id);
    if (read.kind === 'run' && read.run.sessionId === session && read.run.subagentId === undefined) return id;
  }
  return undefined;
}

/** The next session closes what a crashed one left. A compaction goes on in the middle of a turn. */
export async function sessionBegan(event: Event, root: string): Promise<string> {
  if (!existsSync(stateDir(root)) || event.source === 'compact') return '';
  const owner = ownerOf();
  const over = (run: RunRecord): string | null => {
    if (!run.owner || (run.kind !== 'agent-turn' && run.kind !== 'subagent-turn')) return null;
    if (run.sessionId === event.session) return 'its session was begun anew';
    return sameOwner(run.owner, owner) ? 'its process began another session' : null;
  };
  return guarded(() => recover(root, over));
}

export async function sessionEnded(event: Event, root: string): Promise<string> {
  return guarded(async () => {
    const notes: string[] = [];
    for (const key of openKeys(root)) {
      if (readOpen(root, key)?.session === event.session) {
        notes.push(...(await recoverOne(root, key, () => 'its session ended before the turn')));
      }
    }
    return notes;
  });
}

async function guarded(work: () => Promise<string[]>): Promise<string> {
  const notes = await work().catch(failed);
  return notes.length === 0 ? '' : `Touchstone: ${notes.join('; ')}.`;
}

function failed(error: unknown): string[] {
  const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return [`the record of this run was not kept (${why})`];
}
