import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isRunId, newRunId, resolveRunId } from '../../src/runs/ids.ts';
import { createRun, listRuns, readEvents, readRun, sweep, updateRun, writeRunFile } from '../../src/runs/store.ts';
import type { RunRecord } from '../../src/runs/types.ts';
import {
  appendWhole,
  openKey,
  openKeys,
  placeFile,
  readOpen,
  removeOpen,
  writeOpen,
} from '../../src/state/run-files.ts';

const folders: string[] = [];
const fresh = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'touchstone-store-'));
  folders.push(dir);
  return dir;
};
after(() => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
});

const record = (runId: string, more: Partial<RunRecord> = {}): RunRecord => ({
  schemaVersion: '1.0.0',
  runId,
  kind: 'agent-turn',
  specName: 'session',
  runner: 'claude-code',
  createdAt: '2026-01-02T03:04:05.000Z',
  resumeSupported: false,
  warnings: [],
  lifecycleStatus: 'OPEN',
  ...more,
});
const runs = (root: string, ...names: string[]): string => join(root, '.claude/state/runs', ...names);

describe('run ids', () => {
  for (const id of [
    '../x',
    '..',
    '.',
    'a/b',
    'a\\b',
    '',
    '.hidden',
    '-rf',
    'a b',
    'a\0b',
    'a..b',
    'é',
    'x'.repeat(101),
    '/etc',
  ]) {
    it(`refuses ${JSON.stringify(id.slice(0, 20))}`, () => {
      const root = fresh();
      assert.equal(isRunId(id), false);
      assert.throws(() => createRun(root, record(id), {}), { code: 'bad-run-id' });
      assert.equal(readRun(root, id).kind, 'diagnostic');
    });
  }

  it('sort by the time they were made, also when the clock goes back', () => {
    const root = fresh();
    const ids: string[] = [];
    for (const now of [1_800_000_000_000, 1_800_000_000_000, 1_700_000_000_000, 1_800_000_000_500]) {
      const id = newRunId(root, now);
      createRun(root, record(id, { createdAt: new Date(now).toISOString() }), {});
      ids.push(id);
    }
    assert.deepEqual([...ids].sort(), ids);
    assert.deepEqual(
      listRuns(root).runs.map(run => run.runId),
      [...ids].reverse(),
    );
  });

  it('are found by an unambiguous beginning only', () => {
    const ids = ['abc-1', 'abc-2', 'abd', 'abdicate'];
    assert.equal(resolveRunId(ids, 'abc-2'), 'abc-2');
    assert.equal(resolveRunId(ids, 'abdi'), 'abdicate');
    assert.equal(resolveRunId(ids, 'abd'), 'abd');
    assert.throws(() => resolveRunId(ids, 'abc'), { code: 'ambiguous-run' });
    assert.throws(() => resolveRunId(ids, 'zzz'), { code: 'unknown-run' });
    assert.throws(() => resolveRunId(ids, '../../etc'), { code: 'bad-run-id' });
  });
});

describe('the run directory', () => {
  it('appears whole and is never made twice', () => {
    const root = fresh();
    createRun(root, record('one'), { 'prompt.md': 'do it' });
    assert.deepEqual(readdirSync(runs(root, 'one')).sort(), ['prompt.md', 'run.json']);
    assert.throws(() => createRun(root, record('one', { runner: 'other' }), {}), { code: 'run-exists' });
    const read = readRun(root, 'one');
    assert.equal(read.kind === 'run' && read.run.runner, 'claude-code');
    mkdirSync(runs(root, 'empty'));
    assert.throws(() => createRun(root, record('empty'), {}), { code: 'run-exists' });
    assert.deepEqual(readdirSync(join(root, '.claude/state/tmp')), []);
  });

  it('keeps fields that this version does not know', () => {
    const root = fresh();
    createRun(root, { ...record('one'), later: { deep: [1] } } as RunRecord, {});
    updateRun(root, 'one', { outcome: 'completed' });
    const text = JSON.parse(readFileSync(runs(root, 'one', 'run.json'), 'utf8'));
    assert.deepEqual([text.later, text.outcome], [{ deep: [1] }, 'completed']);
  });

  it('lists foreign and unreadable records as diagnostics', () => {
    const root = fresh();
    createRun(root, record('good'), {});
    for (const [name, text] of [
      ['torn', '{"schemaVersion": "1.0'],
      ['newer', JSON.stringify({ ...record('newer'), schemaVersion: '2.0.0' })],
      ['foreign', '{"hello": "world"}'],
      ['renamed', JSON.stringify(record('another'))],
      ['list', '[]'],
    ] as const) {
      mkdirSync(runs(root, name));
      writeFileSync(runs(root, name, 'run.json'), text);
    }
    mkdirSync(runs(root, 'bare'));
    writeFileSync(runs(root, 'notes.txt'), 'x');
    symlinkSync('/etc', runs(root, 'link'));
    mkdirSync(runs(root, 'linked'));
    symlinkSync(runs(root, 'good', 'run.json'), runs(root, 'linked', 'run.json'));
    const { runs: found, diagnostics } = listRuns(root);
    assert.deepEqual(
      found.map(run => run.runId),
      ['good'],
    );
    const codes = Object.fromEntries(diagnostics.map(d => [d.path.split('/')[3], d.code]));
    assert.deepEqual(codes, {
      torn: 'RUN_UNREADABLE',
      newer: 'RUN_INVALID_SHAPE',
      foreign: 'RUN_INVALID_SHAPE',
      renamed: 'RUN_INVALID_SHAPE',
      list: 'RUN_INVALID_SHAPE',
      bare: 'RUN_UNREADABLE',
      'notes.txt': 'RUN_UNREADABLE',
      link: 'RUN_UNREADABLE',
      linked: 'RUN_UNREADABLE',
    });
  });

  it('writes through a private temporary file and leaves none', () => {
    const root = fresh();
    createRun(root, record('one'), {});
    writeRunFile(root, 'one', 'raw-stdout.log', 'secret');
    assert.equal(readFileSync(runs(root, 'one', 'raw-stdout.log'), 'utf8'), 'secret');
    writeFileSync(join(root, '.claude/state/tmp/1.abc.0.tmp'), 'half');
    writeFileSync(join(root, '.claude/state/tmp/4194304.abc.0.tmp'), 'half');
    writeFileSync(join(root, '.claude/state/tmp/mine.txt'), 'kept');
    // Process 1 lives, the other number is beyond what the system gives out.
    assert.deepEqual(sweep(root), ['4194304.abc.0.tmp']);
    assert.deepEqual(readdirSync(join(root, '.claude/state/tmp')).sort(), ['1.abc.0.tmp', 'mine.txt']);
  });

  it('does not replace where a fresh file is asked for', () => {
    const root = fresh();
    const path = join(root, 'x/y.json');
    placeFile(root, path, 'first', { fresh: true });
    assert.throws(() => placeFile(root, path, 'second', { fresh: true }), { code: 'EEXIST' });
    assert.equal(readFileSync(path, 'utf8'), 'first');
    placeFile(root, path, 'third');
    assert.equal(readFileSync(path, 'utf8'), 'third');
  });
});

describe('events', () => {
  it('a torn line costs itself and not its neighbour', () => {
    const root = fresh();
    createRun(root, record('one'), {});
    const path = runs(root, 'one', 'events.jsonl');
    appendWhole(path, '{"at":"t","type":"a"}');
    writeFileSync(path, '{"at":"t","type":"a"}\n{"at":"t","ty');
    appendWhole(path, '{"at":"t","type":"b"}');
    const { events, torn } = readEvents(root, 'one');
    assert.deepEqual([events.map(e => e.type), torn], [['a', 'b'], 1]);
  });

  it('a pipe, a link or a folder in their place is told and never waited for', { timeout: 20_000 }, () => {
    const root = fresh();
    for (const [name, make] of [
      ['pipe', (path: string) => void execFileSync('sh', ['-c', 'mkfifo "$0"', path])],
      ['link', (path: string) => symlinkSync('/dev/zero', path)],
      ['folder', (path: string) => mkdirSync(path)],
    ] as const) {
      createRun(root, record(name), {});
      rmSync(runs(root, name, 'events.jsonl'), { force: true });
      make(runs(root, name, 'events.jsonl'));
      assert.deepEqual(readEvents(root, name), { events: [], torn: 1 });
    }
  });
});

describe('pointers to open runs', () => {
  it('take any session id as a name', () => {
    const root = fresh();
    const odd = ['../../../etc/passwd', '', 'a/b', 'é'.repeat(300), 'S', 'con', '\ud800'];
    const keys = odd.map(id => openKey(id));
    assert.equal(new Set(keys).size, odd.length);
    for (const [i, key] of keys.entries()) {
      assert.match(key, /^[A-Za-z0-9_.+-]{1,120}$/);
      writeOpen(root, key, { run: `r${i}`, session: odd[i]! });
      assert.equal(readOpen(root, key)?.run, `r${i}`);
    }
    assert.equal(openKeys(root).length, odd.length);
    assert.notEqual(openKey('S', 'a'), openKey('S'));
    removeOpen(root, keys[0]!);
    assert.equal(readOpen(root, keys[0]!), null);
  });

  it('that point out of the runs folder read as none', () => {
    const root = fresh();
    writeOpen(root, 'S', { run: '../../x', session: 'S' });
    assert.equal(readOpen(root, 'S'), null);
  });
});
