/** `.claude/state/violations.jsonl`: what slipped past a guard and was caught by hash. The record stays when the bytes match again. */
import { appendLine, readState } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';

export const VIOLATIONS_FILE = 'violations.jsonl';

export type Violation = {
  at: string;
  session: string;
  rule: string;
  path: string;
  what: string;
  tool: string | null;
  command: string | null;
  restored: boolean;
};

export function recordViolation(root: string, violation: Violation): void {
  appendLine(statePath(root, VIOLATIONS_FILE), JSON.stringify(violation));
}

/** Lines that do not parse are skipped: a torn last line must not hide the others. */
export function readViolations(root: string): Violation[] {
  const read = readState(statePath(root, VIOLATIONS_FILE));
  if (read.kind !== 'text') return [];
  return read.text.split('\n').flatMap(line => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Violation];
    } catch {
      return [];
    }
  });
}
