import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { evalGate, gated, kept, marker, session } from './gates-world.ts';
import type { World } from './world.ts';

function commit(w: World, message: string): void {
  assert.equal(w.git('add', '-A').code, 0);
  assert.equal(w.git('commit', '-q', '--no-verify', '-m', message).code, 0);
}

const REVIEW_BUILD = { build: { verdict: true }, review: { marker: true, after: ['build'] } };

function kick(w: World, step = 'build', evidence = 'src/add.js adds wrongly') {
  return w.cli(['gate', 'kickback', step, '--from', 'review', '--evidence', evidence]);
}

describe('kickbacks', () => {
  test('9: the third at an unchanged tree halts, and a halt closes every gate until a human clears it', () => {
    using w = gated(REVIEW_BUILD);
    session(w);
    assert.equal(w.cli(['verify']).code, 0);
    assert.equal(kick(w).code, 0);
    assert.equal(kick(w, 'build', 'told in other words').code, 0);
    const third = kick(w);
    assert.equal(third.code, 1);
    assert.match(
      third.out,
      /HALT: kickback ping-pong: build was re-opened 2 times \(cap 2\): src\/add\.js adds wrongly/,
    );
    assert.equal(w.read('.claude/state/markers/halt.class'), 'needs-human\n');
    const { verdict } = evalGate(w, 'build');
    assert.equal(verdict.satisfied, false);
    assert.match(verdict.reason, /halted \(needs-human\)/);
    const inside = w.cli(['marker', 'clear', 'halt'], { env: { CLAUDECODE: '1' } });
    assert.equal(inside.code, 2);
    assert.match(inside.err, /refused inside an agent/);
    assert.equal(w.bash('touchstone marker clear halt').code, 2);
    assert.equal(w.cli(['marker', 'clear', 'halt']).code, 0);
    assert.doesNotMatch(evalGate(w, 'build').verdict.reason, /halted/);
  });

  test('10: a commit between sets the count back to 1', () => {
    using w = gated(REVIEW_BUILD);
    session(w);
    kick(w);
    kick(w);
    w.file('src/more.js', 'export {};\n');
    commit(w, 'more');
    const third = w.cli(['gate', 'kickback', 'build', '--from', 'review', '--evidence', 'still', '--json']);
    assert.equal(third.code, 0, third.out);
    const { budget } = JSON.parse(third.out);
    assert.deepEqual([budget.count, budget.cumulative], [1, 3]);
  });

  test('the sixth in all halts even with progress; a fresh session has a fresh budget', () => {
    using w = gated(REVIEW_BUILD);
    session(w);
    for (let i = 1; i <= 6; i++) {
      w.file('src/more.js', `export const n = ${i};\n`);
      assert.equal(kick(w).code, i <= 5 ? 0 : 1, `kickback ${i}`);
    }
    assert.equal(w.cli(['marker', 'clear', 'halt']).code, 0);
    session(w, 'S', 'resume');
    w.file('src/more.js', 'export const n = 7;\n');
    assert.equal(kick(w).code, 1, 'a resumed session goes on with its budget');
    w.cli(['marker', 'clear', 'halt']);
    session(w, 'T');
    assert.equal(kick(w).code, 0);
  });

  test('mechanical faults have a cap and a class of their own', () => {
    using w = gated(REVIEW_BUILD);
    session(w);
    const fault = () =>
      w.cli(['gate', 'kickback', 'build', '--from', 'review', '--evidence', 'no disk', '--mechanical']).code;
    assert.deepEqual([fault(), fault(), fault(), fault()], [0, 0, 0, 1]);
    assert.equal(w.read('.claude/state/markers/halt.class'), 'mechanical\n');
  });

  test('provenance is required, and unknown steps are refused', () => {
    using w = gated(REVIEW_BUILD);
    assert.equal(w.cli(['gate', 'kickback', 'build', '--from', 'review']).code, 2);
    assert.equal(w.cli(['gate', 'kickback', 'build', '--from', 'review', '--evidence', ' \n ']).code, 2);
    const from = w.cli(['gate', 'kickback', 'build', '--from', 'nobody', '--evidence', 'x']);
    assert.equal(from.code, 2);
    assert.match(from.err, /--from nobody: no such gate .*\(there: build, review\)/);
    assert.equal(w.cli(['gate', 'kickback', 'nothing', '--from', 'review', '--evidence', 'x']).code, 2);
    assert.equal(w.sh('ls .claude/state/gates/ledger.json').code, 2);
  });

  test('a re-opened gate is closed by newer evidence of another commit only', () => {
    using w = gated(REVIEW_BUILD);
    w.cli(['config', 'accept']);
    session(w);
    w.cli(['verify']);
    assert.equal(evalGate(w, 'build').verdict.satisfied, true);
    kick(w);
    const open = evalGate(w, 'build').verdict;
    assert.equal(open.satisfied, false);
    assert.match(open.reason, /re-opened by review: src\/add\.js adds wrongly/);
    assert.deepEqual([open.kickback?.from, open.kickback?.evidence], ['review', 'src/add.js adds wrongly']);
    w.sh('sleep 1.1');
    w.cli(['verify']);
    const same = evalGate(w, 'build').verdict;
    assert.equal(same.satisfied, false);
    assert.match(same.reason, /no new commits means no fix/);
    w.file('src/more.js', 'export {};\n');
    commit(w, 'fix');
    assert.equal(evalGate(w, 'build').verdict.satisfied, false);
    w.cli(['verify']);
    const fixed = evalGate(w, 'build').verdict;
    assert.equal(fixed.satisfied, true, fixed.reason);
    assert.equal(fixed.kickback, undefined);
    assert.equal(evalGate(w, 'build').verdict.satisfied, true, 'and it stays closed');
  });

  test('20: a corrupt ledger is an empty budget, kept aside, and the run goes on', () => {
    using w = gated(REVIEW_BUILD);
    session(w);
    kick(w);
    kick(w);
    w.file('.claude/state/gates/ledger.json', '{"schema":1,"gates":{"build":{"count":"two"}}}');
    assert.equal(kick(w).code, 0);
    assert.match(w.sh('ls .claude/state/gates').out, /ledger\.json\.corrupt-/);
    const ledger = JSON.parse(w.read('.claude/state/gates/ledger.json'));
    assert.equal(ledger.gates.build.count, 1);
  });
});

const SURFACED = {
  suite: { verdict: true, surface: 'any-codetest' },
  manual: { marker: true, surface: 'all-runtime' },
};

/** Both gates satisfied at a commit. */
function passedAt(): World {
  const w = gated(SURFACED);
  assert.equal(w.cli(['config', 'accept']).code, 0);
  session(w);
  assert.equal(w.cli(['verify']).code, 0);
  assert.equal(w.cli(['gate', 'pass', 'manual']).code, 0);
  assert.equal(evalGate(w, 'suite').verdict.satisfied, true);
  return w;
}

const both = (w: World) => [evalGate(w, 'suite').verdict.satisfied, evalGate(w, 'manual').verdict.satisfied];

describe('code stamps', () => {
  test('11: documents change: preserved, into the next session too', () => {
    using w = passedAt();
    w.file('docs/notes.md', 'other notes\n');
    commit(w, 'docs');
    assert.deepEqual(both(w), [true, true]);
    assert.match(evalGate(w, 'suite').verdict.reason, /still speaks: nothing in any-codetest changed since/);
    session(w, 'T');
    const manual = evalGate(w, 'manual').verdict;
    assert.equal(manual.satisfied, true, manual.reason);
    assert.equal(manual.comparison?.outcome, 'preserved_surface_miss');
  });

  test('12: a test changes: the suite reruns, the manual test is preserved; runtime changes: both rerun', () => {
    using w = passedAt();
    w.file('test/more.test.js', "import test from 'node:test';\ntest('more', () => {});\n");
    commit(w, 'test');
    assert.deepEqual(both(w), [null, true]);
    w.file('src/add.js', 'export const add = (a, b) => b + a;\n');
    commit(w, 'runtime');
    assert.deepEqual(both(w), [null, false]);
    assert.match(evalGate(w, 'manual').verdict.reason, /src\/add\.js changed since/);
    session(w, 'T');
    assert.equal(w.sh(`ls ${marker('manual')}`).code, 2, 'swept: its stamp does not hold');
  });

  test('an uncommitted change of runtime counts as well', () => {
    using w = passedAt();
    w.file('src/add.js', 'export const add = (a, b) => b + a;\n');
    assert.deepEqual(both(w), [null, false]);
  });

  test('13: a stamp orphaned by amend: rerun', () => {
    using w = passedAt();
    w.file('docs/notes.md', 'amended\n');
    w.git('add', '-A');
    assert.equal(w.git('commit', '-q', '--no-verify', '--amend', '-m', 'again').code, 0);
    assert.deepEqual(both(w), [null, false]);
    assert.match(evalGate(w, 'manual').verdict.reason, /not in the history of HEAD/);
  });

  test('14: a FAIL on record and a PASS at the same HEAD: refused; with a new commit: accepted', () => {
    using w = passedAt();
    const self = ['gate', 'kickback', 'manual', '--from', 'manual', '--evidence', 'login page is blank'];
    assert.equal(w.cli(self).code, 0);
    w.file('src/add.js', 'export const add = (a, b) => b + a;\n');
    const washed = w.cli(['gate', 'pass', 'manual']);
    assert.equal(washed.code, 1);
    assert.match(washed.out, /login page is blank.*no new commits means no fix/);
    commit(w, 'fix');
    const fixed = w.cli(['gate', 'pass', 'manual']);
    assert.equal(fixed.code, 0, fixed.out);
    assert.equal(kept(w, 'manual').failure, undefined);
  });

  test('a preserved marker is withheld from a gate with failure history', () => {
    using w = passedAt();
    w.cli(['gate', 'kickback', 'manual', '--from', 'suite', '--evidence', 'x']);
    w.file('docs/notes.md', 'only docs\n');
    commit(w, 'docs');
    assert.equal(evalGate(w, 'manual').verdict.satisfied, false);
  });

  test('19: one byte of the source changes: the PASS of the suite is stale', () => {
    using w = gated({ suite: { verdict: true } });
    w.cli(['config', 'accept']);
    w.cli(['verify']);
    assert.equal(evalGate(w, 'suite').verdict.satisfied, true);
    w.file('src/add.js', `${w.read('src/add.js')}\n`);
    const { verdict } = evalGate(w, 'suite');
    assert.equal(verdict.satisfied, null);
    assert.match(verdict.reason, /stale/);
    assert.equal(verdict.causes[0]?.next, 'touchstone verify');
  });
});
