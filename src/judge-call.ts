/** A tool call before it runs: decide, log, answer. Silence is the only allow. */
import type { Reply } from './agents/stdio.ts';
import { isClaimArtifact } from './config/claims.ts';
import { matchAny } from './config/glob.ts';
import { decide, refusalLine } from './decide.ts';
import type { Deny, Event } from './event.ts';
import { relNames, type View } from './guards/guard.ts';
import { logDecision } from './state/log.ts';
import { findRoot } from './state/paths.ts';
import { addRefused } from './state/refused.ts';
import { allowPurpose, consume } from './state/token.ts';
import { type Loaders, viewOf } from './view.ts';

export function judgeCall(event: Event, load: Loaders): Reply {
  const root = findRoot(event.cwd, event.projectDir);
  const view = viewOf(event, root, load);
  const { decision, refusals } = decide(event, view);
  if (decision.kind === 'allow') {
    for (const rel of view.spent()) {
      if (!consume(root, allowPurpose(rel))) return usedUp(rel);
      load.engine().openAllowed(root, rel);
      logDecision(root, 'runner-config', 'ALLOWED', `file=${rel} by the user's word`);
    }
    logClaimWrites(view);
    for (const what of view.warned()) logDecision(root, 'delivery', 'ALLOWED', what);
    return { exit: 0 };
  }
  remember(event, view, refusals);
  for (const refusal of refusals) logDecision(root, refusal.rule, 'BLOCKED', logged(view, refusal.reason));
  return { exit: 2, stderr: refusalLine(decision) };
}

/** Two calls at once saw the same word; the other was first. */
function usedUp(rel: string): Reply {
  return { exit: 2, stderr: `Touchstone runner-config: the user's word for ${rel} was used by another call.` };
}

/** A frozen path refused once stays refused in this turn, by whatever route it is tried next. */
function remember(event: Event, view: View, refusals: Deny[]): void {
  if (!refusals.some(r => r.rule === 'frozen-tests')) return;
  const trace = view.frozen();
  const paths = view
    .touches()
    .flatMap(t => (t.at.rel !== null && trace && matchAny(trace.patterns, t.at.rel) ? [t.at.rel] : []));
  try {
    if (paths.length > 0) addRefused(view.root, event.session, paths);
  } catch {
    // A disk that takes no state must not change the decision.
  }
}

function logClaimWrites(view: View): void {
  const globs = view.project().claims.paths;
  for (const touch of view.touches()) {
    const rel = relNames(touch, view).find(name => isClaimArtifact(globs, name));
    if (rel !== undefined) logDecision(view.root, 'pass-claim', 'ALLOWED', `verdict=${verdictWord(view)} file=${rel}`);
  }
}

function logged(view: View, reason: string): string {
  const files = [...new Set(view.touches().map(t => t.at.rel ?? t.named))].slice(0, 5).join(' ');
  return `verdict=${verdictWord(view)} file=${files} ${reason}`;
}

function verdictWord(view: View): string {
  const now = view.standing();
  return now.kind === 'pass' ? 'PASS' : now.kind === 'fail' ? 'FAIL' : now.kind;
}
