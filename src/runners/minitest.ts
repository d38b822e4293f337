import { book, bookFailure, fault, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const SUMMARY = /^(\d+) (?:runs|tests), (\d+) assertions, (\d+) failures, (\d+) errors, (\d+) skips$/;
const KIND = /^(?: *\d+\) )?(Failure|Error|Skipped):$/;
const NAME = /^(\S.*#.+?|\w+\([\w:]+\))(?: \[(.*)\])?:$/;
const VERBOSE = /^(\S.*#\S.*?) = \d+\.\d+ s = ([.FES])$/;
const FINISHED = /^Finished in \d[\d.]*(?:s|e-\d+s)?[,. ]?/;

/** What Ruby says of a test file that it cannot load: then no test framework gets a word in. */
const LOAD =
  /^(?:<internal:.*>|\S+\.rb|-e):\d+:(?:in .+: )?.*\((LoadError|SyntaxError|NameError|NoMethodError|ArgumentError|RuntimeError)\)$|^(\S+\.rb):\d+: syntax error/;

function readLoadError(report: Report, lines: string[]): void {
  const at = lines.findIndex(line => LOAD.test(line));
  if (at < 0) return;
  const text = lines[at] ?? '';
  const frames = lines.slice(at, at + 40).map(line => /(?:^\s+from |^)([^\s<:]+\.rb):\d+/.exec(line)?.[1]);
  const main = lines
    .slice(at, at + 40)
    .map(line => /([^\s<:]+\.rb):\d+:in ['`]<(?:main|top \(required\))>'/.exec(line)?.[1]);
  const file = main.findLast(name => name !== undefined) ?? frames.find(name => name !== undefined);
  book(report, 'errored', file);
  const kind = /LoadError/.test(text) ? 'import' : /SyntaxError|syntax error/.test(text) ? 'syntax' : 'startup';
  fault(report, kind, at, text);
}

/** `test_sub(TestMath)` of old versions and `TestMath#test_sub` are one identity. */
function identityOf(text: string): string {
  const old = /^(\w+)\(([\w:]+)\)$/.exec(text);
  return old ? `${old[2]}#${old[1]}` : text;
}

export const minitest: Runner = {
  name: 'minitest',
  closing: SUMMARY,
  recognise(output) {
    const lines = output.split('\n');
    let best = 0;
    for (const line of lines) {
      if (SUMMARY.test(line)) best = Math.max(best, 80);
      else if (/^Run options: .*--seed \d+/.test(line) || /^# Running:$/.test(line)) best = Math.max(best, 61);
      else if (LOAD.test(line)) best = Math.max(best, 45);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('minitest');
    const lines = output.split('\n');
    let lastBlock = -1;
    lines.forEach((line, i) => {
      if (KIND.test(line) && NAME.test(lines[i + 1] ?? '')) lastBlock = i;
    });
    const finished = lines.findIndex(line => FINISHED.test(line));
    const after = Math.max(lastBlock, finished);
    const at = lines.findIndex((line, i) => i > after && SUMMARY.test(line));
    const end = at < 0 ? lines.length : at;
    for (let i = 0; i < end; i++) {
      const line = lines[i] ?? '';
      const passed = VERBOSE.exec(line);
      if (passed?.[2] === '.') report.identities.passed.push(passed[1] ?? '');
      const kind = KIND.exec(line)?.[1];
      const name = kind ? NAME.exec(lines[i + 1] ?? '')?.[1] : undefined;
      if (!kind || !name) continue;
      const id = identityOf(name);
      const cause = (lines[i + 2] ?? '').trim();
      if (kind === 'Failure') bookFailure(report, 'failed', id, true, i, cause);
      else if (kind === 'Error') {
        const exception = /^([A-Z][\w:]*):/.exec(cause)?.[1] ?? '';
        const setupErrorKind = /LoadError$/.test(exception)
          ? 'import'
          : /Timeout/.test(exception)
            ? 'timeout'
            : 'thrown';
        bookFailure(report, 'errored', id, false, i, cause, setupErrorKind);
      } else report.identities.skipped.push(id);
    }
    if (at < 0) {
      if (finished < 0) readLoadError(report, lines);
      report.crashed = report.setupErrors.length === 0;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const [, run = 0, , failures = 0, errors = 0, skips = 0] = (SUMMARY.exec(lines[at] ?? '') ?? []).map(Number);
    report.counts = {
      passed: Math.max(0, run - failures - errors - skips),
      failed: failures,
      errored: errors,
      skipped: skips,
      todo: 0,
    };
    return report;
  },
};
