import type { Outcome, Report, SetupError } from './report.ts';

/** Counts one test and, where its name is known, remembers it. */
export function book(report: Report, outcome: Outcome, identity?: string): void {
  report.counts[outcome]++;
  if (identity) report.identities[outcome].push(identity);
}

/** Remembers a setup error; `index` is the 0-based line. */
export function fault(report: Report, kind: SetupError['kind'], index: number, text: string): void {
  report.setupErrors.push({ kind, line: index + 1, text: text.trim().slice(0, 300) });
}

export function readAt(report: Report, fact: string, index: number): void {
  report.readFrom[fact] = index + 1;
}

/** A named test that failed, judged by what was seen of its failure. `null` = the text does not tell. */
export function bookFailure(
  report: Report,
  outcome: 'failed' | 'errored',
  identity: string,
  byAssertion: boolean | null,
  index: number,
  why: string,
  kind: SetupError['kind'] = 'thrown',
): void {
  book(report, outcome, identity);
  if (byAssertion && outcome === 'failed') report.assertions.push(identity);
  else if (byAssertion === false || outcome === 'errored') fault(report, kind, index, why);
}

/** The whole number of `name` in a text such as `Tests: 3, Failures: 1`; 0 where it is not named. */
export function numberOf(text: string, name: string): number {
  const at = text.indexOf(name);
  if (at < 0) return 0;
  const match = /^\s*[:=]?\s*(\d+)/.exec(text.slice(at + name.length));
  return match ? Number(match[1]) : 0;
}

/** The program that a command line starts, without its folder. */
export function program(argv: readonly string[]): string {
  return (argv[0] ?? '').split('/').pop() ?? '';
}

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'errored', 'skipped', 'todo'];

/** The sum of two runs of the same runner. */
export function addReport(total: Report, part: Report): Report {
  for (const outcome of OUTCOMES) {
    total.counts[outcome] += part.counts[outcome];
    total.identities[outcome] = total.identities[outcome].concat(part.identities[outcome]);
  }
  total.assertions = total.assertions.concat(part.assertions);
  total.setupErrors = total.setupErrors.concat(part.setupErrors);
  total.contradictions = total.contradictions.concat(part.contradictions);
  total.counted &&= part.counted;
  total.complete &&= part.complete;
  total.crashed ||= part.crashed;
  for (const [fact, line] of Object.entries(part.readFrom)) total.readFrom[fact] ??= line;
  return total;
}
