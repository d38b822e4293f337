import { bookFailure, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';

const CASES = /^\[doctest\] test cases: +(\d+) \| +(\d+) passed \| +(\d+) failed \| +(\d+) skipped$/;
const STATUS = /^\[doctest\] Status: (SUCCESS|FAILURE)!$/;
const RULE = /^={79}$/;

export const doctestCpp: Runner = {
  name: 'doctest',
  opening: /^\[doctest\] doctest version is "/,
  closing: STATUS,
  recognise(output) {
    let best = 0;
    for (const line of output.split('\n')) {
      if (CASES.test(line)) best = Math.max(best, 88);
      else if (/^\[doctest\] doctest version is "/.test(line)) best = Math.max(best, 85);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('doctest');
    const lines = output.split('\n');
    const lastRule = lines.findLastIndex(line => RULE.test(line));
    const at = lines.findIndex((line, i) => i > lastRule && CASES.test(line));
    let name = '';
    const found = new Map<string, { index: number; thrown: string; text: string }>();
    for (let i = 0; i < (at < 0 ? lines.length : at); i++) {
      const line = lines[i] ?? '';
      if (RULE.test(line)) name = '';
      const title = /^TEST CASE: {1,2}(.*)$/.exec(line)?.[1];
      if (title && name === '') name = title.trim();
      const error = /^\S.*(?::\d+|\(\d+\)): (?:FATAL )?ERROR: (.*)$/.exec(line)?.[1];
      if (!error) {
        if (/^(?:Should have failed|Didn't fail exactly)/.test(line))
          found.set(name, { index: i, thrown: line, text: line });
        continue;
      }
      const state = found.get(name) ?? { index: i, thrown: '', text: error };
      if (/^test case (?:THREW|CRASHED)|THREW exception/.test(error)) state.thrown = error;
      if (/CRASHED/.test(error)) report.crashed = true;
      found.set(name, state);
    }
    for (const [id, { index, thrown, text }] of found)
      bookFailure(report, 'failed', id, thrown === '', index, thrown || text);
    if (at < 0) {
      report.crashed = true;
      return report;
    }
    const [, , passed = 0, failed = 0, skipped = 0] = (CASES.exec(lines[at] ?? '') ?? []).map(Number);
    report.counts = { passed, failed, errored: 0, skipped, todo: 0 };
    report.complete = lines.some((line, i) => i > at && STATUS.test(line));
    readAt(report, 'summary', at);
    return report;
  },
};
