import { book, bookFailure, fault, program, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';

const OPENING = /^Test project \S/;
const TEST = /^ *\d+\/\d+ Test +#\d+: (.+?) \.*(?: *)(\S.*?)? +(\d+\.\d+) sec(?: .*)?$/;
const SUMMARY = /^(\d+)% tests passed, (\d+) tests? failed out of (\d+)$/;
const NONE = /^No tests were found!!!$/;
const UNCONFIGURED = /^No test configuration file found!$/;

/** What the C and C++ assertion macros print when they do not hold. */
const ASSERTION =
  /(?:: Assertion [`'].*' failed\.|^Assertion failed: |^\S+:\d+: Failure$|^\S+:\d+: FAILED:$|: ERROR: (?:CHECK|REQUIRE)\w*\(|: (?:fatal )?error: in ".*": (?:check|critical check) |\bAssertionError\b|^FAIL!\s+: )/;

export const ctest: Runner = {
  name: 'ctest',
  opening: OPENING,
  closing: /^\d+% tests passed, \d+ tests? failed out of \d+$|^Total Test time \(real\) =|^No tests were found!!!$/,
  recognise(output, argv) {
    let best = program(argv) === 'ctest' ? 20 : 0;
    for (const line of output.split('\n')) {
      if (SUMMARY.test(line)) best = Math.max(best, 91);
      else if (OPENING.test(line) || NONE.test(line) || UNCONFIGURED.test(line)) best = Math.max(best, 70);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('ctest');
    const lines = output.split('\n');
    const at = lines.findLastIndex((line, i) => SUMMARY.test(line) && (lines[i - 1] ?? '') === '');
    const end = at < 0 ? lines.length : at;
    const starts: number[] = [];
    // -V prints each test's lines before its result, marked with its number.
    const verbose = new Map<string, string>();
    for (let i = 0; i < end; i++) {
      const own = /^(\d+): (.*)$/.exec(lines[i] ?? '');
      if (own && ASSERTION.test(own[2] ?? '') && !verbose.has(own[1] ?? '')) verbose.set(own[1] ?? '', own[2] ?? '');
    }
    for (let i = 0; i < end; i++) if (/^ *\d+\/\d+ Test +#\d+: /.test(lines[i] ?? '')) starts.push(i);
    starts.forEach((index, n) => {
      const match = TEST.exec((lines[index] ?? '').slice(0, 1000));
      if (!match) return;
      const name = (match[1] ?? '').replace(/ \.+$/, '').replace(/\.+$/, '').trim();
      const state = match[2] ?? '';
      const shown = lines
        .slice(index + 1, starts[n + 1] ?? end)
        .filter(line => line !== '' && !/^ +Start +\d+: /.test(line));
      const number = /Test +#(\d+):/.exec(lines[index] ?? '')?.[1] ?? '';
      const asserted = shown.find(line => ASSERTION.test(line)) ?? verbose.get(number);
      if (/Passed$/.test(state)) book(report, 'passed', name);
      else if (/\*\*\*Skipped$/.test(state)) book(report, 'skipped', name);
      else if (/\*\*\*Not Run \(Disabled\)$/.test(state)) return;
      else if (/\*\*\*Not Run/.test(state))
        bookFailure(report, 'errored', name, false, index, `${name}: ${state}`, 'missing-command');
      else if (/\*\*\*Timeout/.test(state))
        bookFailure(report, 'failed', name, false, index, `${name}: ${state}`, 'timeout');
      else if (asserted !== undefined) bookFailure(report, 'failed', name, true, index, asserted);
      else if (/\*\*\*Exception/.test(state)) bookFailure(report, 'failed', name, false, index, `${name}: ${state}`);
      else bookFailure(report, 'failed', name, null, index, '');
    });
    const none = lines.findIndex(line => NONE.test(line));
    const unconfigured = lines.findIndex(line => UNCONFIGURED.test(line));
    if (unconfigured >= 0) fault(report, 'startup', unconfigured, lines[unconfigured] ?? '');
    report.complete = at >= 0 || none >= 0;
    if (at < 0) {
      report.crashed = none < 0 && unconfigured < 0;
      return report;
    }
    readAt(report, 'summary', at);
    const [, , failed = 0, total = 0] = (SUMMARY.exec(lines[at] ?? '') ?? []).map(Number);
    const seen = report.counts.failed + report.counts.errored;
    if (seen < failed) report.counts.failed += failed - seen;
    if (report.counts.passed + report.counts.skipped < total - failed)
      report.counts.passed = total - failed - report.counts.skipped;
    return report;
  },
};
