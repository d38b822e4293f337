import { book, bookFailure, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const OPENING = /^\[={10}\] Running (\d+) tests? from \d+ test (?:suite|case)s?\.$/;
const RAN = /^\[={10}\] (\d+) tests? from \d+ test (?:suite|case)s? ran\./;
const START = /\[ RUN {6}\] (\S+)$/;
const RESULT =
  /\[ {2}(?:FAILED {2}|SKIPPED )\] (\S+?)(?:, where (?:GetParam|TypeParam)\(?.*)? \(\d+ ms\)$|\[ {7}OK \] (\S+) \(\d+ ms\)$/;
const DISABLED = /^ {2}YOU HAVE (\d+) DISABLED TESTS?$/;

function bookResult(report: Report, lines: string[], from: number, at: number, name: string): void {
  const own = lines.slice(from + 1, at);
  const thrown = own.findIndex(line =>
    /^(?:unknown file: Failure|C\+\+ exception with description|Unknown C\+\+ exception thrown|SEH exception)/.test(
      line,
    ),
  );
  const text = own.find(line => /exception/.test(line)) ?? '';
  const hook = /thrown in (?:SetUp|TearDown|the test fixture)/.test(text);
  if (hook) bookFailure(report, 'errored', name, false, from, text, 'hook');
  else if (thrown >= 0) bookFailure(report, 'failed', name, false, from, text);
  else {
    const failed = own.find(line => /: Failure$|: error: /.test(line));
    bookFailure(
      report,
      'failed',
      name,
      failed !== undefined,
      from,
      failed ?? 'failed without a failed expectation',
      'other',
    );
  }
}

export const gtest: Runner = {
  name: 'gtest',
  opening: OPENING,
  closing: /^\[ {2}PASSED {2}\] \d+ tests?\.$|^ +\d+ FAILED TESTS?$/,
  recognise(output) {
    let best = 0;
    for (const line of output.split('\n')) {
      if (RAN.test(line)) best = Math.max(best, 89);
      else if (OPENING.test(line)) best = Math.max(best, 80);
      else if (/^\[-{10}\] \d+ tests? from \S+/.test(line)) best = Math.max(best, 61);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('gtest');
    const lines = output.split('\n');
    let open: { name: string; index: number } | null = null;
    // --gtest_brief=1 shows failures and the last lines only.
    const brief = !lines.some(line => OPENING.test(line));
    let planned = 0;
    let ran = -1;
    for (let i = 0; i < lines.length && ran < 0; i++) {
      const line = lines[i] ?? '';
      const opening = OPENING.exec(line);
      if (opening) planned = Number(opening[1]);
      const start = START.exec(line)?.[1];
      if (start) {
        if (open) report.crashed = true;
        open = { name: start, index: i };
        continue;
      }
      const result = line.endsWith(' ms)') ? RESULT.exec(line) : null;
      const name = result?.[1] ?? result?.[2] ?? '';
      if (brief && result?.[0].includes('FAILED'))
        bookResult(report, lines, Math.max(0, i - 12), i, name.replace(/,$/, ''));
      else if (result && open && open.name === name.replace(/,$/, '')) {
        if (result[2] !== undefined) book(report, 'passed', name);
        else if (result[0].includes('SKIPPED')) book(report, 'skipped', name);
        else bookResult(report, lines, open.index, i, open.name);
        open = null;
      }
      const closing = RAN.exec(line);
      if (closing && open === null && (brief || Number(closing[1]) === planned)) ran = i;
    }
    if (ran < 0) {
      report.crashed = true;
      return report;
    }
    readAt(report, 'summary', ran);
    for (let i = ran + 1; i < lines.length; i++) {
      const line = lines[i] ?? '';
      const passed = /^\[ {2}PASSED {2}\] (\d+) tests?\.$/.exec(line)?.[1];
      if (passed && !report.complete) {
        report.complete = true;
        if (brief) report.counts.passed = Number(passed);
      }
      const suite = /^\[ {2}FAILED {2}\] (\S+): SetUpTestSuite or TearDownTestSuite$/.exec(line)?.[1];
      if (suite) bookFailure(report, 'errored', suite, false, i, line, 'hook');
      const disabled = DISABLED.exec(line)?.[1];
      if (disabled) report.counts.skipped += Number(disabled);
    }
    if (!report.complete) report.crashed = true;
    return report;
  },
};
