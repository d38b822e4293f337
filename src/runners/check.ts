import { book, bookFailure, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';

const SUMMARY = /^(\d+)%: Checks: (\d+), Failures: (\d+), Errors: (\d+)$/;
const TEST = /^(\S.*):(\d+):([PFE]):([^:]*):([^:]+):(-?\d+): (.*)$/;

export const check: Runner = {
  name: 'check',
  closing: /^\d+%: Checks: \d+, Failures: \d+, Errors: \d+$|^\S.*:\d+:[PFE]:[^:]*:[^:]+:-?\d+: /,
  recognise(output) {
    let best = 0;
    for (const line of output.split('\n')) {
      if (SUMMARY.test(line)) best = Math.max(best, 88);
      else if (/^Running suite\(s\): \S/.test(line)) best = Math.max(best, 70);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('check');
    const lines = output.split('\n');
    // The summary is the last one: what the tests print comes before it, and only result lines after it.
    const at = lines.findLastIndex(line => SUMMARY.test(line));
    const suite =
      lines.map(line => /^Running suite\(s\): (\S.*)$/.exec(line)?.[1]).find(name => name !== undefined) ?? '';
    if (at < 0) {
      report.crashed = true;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const [, , checks = 0, failures = 0, errors = 0] = (SUMMARY.exec(lines[at] ?? '') ?? []).map(Number);
    for (let i = at + 1; i < lines.length; i++) {
      const match = TEST.exec(lines[i] ?? '');
      if (!match) continue;
      const [, , , state, group = '', test = '', , message = ''] = match;
      const id = [suite, group, test].filter(part => part !== '').join(':');
      if (state === 'P') book(report, 'passed', id);
      else if (state === 'F') bookFailure(report, 'failed', id, true, i, message);
      else bookFailure(report, 'errored', id, false, i, message, /timeout/i.test(message) ? 'timeout' : 'thrown');
    }
    if (report.counts.failed > failures || report.counts.errored > errors)
      report.contradictions.push('more results than the summary counts');
    report.counts = {
      passed: Math.max(0, checks - failures - errors),
      failed: failures,
      errored: errors,
      skipped: 0,
      todo: 0,
    };
    return report;
  },
};
