/** `.claude/state/logs/<guard>.log`: a line per refusal, and per allowed write of a claim artifact (spec/003, section 2). */
import { appendLine } from './atomic.ts';
import { statePath } from './paths.ts';

export function logDecision(root: string, guard: string, word: 'BLOCKED' | 'ALLOWED', what: string): void {
  try {
    appendLine(statePath(root, 'logs', `${guard}.log`), `${new Date().toISOString()}  ${word} ${what}`);
  } catch {
    // A disk that takes no line must not change the decision.
  }
}
