import { read } from '../runners/read.ts';
import { judge, type ResultClass } from './judge.ts';

export type ParseReportOptions = {
  runner?: string;
  exit?: number | null;
  phase?: 'green' | 'red';
  identities?: readonly string[];
  approvedSkip?: string;
  argv?: readonly string[];
  successPattern?: string;
  failurePattern?: string;
};

/** The JSON of `touchstone parse --json`, key for key. */
export type ParsedReport = {
  runner: string;
  verdict: 'PASS' | 'FAIL';
  green: boolean;
  red: boolean;
  class: ResultClass;
  passed: number;
  failed: number;
  errored: number;
  skipped: number;
  todo: number;
  failedIdentities: string[];
  passedIdentities: string[];
  problems: string[];
  complete: boolean;
};

export function parseReport(text: string, options: ParseReportOptions = {}): ParsedReport {
  const reading = read(text, options);
  const { report } = reading;
  const judgement = judge(report, {
    exitCode: options.exit ?? null,
    reason: reading.cut ? 'output-limit' : null,
    phase: options.phase ?? 'green',
    identities: options.identities ?? [],
    approvedSkipReason: options.approvedSkip ?? null,
  });
  return {
    runner: report.runner,
    verdict: judgement.verdict,
    green: judgement.green,
    red: judgement.red,
    class: judgement.class,
    ...report.counts,
    failedIdentities: report.identities.failed,
    passedIdentities: report.identities.passed,
    problems: judgement.problems,
    complete: report.complete,
  };
}
