import { bookFailure, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const RULE = /^={79}$/;
const PASSED = /^All tests passed \(\d+ assertions? in (\d+) test cases?\)$/;
const CASES = /^test cases: +(\d+)((?: \| +\d+ [a-z ]+)*)$/;
const NONE = /^(?:No tests ran|No test cases matched '.*')$/;
const DASHES = /^-{79}$/;

function closingAt(lines: readonly string[]): number {
  return lines.findIndex(
    (line, i) => RULE.test(lines[i - 1] ?? '') && (PASSED.test(line) || CASES.test(line) || NONE.test(line)),
  );
}

function part(text: string, name: string): number {
  return Number(new RegExp(`\\| +(\\d+) ${name}(?: \\||$)`).exec(text)?.[1] ?? 0);
}

/** Blocks are headed by the test case's name between two rules of dashes; sections are indented below it. */
function readBlocks(report: Report, lines: string[], end: number): void {
  let name = '';
  const found = new Map<string, { index: number; thrown: string; asserted: boolean; expected: boolean }>();
  for (let i = 0; i < end; i++) {
    const line = lines[i] ?? '';
    if (DASHES.test(line) && /^\S/.test(lines[i + 1] ?? '') && !DASHES.test(lines[i + 1] ?? '')) {
      let close = i + 2;
      while (close < i + 20 && !DASHES.test(lines[close] ?? '')) close++;
      if (close < i + 20) {
        name = lines[i + 1] ?? '';
        i = close;
      }
      continue;
    }
    if (!/^\S.*:\d+: FAILED( - but was ok)?:$|^\S.*\(\d+\): FAILED( - but was ok)?:$/.test(line)) continue;
    const state = found.get(name) ?? { index: i, thrown: '', asserted: false, expected: line.includes('but was ok') };
    const own = lines.slice(i + 1, i + 5);
    const why = own.findIndex(text => /^due to (?:unexpected exception|a fatal error condition)/.test(text));
    if (why >= 0) state.thrown = (own[why + 1] ?? '').trim() || (own[why] ?? '');
    else state.asserted = true;
    found.set(name, state);
  }
  for (const [id, { index, thrown, asserted }] of found)
    bookFailure(report, 'failed', id, thrown === '' && asserted, index, thrown);
}

export const catch2: Runner = {
  name: 'catch2',
  closing: /^All tests passed \(\d+ assertions? in \d+ test cases?\)$|^assertions: +\d+ \| |^No tests ran$/,
  recognise(output) {
    const lines = output.split('\n');
    if (closingAt(lines) >= 0) return 88;
    return lines.some(line => /^\S.* is a Catch2? v\d+\.\d+\.\d+ host application\.$/.test(line)) ? 75 : 0;
  },
  parse(output) {
    const report = emptyReport('catch2');
    const lines = output.split('\n');
    const failed = lines.findLastIndex(line => /: FAILED:$/.test(line));
    let at = lines.findIndex(
      (line, i) =>
        i > failed && RULE.test(lines[i - 1] ?? '') && (PASSED.test(line) || CASES.test(line) || NONE.test(line)),
    );
    if (at < 0) at = closingAt(lines);
    readBlocks(report, lines, at < 0 ? lines.length : at);
    if (at < 0) {
      report.crashed = true;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const line = lines[at] ?? '';
    const all = PASSED.exec(line);
    const cases = CASES.exec(line);
    if (all) report.counts.passed = Number(all[1]);
    if (all && report.counts.failed > 0) report.contradictions.push('all tests passed beside a failed one');
    if (cases) {
      const rest = cases[2] ?? '';
      report.counts.failed = part(rest, 'failed');
      report.counts.skipped = part(rest, 'skipped');
      report.counts.todo = part(rest, 'failed as expected');
      report.counts.passed = part(rest, 'passed');
    }
    return report;
  },
};
