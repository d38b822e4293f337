/** After something that could write: compare, record what slipped past, restore where the project says so. */
import type { Project } from '../config/project.ts';
import { setBroken } from './broken.ts';
import { type Breach, checkFrozen, sayBreach } from './check.ts';
import { fileClock, quickLook, rememberQuiet } from './quick.ts';
import { restoreFrozen } from './restore.ts';
import { readTrace } from './trace.ts';
import { recordViolation } from './violations.ts';

export type Cause = { session: string; tool: string | null; command: string | null };

export type AfterFreeze =
  | { kind: 'quiet' }
  | { kind: 'unproven'; why: string }
  | { kind: 'broken'; breaches: Breach[]; fresh: string[]; restored: boolean };

export function afterFreeze(root: string, project: Project, cause: Cause): AfterFreeze {
  const trace = readTrace(root, project.frozen.paths);
  if (trace === null) return { kind: 'quiet' };
  const moved = quickLook(root);
  if (moved?.length === 0) {
    setBroken(root, []);
    return { kind: 'quiet' };
  }
  const since = fileClock();
  const state = checkFrozen(root, trace, moved ?? undefined);
  if (state.kind === 'intact') {
    if (moved === null) rememberQuiet(root, state.manifest, since);
    setBroken(root, []);
    return { kind: 'quiet' };
  }
  if (state.kind === 'unproven') {
    setBroken(root, [state.why]);
    return { kind: 'unproven', why: state.why };
  }
  const fresh = setBroken(root, state.breaches.map(sayBreach));
  const restored = project.frozen.restore === 'auto' && restoreFrozen(root, state.breaches).left.length === 0;
  const at = new Date().toISOString();
  for (const breach of state.breaches) {
    const what = sayBreach(breach);
    if (fresh.includes(what))
      recordViolation(root, { at, ...cause, rule: 'frozen-tests', path: breach.path, what, restored });
  }
  if (restored) setBroken(root, []);
  return { kind: 'broken', breaches: state.breaches, fresh, restored };
}

export function sayAfter(found: AfterFreeze): string | null {
  if (found.kind === 'quiet') return null;
  if (found.kind === 'unproven') {
    return `Touchstone frozen-tests: ${found.why}; nothing under the frozen patterns reads as proven. Run: touchstone doctor`;
  }
  const what =
    found.breaches.slice(0, 5).map(sayBreach).join('; ') +
    (found.breaches.length > 5 ? ` and ${found.breaches.length - 5} more` : '');
  return found.restored
    ? `Touchstone frozen-tests: ${what}. The frozen bytes were put back; the violation is on record.`
    : `Touchstone frozen-tests: ${what}. These are frozen: every gate stays closed until the bytes match again. Run: touchstone freeze restore`;
}
