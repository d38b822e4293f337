import { readAt } from './book.ts';
import type { Report } from './report.ts';

/** What node:test's reporters have in common: the closing totals, and what a file's and a hook's failure look like. */
export const FACTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms'] as const;
export type Totals = { end: number; start: number; spec: boolean } & Record<(typeof FACTS)[number], number>;

/** The closing block: the eight facts in their order on consecutive lines, each with `#` (tap) or `ℹ` (spec). */
export function totals(lines: readonly string[]): Totals[] {
  const found: Totals[] = [];
  lines.forEach((line, index) => {
    if (!/^[#ℹ] tests \d+$/.test(line)) return;
    const spec = line.startsWith('ℹ');
    const totals = { start: index, end: index, spec } as Totals;
    let at = index;
    for (const fact of FACTS) {
      const match = /^[#ℹ] (\w+) ([\d.]+)$/.exec(lines[at] ?? '');
      // node 18 before 18.13 had no suites line
      if (fact === 'suites' && match?.[1] !== 'suites') {
        totals.suites = 0;
        continue;
      }
      if (match?.[1] !== fact) return;
      totals[fact] = Number(match[2]);
      at++;
    }
    totals.end = at;
    found.push(totals);
  });
  return found;
}

// A file that the runner could not split into tests is booked as one test under the file's path.
const FILE = /^\S*\.[cm]?[jt]sx?$/;
const ABSOLUTE_FILE = /^(?:\/|[A-Za-z]:\\).*\.[cm]?[jt]sx?$/;
export const isFile = (name: string): boolean => FILE.test(name) || ABSOLUTE_FILE.test(name);
export const shortFile = (name: string): string =>
  ABSOLUTE_FILE.test(name) ? (name.split(/[\\/]/).pop() ?? name) : name;
export const IN_HOOK = /\bTestHook\.|\.runHook\b/;
export const DOTS = /^[.X]+$/;

export function settle(report: Report, block: Totals, notPassed: number, notFailed: number): void {
  const errored = report.counts.errored;
  report.complete = true;
  // Cancelled tests are errors already; what the runner books as failed may be a file or a hook.
  report.counts.failed = Math.max(0, block.fail + block.cancelled - errored - notFailed);
  report.counts.passed = Math.max(0, block.pass - notPassed);
  report.counts.skipped = block.skipped;
  report.counts.todo = block.todo;
  for (const fact of FACTS) readAt(report, fact, block.start);
}
