/** Report files a runner leaves: preferred over its text, and only where this very run wrote them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OUTPUT_LIMIT, read } from '../runners/read.ts';
import type { Outcome, Report } from '../runners/report.ts';
import { decode } from '../runners/text.ts';
import type { Check } from './contract.ts';

/** Clocks of files and of processes differ by a tick. */
const TICK_MS = 50;

export type Seen = Map<string, string>;

function pathsOf(folder: string, pattern: string): string[] {
  const name = basename(pattern);
  if (!name.includes('*')) return [join(folder, pattern)];
  const within = join(folder, dirname(pattern));
  const match = new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')}$`);
  try {
    return readdirSync(within)
      .filter(entry => match.test(entry))
      .sort()
      .map(entry => join(within, entry));
  } catch {
    return [];
  }
}

function mark(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : null;
}

/** What lies in the report paths before the run. */
export function reportsBefore(folder: string, check: Check): Seen {
  const seen: Seen = new Map();
  for (const pattern of [...check.junit, ...check.reports]) {
    for (const path of pathsOf(folder, pattern)) {
      const now = mark(path);
      if (now !== null) seen.set(path, now);
    }
  }
  return seen;
}

export type ReportsRead = {
  /** Null: no declared report was written by this run. */
  report: Report | null;
  problems: string[];
};

export function reportsAfter(folder: string, check: Check, before: Seen, startedAt: string): ReportsRead {
  const floor = Date.parse(startedAt) - TICK_MS;
  const parts: Report[] = [];
  const problems: string[] = [];
  for (const [patterns, runner] of [
    [check.junit, 'junit'],
    [check.reports, undefined],
  ] as const) {
    for (const pattern of patterns) {
      const paths = pathsOf(folder, pattern).filter(path => mark(path) !== null);
      const fresh = paths.filter(path => mark(path) !== before.get(path) && statSync(path).mtimeMs >= floor);
      if (paths.length === 0) problems.push(`report file ${pattern} was not written`);
      else if (fresh.length === 0) problems.push(`report file ${pattern} is older than the run and was ignored`);
      for (const path of fresh) {
        if (statSync(path).size > OUTPUT_LIMIT)
          problems.push(`report file ${pattern} is larger than ${OUTPUT_LIMIT} bytes`);
        else parts.push(read(decode(readFileSync(path)), { runner, argv: check.argv }).report);
      }
    }
  }
  return { report: parts.length === 0 ? null : parts.reduce(joined), problems };
}

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'errored', 'skipped', 'todo'];

function joined(a: Report, b: Report): Report {
  const sum = structuredClone(a);
  for (const outcome of OUTCOMES) {
    sum.counts[outcome] += b.counts[outcome];
    sum.identities[outcome].push(...b.identities[outcome]);
  }
  sum.assertions.push(...b.assertions);
  sum.setupErrors.push(...b.setupErrors);
  sum.contradictions.push(...b.contradictions);
  sum.runner = a.runner === b.runner ? a.runner : 'several';
  sum.counted &&= b.counted;
  sum.complete &&= b.complete;
  sum.crashed ||= b.crashed;
  sum.watch ||= b.watch;
  return sum;
}

/** The files decide, but what the text shows beyond them is a contradiction, never overlooked. */
export function preferred(files: Report, text: Report): Report {
  const report = structuredClone(files);
  const bad = (r: Report): number => r.counts.failed + r.counts.errored + r.setupErrors.length;
  if (text.runner !== 'none' && bad(text) > 0 && bad(files) === 0) {
    report.contradictions.push('the report file shows no failure, the output does');
  }
  report.watch ||= text.watch;
  report.crashed ||= text.crashed;
  return report;
}
