import { book, bookFailure, fault, numberOf, program, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const BANNER = /^PHPUnit \d+\.\d+\S* by Sebastian Bergmann/;
const OK = /^OK \((\d+) tests?, (\d+) assertions?\)$/;
const TOTAL = /^Tests: (\d+), Assertions: \d+(?:, [A-Za-z ]+: \d+)*\.$/;
const SECTION =
  /^There (?:was|were) \d+ (error|failure|skipped test|incomplete test|risky test|warning|PHPUnit test runner warning|PHPUnit error|PHPUnit test runner deprecation|.*?)s?:$/;
const PROGRESS = /\d+ \/ \d+ \( *\d+%\)$/;
const FATAL = /^(?:PHP )?(?:Fatal|Parse) error: +(.*?)(?: in (\S+?)(?::(\d+)| on line \d+))?$/;

function closingAt(lines: string[]): number {
  let after = lines.findLastIndex(line => PROGRESS.test(line));
  const time = lines.findIndex((line, i) => i > after && /^Time: .+, Memory: /.test(line));
  if (time >= 0) after = time;
  const section = lines.findLastIndex(line => /^There (?:was|were) \d+ (?:error|failure)s?:$/.test(line));
  after = Math.max(after, section);
  return lines.findIndex(
    (line, i) => i > after && (OK.test(line) || TOTAL.test(line) || line === 'No tests executed!'),
  );
}

function readItems(report: Report, lines: string[], end: number): void {
  let section = '';
  for (let i = 0; i < end; i++) {
    const line = lines[i] ?? '';
    const header = SECTION.exec(line)?.[1];
    if (header) section = header;
    else if (/^(?:FAILURES!|ERRORS!|WARNINGS!|OK, but)/.test(line)) section = '';
    const name = section === '' ? undefined : /^\d+\) (.+)$/.exec(line)?.[1];
    if (!name) continue;
    const id = name.replace(/^(\S+::\S+ with data set (?:#\d+|".*?")) \(.*\)$/, '$1');
    const cause = (lines.slice(i + 1, i + 3).find(text => text !== '') ?? '').trim();
    if (section === 'failure') bookFailure(report, 'failed', id, true, i, cause);
    else if (section === 'error') bookFailure(report, 'errored', id, false, i, cause);
    else if (section.endsWith('PHPUnit error')) fault(report, 'other', i, `${name} ${cause}`);
    else if (section === 'skipped test') report.identities.skipped.push(id);
    else if (section === 'incomplete test') report.identities.todo.push(id);
  }
}

/** `Calc` and ` ✘ Subs two things` -> `CalcTest::testSubsTwoThings`: what the printer was given. */
function testdoxIdentity(group: string, text: string): string {
  const full = /^.* \((.+)\)$/.exec(group)?.[1];
  const owner = full ?? `${group.replaceAll(' ', '')}Test`;
  const words = text.split(/\s+/).map(word => word.charAt(0).toUpperCase() + word.slice(1));
  return `${owner}::test${words.join('')}`;
}

function readTestdox(report: Report, lines: string[], end: number): void {
  const named = report.counts.failed + report.counts.errored > 0;
  let group = '';
  for (let i = 0; i < end; i++) {
    const line = lines[i] ?? '';
    if (line === 'Summary of non-successful tests:') break;
    if (/^\S/.test(line) && /^ [✔✘↩∅☢⚠] /.test(lines[i + 1] ?? '')) group = line;
    const test = /^ ([✔✘↩∅☢⚠]) (.+?)(?: \[[\d.]+ ms\])?$/.exec(line);
    if (!test) continue;
    const id = testdoxIdentity(group, test[2] ?? '');
    if (test[1] === '✔') report.identities.passed.push(id);
    else if (test[1] === '↩') report.identities.skipped.push(id);
    else if (test[1] === '∅') report.identities.todo.push(id);
    else if (test[1] === '✘' && !named) {
      const cause =
        lines
          .slice(i + 1, i + 4)
          .map(text => text.replace(/^[\s│├┐╵┴|]+/, ''))
          .find(text => text !== '') ?? '';
      const thrown = /^(?:[A-Za-z_]\w*\\)*\w*(?:Error|Exception|Throwable): /.test(cause);
      bookFailure(report, thrown ? 'errored' : 'failed', id, !thrown, i, cause);
    }
  }
}

export const phpunit: Runner = {
  name: 'phpunit',
  opening: BANNER,
  closing: /^OK \(\d+ tests?, \d+ assertions?\)$|^Tests: \d+, Assertions: \d+|^No tests executed!$/,
  recognise(output, argv) {
    let best = program(argv) === 'phpunit' ? 20 : 0;
    for (const line of output.split('\n')) {
      if (BANNER.test(line)) best = Math.max(best, 85);
      else if (OK.test(line) || TOTAL.test(line)) best = Math.max(best, 75);
      else if (/PHPUnit\\TextUI\\|\/PHPUnit\/TextUI\//.test(line)) best = Math.max(best, 66);
      else if (/^PHP (?:Fatal|Parse) error: /.test(line)) best = Math.max(best, 45);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('phpunit');
    const lines = output.split('\n');
    const at = closingAt(lines);
    const end = at < 0 ? lines.length : at;
    readItems(report, lines, end);
    readTestdox(report, lines, end);
    if (at < 0) {
      const files = new Set<string>();
      lines.forEach((line, i) => {
        const fatal = FATAL.exec(line);
        const missing =
          /^(?:Cannot open file |Test file ".*" not found|Class ".*" could not be found|Could not read |Unknown option |unrecognized option )/.test(
            line,
          );
        if (missing) fault(report, 'startup', i, line);
        if (!fatal) return;
        const file = fatal[2]?.split('/').pop();
        const kind = /ParseError|syntax error/.test(line)
          ? 'syntax'
          : /not found|Failed opening required|undefined function/.test(line)
            ? 'import'
            : 'thrown';
        if (files.size === 0) fault(report, kind, i, line);
        if (file && !files.has(file)) book(report, 'errored', file);
        files.add(file ?? '');
      });
      report.crashed = report.setupErrors.length === 0;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const line = lines[at] ?? '';
    const ok = OK.exec(line);
    const count = (name: string): number => numberOf(line, `, ${name}`);
    const tests = ok ? Number(ok[1]) : Number(TOTAL.exec(line)?.[1] ?? 0);
    const empty = lines.filter((text, i) => i < at && /^No tests found in class "/.test(text)).length;
    const warnings = lines.some((text, i) => i < at && /^There (?:was|were) \d+ warnings?:$/.test(text))
      ? count('Warnings')
      : 0;
    report.counts.failed = count('Failures');
    report.counts.errored = count('Errors');
    report.counts.skipped = count('Skipped');
    report.counts.todo = count('Incomplete');
    const rest = tests - report.counts.failed - report.counts.errored - report.counts.skipped - report.counts.todo;
    report.counts.passed = Math.max(0, rest - Math.min(empty, warnings));
    if (!ok && report.counts.failed + report.counts.errored > 0 && /^OK/.test(lines[at - 1] ?? '')) {
      report.contradictions.push('the closing line says OK beside failed tests');
    }
    return report;
  },
};
