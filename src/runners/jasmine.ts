import { book, fault, program, readAt } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const TOTAL = /^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?$/;

function totals(lines: readonly string[]): number[] {
  const found: number[] = [];
  lines.forEach((line, index) => {
    if (TOTAL.test(line) && /^Finished in [\d.]+ seconds?$/.test(lines[index + 1] ?? '')) found.push(index);
  });
  return found;
}

export const jasmine: Runner = {
  name: 'jasmine',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (totals(lines).length > 0) return 90;
    if (/^Randomized with seed \d+\nStarted$/m.test(output) || /^No specs found$/m.test(output)) return 70;
    if (/node_modules\/jasmine(?:-core)?\//.test(output)) return 62;
    if (/^Error: describe with no children/m.test(output)) return 60;
    return argv.some(word => /^(?:\S*\/)?jasmine(?:\.js)?$/.test(word)) || program(argv) === 'jasmine' ? 55 : 0;
  },
  parse(output) {
    return fromText(output.split('\n'));
  },
  ends(lines) {
    return totals(lines).map(index => {
      let end = index + 2;
      while (/^(?:Incomplete: |Randomized with seed )/.test(lines[end] ?? '')) end++;
      return end;
    });
  },
};

function fromText(lines: readonly string[]): Report {
  const report = emptyReport('jasmine');
  const at = totals(lines).pop();
  if (at === undefined) {
    const none = lines.findIndex(line => /^(?:Incomplete: )?No specs found$/.test(line));
    if (none !== -1) report.complete = true;
    const broken = lines.findIndex(line => /^\w*Error(?: \[\w+\])?: /.test(line));
    if (none === -1 && broken !== -1) {
      book(report, 'errored', fileOf(lines));
      fault(report, kindOfError(lines[broken] ?? '', 'startup'), broken, lines[broken] ?? '');
    }
    return report;
  }
  report.complete = true;
  readAt(report, 'counts', at);
  readFailures(report, lines, at);
  const match = TOTAL.exec(lines[at] ?? '');
  const pending = Number(match?.[3] ?? 0);
  const failures = Number(match?.[2] ?? 0);
  report.counts.skipped = pending;
  const listed = report.counts.failed + report.counts.errored;
  report.counts.passed = Math.max(0, Number(match?.[1] ?? 0) - pending - listed);
  if (failures > 0 && listed === 0) report.counts.errored = 1;
  if (failures > 0 && listed === 0) fault(report, 'other', at, `${failures} failures that are not shown`);
  const incomplete = lines.slice(at).find(line => /^Incomplete: /.test(line));
  if (/No specs found/.test(incomplete ?? '')) return report;
  if (incomplete !== undefined) report.contradictions.push(incomplete.slice(12));
  return report;
}

function fileOf(lines: readonly string[]): string {
  const from = lines
    .map(line => /^(?:- |\s+at .*\()(\/\S+\.[cm]?[jt]sx?)(?::\d+:\d+\))?$/.exec(line)?.[1])
    .find(file => file !== undefined);
  return from?.split('/').pop() ?? '';
}

function readFailures(report: Report, lines: readonly string[], end: number): void {
  const start = lines.findLastIndex((line, index) => index < end && /^Failures: ?$/.test(line));
  if (start === -1) return;
  for (let i = start + 1; i < end; i++) {
    const title = /^(?:\d+\) |(Suite error: ))(.*)$/.exec(lines[i] ?? '');
    if (title === null || !/^ {2}Message:$/.test(lines[i + 1] ?? '')) continue;
    const name = title[2] ?? '';
    const message: string[] = [];
    let at = i + 2;
    for (; at < end && !/^(?:\d+\) |Suite error: |Pending:$|$)/.test(lines[at] ?? ''); at++) {
      const line = lines[at] ?? '';
      if (/^ {4}\S/.test(line) && (lines[at - 1] === '  Message:' || !/^ {4,}at /.test(line)))
        message.push(line.trim());
    }
    const head = message[0] ?? '';
    if (title[1] !== undefined) fault(report, 'hook', i, `${name}: ${head}`);
    else if (/^Not run because a beforeAll function failed/.test(head)) {
      book(report, 'errored', name);
      fault(report, 'hook', i, `${name}: ${head}`);
    } else {
      book(report, 'failed', name);
      if (/^Expected /.test(head) || isAssertion(head)) report.assertions.push(name);
      else fault(report, kindOfError(head, 'thrown'), i, `${name}: ${head}`);
    }
  }
  if (report.counts.failed + report.counts.errored === 0 && report.setupErrors.length > 0) report.counts.errored = 1;
}
