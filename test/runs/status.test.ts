import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { decideStatus, type StatusInput } from '../../src/runs/status.ts';
import { corpus } from '../corpora.ts';

const COMPLETED: StatusInput = {
  outcome: 'completed',
  reportValidated: null,
  claimedFiles: 0,
  changed: 1,
  ambiguous: 0,
  protectedViolations: [],
  headMoved: null,
  approvalsStillValid: true,
  taskStillExists: true,
  noVerify: false,
  commands: [{ name: 'test', required: true, passed: true }],
};

type Case = {
  id: string;
  input: {
    runnerOutcome: StatusInput['outcome'];
    reportValidated: boolean;
    claimed: string[];
    changed: string[];
    ambiguous: string[];
    protected: string[];
    headMoved: boolean;
    approvalsStillValid: boolean;
    taskStillExists: boolean;
    noVerify: boolean;
    commands: { name: string; required: boolean; passed: boolean }[];
    commandsRan?: boolean;
  };
  expect_status: string;
  warning_contains: string | null;
  violation_contains: string | null;
  reason_contains: string | null;
};

describe('status of a run', () => {
  const folder = corpus('specbridge-evidence');
  const cases: Case[] = folder ? JSON.parse(readFileSync(join(folder, 'status-cases.json'), 'utf8')).cases : [];
  for (const { id, input, ...expected } of cases) {
    it(`corpus: ${id}`, () => {
      const found = decideStatus({
        outcome: input.runnerOutcome,
        reportValidated: input.reportValidated,
        claimedFiles: input.claimed.length,
        changed: input.changed.length,
        ambiguous: input.ambiguous.length,
        protectedViolations: input.protected.map(path => `protected path modified: ${path}`),
        headMoved: input.headMoved ? { from: 'a', to: 'b' } : null,
        approvalsStillValid: input.approvalsStillValid,
        taskStillExists: input.taskStillExists,
        noVerify: input.noVerify,
        // Commands that did not run have passed nothing.
        commands:
          input.commands.length === 0
            ? null
            : input.commands.map(c => ({ ...c, passed: c.passed && input.commandsRan !== false })),
      });
      assert.equal(found.status, expected.expect_status);
      for (const [part, lines] of [
        [expected.warning_contains, found.warnings],
        [expected.violation_contains, found.violations],
        [expected.reason_contains, found.reasons],
      ] as const) {
        if (part !== null)
          assert.ok(
            lines.some(line => line.includes(part)),
            `${part} in ${JSON.stringify(lines)}`,
          );
      }
    });
  }

  it('a claim opens nothing: no change stays no change however much is claimed', () => {
    const found = decideStatus({ ...COMPLETED, changed: 0, claimedFiles: 7 });
    assert.equal(found.status, 'no-change');
    assert.deepEqual(found.warnings, ['the runner claimed 7 changed file(s) but the repository shows none']);
  });

  it('a violation outranks passing commands, and without a change the run failed', () => {
    const violation = { protectedViolations: ['protected path modified: .claude/project.json'] };
    assert.equal(decideStatus({ ...COMPLETED, ...violation }).status, 'implemented-unverified');
    assert.equal(decideStatus({ ...COMPLETED, ...violation, changed: 0, ambiguous: 0 }).status, 'failed');
  });

  it('the outcome comes before the violations, which stay on record', () => {
    const found = decideStatus({ ...COMPLETED, outcome: 'timed-out', headMoved: { from: 'a', to: 'b' } });
    assert.equal(found.status, 'timed-out');
    assert.deepEqual(found.violations, ['HEAD moved during the run (a → b); runners must never commit']);
  });

  it('stale approval, unvalidated report, nothing configured, a verdict about another tree', () => {
    assert.match(
      decideStatus({ ...COMPLETED, approvalsStillValid: false }).violations.join(),
      /an approved spec stage changed during the run \(stale approval\)/,
    );
    assert.equal(decideStatus({ ...COMPLETED, reportValidated: false }).status, 'implemented-unverified');
    assert.equal(decideStatus({ ...COMPLETED, reportValidated: null }).status, 'verified');
    const bare = decideStatus({ ...COMPLETED, commands: null });
    assert.equal(bare.status, 'implemented-unverified');
    assert.match(bare.reasons.join(), /no verification commands are configured/);
    assert.equal(decideStatus({ ...COMPLETED, unproven: 'no verdict' }).status, 'implemented-unverified');
  });

  it('only a required command decides', () => {
    const two = [
      { name: 'a', required: true, passed: false },
      { name: 'b', required: true, passed: false },
      { name: 'c', required: false, passed: false },
    ];
    const found = decideStatus({ ...COMPLETED, commands: two });
    assert.deepEqual(found.reasons, ['required verification failed: a, b']);
    assert.equal(decideStatus({ ...COMPLETED, commands: two.slice(2) }).status, 'verified');
  });

  it('an interrupted run is cancelled', () => {
    assert.equal(decideStatus({ ...COMPLETED, outcome: 'interrupted' }).status, 'cancelled');
  });
});
