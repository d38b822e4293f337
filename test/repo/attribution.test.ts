import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AttributionOptions, attribution } from '../../src/repo/attribution.ts';
import type { Snapshot, SnapshotEntry } from '../../src/repo/snapshot.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';

const EVENT: AttributionOptions = { headMoves: 'event' };

function shot(entries: SnapshotEntry[], more: Partial<Snapshot> = {}): Snapshot {
  return {
    schemaVersion: '1.0.0',
    capturedAt: '2026-01-01T00:00:00.000Z',
    gitAvailable: true,
    head: 'aaaa',
    branch: 'main',
    detached: false,
    clean: entries.length === 0,
    entries,
    excludedPrefixes: ['.claude/state/'],
    protectedHashes: {},
    diagnostics: [],
    ...more,
  };
}

type Side = { status: string; hash?: string } | null;
type Case = {
  id: string;
  before: Side;
  after: Side;
  expect: object | null;
  ambiguous: boolean;
  warning_contains: string | null;
};

const dir = corpus('specbridge-evidence');
test('the attribution cases of the corpus', { skip: dir === null && NO_CORPUS }, t => {
  const { cases } = JSON.parse(readFileSync(join(dir!, 'attribution-cases.json'), 'utf8')) as { cases: Case[] };
  assert.ok(cases.length >= 6);
  for (const c of cases) {
    const entries = (side: Side) =>
      side ? [{ path: 'p', status: side.status, ...(side.hash ? { contentHash: side.hash } : {}) }] : [];
    const result = attribution(shot(entries(c.before)), shot(entries(c.after)), EVENT);
    assert.deepEqual(result.changedFiles, c.expect ? [{ path: 'p', ...c.expect }] : [], c.id);
    assert.deepEqual(result.ambiguousPaths, c.ambiguous ? ['p'] : [], c.id);
    if (c.warning_contains === null) assert.deepEqual(result.warnings, [], c.id);
    else assert.ok(result.warnings.join('\n').includes(c.warning_contains), c.id);
  }
  t.diagnostic(`${cases.length} cases`);
});

const M = (hash: string, status = ' M'): SnapshotEntry => ({ path: 'p', status, contentHash: hash });
const D = (status = ' D'): SnapshotEntry => ({ path: 'p', status });

const rows: {
  name: string;
  was?: SnapshotEntry;
  is?: SnapshotEntry;
  type?: string;
  pre?: boolean;
  during?: boolean;
  warns?: RegExp;
  ambiguous?: boolean;
}[] = [
  { name: 'clean, then changed', is: M('1'), type: 'modified', pre: false, during: true },
  { name: 'clean, then staged as new', is: M('1', 'A '), type: 'added', pre: false, during: true },
  { name: 'clean, then new and gone again in the work tree', is: D('AD'), type: 'added', pre: false, during: true },
  {
    name: 'dirty, then dirtier',
    was: M('1'),
    is: M('2'),
    type: 'modified',
    pre: true,
    during: true,
    warns:
      /^"p" changed during the run but also carries pre-existing changes; only the during-run delta is attributed to the task\.$/,
  },
  {
    name: 'deleted, then the deletion staged',
    was: D(),
    is: D('D '),
    type: 'deleted',
    pre: true,
    during: true,
    warns: /only the during-run delta/,
  },
  {
    name: 'dirty, then deleted',
    was: M('1'),
    is: D(),
    type: 'deleted',
    pre: true,
    during: true,
    ambiguous: true,
    warns: /^"p" changed during the run but its content could not be hashed; attribution is unreliable\.$/,
  },
  {
    name: 'dirty, then clean',
    was: M('1'),
    type: 'modified',
    pre: true,
    during: true,
    warns:
      /^"p" was modified before the run but clean afterwards; pre-existing changes were overwritten or reverted during the run\.$/,
  },
  {
    name: 'untouched by bytes, made executable',
    was: { ...M('1'), mode: '100644' },
    is: { ...M('1'), mode: '100755' },
    type: 'modified',
    pre: true,
    during: true,
    warns: /delta/,
  },
  {
    name: 'a link that points elsewhere',
    was: { path: 'p', status: ' M', linkTarget: 'x' },
    is: { path: 'p', status: ' M', linkTarget: 'y' },
    type: 'modified',
    pre: true,
    during: true,
    warns: /delta/,
  },
];

for (const row of rows) {
  test(`a file ${row.name}`, () => {
    const result = attribution(shot(row.was ? [row.was] : []), shot(row.is ? [row.is] : []), EVENT);
    assert.equal(result.changedFiles.length, 1);
    const { changeType, preExisting, modifiedDuringRun } = result.changedFiles[0]!;
    assert.deepEqual([changeType, preExisting, modifiedDuringRun], [row.type, row.pre, row.during]);
    assert.deepEqual(result.ambiguousPaths, row.ambiguous ? ['p'] : []);
    assert.equal(result.warnings.length, row.warns ? 1 : 0);
    if (row.warns) assert.match(result.warnings[0]!, row.warns);
  });
}

test('a rename and a mode change are told as such', () => {
  const result = attribution(
    shot([]),
    shot([
      { path: 'old', status: ' D', headBlob: 'b1', headMode: '100644' },
      { path: 'new', status: '??', contentHash: '1', blob: 'b1', mode: '100644' },
      {
        path: 'run.sh',
        status: ' M',
        contentHash: '2',
        blob: 'b2',
        mode: '100755',
        headBlob: 'b2',
        headMode: '100644',
      },
    ]),
    EVENT,
  );
  assert.deepEqual(result.changedFiles, [
    { path: 'new', changeType: 'added', preExisting: false, modifiedDuringRun: true, renamedFrom: 'old' },
    { path: 'old', changeType: 'deleted', preExisting: false, modifiedDuringRun: true },
    {
      path: 'run.sh',
      changeType: 'modified',
      preExisting: false,
      modifiedDuringRun: true,
      modeChange: { from: '100644', to: '100755' },
    },
  ]);
});

test('a moved HEAD is a violation where the caller says so, an event elsewhere', () => {
  const [before, after] = [shot([]), shot([], { head: 'bbbb', branch: 'x' })];
  const event = attribution(before, after, EVENT);
  assert.deepEqual(event.violations, []);
  assert.deepEqual(event.headMoved, { from: 'aaaa', to: 'bbbb' });
  assert.deepEqual(event.branchMoved, { from: 'main', to: 'x' });
  assert.deepEqual(attribution(before, after, { headMoves: 'violation' }).violations, [
    'HEAD moved during the run (aaaa → bbbb); runners must never create commits.',
    'branch changed during the run (main → x); runners must stay on their branch.',
  ]);
});

test('protected files are violations in every kind of run', () => {
  const before = shot([], { protectedHashes: { gone: '1', same: '1', edited: '1' } });
  const after = shot(
    [
      { path: 'infra/x.tf', status: '??', contentHash: '1' },
      { path: 'infrastructure', status: '??' },
    ],
    {
      protectedHashes: { same: '1', edited: '2', made: '1' },
    },
  );
  assert.deepEqual(attribution(before, after, { ...EVENT, protectedPaths: ['infra'] }).violations, [
    'protected path modified: edited',
    'protected path deleted: gone',
    'protected path added: infra/x.tf',
    'protected path added: made',
  ]);
});

test('what a commit of the run holds is told by its content', () => {
  const side = (blob: string) => ({ blob, mode: '100644' });
  const before = shot([
    { ...M('1'), path: 'as-it-was', blob: 'w1', mode: '100644' },
    { ...M('1'), path: 'edited-first', blob: 'w2', mode: '100644' },
  ]);
  const after = shot([{ path: 'uncommitted-again', status: ' M', contentHash: '9', blob: 'o4', mode: '100644' }], {
    head: 'bbbb',
  });
  const committed = [
    { path: 'as-it-was', before: side('o1'), after: side('w1') },
    { path: 'edited-first', before: side('o2'), after: side('n2') },
    { path: 'fresh', before: null, after: side('n3') },
    { path: 'uncommitted-again', before: side('o4'), after: side('n4') },
  ];
  const result = attribution(before, after, { ...EVENT, committed });
  assert.deepEqual(
    result.changedFiles.map(f => [f.path, f.changeType, f.preExisting, f.modifiedDuringRun, f.committed]),
    [
      ['as-it-was', 'modified', true, false, true],
      ['edited-first', 'modified', true, true, true],
      ['fresh', 'added', false, true, true],
      ['uncommitted-again', 'modified', false, false, true],
    ],
  );
});
