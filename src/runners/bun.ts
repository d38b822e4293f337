import { book, fault, program, readAt } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const OPENING = /^bun test v\d+\.\d+\.\d+/;
const CLOSING = /^Ran (\d+) tests? across (\d+) files?\. \[[\d.]+m?s\]$/;

export const bun: Runner = {
  name: 'bun',
  recognise(output, argv) {
    const closed = output.split('\n').some(line => CLOSING.test(line));
    if (closed && /^ \d+ fail$/m.test(output)) return 92;
    if (/^bun test v\d+\.\d+\.\d+/m.test(output)) return 75;
    return program(argv) === 'bun' && argv.includes('test') ? 50 : 0;
  },
  parse(output) {
    return fromText(output.split('\n'));
  },
  opening: OPENING,
  closing: CLOSING,
};

const RESULT = /^(?:\((pass|fail|skip|todo)\)|([✓✗»✎])) (.*?)(?: \[[\d.]+m?s\])?$/;

function fromText(lines: readonly string[]): Report {
  const report = emptyReport('bun');
  const at = lines.findLastIndex(line => CLOSING.test(line));
  if (at === -1) {
    const none = lines.findIndex(line =>
      /^No tests found!$|^error: 0 test files matching |^The following filters did not match any test files/.test(line),
    );
    if (none !== -1) report.complete = true;
    readResults(report, lines, lines.length);
    return report;
  }
  report.complete = true;
  readAt(report, 'counts', at);
  readResults(report, lines, at);
  const counts = new Map<string, number>();
  for (let i = at - 1; i >= 0; i--) {
    const match = /^ (\d+) (pass|fail|skip|todo|errors?|filtered out|expect\(\) calls|snapshots?.*)$/.exec(
      lines[i] ?? '',
    );
    if (match === null) break;
    counts.set((match[2] ?? '').replace(/^errors$/, 'error'), Number(match[1]));
  }
  const of = (word: string): number => counts.get(word) ?? 0;
  const errored = report.counts.errored;
  report.counts = {
    passed: of('pass'),
    failed: Math.max(0, of('fail') - errored),
    errored,
    skipped: of('skip'),
    todo: of('todo'),
  };
  if (of('error') > 0 && errored === 0) {
    report.counts.errored = of('error');
    fault(report, 'other', at, `${of('error')} errors outside of tests`);
  }
  return report;
}

function readResults(report: Report, lines: readonly string[], end: number): void {
  let file = '';
  let error = '';
  for (let i = 0; i < end; i++) {
    const line = lines[i] ?? '';
    const header = /^(\S+\.[cm]?[jt]sx?):$/.exec(line);
    if (header?.[1] !== undefined) file = header[1];
    if (/^# Unhandled error between tests$/.test(line)) {
      const head = lines.slice(i + 1, i + 12).find(next => /^(?:error|\w*Error)\b.*: /.test(next)) ?? '';
      book(report, 'errored', file);
      fault(report, kindOfError(head, 'startup'), i, `${file}: ${head}`);
      continue;
    }
    // The error stands above its test's result line.
    if (error === '' && /^(?:error|\w*Error(?: \[\w+\])?): |^error$/.test(line)) error = line.replace(/^error: /, '');
    const result = RESULT.exec(line);
    if (result === null) continue;
    const name = result[3] ?? '';
    const sign = result[1] ?? { '✓': 'pass', '✗': 'fail', '»': 'skip', '✎': 'todo' }[result[2] ?? ''] ?? '';
    if (sign === 'pass') book(report, 'passed', name);
    else if (sign === 'skip') book(report, 'skipped', name);
    else if (sign === 'todo') book(report, 'todo', name);
    else if (/(?:^|> )\(unnamed\)$/.test(name)) {
      book(report, 'errored', name);
      fault(report, 'hook', i, `${name}: ${error}`);
    } else {
      book(report, 'failed', name);
      const late = /^ {2}\^ this test timed out after/.test(lines[i + 1] ?? '');
      if (!late && isAssertion(error)) report.assertions.push(name);
      else fault(report, late ? 'timeout' : kindOfError(error, 'thrown'), i, `${name}: ${late ? 'timed out' : error}`);
    }
    error = '';
  }
}
