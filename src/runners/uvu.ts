import { book, fault, program, readAt } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

function totals(lines: readonly string[]): number[] {
  const found: number[] = [];
  lines.forEach((_, index) => {
    const words = ['Total', 'Passed', 'Skipped', 'Duration'];
    if (words.every((word, offset) => new RegExp(`^ {2}${word}: +[\\d.]+`).test(lines[index + offset] ?? '')))
      found.push(index);
  });
  return found;
}

export const uvu: Runner = {
  name: 'uvu',
  recognise(output, argv) {
    if (totals(output.split('\n')).length > 0) return 90;
    if (/^ {2,3}FAIL {2}(?:\S.* {2})?".*"$/m.test(output)) return 70;
    if (/node_modules\/uvu\//.test(output)) return 62;
    return argv.some(word => /^(?:\S*\/)?uvu$/.test(word)) || program(argv) === 'uvu' ? 55 : 0;
  },
  parse(output) {
    return fromText(output.split('\n'));
  },
  ends(lines) {
    return totals(lines).map(index => index + 4);
  },
};

function fromText(lines: readonly string[]): Report {
  const report = emptyReport('uvu');
  const at = totals(lines).pop();
  readFailures(report, lines, at ?? lines.length);
  if (at === undefined) {
    const broken = lines.findIndex(line => /^\w*Error(?: \[\w+\])?: /.test(line));
    if (broken !== -1) fault(report, kindOfError(lines[broken] ?? '', 'startup'), broken, lines[broken] ?? '');
    return report;
  }
  report.complete = true;
  readAt(report, 'counts', at);
  const of = (offset: number): number => Number(/(\d+)/.exec(lines[at + offset] ?? '')?.[1] ?? 0);
  const missing = of(0) - of(1);
  report.counts.passed = of(1);
  report.counts.skipped = of(2);
  report.counts.failed = Math.max(0, missing - report.counts.errored);
  return report;
}

const COMPARED = /^\s+(?:\+\+|--|·|Actual:|Expected:|\d+·|L\d+)/;
const NODE_ASSERT =
  /^(?:Expected values to |Expected inputs to |Expected "|The expression evaluated to a falsy value|Missing expected |Got unwanted |The input )/;

function readFailures(report: Report, lines: readonly string[], end: number): void {
  for (let i = 0; i < end; i++) {
    const title = /^ {2,3}FAIL {2}(?:(\S.*?) {2})?"(.*)"$/.exec(lines[i] ?? '');
    if (title === null) {
      const file = /^ {2,3}FAIL {2}(\S+\.[cm]?[jt]sx?)$/.exec(lines[i] ?? '');
      if (file?.[1] !== undefined) {
        book(report, 'errored', file[1]);
        fault(report, kindOfError(lines[i + 1] ?? '', 'startup'), i, lines[i + 1] ?? '');
      }
      continue;
    }
    const name = title[1] === undefined ? (title[2] ?? '') : `${title[1]} > ${title[2] ?? ''}`;
    let stop = i + 1;
    while (stop < end && !/^ {2,3}FAIL {2}/.test(lines[stop] ?? '')) stop++;
    const detail = lines.slice(i + 1, stop);
    const head = (detail[0] ?? '').trim();
    book(report, 'failed', name);
    // uvu prints the matcher behind the message, and the two sides below
    const asserted =
      / {2}\((?:is|equal|ok|not|type|instance|match|snapshot|fixture|throws|unreachable)(?:\.\w+)*\)$/.test(
        detail[0] ?? '',
      );
    if (asserted || NODE_ASSERT.test(head) || isAssertion(head) || detail.some(line => COMPARED.test(line)))
      report.assertions.push(name);
    else fault(report, kindOfError(head, 'thrown'), i, `${name}: ${head}`);
    i = stop - 1;
  }
}
