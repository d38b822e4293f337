import { book, bookFailure, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';

const BANNER = /^ +CUnit - A unit testing framework for C - Version /;
const HEAD = /^(?:--)?Run Summary: +Type +Total +Ran +Passed +Failed +Inactive/;
const TESTS = /^ +tests +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$/;
const SUITES = /^ +suites +(\d+) +(\d+) +n\/a +(\d+) +(\d+)$/;
const TEST = /^ {2}Test: (.+?) ?\.\.\.(?:.*?)(passed|FAILED)?$/;

export const cunit: Runner = {
  name: 'cunit',
  opening: BANNER,
  closing: /^ +asserts +\d+ +\d+ +\d+ +\d+ +n\/a$|^Elapsed time = +[\d.]+ seconds$/,
  recognise(output) {
    let best = 0;
    for (const line of output.split('\n')) {
      if (HEAD.test(line)) best = Math.max(best, 88);
      else if (BANNER.test(line)) best = Math.max(best, 85);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('cunit');
    const lines = output.split('\n');
    let suite = '';
    let open: string | null = null;
    const head = lines.findLastIndex(line => HEAD.test(line));
    for (let i = 0; i < (head < 0 ? lines.length : head); i++) {
      const line = lines[i] ?? '';
      const named = /^Suite: (\S.*)$/.exec(line)?.[1];
      if (named) suite = named;
      if (/^WARNING - Suite initialization failed/i.test(line) || /Suite Initialization Failed/i.test(line)) {
        bookFailure(report, 'errored', suite || 'suite', false, i, line, 'hook');
      }
      const test = TEST.exec(line);
      const name: string | null = test ? `${suite} > ${test[1]}` : open;
      const state: string | undefined = test ? test[2] : /(passed|FAILED)$/.exec(line)?.[1];
      if (test && !state) open = name;
      if (name === null || !state) continue;
      if (state === 'passed') book(report, 'passed', name);
      else bookFailure(report, 'failed', name, /^ +\d+\. /.test(lines[i + 1] ?? ''), i, lines[i + 1] ?? line);
      open = null;
    }
    const at = lines.findIndex((line, i) => i > head && TESTS.test(line));
    if (head < 0 || at < 0) {
      report.crashed = true;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const [, , , passed = 0, failed = 0, inactive = 0] = (TESTS.exec(lines[at] ?? '') ?? []).map(Number);
    const suitesFailed = Number(SUITES.exec(lines[at - 1] ?? '')?.[3] ?? 0);
    report.counts.passed = passed;
    report.counts.failed = failed;
    report.counts.skipped = inactive;
    if (suitesFailed > report.counts.errored)
      bookFailure(report, 'errored', 'suite', false, at - 1, lines[at - 1] ?? '', 'hook');
    return report;
  },
};
