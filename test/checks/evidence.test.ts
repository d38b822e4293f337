import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CheckEntry, type CheckRecord, redProof, writeRecord } from '../../src/checks/evidence.ts';
import { acceptedRed, acceptedRedRecord } from '../../src/checks/red-evidence.ts';
import { checkRecordSchema } from '../../src/checks/schema.ts';

const TREE = 'a'.repeat(40);

const ENTRY: CheckEntry = {
  id: 'unit',
  repository: '.',
  command: 'npm test',
  cwd: '.',
  parser: 'jest',
  phase: 'red',
  identities: ['tests/a.test.js::adds', 'subtracts'],
  exit_code: 1,
  signal: null,
  reason: null,
  class: 'red-assertion',
  counts: { passed: 3, failed: 2, errored: 0, skipped: 1, todo: 1 },
  failed_identities: ['adds', 'subtracts'],
  passed_identities: [],
  output: '',
  log: '',
  duration_seconds: 0.5,
  started_at: '2026-05-12T18:30:00.000Z',
  approved_skip_reason: null,
  passed: true,
  problems: [],
  notes: [],
};

function record(entry: Partial<CheckEntry> = {}, fingerprint: string | null = TREE): CheckRecord {
  const whole = { ...ENTRY, ...entry };
  return {
    schema: 1,
    changes: { '.': ['a.js'] },
    checks: [whole],
    fingerprint,
    raw: null,
    head: null,
    passed: whole.passed,
    rules: [],
    contract: 'c',
    ...(whole.phase === 'red' ? { red: redProof(whole) } : {}),
  };
}

describe('evidence of checks', () => {
  let root: string;
  const folder = () => join(root, '.claude/state/evidence/checks');
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'touchstone-evidence-'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('numbers without gaps when many write at once', async () => {
    const writes = Array.from({ length: 12 }, (_, i) =>
      writeRecord(root, i % 3 === 0 ? 'many' : 'many-0001', `log ${i}\n`, log => record({ log })),
    );
    await Promise.all(writes);
    const names = readdirSync(folder()).sort();
    const numbers = (check: string, end: string) =>
      names.flatMap(name => new RegExp(`^${check}-(\\d{4})\\.${end}$`).exec(name)?.[1] ?? []);
    assert.deepEqual(numbers('many', 'json'), ['0001', '0002', '0003', '0004']);
    assert.deepEqual(numbers('many', 'log'), ['0001', '0002', '0003', '0004']);
    assert.deepEqual(numbers('many-0001', 'json'), ['0001', '0002', '0003', '0004', '0005', '0006', '0007', '0008']);
  });

  it('uses no number twice, also after the newest record was removed', async () => {
    const write = () => writeRecord(root, 'again', 'x\n', log => record({ log }));
    await write();
    const second = await write();
    assert.equal(second.path, '.claude/state/evidence/checks/again-0002.json');
    rmSync(join(folder(), 'again-0002.json'));
    assert.equal((await write()).path, '.claude/state/evidence/checks/again-0003.json');
  });

  it('goes on from the records where the counter is lost or broken', async () => {
    writeFileSync(join(root, '.claude/state/evidence/check-numbers.json'), '{broken');
    const next = await writeRecord(root, 'again', 'x\n', log => record({ log }));
    assert.equal(next.path, '.claude/state/evidence/checks/again-0004.json');
  });

  it('writes what its schema says, RED proof included', async () => {
    const { path } = await writeRecord(root, 'shape', 'the log\n', log => record({ log }));
    const written = JSON.parse(readFileSync(join(root, path), 'utf8'));
    assert.deepEqual(checkRecordSchema.parse(written), written);
    assert.deepEqual(written.red, {
      outcome: 'specs-generated',
      command: 'npm test',
      targetSpecs: ['tests/a.test.js', 'subtracts'],
      executed: 5,
      passed: 3,
      failed: 2,
      skipped: 2,
      errors: 0,
      failingTests: ['adds', 'subtracts'],
    });
    assert.equal(readFileSync(join(root, '.claude/state', written.checks[0].log), 'utf8'), 'the log\n');
  });

  it('accepts red evidence at exactly its tree, the newest run of each check deciding', async () => {
    const other = 'b'.repeat(40);
    const write = (check: string, entry: Partial<CheckEntry>, tree: string) =>
      writeRecord(root, check, '', log => record({ ...entry, log }, tree));
    assert.equal(acceptedRed(root, other), null);
    await write('first', { phase: 'green' }, other);
    await write('first', { passed: false }, other);
    assert.equal(acceptedRed(root, other), null);
    await write('first', {}, other);
    assert.equal(acceptedRed(root, other), join(folder(), 'first-0003.json'));
    await write('first', { passed: false }, other);
    assert.equal(acceptedRed(root, other), null);
    writeFileSync(join(folder(), 'first-0005.json'), '{cut');
    await write('second', {}, other);
    assert.equal(acceptedRed(root, other), join(folder(), 'second-0001.json'));
    assert.equal(acceptedRed(root, 'c'.repeat(40)), null);
  });

  it('finds an accepted red record by any of its names', async () => {
    await writeRecord(root, 'named', '', log => record({ log }));
    await writeRecord(root, 'named', '', log => record({ log, passed: false }));
    const found = 'evidence/checks/named-0001.json';
    for (const name of ['named-0001', 'named-0001.json', found, `.claude/state/${found}`]) {
      assert.equal(acceptedRedRecord(root, name), found);
    }
    assert.equal(acceptedRedRecord(root, 'named-0002'), null);
    assert.equal(acceptedRedRecord(root, '../../session'), null);
  });
});
