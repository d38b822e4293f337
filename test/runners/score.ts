import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type ParsedReport, parseReport } from '../../src/checks/parse-report.ts';
import { decode } from '../../src/runners/text.ts';

export type Case = {
  id: string;
  runner: string;
  exitCode: number;
  file: string;
  scenario: string;
  expected: {
    verdict: 'PASS' | 'FAIL';
    class: string;
    redEvidence: boolean;
    alsoAcceptableClasses?: string[];
    verdictDebatable?: boolean;
    undecidableFromText?: boolean;
    passed: number;
    failed: number;
    errored: number;
    skipped: number;
    todo: number;
    runnerCounts?: Record<string, number>;
    countsInOutput: boolean;
    failedIdentities: string[];
    passedIdentities?: string[];
    identitiesInOutput: { failed: boolean; passed: boolean };
  };
};

export function loadCases(folder: string): Case[] {
  const index = JSON.parse(readFileSync(join(folder, 'INDEX.json'), 'utf8')) as
    | { id: string }[]
    | { cases: { id: string }[] };
  const list = Array.isArray(index) ? index : index.cases;
  return list.map(({ id }) => JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')) as Case);
}

export function outputOf(folder: string, one: Case): string {
  const bytes = readFileSync(join(folder, one.file));
  return decode(one.file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}

export type Marks = {
  verdict: boolean;
  falsePass: boolean;
  class: boolean;
  red: boolean;
  counts: boolean | null;
  identities: boolean | null;
};

/** Counts: failed and errored together, because runners book a thrown error as either. */
export function mark(one: Case, got: ParsedReport): Marks {
  const { expected } = one;
  const classes = [expected.class, ...(expected.alsoAcceptableClasses ?? [])];
  const failing = expected.failed + expected.errored;
  const counts = [got.passed, got.failed + got.errored, got.skipped, got.todo];
  const wanted = [expected.passed, failing, expected.skipped, expected.todo];
  return {
    verdict: got.verdict === expected.verdict,
    falsePass: got.verdict === 'PASS' && expected.verdict === 'FAIL',
    class: classes.includes(got.class),
    red: got.red === expected.redEvidence,
    counts: expected.countsInOutput ? counts.join() === wanted.join() : null,
    identities: expected.identitiesInOutput.failed ? same(expected.failedIdentities, got.failedIdentities) : null,
  };
}

/** Names match part for part; the separators between describe levels are the reporter's. */
export function same(wanted: readonly string[], got: readonly string[]): boolean {
  const flat = (names: readonly string[]): string =>
    names
      .map(name => name.replace(/ (?:>|›|») /g, ' ').trim())
      .sort()
      .join('\n');
  return flat(wanted) === flat(got);
}

export function parseCase(folder: string, one: Case, text = outputOf(folder, one)): ParsedReport {
  return parseReport(text, { exit: one.exitCode });
}
