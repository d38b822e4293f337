import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGates } from '../../src/gates/contract.ts';

test('every fault of the configuration is told at once, with its path and a cure', () => {
  const { faults } = readGates({
    checks: [{ id: 'unit' }],
    surfaces: { mine: ['../other/**'] },
    gates: {
      a: { after: ['b'], check: 'nope', surface: 'moon' },
      b: { after: ['c'] },
      c: { after: ['a', 'ghost'] },
      '../x': { marker: true },
      ledger: { verdict: true },
      red: { check: { id: 'unit', phase: 'red' } },
      s: { verdict: true, enforcement: 'structural', disabled: 'why' },
      g: { verdict: true, disabled: true },
      nothing: { enforcement: 'advisory' },
      one: { marker: true },
      two: { marker: '.claude/state/markers/one.pass' },
    },
    gate: { stop: ['zzz'], deliver: 'a' },
  });
  const said = faults.map(f => `${f.path}: ${f.message}`);
  for (const wanted of [
    /^surfaces\.mine: has a glob that leaves the project/,
    /^gates\.a\.check: unknown check "nope"/,
    /^gates\.a\.surface: unknown surface "moon"/,
    /^gates\.c\.after: unknown step "ghost"/,
    /^gates\.a\.after: gates wait for each other: a -> b -> c -> a/,
    /^gates\.\.\.\/x: .*would leave/,
    /^gates\.ledger: .*a file of its own/,
    /^gates\.red\.check: check "unit" has no phase red/,
    /^gates\.s\.disabled: a structural gate cannot be disabled/,
    /^gates\.g\.disabled: .*not disabled silently/,
    /^gates\.nothing: asks for nothing/,
    /^gates\.two\.marker: .*marker of one too/,
    /^gate\.stop\.0: unknown step "zzz"/,
    /^gate\.deliver: is not a list/,
  ]) {
    assert.equal(said.filter(line => wanted.test(line)).length, 1, `${wanted}\n${said.join('\n')}`);
  }
  assert.equal(said.length, 14, said.join('\n'));
  assert.ok(faults.every(f => f.cure !== undefined));
});

test('the refusals of a marker path come in their order', () => {
  for (const [value, wrong] of [
    ['', /non-empty string/],
    [7, /non-empty string/],
    ['/tmp/../*', /not relative/],
    ['src/../*/', /does not start with/],
    ['.claude/state/../*/', /leaves the state folder/],
    ['.claude/state/markers/*.pass/', /is a pattern/],
    ['.claude/state//markers/', /is a folder/],
    ['.claude/state/./markers/a.pass', /shortest form/],
    ['.claude/state/verdict.json', /is not a \.pass file directly in/],
    ['.claude/state/markers/a/b.pass', /is not a \.pass file directly in/],
  ] as const) {
    const { faults } = readGates({ gates: { a: { marker: value } } });
    assert.equal(faults.length, 1);
    assert.match(faults[0]!.message, wrong);
    assert.equal(faults[0]!.path, 'gates.a.marker');
  }
  assert.deepEqual(readGates({ gates: { a: { marker: '.claude/state/markers/other.pass' } } }).faults, []);
});
