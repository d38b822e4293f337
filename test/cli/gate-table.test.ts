/** What gates look like on a screen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compared, explained, gateList, gateTable } from '../../src/cli/gate-table.ts';
import type { Cause, Gate, GateFile } from '../../src/gates/gate.ts';

const NOW = Date.now();

function file(step: string, satisfied: boolean | null, causes: Cause[], more: Partial<GateFile> = {}): GateFile {
  const reason = causes.map(cause => cause.why).join('; ');
  return { schema: 1, step, satisfied, reason, checkedAt: NOW, since: NOW - 125_000, causes, ...more };
}

function gate(step: string, more: Partial<Gate> = {}): Gate {
  const none = { marker: null, checks: [], verdict: false, frozen: false, after: [], surface: null, dispatch: [] };
  return { step, enforcement: 'gating', disabled: null, ...none, ...more };
}

const BUILD = file('build', true, [{ condition: 'verdict', truth: 'true', why: 'the suite passed' }]);
const REVIEW = file('code-review', false, [
  { condition: 'after', truth: 'false', why: 'waits for lint: lint failed: at this tree', next: 'touchstone verify' },
  { condition: 'after', truth: 'true', why: 'build holds' },
  { condition: 'marker', truth: 'false', why: 'it is stale', next: 'write it' },
]);
const DOCS = file('docs', true, [], { skipped: 'none here', reason: 'skipped: none here' });

test('the table: aligned, skips are no passes, reasons of others stand in their own rows', () => {
  assert.deepEqual(gateTable([BUILD, REVIEW, DOCS], Number.POSITIVE_INFINITY), [
    'gates     1 of 3 hold, 1 skipped',
    '    step         since  why',
    '  ✓ build           2m  the suite passed',
    '  ✗ code-review     2m  waits for lint; it is stale',
    '  – docs            2m  skipped: none here',
  ]);
});

test('no row is wider than the terminal', () => {
  const [, , row] = gateTable([BUILD], 24);
  assert.equal(row, '  ✓ build     2m  the s…');
  assert.equal([...row!].length, 24);
});

test('the list: step, enforcement, conditions in columns', () => {
  const rows = [
    { file: BUILD, gate: gate('build', { verdict: true, surface: 'any-codetest', enforcement: 'structural' }) },
    { file: REVIEW, gate: gate('code-review', { after: ['lint', 'build'], marker: 'm' }) },
    { file: DOCS, gate: gate('docs', { checks: [{ id: 'unit', phase: 'red' }], disabled: 'none here' }) },
  ];
  assert.deepEqual(gateList(rows), [
    '✓ build        structural  verdict, surface any-codetest',
    '✗ code-review  gating      after lint, build, marker',
    '– docs         gating      check unit (red), disabled (none here)',
  ]);
});

test('explained: every condition, below it what would move it, and what was compared', () => {
  const floorMs = Date.UTC(2026, 4, 1, 12);
  const comparison = { artifact: 'm', mtimeMs: floorMs - 2001.2, floorMs, floorSource: 'attempt' } as const;
  assert.deepEqual(explained({ ...REVIEW, comparison: { ...comparison, outcome: 'stale_invalidated' } }, gate('x')), [
    '✗ code-review (gating) does not hold',
    '    ✗ after   waits for lint: lint failed: at this tree',
    '              run: touchstone verify',
    '    ✓ after   build holds',
    '    ✗ marker  it is stale',
    '              next: write it',
    '              stale_invalidated: written 2026-05-01T11:59:57.998Z, 2001 ms before the attempt floor 2026-05-01T12:00:00.000Z',
  ]);
  assert.match(compared({ ...comparison, mtimeMs: floorMs, outcome: 'rewritten' }), /Z, at the attempt floor/);
  assert.deepEqual(explained(DOCS, gate('docs')), ['– docs (gating) is skipped: none here']);
});
