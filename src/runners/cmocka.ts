import { book, bookFailure, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';

const OPENING = /^\[={10}\] (?:(.+): )?Running (\d+) test\(s\)\.$/;
const RAN = /^\[={10}\] (?:.+: )?(\d+) test\(s\) run\.$/;
const PASSED = /^\[ {2}PASSED {2}\] (\d+) test\(s\)\.$/;
const RESULT = /^\[(?: {7}OK | {2}FAILED {2}| {2}SKIPPED | {2}ERROR {3})\] (\S.*)$/;

export const cmocka: Runner = {
  name: 'cmocka',
  closing: /^\[ {2}PASSED {2}\] \d+ test\(s\)\.$|^ \d+ (?:FAILED|SKIPPED) TEST\(S\)$/,
  recognise(output) {
    let best = 0;
    for (const line of output.split('\n')) {
      if (RAN.test(line)) best = Math.max(best, 89);
      else if (OPENING.test(line)) best = Math.max(best, 81);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('cmocka');
    const lines = output.split('\n');
    let open: { name: string; index: number } | null = null;
    let inGroup = false;
    let groups = 0;
    let closed = 0;
    lines.forEach((line, i) => {
      if (OPENING.test(line)) {
        groups++;
        inGroup = true;
      }
      if (RAN.test(line)) {
        inGroup = false;
        readAt(report, 'summary', i);
      }
      if (PASSED.test(line) && !inGroup && closed < groups) closed++;
      const start = /^\[ RUN {6}\] (\S.*)$/.exec(line)?.[1];
      if (start && inGroup) {
        if (open) report.crashed = true;
        open = { name: start, index: i };
      }
      const name = RESULT.exec(line)?.[1];
      if (!name || !inGroup) return;
      if (/^\[ {2}(?:FAILED|ERROR) {2,3}\] GROUP (?:SETUP|TEARDOWN)$/.test(line)) {
        bookFailure(report, 'errored', 'group setup', false, i, line, 'hook');
        return;
      }
      if (open === null || open.name !== name) return;
      if (line.startsWith('[       OK')) book(report, 'passed', name);
      else if (line.startsWith('[  SKIPPED')) book(report, 'skipped', name);
      else {
        const own = lines.slice(open.index + 1, i).find(text => text.startsWith('[  ERROR   ] --- ')) ?? '';
        const thrown = /exception: |Test (?:setup|teardown) failed/i.test(own);
        if (line.startsWith('[  ERROR')) bookFailure(report, 'errored', name, false, i, own || line, 'hook');
        else bookFailure(report, 'failed', name, !thrown, i, own);
      }
      open = null;
    });
    const setups = lines.findIndex(line =>
      /^\[ {2}(?:FAILED {2}|ERROR {3})\] (?:--- )?(?:GROUP SETUP|.*group setup)/i.test(line),
    );
    if (setups >= 0 && report.counts.errored === 0)
      bookFailure(report, 'errored', 'group setup', false, setups, lines[setups] ?? '', 'hook');
    report.complete = groups > 0 && closed === groups;
    if (!report.complete || open !== null) report.crashed = true;
    return report;
  },
};
