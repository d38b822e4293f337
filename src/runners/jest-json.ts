import { book, bookFailure, fault } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { emptyReport, type Report } from './report.ts';

type Assertion = { ancestorTitles?: string[]; title?: string; status?: string; failureMessages?: string[] };
type Suite = { name?: string; status?: string; message?: string; assertionResults?: Assertion[] };
type Results = { numTotalTests?: number; success?: boolean; testResults?: Suite[] };

/** Jest's and vitest's `--json`: one object, on one line of its own or over many. null: not there. */
export function jestJson(runner: string, lines: readonly string[]): Report | null {
  const at = lines.findLastIndex(line => /^\{(?:"num(?:Failed|Total)\w+":|\s*$)/.test(line));
  if (at === -1) return null;
  const results = parsed(lines[at] ?? '') ?? parsed(lines.slice(at, lines.lastIndexOf('}') + 1).join('\n'));
  if (results === null) return null;
  const report = emptyReport(runner);
  report.complete = true;
  report.readFrom.json = at + 1;
  for (const suite of results.testResults ?? []) readSuite(report, suite, at);
  const seen = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
  if (results.success === false && report.counts.failed + report.counts.errored === 0) {
    report.contradictions.push('success is false but no test failed');
  }
  if (seen === 0) report.emptyAllowed = results.success === true;
  return report;
}

function parsed(text: string): Results | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'numTotalTests' in value ? (value as Results) : null;
  } catch {
    return null;
  }
}

function readSuite(report: Report, suite: Suite, at: number): void {
  const tests = suite.assertionResults ?? [];
  const message = suite.message ?? '';
  if (suite.status === 'failed' && !tests.some(test => test.status === 'failed')) {
    book(report, 'errored', (suite.name ?? '').split(/[\\/]/).pop() ?? '');
    if (/terminated by another process|exited unexpectedly/.test(message)) report.crashed = true;
    fault(
      report,
      kindOfError(message, 'other'),
      at,
      message.split('\n').find(line => line.trim() !== '') ?? 'suite failed',
    );
  }
  // Under a failed hook vitest lists as skipped what never had a chance to run.
  const stopped =
    suite.status === 'failed' && !tests.some(test => test.status === 'failed') && report.runner === 'vitest';
  for (const test of tests) {
    if (stopped && test.status === 'skipped') continue;
    const identity = [...(test.ancestorTitles ?? []), test.title ?? ''].filter(part => part !== '').join(' > ');
    if (test.status === 'passed') book(report, 'passed', identity);
    else if (test.status === 'todo') book(report, 'todo', identity);
    else if (test.status === 'failed') {
      const first = test.failureMessages?.[0] ?? '';
      const head = first.split('\n').find(line => line.trim() !== '') ?? '';
      bookFailure(report, 'failed', identity, isAssertion(head), at, head, kindOfError(head, 'thrown'));
    } else book(report, 'skipped', identity);
  }
}
