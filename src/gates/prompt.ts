/** A prompt opens a turn: the counters of refused ends begin anew, and an end that was overridden is put on record. */
import { existsSync } from 'node:fs';
import { readProject } from '../config/project.ts';
import type { Event } from '../event.ts';
import { parseThaw, thaw } from '../freeze/thaw.ts';
import { stateDir } from '../state/paths.ts';
import { clearRefused } from '../state/refused.ts';
import { measureTree } from '../verdict/tree.ts';
import { allow, parseAllow } from './allow.ts';
import { dispatched } from './dispatch.ts';
import { findSession, updateSession } from './session.ts';
import { takeBaseline } from './watch.ts';

/** Returns what the agent is told: nothing, or that a human's word was taken. */
export async function promptSubmitted(event: Event, root: string): Promise<string> {
  await dispatched(event, root);
  if (event.promptSource !== 'human' || !existsSync(stateDir(root))) return '';
  // What the human did between two turns is theirs.
  const { project } = readProject(root);
  takeBaseline(root, project);
  clearRefused(root, event.session);
  // Wired in the middle of a session, nobody saw it begin: from here on it is known what it changes.
  const unseen = findSession(root, event.session)?.fingerprint == null;
  const tree = unseen ? measureTree(root, project.claims.paths) : null;
  await updateSession(root, event.session, session => {
    if (tree !== null) Object.assign(session, { head: tree.head, fingerprint: tree.value });
    if (session.lastStop === 'blocked') {
      session.unverified = {
        at: new Date().toISOString(),
        why: 'the turn ended over a refusal (stop_overridden)',
        fingerprint: session.blockedTree,
      };
    }
    session.turnBlocks = 0;
    session.claimAnswered = false;
    session.lastStop = null;
  });
  return consentTaken(event, root);
}

async function consentTaken(event: Event, root: string): Promise<string> {
  const allowed = parseAllow(event.prompt ?? '', root);
  if (allowed !== null) {
    if ('wrong' in allowed) return `Touchstone: the user's allow ${allowed.wrong}. Nothing was allowed; tell the user.`;
    allow(root, allowed.path, event.session);
    return `Touchstone: the user allows one edit of ${allowed.path} that the runner-config rule refuses, within the hour.`;
  }
  const request = parseThaw(event.prompt ?? '');
  if (request === null) return '';
  if ('wrong' in request) return `Touchstone: the user's thaw ${request.wrong}. Nothing was opened; tell the user.`;
  const { project } = readProject(root);
  const open = await thaw(root, project.frozen.paths, request, { who: 'prompt', session: event.session });
  return open === null
    ? 'Touchstone: nothing is frozen, so there was nothing to thaw.'
    : `Touchstone: the user opened ${request.paths.join(', ')} (${request.reason}). Renew the red evidence before they freeze again.`;
}
