/** What an agent reports of its own work, as JSON. Read with plain checks; kept as it was said. */
import { isRecord } from '../config/project.ts';
import type { ReportedTest, RunnerClaims } from './types.ts';

export type RunnerReport = {
  outcome?: string;
  summary?: string;
  changedFiles: string[];
  commandsReported: string[];
  testsReported: ReportedTest[];
};

export type ReportRead = { kind: 'report'; report: RunnerReport } | { kind: 'invalid'; why: string };

export function parseReport(text: string): ReportRead {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { kind: 'invalid', why: 'is not JSON' };
  }
  if (!isRecord(value)) return { kind: 'invalid', why: 'is not a JSON object' };
  const report: RunnerReport = { changedFiles: [], commandsReported: [], testsReported: [] };
  for (const key of ['outcome', 'summary'] as const) {
    const given = value[key];
    if (given === undefined) continue;
    if (typeof given !== 'string') return { kind: 'invalid', why: `has a ${key} that is not a string` };
    report[key] = given;
  }
  for (const key of ['changedFiles', 'commandsReported'] as const) {
    const given = value[key] ?? [];
    if (!Array.isArray(given) || !given.every(v => typeof v === 'string')) {
      return { kind: 'invalid', why: `has ${key} that are not a list of strings` };
    }
    report[key] = given;
  }
  const tests = value.testsReported ?? [];
  if (!Array.isArray(tests)) return { kind: 'invalid', why: 'has testsReported that are not a list' };
  for (const test of tests) {
    if (!isRecord(test) || typeof test.name !== 'string' || typeof test.status !== 'string') {
      return { kind: 'invalid', why: 'has testsReported without name and status' };
    }
    report.testsReported.push({ name: test.name, status: test.status });
  }
  return { kind: 'report', report };
}

const MOST_ITEMS = 1000;
const MOST_CHARS = 200_000;

/** Verbatim up to a size that a record can carry. */
export function claimsOf(
  report: RunnerReport | null,
  said: { files: string[]; commands: string[] },
  statements: readonly { kind: string; text: string }[],
): RunnerClaims {
  let room = MOST_CHARS;
  let truncated = false;
  const cut = <T>(items: readonly T[], size: (item: T) => number): T[] => {
    const kept: T[] = [];
    for (const item of items) {
      room -= size(item);
      if (kept.length >= MOST_ITEMS || room < 0) {
        truncated = true;
        break;
      }
      kept.push(item);
    }
    return kept;
  };
  const summary = report?.summary;
  const claims: RunnerClaims = {
    ...(report?.outcome === undefined ? {} : { outcome: report.outcome.slice(0, 200) }),
    ...(summary === undefined ? {} : { summary: summary.slice(0, 20_000) }),
    changedFiles: cut([...new Set([...(report?.changedFiles ?? []), ...said.files])], text => text.length),
    commandsReported: cut([...new Set([...(report?.commandsReported ?? []), ...said.commands])], text => text.length),
    testsReported: cut(report?.testsReported ?? [], test => test.name.length + test.status.length),
    statements: cut(
      statements.map(({ kind, text }) => ({ kind, text })),
      one => one.text.length,
    ),
  };
  if (truncated || (summary !== undefined && summary.length > 20_000)) claims.truncated = true;
  return claims;
}
