import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseReport } from '../../src/checks/parse-report.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';
import { loadCases, mark, parseCase } from './score.ts';

const outputs = corpus('runner-outputs');
const parsers = corpus('agent-workflow-parsers');
const share = (good: number, all: number): number => (all === 0 ? 1 : good / all);
const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;

test('real runner outputs', { skip: outputs === null ? NO_CORPUS : false }, t => {
  const folder = outputs ?? '';
  const wrong = { verdict: [] as string[], falsePass: [] as string[], class: [] as string[], red: [] as string[] };
  const counts = { good: 0, all: 0, bad: [] as string[] };
  const names = { good: 0, all: 0, bad: [] as string[] };
  const cases = loadCases(folder);
  const perRunner = new Map<string, { good: number; all: number }>();
  for (const one of cases) {
    const marks = mark(one, parseCase(folder, one));
    if (!marks.verdict && one.expected.verdictDebatable !== true) wrong.verdict.push(one.id);
    if (marks.falsePass && one.expected.verdictDebatable !== true) wrong.falsePass.push(one.id);
    if (!marks.class) wrong.class.push(one.id);
    if (!marks.red) wrong.red.push(one.id);
    for (const [tally, mine] of [[counts, marks.counts] as const, [names, marks.identities] as const]) {
      if (mine === null) continue;
      tally.all++;
      if (mine) tally.good++;
      else tally.bad.push(one.id);
    }
    const runner = perRunner.get(one.runner) ?? { good: 0, all: 0 };
    runner.all++;
    if (marks.verdict && marks.class && marks.red && marks.counts !== false && marks.identities !== false)
      runner.good++;
    perRunner.set(one.runner, runner);
  }
  const classes = share(cases.length - wrong.class.length, cases.length);
  t.diagnostic(
    `${cases.length} cases; verdict wrong ${wrong.verdict.length}, false PASS ${wrong.falsePass.length}, red wrong ${wrong.red.length}`,
  );
  t.diagnostic(
    `class ${percent(classes)}, counts ${percent(share(counts.good, counts.all))}, failed names ${percent(share(names.good, names.all))}`,
  );
  t.diagnostic([...perRunner].map(([name, { good, all }]) => `${name} ${good}/${all}`).join(', '));
  assert.deepEqual(wrong.falsePass, [], 'no false PASS');
  assert.deepEqual(wrong.verdict, [], 'verdict');
  assert.deepEqual(wrong.red, [], 'red evidence');
  assert.ok(classes >= 0.98, `class right in ${percent(classes)}: ${wrong.class.join(', ')}`);
  assert.ok(share(counts.good, counts.all) >= 0.98, `counts: ${counts.bad.join(', ')}`);
  assert.ok(share(names.good, names.all) >= 0.98, `failed names: ${names.bad.join(', ')}`);
});

type Fixture = {
  id: string;
  parser: string;
  phase: 'green' | 'red';
  exit_code: number;
  output: string;
  expect_passed: boolean;
  improved_expect?: boolean;
  identities?: string[];
  success_pattern?: string;
  failure_pattern?: string;
  approved_skip_reason?: string;
};

test('parser fixtures of the check contract', { skip: parsers === null ? NO_CORPUS : false }, () => {
  const { cases } = JSON.parse(readFileSync(join(parsers ?? '', 'fixtures.json'), 'utf8')) as { cases: Fixture[] };
  const wrong: string[] = [];
  for (const one of cases) {
    const got = parseReport(one.output, {
      runner: one.parser,
      exit: one.exit_code,
      phase: one.phase,
      ...(one.identities === undefined ? {} : { identities: one.identities }),
      ...(one.approved_skip_reason === undefined ? {} : { approvedSkip: one.approved_skip_reason }),
      ...(one.success_pattern === undefined ? {} : { successPattern: one.success_pattern }),
      ...(one.failure_pattern === undefined ? {} : { failurePattern: one.failure_pattern }),
    });
    const passed = one.phase === 'red' ? got.red : got.green;
    const wanted = one.improved_expect ?? one.expect_passed;
    if (passed !== wanted) wrong.push(`${one.id}: wanted ${wanted}, got ${got.class} ${got.problems.join('; ')}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(cases.length >= 31);
});
