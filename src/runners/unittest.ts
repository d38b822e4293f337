import { book, bookFailure, fault, program, readAt } from './book.ts';
import { exceptionKind, exceptionName, HOOKS } from './python.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const DASHES = /^-{70}$/;
const DOUBLE = /^={70}$/;
const RAN = /^Ran (\d+) tests? in [\d.]+s$/;
const RESULT = /^(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/;
const BLOCK = /^(FAIL|ERROR|UNEXPECTED SUCCESS): (.+)$/;
const VERBOSE = /^\s*(\S+) \(([\w.<>]+)\)/;
const STATE = /(?:^|\.\.\. )(ok|FAIL|ERROR|expected failure|unexpected success|skipped(?: .*)?)$/;

/** The lines `-----`, `Ran N tests in Xs`, blank, `OK`: the index of the result line, or -1. */
function closingAt(lines: readonly string[], i: number): number {
  if (!RAN.test(lines[i] ?? '') || !DASHES.test(lines[i - 1] ?? '')) return -1;
  for (let j = i + 1; j <= i + 3; j++) if (RESULT.test(lines[j] ?? '')) return j;
  return -1;
}

/** A summary of tests that left no letter and no line before it was printed by a program, not by the runner. */
export function unittestEnds(lines: readonly string[]): number[] {
  const found: number[] = [];
  let marks = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (/^[.sFExu]+$|\.\.\. \S|^(?:ok|FAIL|ERROR)$/.test(line) || BLOCK.test(line)) marks++;
    const at = closingAt(lines, i);
    if (at < 0 || (marks === 0 && !/^Ran 0 /.test(line))) continue;
    found.push(at + 1);
    marks = 0;
  }
  return found;
}

export function unittestStrength(output: string): number {
  let best = 0;
  const lines = output.split('\n');
  lines.forEach((line, i) => {
    if (RAN.test(line)) best = Math.max(best, closingAt(lines, i) >= 0 ? 86 : 45);
    else if (/^test\w* \([\w.]+\)(?: \.\.\. |$)/.test(line)) best = Math.max(best, 61);
    else if (DOUBLE.test(line) && BLOCK.test(lines[i + 1] ?? '') && DASHES.test(lines[i + 2] ?? ''))
      best = Math.max(best, 61);
  });
  return best;
}

/** `test_a (mod.Class.test_a)`, `test_a (mod.Class)`, with ` (i=1)` or ` [message]` of a sub-test after it. */
function identityOf(text: string): string {
  const match = VERBOSE.exec(text);
  if (!match) return text.trim();
  const [, name = '', owner = ''] = match;
  return owner.endsWith(`.${name}`) ? owner : `${owner}.${name}`;
}

type Shown = { passed: number; seen: boolean; unexpected: string[] };

function verbose(report: Report, lines: string[], end: number): Shown {
  let current: string | null = null;
  let passed = 0;
  let seen = false;
  const unexpected: string[] = [];
  for (let i = 0; i < end; i++) {
    const line = lines[i] ?? '';
    if (DOUBLE.test(line) && BLOCK.test(lines[i + 1] ?? '')) break;
    const opens = /^\S+ \([\w.<>]+\)(?: \.\.\. |$)/.test(line);
    if (opens) {
      current = identityOf(line);
      seen = true;
    }
    const state = current === null ? null : STATE.exec(line);
    if (!state || current === null) continue;
    const word = state[1] ?? '';
    if (word === 'ok') {
      passed++;
      report.identities.passed.push(current);
    } else if (word.startsWith('skipped')) report.identities.skipped.push(current);
    else if (word === 'expected failure') report.identities.todo.push(current);
    else if (word === 'unexpected success') unexpected.push(current);
    current = null;
  }
  return { passed, seen, unexpected };
}

/** Passed tests by the letters of the progress line, if no program output is mixed into it. */
function dotted(lines: string[], end: number, ran: number, skipped: number): number | null {
  let letters = '';
  for (let i = 0; i < end; i++) {
    const line = lines[i] ?? '';
    if (DOUBLE.test(line)) break;
    if (/^[.sFExu]+$/.test(line)) letters += line;
  }
  if (letters.length !== ran && letters.length !== ran + skipped) return null;
  return letters.split('.').length - 1;
}

type Trace = { exception: string | null; functions: string[]; text: string };

function traceback(lines: string[], from: number, to: number): Trace {
  const trace: Trace = { exception: null, functions: [], text: '' };
  let framed = false;
  for (let i = from; i < to; i++) {
    const line = lines[i] ?? '';
    if (line === 'Stdout:' || line === 'Stderr:') break;
    const frame = /^ {2}File ".*", line \d+, in (\S+)/.exec(line)?.[1];
    if (frame) trace.functions.push(frame);
    if (line.startsWith('Traceback (most recent call last):')) framed = true;
    else if (/^\S/.test(line) && (framed || trace.text === '')) {
      const name = exceptionName(line);
      if (name) {
        trace.exception = name;
        trace.text = line;
        framed = false;
      }
    }
  }
  return trace;
}

function readBlocks(report: Report, lines: string[], end: number): Set<string> {
  const failing = new Set<string>();
  const booked = new Set<string>();
  const heads: number[] = [];
  for (let i = 0; i < end; i++) if (DOUBLE.test(lines[i] ?? '') && BLOCK.test(lines[i + 1] ?? '')) heads.push(i + 1);
  heads.forEach((at, n) => {
    const [, word = '', text = ''] = BLOCK.exec(lines[at] ?? '') ?? [];
    const id = identityOf(text);
    const trace = traceback(lines, at + 1, (heads[n + 1] ?? end + 1) - 1);
    const name = VERBOSE.exec(text)?.[1] ?? text;
    const load = /\b(?:_FailedTest|ModuleImportFailure|LoadTestsFailure|TransplantedFailure)\b|^Failure: /.test(text);
    const hook = HOOKS.test(name) || (trace.functions.some(f => HOOKS.test(f)) && !trace.functions.includes(name));
    if (!load && !HOOKS.test(name)) failing.add(id);
    const cause = trace.text || text;
    if (word === 'UNEXPECTED SUCCESS') bookFailure(report, 'failed', id, false, at, text, 'other');
    else if (hook) bookFailure(report, 'errored', id, false, at, cause, 'hook');
    else if (word === 'FAIL') {
      if (!booked.has(`F ${id}`)) bookFailure(report, 'failed', id, true, at, cause);
      booked.add(`F ${id}`);
    } else if (!booked.has(`E ${id}`)) {
      booked.add(`E ${id}`);
      const kind = trace.exception === null ? 'thrown' : exceptionKind(trace.exception);
      bookFailure(report, 'errored', id, false, at, cause, load && kind === 'thrown' ? loadKind(lines, at) : kind);
    }
  });
  return failing;
}

function loadKind(lines: string[], at: number): 'import' | 'collection' {
  return /^ImportError: Failed to import/.test(lines[at + 2] ?? '') ? 'import' : 'collection';
}

export function parseUnittest(runner: string, output: string): Report {
  const report = emptyReport(runner);
  const lines = output.split('\n');
  let lastBlock = 0;
  lines.forEach((line, i) => {
    if (DOUBLE.test(line) && BLOCK.test(lines[i + 1] ?? '')) lastBlock = i;
  });
  let ranAt = -1;
  let resultAt = -1;
  const credible = new Set(unittestEnds(lines));
  for (let i = lastBlock; i < lines.length && resultAt < 0; i++) {
    const at = closingAt(lines, i);
    if (at < 0 || (credible.size > 0 && !credible.has(at + 1))) continue;
    resultAt = at;
    ranAt = i;
  }
  const end = ranAt < 0 ? lines.length : ranAt - 1;
  const shown = verbose(report, lines, end);
  const failing = readBlocks(report, lines, end);
  if (ranAt < 0) {
    report.counts.passed = shown.passed;
    report.counts.skipped = report.identities.skipped.length;
    report.counts.todo = report.identities.todo.length;
    report.crashed = true;
    return report;
  }
  report.complete = true;
  readAt(report, 'summary', ranAt);
  const ran = Number(RAN.exec(lines[ranAt] ?? '')?.[1] ?? 0);
  const [, word = '', details = ''] = RESULT.exec(lines[resultAt] ?? '') ?? [];
  const detail = (name: string): number => Number(new RegExp(`(?:^|, )${name}=(\\d+)`).exec(details)?.[1] ?? 0);
  report.counts.skipped = detail('skipped');
  report.counts.todo = detail('expected failures');
  const unexpected = detail('unexpected successes');
  const listed = report.identities.failed.length + report.identities.errored.length;
  const shownUnexpected = lines.filter((line, i) => i < end && /^UNEXPECTED SUCCESS: /.test(line)).length;
  // Before Python 3.11 an unexpected success has no block of its own.
  for (let n = shownUnexpected; n < unexpected; n++) {
    book(report, 'failed', shown.unexpected[n]);
    fault(report, 'other', resultAt, lines[resultAt] ?? '');
  }
  const silent = Math.max(0, unexpected - shownUnexpected);
  if (listed === 0) {
    report.counts.failed += detail('failures');
    report.counts.errored += detail('errors');
  }
  const loads = report.identities.errored.filter(id => !failing.has(id) && /Fail|Failure/.test(id)).length;
  const bad = listed === 0 ? report.counts.failed + report.counts.errored : failing.size + silent;
  const counted = ran - bad - loads - report.counts.skipped - report.counts.todo;
  const letters = dotted(lines, end, ran, report.counts.skipped);
  report.counts.passed = Math.max(0, shown.seen ? shown.passed : (letters ?? counted));
  if (word === 'OK' && (detail('failures') > 0 || detail('errors') > 0 || listed > 0)) {
    report.contradictions.push('the closing line says OK beside listed failures');
  }
  return report;
}

export const unittest: Runner = {
  name: 'unittest',
  ends: unittestEnds,
  recognise(output, argv) {
    const named = program(argv).startsWith('python') && argv.includes('unittest') ? 20 : 0;
    return Math.max(named, unittestStrength(output));
  },
  parse: output => parseUnittest('unittest', output),
};
