import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { unmetGates } from '../../src/gates/unmet.ts';
import { UNIT } from './checks-world.ts';
import { evalGate, gated, kept, mark, session } from './gates-world.ts';

const SKIPPING =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\ntest('adds', () => assert.equal(1, 2));\ntest('later', { skip: true }, () => {});\n";

describe('checks', () => {
  const RED = { red: { check: { id: 'unit', phase: 'red' } } };

  test('15 and 16: a red record with a skip, and one in which nothing failed, are refused', () => {
    using w = gated(RED, { checks: [UNIT] });
    session(w);
    w.cli(['check', 'run', 'unit', '--phase', 'red']);
    const green = evalGate(w, 'red').verdict;
    assert.equal(green.satisfied, false);
    assert.match(green.reason, /no spec failed: red is not established/);
    w.file('test/add.test.js', SKIPPING);
    w.cli(['check', 'run', 'unit', '--phase', 'red']);
    const skipped = evalGate(w, 'red').verdict;
    assert.equal(skipped.satisfied, false);
    assert.match(skipped.reason, /1 skipped: a skip does not establish red/);
    w.file('test/add.test.js', SKIPPING.replace(/^test\('later.*\n/m, ''));
    w.cli(['check', 'run', 'unit', '--phase', 'red']);
    assert.equal(evalGate(w, 'red').verdict.satisfied, true);
  });

  test('never run, passed here, stale, failed here; a flaky pass at the same tree is no fix', () => {
    using w = gated({ unit: { check: 'unit' } }, { checks: [{ ...UNIT, phases: ['green'] }] });
    w.file('.gitignore', '.claude/state/\nflag\n');
    w.file(
      'test/add.test.js',
      "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { existsSync } from 'node:fs';\ntest('adds', () => assert.ok(existsSync('flag')));\n",
    ).commitAll('flaky');
    const never = evalGate(w, 'unit').verdict;
    assert.deepEqual([never.satisfied, never.causes[0]?.next], [null, 'touchstone check run unit']);
    w.cli(['check', 'run', 'unit']);
    const failed = evalGate(w, 'unit').verdict;
    assert.equal(failed.satisfied, false);
    assert.match(failed.reason, /unit failed at this tree \(unit-0001\)/);
    w.file('flag', '');
    w.cli(['check', 'run', 'unit']);
    const flaky = evalGate(w, 'unit').verdict;
    assert.equal(flaky.satisfied, false);
    assert.match(flaky.reason, /no new commits means no fix/);
    w.file('src/add.js', 'export const add = 1;\n');
    assert.equal(evalGate(w, 'unit').verdict.satisfied, null);
    w.cli(['check', 'run', 'unit']);
    assert.equal(evalGate(w, 'unit').verdict.satisfied, true);
  });
});

describe('enforcement', () => {
  const gates = {
    build: { check: 'unit' },
    hint: { check: 'unit', enforcement: 'advisory' },
    off: { verdict: true, disabled: 'no suite yet' },
    review: { marker: true, after: ['build', 'off'] },
  };

  test('a skip is recorded as one and is no pass; an advisory failure is skipped; what waits is not satisfied', () => {
    using w = gated(gates, { checks: [{ ...UNIT, phases: ['green'] }] });
    w.file('src/add.js', 'export const add = () => 0;\n');
    session(w);
    w.cli(['check', 'run', 'unit']);
    mark(w, 'review');
    assert.equal(w.cli(['gate', 'eval']).code, 1);
    assert.equal(kept(w, 'off').reason, 'skipped: no suite yet');
    assert.match(kept(w, 'hint').reason, /^skipped: advisory failure \(unit failed/);
    assert.equal(kept(w, 'build').satisfied, false);
    assert.match(kept(w, 'review').reason, /waits for build: unit failed at this tree/);
    const status = w.cli(['status']).out;
    assert.match(status, /^ {2}✗ build +\d+s {2}unit failed at this tree/m);
    assert.match(status, /^ {2}– off +\d+s {2}skipped: no suite yet/m);
  });

  test('a skip does not launder a FAIL at the same commit', () => {
    using w = gated({ manual: { marker: true } });
    session(w);
    w.cli(['gate', 'kickback', 'manual', '--from', 'manual', '--evidence', 'blank page']);
    w.file(
      '.claude/project.json',
      JSON.stringify({ test: { cmd: 'npm test' }, gates: { manual: { marker: true, disabled: 'not now' } } }),
    );
    const { verdict } = evalGate(w, 'manual');
    assert.equal(verdict.satisfied, false);
    assert.match(verdict.reason, /blank page.*a skip does not launder it/);
  });
});

test('rules that changed since a human accepted them satisfy nothing', () => {
  using w = gated({ review: { marker: true } });
  assert.equal(w.cli(['config', 'accept']).code, 0);
  session(w);
  mark(w, 'review');
  assert.equal(evalGate(w, 'review').verdict.satisfied, true);
  w.file('.claude/project.json', JSON.stringify({ gates: { review: { marker: true }, more: { marker: true } } }));
  const { verdict } = evalGate(w, 'review');
  assert.equal(verdict.satisfied, null);
  assert.match(verdict.reason, /changed since a human accepted them/);
});

test('a gates folder that takes no file: not satisfied, and said so', () => {
  using w = gated({ review: { marker: true } });
  session(w);
  mark(w, 'review');
  rmSync(join(w.root, '.claude/state/gates'), { recursive: true, force: true });
  w.file('.claude/state/gates', 'a file in its place');
  const { verdict } = evalGate(w, 'review');
  assert.equal(verdict.satisfied, false);
  assert.match(verdict.reason, /could not be written to \.claude\/state\/gates/);
});

describe('at the end of a turn, and before work leaves', () => {
  const gates = { docs: { marker: true, surface: 'docs' }, manual: { marker: true, surface: 'all-runtime' } };
  const more = { gate: { stop: ['docs', 'manual'], deliver: ['manual'] }, test: { cmd: '' } };

  test('only gates whose surface the turn touched are asked; the agent hears the cause and the one command', () => {
    using w = gated(gates, more);
    session(w);
    assert.equal(w.stop().code, 0, 'nothing changed');
    w.file('src/add.js', 'export const add = 2;\n');
    const blocked = w.stop();
    assert.equal(blocked.code, 2);
    assert.match(
      blocked.err,
      /^Touchstone stop: gate manual is not proven: .*missing.*Run: touchstone gate pass manual\n$/,
    );
    assert.deepEqual(
      unmetGates(w.root, 'deliver').map(gate => [gate.step, gate.satisfied, gate.next]),
      [['manual', null, 'touchstone gate pass manual']],
    );
    assert.equal(w.cli(['gate', 'pass', 'manual']).code, 0);
    assert.deepEqual([w.stop().code, unmetGates(w.root, 'deliver')], [0, []]);
    w.file('docs/notes.md', 'more\n');
    assert.match(w.stop().err, /gate docs is not proven/);
    w.cli(['marker', 'set', 'quarantine', '--reason', 'leaks a key']);
    assert.match(unmetGates(w.root, 'deliver')[0]!.why, /in quarantine: reason: leaks a key/);
  });

  test('three refusals at an unchanged tree, then let go, marked UNVERIFIED', () => {
    using w = gated(gates, more);
    session(w);
    w.file('src/add.js', 'export const add = 2;\n');
    for (let i = 0; i < 3; i++) assert.equal(w.stop({ stop_hook_active: i > 0 }).code, 2, `refusal ${i + 1}`);
    const last = w.stop({ stop_hook_active: true });
    assert.equal(last.code, 0);
    assert.match(JSON.parse(last.out).systemMessage, /UNVERIFIED.*gates that do not hold: manual/);
  });

  test('gates that cannot be read are named, and block', () => {
    using w = gated({ manual: { marker: true, after: ['ghost'] } }, more);
    session(w);
    w.file('src/add.js', 'export const add = 2;\n');
    assert.match(w.stop().err, /project\.json at gates\.manual\.after: unknown step "ghost"/);
  });
});

describe('markers', () => {
  test('a phase holds writes to its prefixes, line by line for sh, and a human’s is not widened by an agent', () => {
    using w = gated({ build: { marker: true } });
    w.cli(['init', '.']);
    const set = ['marker', 'set', 'phase', '--step', 'build', '--phase', 'BUILD', '--allow', 'src/', 'docs'];
    assert.equal(w.cli(set).code, 0);
    assert.equal(
      w.sh("sed -n 's/^allow: //p; s/^step: //p' .claude/state/markers/phase | tr '\\n' ' '").out,
      'build src/ docs ',
    );
    const codes = {
      'src/new.js': 0,
      'docs/a.txt': 0,
      'docs2/a.txt': 2,
      'package.json': 2,
      '.claude/state/markers/build.pass': 0,
    };
    for (const [path, code] of Object.entries(codes)) assert.equal(w.write(path, 'x\n').code, code, path);
    assert.match(w.bash('echo x > test/new.js').err, /^Touchstone phase: .*this phase allows src\/, docs only/);
    assert.equal(w.bash('cat package.json').code, 0);
    assert.equal(w.cli(['marker', 'clear', 'phase'], { env: { CLAUDECODE: '1' } }).code, 2);
    assert.equal(w.cli(['marker', 'clear', 'phase']).code, 0);
    assert.equal(w.write('test/new.js', 'x\n').code, 0);
  });

  test('set, show and clear; what is not known is refused', () => {
    using w = gated({ build: { marker: true } });
    assert.equal(w.cli(['marker', 'show', 'halt']).code, 1);
    assert.equal(w.cli(['marker', 'set', 'halt']).code, 2);
    assert.equal(w.cli(['marker', 'set', 'halt', 'why', '--class', 'odd']).code, 2);
    assert.equal(w.cli(['marker', 'set', 'halt', 'the', 'disk', 'is', 'full', '--class', 'mechanical']).code, 0);
    assert.match(w.cli(['marker', 'show']).out, /halt \(mechanical\)\n {2}reason: the disk is full/);
    w.file('.claude/state/markers/halt.class', '\0');
    assert.match(w.cli(['marker', 'show']).out, /halt \(unclassified\)/);
    assert.equal(w.cli(['marker', 'set', 'finish-choice', 'pr']).code, 0);
    assert.match(w.cli(['marker', 'show', 'finish-choice']).out, /pr/);
    assert.equal(w.cli(['marker', 'set', 'other', 'x']).code, 2);
    assert.equal(w.cli(['gate', 'eval', 'ghost']).code, 2);
    assert.equal(w.cli(['attempt', 'start', 'ghost']).code, 2);
  });

  test("an agent writes its marker, and does not set a marker's times", () => {
    using w = gated({ build: { marker: true } });
    w.cli(['init', '.']);
    const path = '.claude/state/markers/build.pass';
    assert.equal(w.write(path, 'ok\n').code, 0);
    for (const command of [
      `touch -d yesterday ${path}`,
      `touch -r package.json ${path}`,
      `cp -p package.json ${path}`,
      `rsync -t package.json ${path}`,
      'tar -xpf a.tar -C .claude/state/markers',
      `install -p package.json ${path}`,
      `python3 -c "import os; os.utime('${path}', (1, 1))"`,
      `node -e "require('fs').utimesSync('${path}', 1, 1)"`,
    ]) {
      assert.equal(w.bash(command).code, 2, command);
    }
  });
});
