import { book, bookFailure, fault, program, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const PLAN = /^1\.\.(\d+)$/;
const TAP = /^(not ok|ok) (\d+) (.*?)(?: # (skip|todo)(?:.*)?)?(?: in \d+m?s(?:ec)?)?$/i;
const PRETTY = /^ ([✓✗-]) (.+?)(?: \[\d+\])?$/;
const SUMMARY =
  /^(\d+) tests?, (\d+) failures?(?:, (\d+) errors?)?(?:, (\d+) skipped)?(?:, (\d+) not run)?(?: in [\d.]+ seconds)?$/;
const WHERE = /^(?:#| {2}) ?\(?(?:in test file|from function|in file) /;

/** The lines below a failed test say which command of which function failed. */
function readFailure(report: Report, lines: string[], at: number, name: string): void {
  const own: string[] = [];
  for (let i = at + 1; i < lines.length && /^(?:#| {3})/.test(lines[i] ?? ''); i++)
    own.push((lines[i] ?? '').replace(/^(?:# ?| {3})/, ''));
  const hook = /^(setup_file|teardown_file|setup_suite|teardown_suite) failed$/.exec(name)?.[1];
  const failing = own.findIndex(line => /^\s*`.*' failed/.test(line));
  const command = own[failing] ?? '';
  const inHook = own.some(line => /(?:from|in) function `(?:setup|teardown)(?:_file|_suite)?'/.test(line));
  const status = Number(/failed with status (\d+)$/.exec(command)?.[1] ?? 1);
  if (hook) bookFailure(report, 'errored', hook, false, at, command || name, 'hook');
  else if (name === 'bats-gather-tests') bookFailure(report, 'errored', name, false, at, own[0] ?? name, 'collection');
  else if (inHook) bookFailure(report, 'errored', name, false, at, command || name, 'hook');
  else if (/timeout/.test(own[own.length - 1] ?? '') && /^# timeout/.test(lines[at + own.length] ?? ''))
    bookFailure(report, 'failed', name, false, at, 'timeout', 'timeout');
  else if (status === 127 || status === 126)
    bookFailure(report, 'failed', name, false, at, own[failing + 1] ?? command, 'missing-command');
  else if (own.some(line => /syntax error|unbound variable/.test(line)))
    bookFailure(report, 'failed', name, false, at, command || name);
  else bookFailure(report, 'failed', name, failing < 0 ? null : status === 1, at, command || name);
}

/** TAP of bats ends with the planned number of results and the lines that explain the last one. */
function batsEnds(lines: readonly string[]): number[] {
  const found: number[] = [];
  let left: number | null = null;
  lines.forEach((line, i) => {
    const plan = PLAN.exec(line)?.[1];
    if (plan !== undefined) left = Number(plan);
    else if (left !== null && left > 0 && /^(?:not )?ok \d+ /.test(line)) left--;
    else if (SUMMARY.test(line)) found.push(i + 1);
    if (left === 0 && !(lines[i + 1] ?? '').startsWith('#')) {
      found.push(i + 1);
      left = null;
    }
  });
  return found;
}

export const bats: Runner = {
  name: 'bats',
  ends: batsEnds,
  recognise(output, argv) {
    const lines = output.split('\n');
    const named = program(argv) === 'bats';
    const pretty = lines.some(line => PRETTY.test(line));
    let best = named ? 20 : 0;
    lines.forEach((line, i) => {
      if (WHERE.test(line) && /^(?:not ok | ✗ )/.test(lines[i - 1] ?? '')) best = Math.max(best, 91);
      else if (pretty && SUMMARY.test(line)) best = Math.max(best, 80);
      else if (named && PLAN.test(line)) best = Math.max(best, 92);
      else if (/^# bats warning: |^not ok \d+ bats-gather-tests$|^ERROR: Test file ".*" does not exist/.test(line))
        best = Math.max(best, 91);
    });
    return best;
  },
  parse(output) {
    const report = emptyReport('bats');
    const lines = output.split('\n');
    let planned: number | null = null;
    let seen = 0;
    let summary = -1;
    lines.forEach((line, i) => {
      const plan = PLAN.exec(line);
      if (plan && planned === null) {
        planned = Number(plan[1]);
        readAt(report, 'plan', i);
      }
      const tap = planned !== null && /^(?:not )?ok \d/.test(line) ? TAP.exec(line) : null;
      if (tap && Number(tap[2]) === seen + 1) {
        seen++;
        const name = (tap[3] ?? '').replace(/ in \d+m?s(?:ec)?$/, '');
        const directive = (tap[4] ?? '').toLowerCase();
        if (directive === 'skip') book(report, 'skipped', name);
        else if (directive === 'todo') book(report, 'todo', name);
        else if (tap[1] === 'ok') book(report, 'passed', name);
        else readFailure(report, lines, i, name);
      }
      const pretty = planned === null ? PRETTY.exec(line) : null;
      if (pretty && pretty[2] !== undefined) {
        const skipped = /^(.*) \(skipped(?:: .*)?\)$/.exec(pretty[2]);
        if (pretty[1] === '✓') book(report, 'passed', pretty[2]);
        else if (pretty[1] === '✗') readFailure(report, lines, i, pretty[2]);
        else if (skipped) book(report, 'skipped', skipped[1]);
      }
      if (SUMMARY.test(line)) summary = i;
      if (/^ERROR: Test file ".*" does not exist/.test(line)) fault(report, 'startup', i, line);
      if (/^# bats warning: Executed \d+ instead of expected \d+ tests/.test(line)) report.crashed = true;
    });
    if (planned !== null) {
      const hooks = report.identities.errored.some(id => /_file$|_suite$/.test(id));
      report.complete = seen >= planned || hooks;
      if (!report.complete) report.crashed = true;
    } else if (summary >= 0) {
      report.complete = true;
      readAt(report, 'summary', summary);
      const [, tests = 0, failures = 0] = (SUMMARY.exec(lines[summary] ?? '') ?? []).map(n => Number(n ?? 0));
      if (report.counts.failed + report.counts.errored < failures)
        report.counts.failed = failures - report.counts.errored;
      if (report.counts.passed + report.counts.skipped + report.counts.failed > tests)
        report.contradictions.push('more results than tests');
    } else report.crashed = report.setupErrors.length === 0;
    return report;
  },
};
