/** A session's beginning: its floors, the tree it began with, and five lines for the agent. */
import { mkdirSync } from 'node:fs';
import { readProject } from '../config/project.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import type { Event } from '../event.ts';
import { stateDir } from '../state/paths.ts';
import { type Freshness, freshness } from '../verdict/freshness.ts';
import { type Standing, standing } from '../verdict/standing.ts';
import { measureTree } from '../verdict/tree.ts';
import { freshBudget } from './kickback.ts';
import { freshSession, type Session, updateSession } from './session.ts';
import { sweepMarkers } from './sweep.ts';
import { hasBaseline, takeBaseline } from './watch.ts';

/** What the agent is told. Nothing in a project that Touchstone does not know. */
export async function sessionStart(
  event: Event,
  root: string,
  wired: Session['wired'],
  now = Date.now(),
): Promise<string> {
  const read = readProject(root);
  if (read.kind === 'missing') return '';
  mkdirSync(stateDir(root), { recursive: true });
  const { project } = read;
  const tree = measureTree(root, project.claims.paths);
  const goesOn = event.source === 'resume' || event.source === 'compact';
  const swept = goesOn ? null : sweepMarkers(root, project, tree);
  if (!goesOn) await freshBudget(root);
  await updateSession(root, event.session, session => {
    // A resumed or compacted session goes on: its floors and its starting tree stay.
    if (goesOn && session.fingerprint !== null) return;
    Object.assign(session, freshSession(event.session, now), {
      head: tree?.head ?? null,
      fingerprint: tree?.value ?? null,
      wired,
      ...(swept && Object.keys(swept.seen).length > 0 ? { seen: swept.seen } : {}),
    });
  });
  if (!goesOn || !hasBaseline(root)) takeBaseline(root, project);
  const stands = standing(root, project);
  const fresh = freshness(root, project.claims.paths, stands);
  return [
    `Touchstone guards this project. Verdict: ${describe(stands, fresh)}.`,
    read.kind === 'corrupt'
      ? `.claude/project.json ${read.why}: nothing counts as proven until a human repairs it (touchstone doctor).`
      : `Suite: ${project.test.cmd || 'not configured (touchstone init)'}. \`touchstone verify\` runs it and stamps the verdict; nothing else does.`,
    'A claim of PASS, a push or a PR needs a fresh PASS of this very tree. Frozen tests, hook settings and .claude/state are not yours to write.',
    isAccepted(root, trustHash(root))
      ? ''
      : 'The rules in .claude/project.json were not accepted by a human: no PASS is attested (touchstone config accept, theirs to run).',
  ]
    .filter(line => line !== '')
    .join('\n');
}

export function describe(now: Standing, fresh: Freshness): string {
  switch (now.kind) {
    case 'none':
      return 'none yet';
    case 'corrupt':
      return `unreadable (${now.why})`;
    case 'fail':
      return `FAIL of ${now.stamp.at}${now.sidecar?.reason ? ` (${now.sidecar.reason})` : ''}`;
    case 'unattested':
      return `PASS of ${now.stamp.at}, unattested: ${now.why}`;
    case 'pass':
      return `PASS of ${now.stamp.at}, ${fresh === 'fresh' ? 'fresh' : fresh === 'moved' ? 'stale: the tree has moved' : 'tree not comparable'}`;
  }
}
