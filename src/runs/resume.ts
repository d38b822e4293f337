/** May a run be taken up again? Only from the very state it left (spec/002, section 7). */
import { readProject } from '../config/project.ts';
import { captured, type Snapshot, snapshot } from '../repo/snapshot.ts';
import { contextNow } from './context.ts';
import { guarded } from './open.ts';
import { readRunSettings } from './settings.ts';
import { readRunJson } from './store.ts';
import type { RunRecord, SpecContext } from './types.ts';

const SHOWN = 10;

export type Resumable = { kind: 'yes'; baseline: Snapshot; argv: string[] } | { kind: 'refused'; why: string };

export function mayResume(root: string, run: RunRecord): Resumable {
  const refused = (why: string): Resumable => ({ kind: 'refused', why });
  if (run.finishedAt === undefined) return refused('it is still open');
  if (run.evidenceStatus === 'verified' || run.evidenceStatus === 'manually-accepted') {
    return refused(`it is ${run.evidenceStatus} already`);
  }
  if (run.sessionId === undefined) return refused('no session id was recorded');
  if (!run.resumeSupported) return refused(`the runner ${run.runner} cannot take a session up again`);
  const settings = readRunSettings(readProject(root).project.raw);
  const request = readRunJson<{ specContext?: SpecContext; protect?: string[]; argv?: string[] }>(
    root,
    run.runId,
    'runner-request.json',
  );
  if (run.taskId !== undefined) {
    const now = contextNow(root, settings.tasks, run.taskId);
    if (now === null) return refused(`task ${run.taskId} is gone`);
    if (now.context.taskFingerprint !== request?.specContext?.taskFingerprint)
      return refused(`task ${run.taskId} changed`);
    if (now.context.tasksPlanHash !== request.specContext.tasksPlanHash) return refused('the plan changed');
  }
  const before = readRunJson<Snapshot>(root, run.runId, 'git-before.json');
  const after = readRunJson<Snapshot>(root, run.runId, 'git-after.json');
  if (!before || !after || !captured(before) || !captured(after)) return refused('no snapshots were recorded');
  const now = snapshot(root, { protect: request?.protect ?? guarded(settings) });
  if (!captured(now)) return refused(`the repository cannot be looked at: ${now.diagnostics[0]?.message ?? 'no git'}`);
  const moved = divergence(after, now);
  if (moved.length > 0) {
    const rest = moved.length > SHOWN ? ` and ${moved.length - SHOWN} more` : '';
    return refused(`the repository is not as the run left it: ${moved.slice(0, SHOWN).join(', ')}${rest}`);
  }
  return { kind: 'yes', baseline: before, argv: request?.argv ?? [] };
}

export function divergence(then: Snapshot, now: Snapshot): string[] {
  const found: string[] = [];
  if (then.head !== now.head) found.push(`HEAD ${then.head ?? 'none'} → ${now.head ?? 'none'}`);
  const content = (s: Snapshot) =>
    new Map(
      s.entries.map(e => [e.path, JSON.stringify([e.contentHash, e.linkTarget, e.mode, e.status.includes('D')])]),
    );
  const [a, b] = [content(then), content(now)];
  for (const path of [...new Set([...a.keys(), ...b.keys()])].sort()) if (a.get(path) !== b.get(path)) found.push(path);
  return found;
}
