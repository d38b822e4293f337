import { book, bookFailure, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';

const SYNTHESIS = /^\[={4}\] Synthesis: Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+) *$/;
const TEST = /^\[(PASS|FAIL|SKIP)\] (\S+?::\S+?)(?::| |$)(.*)$/;

export const criterion: Runner = {
  name: 'criterion',
  closing: SYNTHESIS,
  recognise(output) {
    let best = 0;
    for (const line of output.split('\n')) {
      if (SYNTHESIS.test(line)) best = Math.max(best, 89);
      else if (TEST.test(line) || /^\[-{4}\] \S+:\d+: /.test(line)) best = Math.max(best, 61);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('criterion');
    const lines = output.split('\n');
    const at = lines.findLastIndex(line => SYNTHESIS.test(line));
    let notes: string[] = [];
    for (let i = 0; i < (at < 0 ? lines.length : at); i++) {
      const line = lines[i] ?? '';
      if (line.startsWith('[----] ')) notes.push(line.slice(7));
      const test = TEST.exec(line);
      if (!test) continue;
      const [, state, name = '', rest = ''] = test;
      if (state === 'PASS') report.identities.passed.push(name);
      else if (state === 'SKIP') book(report, 'skipped', name);
      else if (/CRASH!/.test(rest)) bookFailure(report, 'errored', name, false, i, notes.join(' ') || line);
      else if (/Timed out/.test(rest)) bookFailure(report, 'failed', name, false, i, line, 'timeout');
      else {
        const asserted = notes.some(note => /Assertion (?:F|f)ailed/.test(note));
        bookFailure(report, 'failed', name, asserted, i, notes.join(' ') || line);
      }
      notes = [];
    }
    if (at < 0) {
      report.crashed = true;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const [, , passing = 0, failing = 0, crashing = 0] = (SYNTHESIS.exec(lines[at] ?? '') ?? []).map(Number);
    report.counts.passed = passing;
    report.counts.errored = crashing;
    report.counts.failed = Math.max(0, failing - crashing);
    return report;
  },
};
