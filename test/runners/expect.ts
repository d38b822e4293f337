import assert from 'node:assert/strict';
import type { Report, Runner } from '../../src/runners/report.ts';

export type Wanted = {
  /** passed/failed/errored/skipped/todo */
  counts: string;
  failed?: string[];
  errored?: string[];
  passed?: string[];
  assertions?: string[];
  setup?: string[];
  complete?: boolean;
  crashed?: boolean;
  counted?: boolean;
};

/** Parses a hand-written output and holds it against hand-written facts. */
export function expectReport(runner: Runner, output: string, wanted: Wanted): Report {
  const report = runner.parse(output);
  const { passed, failed, errored, skipped, todo } = report.counts;
  assert.equal([passed, failed, errored, skipped, todo].join('/'), wanted.counts, 'counts');
  if (wanted.failed) assert.deepEqual(report.identities.failed, wanted.failed, 'failed');
  if (wanted.errored) assert.deepEqual(report.identities.errored, wanted.errored, 'errored');
  if (wanted.passed) assert.deepEqual(report.identities.passed, wanted.passed, 'passed');
  if (wanted.assertions) assert.deepEqual(report.assertions, wanted.assertions, 'assertions');
  assert.deepEqual(
    report.setupErrors.map(error => error.kind),
    wanted.setup ?? [],
    'setup errors',
  );
  assert.equal(report.complete, wanted.complete ?? true, 'complete');
  assert.equal(report.crashed, wanted.crashed ?? false, 'crashed');
  assert.equal(report.counted, wanted.counted ?? true, 'counted');
  return report;
}

export function text(...lines: string[]): string {
  return `${lines.join('\n')}\n`;
}
