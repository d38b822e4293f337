import { book, bookFailure, fault, program, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const CASE = /^Test Case '(?:-\[(\S+) (\S+)\]|(\S+?))' (started|passed|failed|skipped)\b/;
const SUITE_END = /^Test Suite '(?:All tests|Selected tests|debug\.xctest)' (?:passed|failed) at /;
const EXECUTED =
  /^\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures? \((\d+) unexpected\) in /;
const ISSUE = /^(?:\S.*:\d+: )?error: (?:-\[(\S+) (\S+)\]|(\S+?)) : (.*)$/;
// Swift Testing marks its lines with one symbol: plain ones on Linux, private-use ones on macOS.
const TEST =
  /^\S+ {1,2}Test (?!run |case )(.+?) (started\.|passed after .*|failed after .*|recorded (?:an issue|a known issue)\b.*|skipped(?:: .*|\.))$/u;
const RUN_END = /^\S+ {1,2}Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed) after [\d.]+ seconds/u;
const RUN_START = /^\S+ {1,2}Test run started\.$/u;

function nameOf(match: RegExpExecArray): string {
  return match[3] ?? `${match[1]}.${match[2]}`;
}

function readXCTest(report: Report, lines: string[]): boolean {
  let open: string | null = null;
  let started = false;
  let complete = false;
  const issues = new Map<string, { index: number; thrown: string; text: string }>();
  lines.forEach((line, i) => {
    if (/^Test Suite '.*' started/.test(line)) started = true;
    const issue = ISSUE.exec(line);
    if (issue) {
      const id = nameOf(issue);
      const text = issue[4] ?? '';
      const state = issues.get(id) ?? { index: i, thrown: '', text };
      if (/^threw error |: threw error "|^Asynchronous wait failed/.test(text)) state.thrown = text;
      issues.set(id, state);
    }
    const test = line.startsWith('Test Case ') ? CASE.exec(line) : null;
    if (test) {
      const id = nameOf(test);
      const state = test[4];
      if (state === 'started') open = id;
      else if (open === id) {
        open = null;
        const seen = issues.get(id);
        if (state === 'passed') book(report, 'passed', id);
        else if (state === 'skipped') book(report, 'skipped', id);
        else
          bookFailure(
            report,
            'failed',
            id,
            seen === undefined ? null : seen.thrown === '',
            seen?.index ?? i,
            seen?.thrown || seen?.text || '',
          );
      }
    }
    if (SUITE_END.test(line) && EXECUTED.test(lines[i + 1] ?? '')) {
      complete = true;
      readAt(report, 'xctest', i + 1);
    }
  });
  if (started && (!complete || open !== null)) report.crashed = true;
  return complete;
}

function readTesting(report: Report, lines: string[]): boolean {
  let started = false;
  let complete = false;
  const open = new Set<string>();
  const issues = new Map<string, { index: number; thrown: boolean; text: string }>();
  const known = new Set<string>();
  lines.forEach((line, i) => {
    if (RUN_START.test(line)) started = true;
    if (!started || complete) return;
    if (RUN_END.test(line)) {
      complete = true;
      readAt(report, 'swift-testing', i);
      return;
    }
    const test = line.includes(' Test ') ? TEST.exec(line) : null;
    if (!test) return;
    const [, name = '', state = ''] = test;
    const id = name.replace(/ with \d+ test cases?$/, '').replace(/^"(.*)"$/, '$1');
    if (state === 'started.') open.add(id);
    else if (state.startsWith('recorded a known')) known.add(id);
    else if (state.startsWith('recorded')) {
      const text = state.replace(/^.*?:\d+:\d+: /, '');
      const before = issues.get(id);
      issues.set(id, {
        index: before?.index ?? i,
        thrown: (before?.thrown ?? false) || /Caught error|Time limit/.test(text),
        text: before?.text ?? text,
      });
    } else if (state.startsWith('skipped')) book(report, 'skipped', id);
    else if (open.delete(id)) {
      const seen = issues.get(id);
      if (state.startsWith('passed')) book(report, known.has(id) ? 'todo' : 'passed', id);
      else bookFailure(report, 'failed', id, seen ? !seen.thrown : null, seen?.index ?? i, seen?.text ?? '');
    }
  });
  if (started && !complete) report.crashed = true;
  return complete;
}

export const swift: Runner = {
  name: 'swift',
  closing: /^\s*Executed \d+ tests?, with .*\d+ failures? \(\d+ unexpected\) in |^\S+ {1,2}Test run with \d+ tests?\b/u,
  recognise(output, argv) {
    let best = program(argv) === 'swift' ? 20 : 0;
    for (const line of output.split('\n')) {
      if (EXECUTED.test(line) || RUN_END.test(line)) best = Math.max(best, 88);
      else if (/^Test Suite '.*' started/.test(line) || RUN_START.test(line)) best = Math.max(best, 75);
      else if (/^\S+\.swift:\d+:\d+: error: /.test(line)) best = Math.max(best, 61);
      else if (/^error: (?:no tests found|Could not find Package\.swift|root manifest not found)/.test(line))
        best = Math.max(best, 61);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('swift');
    const lines = output.split('\n');
    const older = readXCTest(report, lines);
    const newer = readTesting(report, lines);
    report.complete = (older || newer) && !report.crashed;
    const files = new Set<string>();
    lines.forEach((line, i) => {
      const compile = /^(\S+\.swift):\d+:\d+: error: (.*)$/.exec(line);
      if (compile) {
        fault(report, 'compile', i, line);
        const file = compile[1]?.split('/').pop() ?? '';
        if (!files.has(file)) book(report, 'errored', file);
        files.add(file);
      } else if (/^error: (?:Could not find Package\.swift|root manifest not found|.*dependency)/.test(line))
        fault(report, 'startup', i, line);
      else if (/^error: no tests found/.test(line)) report.complete = true;
      else if (
        /^(?:.*: )?Fatal error: |^error: Exited with (?:unexpected )?signal code \d+|^\*\*\* Signal \d+:/.test(line)
      )
        report.crashed = true;
    });
    return report;
  },
};
