import { book, bookFailure, fault, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';
import { isRustAssertion } from './rust-panics.ts';

const STATUS =
  /^ *(PASS|FAIL|LEAK|LEAK-FAIL|FLAKY \d+\/\d+|TIMEOUT|ABORT|SIG[A-Z]+|EXEC FAIL|XFAIL|TMT) +\[ *[>\d.]+s\] +(?:\( *\d+\/\d+\) +)?(\S+) (\S.*)$/;
const STARTING = /^ +Starting (\d+) tests? across \d+ binar(?:y|ies)/;
const SUMMARY = /^ +Summary \[ *[\d.]+s\] +(\d+)(?:\/(\d+))? tests? run: (.+)$/;
const PANIC = /^\s*thread '(.+)' (?:\(\d+\) )?panicked at \S.*:\d+:\d+:$/;

function part(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

export const nextest: Runner = {
  name: 'nextest',
  opening: STARTING,
  closing: SUMMARY,
  recognise(output, argv) {
    let best = argv.includes('nextest') ? 21 : 0;
    for (const line of output.split('\n')) {
      if (SUMMARY.test(line)) best = Math.max(best, 89);
      else if (STARTING.test(line)) best = Math.max(best, 88);
      else if (/^ Nextest run ID /.test(line)) best = Math.max(best, 70);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('nextest');
    const lines = output.split('\n');
    let at = -1;
    let panic: string | null = null;
    const panics = new Map<string, string>();
    const states = new Map<string, { word: string; index: number }>();
    let name = '';
    lines.forEach((line, i) => {
      if (panic !== null) {
        panics.set(panic, line.trim());
        panic = null;
      }
      const summary = SUMMARY.test(line);
      if (summary) at = i;
      const status = at >= 0 || summary ? null : STATUS.exec(line);
      if (status) {
        name = status[3] ?? '';
        states.set(name, { word: status[1] ?? '', index: i });
      }
      const thread = PANIC.exec(line)?.[1];
      if (thread) panic = thread === 'main' ? name : thread;
      const compile = /^error: could not compile `([^`]+)`(?: \(([^)]+)\))?/.exec(line);
      if (compile) {
        book(report, 'errored', compile[2] ? `${compile[1]} (${compile[2]})` : compile[1]);
        fault(report, 'compile', i, line);
      }
    });
    for (const [test, { word, index }] of states) {
      if (/^(?:PASS|LEAK|FLAKY.*)$/.test(word)) report.identities.passed.push(test);
      else if (word === 'FAIL' || word === 'LEAK-FAIL') {
        const message = panics.get(test) ?? null;
        bookFailure(report, 'failed', test, message === null ? null : isRustAssertion(message), index, message ?? '');
      } else
        bookFailure(
          report,
          'errored',
          test,
          false,
          index,
          `${word} ${test}`,
          word.startsWith('T') ? 'timeout' : 'thrown',
        );
    }
    if (at < 0) {
      report.counts.passed = report.identities.passed.length;
      report.crashed = lines.some(line => STARTING.test(line));
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const [, run = '0', planned, rest = ''] = SUMMARY.exec(lines[at] ?? '') ?? [];
    report.counts.passed = part(rest, /(\d+) passed/);
    report.counts.skipped = part(rest, /(\d+) skipped/);
    const bad = part(rest, /(\d+) failed/) + part(rest, /(\d+) timed out/) + part(rest, /(\d+) exec failed/);
    if (bad > report.counts.failed + report.counts.errored) report.counts.failed = bad - report.counts.errored;
    if (planned !== undefined && planned !== run && bad === 0) report.crashed = true;
    return report;
  },
};
