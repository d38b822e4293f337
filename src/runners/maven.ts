import { book, bookFailure, fault, program, readAt } from './book.ts';
import { isJavaAssertion, javaException } from './java.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const LEVEL = /^\[(?:INFO|WARNING|ERROR)\] ?/;
const TOTAL = /^Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(?:, Flakes: \d+)?$/;
const TEST_LINE = /^(\S.*?) +(?:-- )?Time elapsed: [\d.,]+ s(?:ec)? +<<< (FAILURE|ERROR)!$/;
const CLASS_LINE = /^Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+, Time elapsed: /;
const BUILD = /^BUILD (SUCCESS|FAILURE)$/;

function plain(line: string): string {
  return line.startsWith('[') ? line.replace(LEVEL, '') : line;
}

/** `subs(com.acme.CalcTest)` of older versions and `com.acme.CalcTest.subs` are one identity. */
function identityOf(text: string): string {
  const old = /^([\w$]+(?:\[[^\]]*\])?)\(([\w.$]+\.[\w.$]+)\)$/.exec(text);
  return old ? `${old[2]}.${old[1]}` : text;
}

function bookTest(
  report: Report,
  booked: Set<string>,
  classes: Set<string>,
  lines: string[],
  i: number,
  text: string,
  word: string,
): void {
  const id = identityOf(text);
  if (booked.has(id)) return;
  booked.add(id);
  const bare = id.replace(/\(.*$|\[.*$/, '');
  const method = bare.slice(bare.lastIndexOf('.') + 1);
  const owner = bare.slice(0, bare.lastIndexOf('.'));
  let exception: string | null = null;
  let cause = '';
  let own = 0;
  let inTest = false;
  for (let j = i + 1; j < lines.length; j++) {
    const line = lines[j] ?? '';
    if (LEVEL.test(line) || line === '') break;
    exception ??= javaException(line);
    cause ||= line;
    if (line.startsWith(`\tat ${owner}.`) || line.startsWith(`\tat ${owner}$`)) {
      own++;
      if (line.includes(`.${method}(`) || line.includes(`lambda$${method}$`)) inTest = true;
    }
  }
  const hook = classes.has(bare) || (own > 0 && !inTest);
  if (word === 'FAILURE' && !hook) {
    // Surefire books any AssertionError as a failure and everything else as an error.
    const byAssertion = exception === null || isJavaAssertion(exception) ? true : null;
    bookFailure(report, 'failed', id, byAssertion, i, cause);
  } else if (exception !== null && /Timeout/.test(exception))
    bookFailure(report, 'errored', id, false, i, cause, 'timeout');
  else bookFailure(report, 'errored', id, false, i, cause, hook ? 'hook' : 'thrown');
}

function readCompile(report: Report, lines: string[], at: number): void {
  const files = new Set<string>();
  for (let i = at + 1; i < lines.length; i++) {
    const line = plain(lines[i] ?? '');
    if (/^\d+ errors?$/.test(line) || BUILD.test(line)) break;
    const file = /^(?:file:\/\/)?(\/?\S*?)([^/\\]+\.(?:java|kt|groovy|scala)):\[?\d+/.exec(line)?.[2];
    if (!file) continue;
    fault(report, 'compile', i, line);
    if (files.has(file)) continue;
    files.add(file);
    book(report, 'errored', file);
  }
  if (files.size === 0) fault(report, 'compile', at, plain(lines[at] ?? ''));
}

const GOAL = /^Failed to execute goal (.*)$/;

function readGoal(report: Report, index: number, text: string): void {
  if (/There are test failures|There was a failure|Compilation failure|failures?\.$/.test(text)) {
    if (!/Compilation failure/.test(text) || report.setupErrors.length > 0) return;
    fault(report, 'compile', index, text);
  } else if (/No tests (?:were executed|matching pattern)/.test(text)) return;
  else if (/forked VM terminated|The crash|timeout or other error in the fork|ForkedProcess|fork/.test(text)) {
    report.crashed = true;
    fault(report, /timeout/.test(text) ? 'timeout' : 'other', index, text);
  } else fault(report, /resolve dependencies|resolution/.test(text) ? 'import' : 'startup', index, text);
}

export const maven: Runner = {
  name: 'maven',
  closing: /^\[INFO\] BUILD (?:SUCCESS|FAILURE)$|^\[(?:INFO|ERROR)\] (?:Finished at: |\[Help 1\] http)/,
  recognise(output, argv) {
    let best = /^mvnw?d?(?:\.cmd)?$/.test(program(argv)) ? 20 : 0;
    for (const line of output.split('\n')) {
      if (/^\[INFO\] BUILD (?:SUCCESS|FAILURE)$/.test(line)) best = Math.max(best, 86);
      else if (/^(?:\[INFO\] )? ?T E S T S$/.test(line)) best = Math.max(best, 75);
      else if (/^\[INFO\] Scanning for projects\.\.\.$/.test(line)) best = Math.max(best, 70);
      else if (TOTAL.test(plain(line)) || CLASS_LINE.test(plain(line))) best = Math.max(best, 61);
      else if (/^\[ERROR\] (?:Failed to execute goal|COMPILATION ERROR)/.test(line)) best = Math.max(best, 66);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('maven');
    const lines = output.split('\n');
    const levelled = lines.some(line => line.startsWith('[INFO] '));
    let started = -1;
    let results = false;
    let totalAt = -1;
    let built = -1;
    const totals: number[] = [];
    const booked = new Set<string>();
    const classes = new Set<string>();
    const close = (): void => {
      if (started >= 0 && totalAt >= 0) totals.push(totalAt);
      else if (started >= 0) report.crashed = true;
      started = totalAt = -1;
      results = false;
    };
    for (let i = 0; i < lines.length; i++) {
      const raw = lines[i] ?? '';
      const own = LEVEL.test(raw);
      if (levelled && !own) continue;
      const line = plain(raw);
      if (/^ ?T E S T S$/.test(line)) {
        close();
        started = i;
      } else if (/^Results ?:$/.test(line)) results = true;
      else if (results && TOTAL.test(line)) totalAt = i;
      else if (/^--- \S+[: ].*@ \S+ ---$/.test(line) || BUILD.test(line)) close();
      else if (/^Tests are skipped\.$|^No tests to run\.$/.test(line)) readAt(report, 'no-tests', i);
      else if (/^COMPILATION ERROR/.test(line)) readCompile(report, lines, i);
      const test = line.endsWith('!') ? TEST_LINE.exec(line) : null;
      if (test && !CLASS_LINE.test(line)) bookTest(report, booked, classes, lines, i, test[1] ?? '', test[2] ?? '');
      const running = /^Running (\S+)$/.exec(line)?.[1];
      if (running) classes.add(running);
      const goal = GOAL.exec(line)?.[1];
      // A goal line that ends with a colon has its message on the lines below.
      if (goal) readGoal(report, i, goal.endsWith(':') || goal.endsWith(': ') ? lines.slice(i, i + 8).join(' ') : goal);
      else if (
        /^(?:Some problems were encountered while processing the POMs|The build could not read \d+ project|The goal you specified requires a project)/.test(
          line,
        )
      )
        fault(report, 'startup', i, line);
      if (BUILD.test(line)) built = i;
    }
    close();
    const sums = [0, 0, 0, 0];
    for (const at of totals) {
      const match = TOTAL.exec(plain(lines[at] ?? ''));
      for (let k = 0; k < 4; k++) sums[k] = (sums[k] ?? 0) + Number(match?.[k + 1] ?? 0);
      readAt(report, 'summary', at);
    }
    const [run = 0, failures = 0, errors = 0, skipped = 0] = sums;
    const compiled =
      report.counts.errored - report.identities.errored.filter(id => !/\.(?:java|kt|groovy|scala)$/.test(id)).length;
    const seen = report.counts.failed + report.counts.errored - compiled;
    if (seen < failures + errors || seen > failures + errors) {
      report.counts.failed = failures;
      report.counts.errored = errors + compiled;
    }
    if (totals.length > 0 && failures + errors === 0 && seen > 0) {
      // Flaky tests: every one of them passed when it was run again.
      report.identities.failed = [];
      report.identities.errored = report.identities.errored.filter(id => !booked.has(id));
      report.assertions = [];
      report.setupErrors = report.setupErrors.filter(error => !['thrown', 'hook', 'timeout'].includes(error.kind));
    }
    report.counts.skipped = skipped;
    report.counts.passed = Math.max(0, run - failures - errors - skipped);
    report.complete = built >= 0 && !report.crashed;
    if (built < 0 && (totals.length === 0 || levelled)) report.crashed = report.setupErrors.length === 0;
    if (!levelled && totals.length > 0) report.complete = true;
    return report;
  },
};
