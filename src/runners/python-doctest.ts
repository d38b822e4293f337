import { book, bookFailure, readAt } from './book.ts';
import { exceptionKind, exceptionName } from './python.ts';
import { emptyReport, type Runner } from './report.ts';

const STARS = /^\*{70}$/;
const PLACE = /^File ".*", line \d+, in (.+)$/;
const CLOSING = /^(?:\*\*\*Test Failed\*\*\* (\d+) failures?(?: and \d+ skipped tests?)?\.|Test passed\.)$/;

export const pythonDoctest: Runner = {
  name: 'python-doctest',
  closing: CLOSING,
  recognise(output, argv) {
    const lines = output.split('\n');
    let best = argv.includes('doctest') ? 20 : 0;
    lines.forEach((line, i) => {
      if (CLOSING.test(line)) best = Math.max(best, 75);
      else if (STARS.test(line) && PLACE.test(lines[i + 1] ?? '') && lines[i + 2] === 'Failed example:')
        best = Math.max(best, 61);
    });
    return best;
  },
  parse(output) {
    const report = emptyReport('python-doctest');
    const lines = output.split('\n');
    const thrown = new Map<string, { index: number; text: string }>();
    const wrong = new Map<string, number>();
    let current: string | null = null;
    let section = '';
    lines.forEach((line, i) => {
      const place = STARS.test(lines[i - 1] ?? '') ? PLACE.exec(line)?.[1] : undefined;
      if (place) current = place;
      else if (STARS.test(line)) current = null;
      else if (current !== null && line === 'Got:') wrong.set(current, i);
      else if (current !== null && line === 'Expected nothing') wrong.set(current, i);
      else if (current !== null && line === 'Exception raised:') {
        let at = i + 1;
        while (at + 1 < lines.length && /^ {4}/.test(lines[at + 1] ?? '')) at++;
        thrown.set(current, { index: i, text: (lines[at] ?? '').trim() });
      }
      if (/^\d+ items? (?:passed all tests|had failures|had no tests):$/.test(line)) section = line;
      else if (/^\d+ tests? in \d+ items?\./.test(line)) section = '';
      const item = /^ +\d+ tests? in (.+)$/.exec(line);
      if (item && section.includes('passed')) book(report, 'passed', item[1]);
      if (CLOSING.test(line)) {
        report.complete = true;
        readAt(report, 'summary', i);
      }
    });
    for (const [id, { index, text }] of thrown) {
      const exception = exceptionName(text);
      bookFailure(report, 'failed', id, false, index, text, exception === null ? 'thrown' : exceptionKind(exception));
    }
    for (const [id, index] of wrong) if (!thrown.has(id)) bookFailure(report, 'failed', id, true, index, '');
    if (!report.complete) report.crashed = report.counts.failed > 0;
    return report;
  },
};
