import { book, bookFailure, fault, program, readAt } from './book.ts';
import { isJavaAssertion, javaException } from './java.ts';
import { emptyReport, type Runner } from './report.ts';

const TEST = /^(\S.*? > .+?) (PASSED|FAILED|SKIPPED)$/;
const BUILD = /^BUILD (?:SUCCESSFUL|FAILED) in /;
const TOTAL = /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/;
const TASK = /^> Task (:\S+)(?: (FAILED|UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED))?$/;

/** `com.acme.CalcTest > Nested > subs()` -> `com.acme.CalcTest.Nested.subs`. */
function identityOf(text: string): string {
  return text
    .replace(/^Gradle Test Run \S+ > Gradle Test Executor \d+ > /, '')
    .split(' > ')
    .join('.')
    .replace(/\(\)$/, '');
}

export const gradle: Runner = {
  name: 'gradle',
  closing: BUILD,
  recognise(output, argv) {
    let best = /^gradlew?(?:\.bat)?$/.test(program(argv)) ? 20 : 0;
    for (const line of output.split('\n')) {
      if (BUILD.test(line)) best = Math.max(best, 86);
      else if (TASK.test(line)) best = Math.max(best, 66);
      else if (/^FAILURE: Build failed with an exception\.$/.test(line)) best = Math.max(best, 66);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('gradle');
    const lines = output.split('\n');
    let tests = false;
    let empty = false;
    let total: RegExpExecArray | null = null;
    let listedPassed = 0;
    let totals = { run: 0, failed: 0, skipped: 0, seen: false };
    lines.forEach((line, i) => {
      const task = TASK.exec(line);
      if (task) {
        const [, name = '', state = ''] = task;
        const last = name.split(':').pop() ?? '';
        if (/^compile|^kapt|^ksp/.test(last) && state === 'FAILED') {
          const at = lines.findIndex((text, k) => k > i && /(?:^e: |: error: |\.\w+:\d+)/.test(text));
          book(report, 'errored', name);
          fault(report, 'compile', at < 0 ? i : at, lines[at < 0 ? i : at] ?? '');
        } else if (/[tT]est$/.test(last)) {
          if (state === 'NO-SOURCE' || state === 'SKIPPED') empty = true;
          else tests = true;
        }
      }
      const test = line.endsWith('ED') ? TEST.exec(line) : null;
      if (test) {
        tests = true;
        const id = identityOf(test[1] ?? '');
        if (test[2] === 'PASSED') listedPassed = report.identities.passed.push(id);
        else if (test[2] === 'SKIPPED') book(report, 'skipped', id);
        else {
          const text = (lines[i + 1] ?? '').trim();
          const exception = javaException(text);
          const hook = /\.(?:initializationError|executionError|classMethod)$/.test(id);
          if (hook) bookFailure(report, 'errored', id, false, i, text, 'hook');
          else bookFailure(report, 'failed', id, exception === null ? null : isJavaAssertion(exception), i, text);
        }
      }
      total = TOTAL.exec(line);
      if (total) {
        totals = {
          run: totals.run + Number(total[1]),
          failed: totals.failed + Number(total[2] ?? 0),
          skipped: totals.skipped + Number(total[3] ?? 0),
          seen: true,
        };
        readAt(report, 'summary', i);
      }
      if (
        /^> (?:Process 'Gradle Test Executor \d+' finished with non-zero exit value|Could not complete execution for Gradle Test Executor)/.test(
          line,
        )
      )
        report.crashed = true;
      else if (/^> No tests found for given includes/.test(line)) {
        tests = false;
        empty = true;
      } else if (
        /^> (?:Could not (?:resolve|find|compile|open)|Task '.*' not found|Failed to (?:apply|notify)|A problem occurred|Plugin \[)/.test(
          line,
        ) ||
        /^(?:Build file|Settings file) '.*' line: \d+$/.test(line)
      )
        fault(report, 'startup', i, line);
      if (BUILD.test(line)) {
        report.complete = true;
        readAt(report, 'build', i);
      }
    });
    report.counts.passed = listedPassed;
    if (totals.seen) {
      report.counts.skipped = totals.skipped;
      report.counts.passed = Math.max(0, totals.run - totals.failed - totals.skipped);
      if (report.counts.failed + report.counts.errored < totals.failed)
        report.counts.failed = totals.failed - report.counts.errored;
    } else if (tests && listedPassed === 0) report.counted = false;
    if (empty && !tests) report.counted = true;
    if (!report.complete) report.crashed = tests;
    return report;
  },
};
