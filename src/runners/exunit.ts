import { book, bookFailure, fault, program, readAt } from './book.ts';
import { emptyReport, type Report, type Runner, type SetupError } from './report.ts';

const FINISHED = /^Finished in [\d.]+ seconds(?: \([\d.]+s (?:on load, [\d.]+s )?(?:async|on).*\))?$/;
const KINDS = /(\d+) (?:tests?|doctests?|property|properties|features?)(?=, |$)/g;
const SUMMARY = /^(?:\d+ [a-z]+, )*\d+ failures?(?:, \d+ [a-z]+)*$/;
const ITEM = /^ {2,}\d+\) (test .+|property .+|doctest .+) \(([\w.]+)\)$/;
const SETUP_ALL = /^ {2,}\d+\) (\S+): failure on setup_all callback/;

function count(text: string, name: string): number {
  return Number(new RegExp(`(\\d+) ${name}(?:,|$)`).exec(text)?.[1] ?? 0);
}

function readItem(report: Report, lines: string[], at: number, end: number): void {
  const setupAll = SETUP_ALL.exec(lines[at] ?? '')?.[1];
  if (setupAll) {
    bookFailure(report, 'errored', setupAll, false, at, (lines[at + 1] ?? '').trim(), 'hook');
    return;
  }
  const [, test = '', owner = ''] = ITEM.exec(lines[at] ?? '') ?? [];
  const id = `${owner}: ${test}`;
  let stop = at + 1;
  while (stop < end && !ITEM.test(lines[stop] ?? '') && (lines[stop] ?? '').startsWith('     ')) stop++;
  const own = lines.slice(at + 2, stop);
  const cause = (own[0] ?? '').trim();
  const thrown = /^\*\* \(([\w.]+)/.exec(cause)?.[1];
  const kind: SetupError['kind'] = thrown === 'ExUnit.TimeoutError' ? 'timeout' : 'thrown';
  if (own.some(line => line.includes('__ex_unit_setup_'))) bookFailure(report, 'errored', id, false, at, cause, 'hook');
  else if (thrown && thrown !== 'ExUnit.AssertionError') bookFailure(report, 'failed', id, false, at, cause, kind);
  else if (/^(?:Not implemented|failed to |\*\* \()/.test(cause))
    bookFailure(report, 'failed', id, false, at, cause, 'other');
  else bookFailure(report, 'failed', id, cause !== '', at, cause);
}

/** `--trace` names each test under its module. */
function readTrace(report: Report, lines: string[], end: number): void {
  const bad = new Set([...report.identities.failed, ...report.identities.errored]);
  let owner = '';
  for (let i = 0; i < end; i++) {
    const line = lines[i] ?? '';
    owner = /^([A-Z][\w.]*) \[\S+\]$/.exec(line)?.[1] ?? owner;
    const test = /^ {2}\* (test .+?|property .+?|doctest .+?) (\((?:[\d.]+ms|skipped|excluded)\))(?: \[L#\d+\])?$/.exec(
      line,
    );
    if (!test || owner === '') continue;
    const id = `${owner}: ${test[1]}`;
    if (test[2] === '(skipped)') report.identities.skipped.push(id);
    else if (test[2] !== '(excluded)' && !bad.has(id)) report.identities.passed.push(id);
  }
}

export const exunit: Runner = {
  name: 'exunit',
  closing: /^\d+ (?:doctests?|tests?|propert(?:y|ies)), .*\d+ failures?|^Randomized with seed \d+$/,
  recognise(output, argv) {
    let best = program(argv) === 'mix' ? 20 : 0;
    const lines = output.split('\n');
    lines.forEach((line, i) => {
      if (FINISHED.test(line)) best = Math.max(best, SUMMARY.test(lines[i + 1] ?? '') ? 89 : 45);
      else if (/^== Compilation error in file \S+ ==$/.test(line)) best = Math.max(best, 75);
      else if (/^\*\* \(Mix(?:\.\w+)?\) /.test(line)) best = Math.max(best, 62);
      else if (/^Running ExUnit with seed: \d+/.test(line)) best = Math.max(best, 70);
    });
    return best;
  },
  parse(output) {
    const report = emptyReport('exunit');
    const lines = output.split('\n');
    const last = lines.findLastIndex(line => ITEM.test(line) || SETUP_ALL.test(line));
    const at = lines.findIndex((line, i) => i > last && FINISHED.test(line) && SUMMARY.test(lines[i + 1] ?? ''));
    const end = at < 0 ? lines.length : at;
    lines.forEach((line, i) => {
      if (i < end && (ITEM.test(line) || SETUP_ALL.test(line))) readItem(report, lines, i, end);
      const file = /^== Compilation error in file (\S+) ==$/.exec(line)?.[1];
      if (file) {
        book(report, 'errored', file);
        const next = lines[i + 1] ?? line;
        fault(report, /SyntaxError|TokenMissingError/.test(next) ? 'syntax' : 'compile', i + 1, next);
      } else if (/^\*\* \(Mix(?:\.\w+)?\) /.test(line) && !/tests? failed/.test(line))
        fault(report, 'startup', i, line);
      else if (at < 0 && report.setupErrors.length === 0 && /^\*\* \((?:\w+\.)*\w+\) /.test(line))
        fault(report, /CompileError/.test(line) ? 'compile' : 'startup', i, line);
    });
    readTrace(report, lines, end);
    if (at < 0) {
      report.crashed = report.setupErrors.length === 0;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at + 1);
    const line = lines[at + 1] ?? '';
    let total = 0;
    for (const [, n] of line.matchAll(KINDS)) total += Number(n);
    const failures = count(line, 'failures?');
    const invalid = count(line, 'invalid');
    const errored = report.counts.errored;
    report.counts.skipped = count(line, 'skipped');
    report.counts.failed = Math.max(0, failures - errored + report.setupErrors.filter(e => e.text === '').length);
    report.counts.errored = Math.max(errored, invalid);
    report.counts.passed = Math.max(0, total - failures - invalid - report.counts.skipped - count(line, 'excluded'));
    return report;
  },
};
