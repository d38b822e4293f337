/** The stop gate at work: gathers the facts, runs the suite where that decides, keeps count, words the answer. */

import { acceptedRed } from '../checks/red-evidence.ts';
import { type Project, readProject } from '../config/project.ts';
import type { Event } from '../event.ts';
import { afterFreeze } from '../freeze/after.ts';
import { readClaims } from '../runs/claims/index.ts';
import { freshness } from '../verdict/freshness.ts';
import type { Sidecar } from '../verdict/sidecar.ts';
import { stamp } from '../verdict/stamp.ts';
import { standing } from '../verdict/standing.ts';
import { measureTree, type Tree } from '../verdict/tree.ts';
import { findSession, updateSession } from './session.ts';
import { capReached, stopStep } from './stop-rule.ts';
import { stopGates, unmetAtStop, unmetLine } from './unmet.ts';
import { checkWatched, sayFindings } from './watch.ts';

export type StopAnswer =
  | { kind: 'silent' }
  | { kind: 'block'; text: string }
  /** Let go, with a line for the user. */
  | { kind: 'release'; text: string };

/** Seconds the client waits for the stop hook, less what starting and stamping need. */
const RUN_LIMIT_MS = 540_000;
const TAIL_LINES = 30;

export async function stopGate(event: Event, root: string): Promise<StopAnswer> {
  const { project } = readProject(root);
  const pending = (event.background ?? []).some(t => t.status === 'running' || t.status === 'pending');
  if (pending) return { kind: 'silent' };
  const gated = stopGates(project);
  if (project.test.cmd.trim() === '') {
    return gated ? askGates(event, root, measureTree(root, project.claims.paths)) : { kind: 'silent' };
  }
  afterFreeze(root, project, { session: event.session, tool: null, command: null });
  const behind = changedBehind(event, root, project);
  if (behind !== null && !event.stopActive) {
    await blocked(root, event.session, measureTree(root, project.claims.paths)?.value ?? null, false);
    return { kind: 'block', text: behind };
  }
  const now = standing(root, project);
  const measured = measureTree(root, project.claims.paths);
  const tree = measured?.value ?? null;
  const session = findSession(root, event.session);
  const step = stopStep({
    configured: true,
    pending,
    standing: now,
    fresh: freshness(root, project.claims.paths, now, measured) === 'fresh',
    tree,
    session,
    stopActive: event.stopActive === true,
    redHere: tree !== null && acceptedRed(root, tree) !== null,
    claims: readClaims(event.message ?? '').asserts,
  });
  switch (step.kind) {
    case 'silent':
      // A red turn may end: its gates are for when the work is done.
      if (gated && step.mark !== 'red') return askGates(event, root, measured);
      if (session) await updateSession(root, event.session, s => ended(s, step.mark === 'red'));
      return { kind: 'silent' };
    case 'answer-claim':
      await blocked(root, event.session, tree, true);
      return { kind: 'block', text: claimAnswer(now) };
    case 'release':
      return release(root, event.session, tree, step.why);
    case 'block-known':
      await blocked(root, event.session, tree, false);
      return { kind: 'block', text: failText((now as { sidecar: Sidecar }).sidecar) };
    case 'run': {
      const answer = await runAndJudge(root, project, event, tree);
      return gated && answer.kind === 'silent' ? askGates(event, root, measured) : answer;
    }
  }
}

/** The suite has nothing against the end: the gates of `gate.stop` have their say, under the same caps. */
async function askGates(event: Event, root: string, measured: Tree | null): Promise<StopAnswer> {
  const tree = measured?.value ?? null;
  const session = findSession(root, event.session);
  const unmet = await unmetAtStop(root, measured, session?.turnTree ?? session?.fingerprint ?? null, event.session);
  if (unmet.length === 0) {
    if (session) {
      await updateSession(root, event.session, s => {
        ended(s, false);
        s.turnTree = tree;
      });
    }
    return { kind: 'silent' };
  }
  const spent = capReached(session, tree, event.stopActive === true);
  const named = unmet.map(gate => gate.step).join(', ');
  if (spent !== null) return release(root, event.session, tree, spent, `gates that do not hold: ${named}`);
  await blocked(root, event.session, tree, false);
  return { kind: 'block', text: unmet.map(gate => `Touchstone stop: ${unmetLine(gate)}`).join('\n') };
}

/** A subagent's end is never judged by a run: the main agent's is. A claim of success in it is answered with the facts. */
export function answerSubagent(event: Event, root: string): string | null {
  const { project } = readProject(root);
  if (project.test.cmd.trim() === '' || event.stopActive || !readClaims(event.message ?? '').asserts) return null;
  const now = standing(root, project);
  if (now.kind === 'pass' && freshness(root, project.claims.paths, now) === 'fresh') return null;
  return claimAnswer(now);
}

/** State, wiring or a report that something else than a tool call of ours changed since the last look. */
function changedBehind(event: Event, root: string, project: Project): string | null {
  const proven = () => {
    const now = standing(root, project);
    return now.kind === 'pass' && freshness(root, project.claims.paths, now) === 'fresh';
  };
  return sayFindings(checkWatched(root, project, proven, { session: event.session, tool: null, command: null }));
}

async function runAndJudge(root: string, project: Project, event: Event, tree: string | null): Promise<StopAnswer> {
  const last = lastDuration(root, project);
  if (last * 1.5 > RUN_LIMIT_MS) {
    await blocked(root, event.session, tree, false);
    return {
      kind: 'block',
      text: `The tree changed and its suite takes too long to run here (last ${Math.round(last / 1000)} s). Run: touchstone verify`,
    };
  }
  // Most ends run nothing: what starts processes is loaded where one is started.
  const { runSuite } = await import('../checks/suite.ts');
  const suite = await runSuite(root, project, { slug: 'suite', by: 'stop', timeoutMs: RUN_LIMIT_MS });
  if (
    suite.finding.class === 'timeout' &&
    (project.test.timeout_seconds ?? Number.POSITIVE_INFINITY) * 1000 > RUN_LIMIT_MS
  ) {
    await blocked(root, event.session, tree, false);
    return {
      kind: 'block',
      text: 'The tree changed and its suite did not end in the time a stop hook has. Run: touchstone verify',
    };
  }
  const stamped = await stamp(root, suite.finding, suite.moved);
  if (stamped.verdict === 'PASS' && !suite.moved) {
    await updateSession(root, event.session, s => ended(s, false));
    return { kind: 'silent' };
  }
  await blocked(root, event.session, tree, false);
  if (stamped.verdict === 'FAIL') return { kind: 'block', text: failText(stamped) };
  return {
    kind: 'block',
    text: 'The suite passed, but the tree changed while it ran. Ignore what the suite writes, then run: touchstone verify',
  };
}

function lastDuration(root: string, project: Project): number {
  const now = standing(root, project);
  return 'sidecar' in now ? (now.sidecar?.durationMs ?? 0) : 0;
}

function failText(verdict: Sidecar): string {
  const tail = verdict.tail.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  return [
    `Touchstone stop: the suite FAILS at this tree (${verdict.class}: ${verdict.reason ?? ''}), command \`${verdict.command}\`.`,
    tail,
    'Fix the code, not the tests or the report. Run: touchstone verify',
  ].join('\n');
}

function claimAnswer(now: ReturnType<typeof standing>): string {
  const facts =
    now.kind === 'fail'
      ? `the last verdict is FAIL (${now.sidecar?.reason ?? now.why ?? now.stamp.at})`
      : now.kind === 'pass'
        ? 'the last PASS is stale: the tree has moved since'
        : now.kind === 'unattested'
          ? `the PASS on file is unattested: ${now.why}`
          : 'no verdict was ever stamped for this tree';
  return `Touchstone stop: your message claims success, but ${facts}. Say what is proven and what is not. Run: touchstone verify`;
}

async function release(
  root: string,
  id: string,
  tree: string | null,
  why: string,
  what = 'the suite does not pass at this tree',
): Promise<StopAnswer> {
  await updateSession(root, id, s => {
    ended(s, false);
    s.turnTree = tree;
    s.unverified = { at: new Date().toISOString(), why, fingerprint: tree };
  });
  return {
    kind: 'release',
    text: `Touchstone: UNVERIFIED. The agent was let go without proof (${why}); ${what}.`,
  };
}

async function blocked(root: string, id: string, tree: string | null, claim: boolean): Promise<void> {
  await updateSession(root, id, s => {
    s.turnBlocks += 1;
    s.treeBlocks = s.blockedTree === tree ? s.treeBlocks + 1 : 1;
    s.blockedTree = tree;
    s.lastStop = 'blocked';
    if (claim) s.claimAnswered = true;
  });
}

function ended(
  session: { lastStop: 'blocked' | 'ended' | null; red: boolean; unverified: unknown },
  red: boolean,
): void {
  session.lastStop = 'ended';
  session.red = red;
  if (!red) session.unverified = null;
}
