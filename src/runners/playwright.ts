import { book, fault, program, readAt } from './book.ts';
import { isAssertion, kindOfError, thrownInHook } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const OPENING = /^Running \d+ tests? using \d+ workers?(?:, shard \d+ of \d+)?$/;
const TOTAL = /^ {2}(\d+) (failed|flaky|skipped|did not run|interrupted|passed(?: \([\d.]+(?:ms|s|m|h)\))?)$/;

/** The totals are the last thing printed: each kind with the names below it, deeper indented. */
function totalsAt(lines: readonly string[]): number {
  let at = lines.length - 1;
  let first = -1;
  while (at >= 0) {
    const line = lines[at] ?? '';
    if (TOTAL.test(line)) first = at;
    else if (line.trim() !== '' && !/^ {4}\S/.test(line) && first !== -1) break;
    at--;
  }
  return first;
}

export const playwright: Runner = {
  name: 'playwright',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (lines.some(line => OPENING.test(line))) return totalsAt(lines) === -1 ? 75 : 92;
    if (/node_modules\/(?:playwright|@playwright\/test)\//.test(output)) return 62;
    if (/^Error: No tests found(?:\.|$)/m.test(output)) return 60;
    return argv.includes('playwright') || program(argv) === 'playwright' ? 55 : 0;
  },
  parse(output) {
    return fromText(output.split('\n'));
  },
  opening: OPENING,
  closing: TOTAL,
};

function fromText(lines: readonly string[]): Report {
  const report = emptyReport('playwright');
  const opening = lines.findIndex(line => OPENING.test(line));
  const at = totalsAt(lines);
  if (opening === -1) {
    const none = lines.findIndex(line => /^Error: No tests found/.test(line));
    const broken = lines.findIndex(
      line => /^(?:\w*Error|\[\w+\])(?: \[\w+\])?: /.test(line) && !/^Error: No tests found/.test(line),
    );
    if (broken !== -1) {
      const file = /\s+at (\S+\.[cm]?[jt]sx?):\d+$/.exec(
        lines.find(line => /^\s+at \S+\.[cm]?[jt]sx?:\d+$/.test(line)) ?? '',
      );
      const required = /^- (\S+)$/.exec(lines.find(line => /^- \S+$/.test(line)) ?? '');
      book(report, 'errored', (file?.[1] ?? required?.[1] ?? '').split('/').pop());
      fault(report, kindOfError(lines[broken] ?? '', 'startup'), broken, lines[broken] ?? '');
    } else if (none !== -1) {
      report.complete = true;
      readAt(report, 'no tests', none);
    }
    return report;
  }
  if (at === -1) return report;
  report.complete = true;
  readAt(report, 'counts', at);
  const counts = new Map<string, { count: number; names: string[] }>();
  let names: string[] = [];
  for (let i = at; i < lines.length; i++) {
    const match = TOTAL.exec(lines[i] ?? '');
    if (match !== null) {
      names = [];
      counts.set((match[2] ?? '').replace(/ \(.*/, ''), { count: Number(match[1]), names });
    } else if (/^ {4}\S/.test(lines[i] ?? '')) names.push(identityOf((lines[i] ?? '').trim()));
  }
  const of = (word: string): number => counts.get(word)?.count ?? 0;
  const planned = Number(/\d+/.exec(lines[opening] ?? '')?.[0] ?? 0);
  let told = 0;
  for (const { count } of counts.values()) told += count;
  // Each test is in one of the totals; a missing one means that the end is missing.
  report.complete = told >= planned;
  readFailures(report, lines, opening, at, new Set(counts.get('failed')?.names ?? []), of('failed'));
  report.counts.failed = Math.max(0, of('failed') - report.counts.errored);
  report.counts.passed = of('passed') + of('flaky');
  report.counts.skipped = of('skipped');
  if (of('interrupted') > 0) report.crashed = true;
  for (const line of lines.slice(opening, at)) {
    const test = /^ {2}([✓✘-]|ok|x) +\d+ (.*?)(?: \(retry #\d+\))?(?: \([\d.]+(?:ms|s|m)\))?$/.exec(line);
    if (test?.[1] === '✓' || test?.[1] === 'ok') report.identities.passed.push(identityOf(test[2] ?? ''));
  }
  return report;
}

/** `[project] › file:1:2 › describe › test ────` -> `describe > test`. */
function identityOf(title: string): string {
  const parts = title.replace(/[\s─�]+$/u, '').split(' › ');
  const file = parts.findIndex(part => /:\d+:\d+$/.test(part));
  return parts
    .slice(file + 1)
    .join(' > ')
    .replace(/ \(retry #\d+\)$/, '');
}

function readFailures(
  report: Report,
  lines: readonly string[],
  from: number,
  end: number,
  failing: Set<string>,
  count: number,
): void {
  let number = 1;
  for (let i = from; i < end; i++) {
    const title = new RegExp(`^ {2}${number}\\) (.* › .*)$`).exec(lines[i] ?? '');
    if (title === null) continue;
    const next = new RegExp(`^ {2}${number + 1}\\) .* › `);
    let stop = i + 1;
    while (stop < end && !next.test(lines[stop] ?? '')) stop++;
    number++;
    const name = identityOf(title[1] ?? '');
    const detail = lines.slice(i + 1, stop);
    i = stop - 1;
    // Flaky tests have a failure block too.
    if (!failing.has(name) && failing.size >= count) continue;
    const head = (detail.find(line => line.trim() !== '') ?? '').trim();
    const hook = thrownInHook(detail) === true || /while running "(?:before|after)(?:Each|All)" hook/.test(head);
    if (hook) {
      book(report, 'errored', name);
      fault(report, 'hook', i, `${name}: ${head}`);
      continue;
    }
    book(report, 'failed', name);
    if (isAssertion(head)) report.assertions.push(name);
    else
      fault(
        report,
        /Executable doesn't exist/.test(head) ? 'startup' : kindOfError(head, 'thrown'),
        i,
        `${name}: ${head}`,
      );
  }
}
