import { book, fault, program, readAt } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { emptyReport, type Outcome, type Report, type Runner } from './report.ts';
import { tapDocument, yamlValue } from './tap-lines.ts';

const HOOK = /^(?:before|beforeEach|after|afterEach)(?:\.always)? hook(?: for .*)?$/;
const RULE = /^ {2}─$/;
const TOTAL =
  /^ {2}(\d+) (tests? passed|tests? failed|hooks? failed|tests? skipped|tests? todo|(?:known|expected) failures?|uncaught exceptions?|unhandled rejections?|previous failures? .*|tests? (?:remaining|pending) .*)$/;

/** The totals follow the last rule, with nothing else between or after them. */
function totalsAt(lines: readonly string[]): number {
  const rule = lines.findLastIndex(line => RULE.test(line));
  if (rule === -1) return -1;
  const at = lines.findIndex((line, index) => index > rule && line.trim() !== '');
  return at !== -1 && TOTAL.test(lines[at] ?? '') ? at : -1;
}

const RESULT =
  /^ {2}(?:([✔✘√×])|(-))(?: \[(fail|skip|todo|expected fail|unexpected pass)\]:)? (\S.*?)(?: \(\d+(?:\.\d+)?m?s\))?$/;
const NOT_ASSERTED =
  /(?:Error thrown in test|Rejected promise returned by test|Test finished without running any assertions|(?:Timed out|timed out|Promise returned by test never resolved|Test was expected to fail.*))$/;

export const ava: Runner = {
  name: 'ava',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (totalsAt(lines) !== -1) return 90;
    if (lines.some(line => RULE.test(line)) && /^ {2}[✔✘] /m.test(output)) return 75;
    if (/^ {4}assertion: t\.\w+\(/m.test(output) || (isTap(lines) && /^(?:not )?ok \d+ - /m.test(output))) return 70;
    if (/^ {2}Uncaught exception in \S+$/m.test(output)) return 70;
    return argv.some(word => /^(?:\S*\/)?ava(?:\.js)?$/.test(word)) || program(argv) === 'ava' ? 50 : 0;
  },
  parse(output) {
    const lines = output.split('\n');
    return /^TAP version 13$/m.test(output) ? fromTap(lines) : fromText(lines);
  },
};

function isTap(lines: readonly string[]): boolean {
  const at = lines.findLastIndex(line => /^# tests \d+$/.test(line));
  return (
    at > 0 &&
    /^1\.\.\d+$/.test(lines[at - 1] ?? '') &&
    /^# pass \d+$/.test(lines[at + 1] ?? '') &&
    /^# fail \d+$/.test(lines[at + 2] ?? '') &&
    (lines[at - 2] ?? '') === ''
  );
}

const OUTCOME: readonly [RegExp, Outcome][] = [
  [/^tests? passed/, 'passed'],
  [/^tests? failed/, 'failed'],
  [/^tests? skipped/, 'skipped'],
  [/^tests? todo/, 'todo'],
  [/^(?:known|expected) failure/, 'todo'],
  [/^(?:hooks? failed|uncaught|unhandled)/, 'errored'],
];

function fromText(lines: readonly string[]): Report {
  const report = emptyReport('ava');
  const at = totalsAt(lines);
  const firstRule = lines.findIndex(line => RULE.test(line));
  readList(report, lines, firstRule === -1 ? lines.length : firstRule);
  const details = failureDetails(lines);
  for (const name of report.identities.failed) judgeFailure(report, lines, name, details.get(name));
  const exception = lines.findIndex(line => /^ {2}(?:Uncaught exception in |Unhandled rejection in )/.test(line));
  if (exception !== -1) {
    const text = lines.slice(exception, exception + 6).join('\n');
    fault(report, kindOfError(text, 'other'), exception, lines[exception + 2] ?? lines[exception] ?? '');
  }
  if (at === -1) return withoutTotals(report, lines);
  report.complete = true;
  readAt(report, 'counts', at);
  const counts: Report['counts'] = { passed: 0, failed: 0, errored: 0, skipped: 0, todo: 0 };
  for (let i = at; i < lines.length; i++) {
    const match = TOTAL.exec(lines[i] ?? '');
    if (match === null) break;
    const outcome = OUTCOME.find(([pattern]) => pattern.test(match[2] ?? ''))?.[1];
    if (outcome !== undefined) counts[outcome] += Number(match[1]);
  }
  // Beside failures ava leaves the passed tests out of its totals.
  if (counts.passed === 0) counts.passed = report.counts.passed;
  report.counts = counts;
  if (counts.errored > 0 && report.setupErrors.length === 0) fault(report, 'hook', at, (lines[at] ?? '').trim());
  return report;
}

function withoutTotals(report: Report, lines: readonly string[]): Report {
  const none = lines.findIndex(line => /^ {2}✘ (?:No tests found in |Couldn[’']t find any files to test)/.test(line));
  const late = lines.findIndex(line => /^ {2}✘ Timed out while running tests/.test(line));
  if (none !== -1) {
    report.complete = true;
    readAt(report, 'no tests', none);
  } else if (late !== -1) fault(report, 'timeout', late, lines[late] ?? '');
  return report;
}

function readList(report: Report, lines: readonly string[], end: number): void {
  for (let i = 0; i < end; i++) {
    const match = RESULT.exec(lines[i] ?? '');
    if (match === null) continue;
    const name = (match[4] ?? '')
      .replace(NOT_ASSERTED, '')
      .trim()
      .replace(/^\S+ › /, file => (/\.[cm]?[jt]sx? /.test(file) ? '' : file));
    if (match[1] === '✔' || match[1] === '√')
      report.identities[match[3] === 'expected fail' ? 'todo' : 'passed'].push(name);
    else if (match[3] === 'skip') report.identities.skipped.push(name);
    else if (match[3] === 'todo') report.identities.todo.push(name);
    else if (match[3] === 'fail' || match[3] === 'unexpected pass') {
      const hook = HOOK.test(name);
      report.identities[hook ? 'errored' : 'failed'].push(name);
      if (hook) fault(report, 'hook', i, lines[i] ?? '');
    }
    if (match[1] === '✔' || match[1] === '√') report.counts.passed++;
    else if (match[3] === 'fail') report.counts.failed++;
  }
}

/** Between two rules: the test's name, where it stands, and what failed. */
function failureDetails(lines: readonly string[]): Map<string, string[]> {
  const details = new Map<string, string[]>();
  const first = lines.findIndex(line => RULE.test(line));
  if (first === -1) return details;
  let name = '';
  for (let i = first; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const title = /^ {2}(\S.*)$/.exec(line);
    const opens =
      (lines[i - 1] ?? '') === '' && (i < 3 || RULE.test(lines[i - 2] ?? '') || (lines[i - 2] ?? '') === '');
    if (title?.[1] !== undefined && opens && !details.has(title[1])) {
      name = title[1].replace(/^\S+\.[cm]?[jt]sx? › /, '');
      details.set(name, []);
    } else if (name !== '') details.get(name)?.push(line);
  }
  return details;
}

function judgeFailure(
  report: Report,
  lines: readonly string[],
  name: string,
  detail: readonly string[] | undefined,
): void {
  const at = lines.findIndex(line => /^ {2}[✘×] \[/.test(line) && line.includes(name));
  const listed = lines[at] ?? '';
  const text = (detail ?? []).join('\n');
  const thrown =
    NOT_ASSERTED.test(listed) ||
    /^ {2}(?:Error thrown in test|Rejected promise returned by test|Error: Test finished without|Test was expected to fail)/m.test(
      text,
    );
  if (!thrown && detail !== undefined) report.assertions.push(name);
  else fault(report, kindOfError(text, 'thrown'), Math.max(at, 0), listed);
}

function fromTap(lines: readonly string[]): Report {
  const report = emptyReport('ava');
  const document = tapDocument(lines);
  for (const point of document.points) {
    if (point.depth !== 0) continue;
    if (point.directive !== null) book(report, point.directive === 'skip' ? 'skipped' : 'todo', point.name);
    else if (point.ok) book(report, 'passed', point.name);
    else {
      const name = yamlValue(point.yaml, 'name') ?? '';
      const asserted = isAssertion(name) && point.yaml.some(line => /^\s*assertion: t\.\w+\(/.test(line));
      const file =
        /\.[cm]?[jt]sx? (?:exited|No tests)|^No tests|^Uncaught|^Unhandled/.test(point.name) ||
        (/^\w*Error/.test(point.name) && !asserted);
      const hook = HOOK.test(point.name.split(' › ').pop() ?? '');
      book(report, file || hook ? 'errored' : 'failed', point.name);
      if (asserted && !hook) report.assertions.push(point.name);
      else fault(report, hook ? 'hook' : kindOfError(point.yaml.join('\n'), 'thrown'), point.index, point.name);
    }
  }
  report.complete = isTap(lines);
  return report;
}
