import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContract, validateChecks } from '../../src/checks/contract.ts';

const GOOD = { id: 'unit', command: ['npm', 'test'] };

/** `path: message` of every refusal. */
function refusals(raw: unknown): string[] {
  return validateChecks(raw)
    .filter(fault => !fault.warning)
    .map(fault => `${fault.path}: ${fault.message}`);
}

function refusedAs(check: object, expected: RegExp): void {
  const found = refusals({ checks: [{ ...GOOD, ...check }] });
  assert.equal(found.length, 1, found.join('\n'));
  assert.match(found[0]!, expected);
}

describe('contract of checks', () => {
  it('fills defaults', () => {
    const { checks, faults } = readContract({ checks: [GOOD] });
    assert.deepEqual(faults, []);
    assert.deepEqual(checks, [
      {
        id: 'unit',
        argv: ['npm', 'test'],
        cwd: '.',
        timeoutSeconds: 1800,
        inactivitySeconds: 300,
        env: {},
        envRefs: [],
        phases: ['green'],
        identities: [],
        approvedSkipReason: null,
        junit: [],
        reports: [],
      },
    ]);
  });

  it('takes a named command with its settings, the check overriding', () => {
    const { checks, faults } = readContract({
      commands: {
        api: { argv: ['pytest'], cwd: 'api/', timeout_seconds: 60, env: { A: '1', B: '1' }, env_refs: ['TOKEN'] },
        plain: ['go', 'test', './...'],
      },
      checks: [
        { id: 'a', command: 'api', env: { B: '2' }, env_refs: ['KEY'], timeout_seconds: 90 },
        { id: 'b', command: 'plain' },
      ],
    });
    assert.deepEqual(faults, []);
    const [a, b] = checks;
    assert.deepEqual([a!.argv, a!.cwd, a!.timeoutSeconds, a!.env], [['pytest'], 'api', 90, { A: '1', B: '2' }]);
    assert.deepEqual(
      [a!.envRefs, b!.argv],
      [
        ['TOKEN', 'KEY'],
        ['go', 'test', './...'],
      ],
    );
  });

  it('refuses a shell string where argv is meant, wherever it stands', () => {
    refusedAs({ command: 'npm test' }, /^checks\.0\.command: looks like a shell command string: "npm test"$/);
    refusedAs({ command: ['npm test'] }, /^checks\.0\.command: looks like a shell command string/);
    assert.match(refusals({ commands: { a: 'x | y' } })[0]!, /^commands\.a: looks like a shell command string/);
    assert.deepEqual(refusals({ checks: [{ ...GOOD, command: ['sh', '-c', 'npm test | tee out'] }] }), []);
    assert.deepEqual(refusals({ checks: [{ ...GOOD, command: ['/opt/my tools/run'] }] }), []);
  });

  it('refuses an unknown named command and names those there are', () => {
    const [fault] = validateChecks({ commands: { api: ['pytest'] }, checks: [{ id: 'a', command: 'apl' }] });
    assert.match(fault!.message, /^unknown named command "apl"$/);
    assert.match(fault!.cure!, /\(api\)/);
  });

  it('refuses doubled ids, unknown runners, wrong phases', () => {
    assert.match(
      refusals({ checks: [GOOD, GOOD] })[0]!,
      /^checks\.1\.id: Check IDs must be unique and use participating repositories/,
    );
    refusedAs({ runner: 'jist' }, /unknown runner "jist"/);
    for (const phases of [[], ['blue'], 'green', ['green', 1]]) {
      refusedAs({ phases }, /^checks\.0\.phases: Checks require red and\/or green phases$/);
    }
  });

  it('asks of generic and of red what their proof needs', () => {
    refusedAs({ runner: 'generic' }, /generic checks need an explicit success_pattern/);
    refusedAs({ runner: 'jest', phases: ['red'] }, /red proof needs expected test identities/);
    refusedAs(
      { runner: 'generic', success_pattern: '^42 of 42$', phases: ['red'], identities: ['a'] },
      /generic red proof needs an assertion failure_pattern/,
    );
  });

  it('reads a pattern without a runner as generic', () => {
    const { checks } = readContract({ checks: [{ ...GOOD, success_pattern: '^smoke: all 3 pages answered$' }] });
    assert.equal(checks[0]!.runner, 'generic');
  });

  it('refuses invalid and catastrophic patterns', () => {
    for (const source of ['(', '(a+)+$', '(?:a|aa)*b', '(.*)*', '(?=x)y']) {
      refusedAs({ success_pattern: source }, /^checks\.0\.success_pattern: pattern /);
    }
  });

  it('warns of a broad pattern, and of that alone', () => {
    const warned = (source: string): boolean => {
      const faults = validateChecks({ checks: [{ ...GOOD, success_pattern: source }] });
      assert.ok(faults.every(fault => fault.warning));
      return faults.length === 1;
    };
    for (const source of ['passed', 'ok', '.*', '^OK$', 'PASSED', 'done', '.', 'success|done', '\\d+', '^']) {
      assert.ok(warned(source), source);
    }
    for (const source of ['^42 of 42 scenarios passed$', 'smoke: ready', 'Contract suite OK \\(\\d+ calls\\)']) {
      assert.ok(!warned(source), source);
    }
  });

  it('keeps cwd and report paths inside the project', () => {
    for (const cwd of ['../x', 'a/../../b', '/abs', '~/x', 'C:\\x', '', 5, 'a\\..\\b']) {
      refusedAs({ cwd }, /^checks\.0\.cwd: cwd /);
    }
    refusedAs({ junit: '../out.xml' }, /^checks\.0\.junit: a report path leaves the project/);
    assert.deepEqual(refusals({ checks: [{ ...GOOD, cwd: 'packages/a..b' }] }), []);
  });

  it('holds limits, variables, identities and reasons to their kinds', () => {
    for (const value of [0, -1, 86_401, '60', Number.NaN]) refusedAs({ timeout_seconds: value }, /\.timeout_seconds: /);
    for (const value of [0, 3_601]) refusedAs({ inactivity_seconds: value }, /\.inactivity_seconds: /);
    refusedAs({ env: { 'A-B': 'x' } }, /\.env: /);
    refusedAs({ env: { A: 1 } }, /\.env: /);
    refusedAs({ env_refs: ['$HOME'] }, /\.env_refs: /);
    refusedAs({ identities: [''] }, /\.identities: /);
    refusedAs({ approved_skip_reason: ' ' }, /\.approved_skip_reason: /);
    refusedAs({ id: 'a b' }, /^checks\.0\.id: /);
  });

  it('holds outcomes to existing checks with a green phase', () => {
    const checks = [GOOD, { ...GOOD, id: 'red', runner: 'jest', phases: ['red'], identities: ['a'] }];
    const of = (ids: unknown) => refusals({ checks, outcomes: [{ id: 'o', checks: ids }] });
    assert.deepEqual(of(['unit', 'red']), []);
    assert.deepEqual(of([]), ['outcomes.0.checks: Map each planned outcome to executable checks']);
    assert.deepEqual(of(['gone']), ['outcomes.0.checks: Every outcome must reference existing checks: gone']);
    assert.deepEqual(of(['red']), ['outcomes.0.checks: Every outcome needs a green check']);
  });

  it('names everything wrong in one pass, each with a cure', () => {
    const faults = validateChecks({
      checks: [
        { id: 'a', command: 'npm test', runner: 'nope', phases: ['blue'], cwd: '../x', timeout_seconds: 0 },
        { id: 'a', command: ['x'], identites: ['typo'] },
      ],
      outcomes: [{ id: 'o', checks: ['z'] }],
    });
    assert.deepEqual(
      faults.map(fault => fault.path),
      [
        'checks.0.command',
        'checks.0.cwd',
        'checks.0.timeout_seconds',
        'checks.0.phases',
        'checks.0.runner',
        'checks.1.identites',
        'checks.1.id',
        'outcomes.0.checks',
      ],
    );
    assert.ok(faults.every(fault => (fault.cure ?? '').length > 0));
  });

  it('survives any JSON', () => {
    for (const raw of [
      null,
      1,
      'x',
      [],
      { checks: {} },
      { checks: [null, 1, []] },
      { outcomes: [null] },
      { commands: [] },
    ]) {
      assert.deepEqual(readContract(raw).checks, []);
    }
  });
});
