import { book, fault, program, readAt } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const OPENING = /^running \d+ tests? from \S+$/;
const CLOSING =
  /^(ok|FAILED) \| \d+ passed(?: \(\d+ steps?\))? \| \d+ failed(?: \(\d+ steps?\))?(?: \| \d+ \w+(?: \w+)?(?: \(\d+ steps?\))?)* \([\d.]+(?:µs|ms|s|m\d*s?)\)$/;

export const deno: Runner = {
  name: 'deno',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (lines.some(line => CLOSING.test(line))) return 92;
    if (lines.some(line => OPENING.test(line))) return 75;
    if (/^error: (?:Type checking failed\.|No test modules found)/m.test(output)) return 70;
    if (/^Check (?:file:\/\/\/)?\S+\.[cm]?[jt]sx?$/m.test(output)) return 60;
    return program(argv) === 'deno' ? 50 : 0;
  },
  parse(output) {
    return fromText(output.split('\n'));
  },
  closing: CLOSING,
};

const RESULT = /^((?: {2})*)(.+?) \.\.\. (?:.*\s)?(ok|FAILED|ignored)(?: \(.*\))*$/;

function fromText(lines: readonly string[]): Report {
  const report = emptyReport('deno');
  const at = lines.findLastIndex(line => CLOSING.test(line));
  const errors = readErrors(lines);
  readResults(report, lines, errors);
  for (const [name, error] of errors) {
    if (!error.outside) continue;
    book(report, 'errored', name);
    fault(report, kindOfError(error.head, 'startup'), error.at, `${name}: ${error.head}`);
  }
  if (at === -1) return unfinished(report, lines);
  report.complete = true;
  readAt(report, 'counts', at);
  const of = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(lines[at] ?? '')?.[1] ?? 0);
  report.counts.skipped = Math.max(report.counts.skipped, of('ignored'));
  const seen = report.counts.failed + report.counts.errored;
  if ((lines[at] ?? '').startsWith('FAILED') && seen === 0)
    fault(report, 'other', at, 'failures are counted but not shown');
  if (report.counts.passed === 0 && of('passed') > 0 && seen === 0) report.counts.passed = of('passed');
  return report;
}

function unfinished(report: Report, lines: readonly string[]): Report {
  const none = lines.findIndex(line => /^error: No test modules found/.test(line));
  if (none !== -1) {
    report.complete = true;
    return report;
  }
  const broken = lines.findIndex(line => /^(?:error: |TS\d+ \[ERROR\]: )/.test(line));
  if (broken === -1) return report;
  const file = /file:\/\/(?:\/\S*\/)?(\S+\.[cm]?[jt]sx?):\d+/.exec(
    lines.find(line => /^\s+at file:\/\//.test(line)) ?? '',
  );
  const checked = /^Check (\S+)$/.exec(lines.find(line => /^Check /.test(line)) ?? '');
  book(report, 'errored', (file?.[1] ?? checked?.[1] ?? '').split('/').pop());
  fault(report, kindOfError(lines[broken] ?? '', 'startup'), broken, lines[broken] ?? '');
  return report;
}

type Failure = { head: string; at: number; outside: boolean };

/** ` ERRORS `: `name ... step => ./file:1:2`, then `error: ...`. */
function readErrors(lines: readonly string[]): Map<string, Failure> {
  const errors = new Map<string, Failure>();
  const start = lines.findLastIndex(line => /^ ERRORS ?$/.test(line));
  if (start === -1) return errors;
  for (let i = start + 1; i < lines.length && !/^ FAILURES ?$/.test(lines[i] ?? ''); i++) {
    const outside = /^(\S+) \(uncaught error\)$/.exec(lines[i] ?? '');
    const named = outside ?? /^(.+) => \S+:\d+:\d+$/.exec(lines[i] ?? '');
    if (named?.[1] === undefined || !/^error: /.test(lines[i + 1] ?? '')) continue;
    const name = outside === null ? named[1].split(' ... ').join(' > ') : (named[1].split('/').pop() ?? '');
    const head = (lines[i + 1] ?? '').replace(/^error: (?:\(in promise\) )?(?:Uncaught )?/, '');
    errors.set(name, { head, at: i, outside: outside !== null });
  }
  return errors;
}

/** Steps come before their test's own result; only tests without steps count themselves. */
function readResults(report: Report, lines: readonly string[], errors: Map<string, Failure>): void {
  const path: { name: string; steps: number }[] = [];
  for (const line of lines) {
    if (/^ ERRORS ?$/.test(line)) return;
    const opened = /^((?: {2})*)(.+?) \.\.\.$/.exec(line);
    if (opened !== null) {
      const depth = (opened[1] ?? '').length / 2;
      path.length = Math.min(path.length, depth);
      path[depth] = { name: opened[2] ?? '', steps: 0 };
      continue;
    }
    const match = RESULT.exec(line);
    if (match === null) continue;
    const depth = (match[1] ?? '').length / 2;
    const name = match[2] ?? '';
    const parent = path[depth];
    const closes = parent !== undefined && parent.name === name && parent.steps > 0;
    path.length = Math.min(path.length, depth);
    const above = path[depth - 1];
    if (above !== undefined) above.steps++;
    if (closes) continue;
    const identity = [...path.map(part => part.name), name].join(' > ');
    if (match[3] === 'ok') book(report, 'passed', identity);
    else if (match[3] === 'ignored') book(report, 'skipped', identity);
    else {
      book(report, 'failed', identity);
      const error = errors.get(identity);
      if (error !== undefined && isAssertion(error.head)) report.assertions.push(identity);
      else
        fault(
          report,
          kindOfError(error?.head ?? '', 'thrown'),
          error?.at ?? 0,
          `${identity}: ${error?.head ?? 'no error shown'}`,
        );
    }
  }
}
