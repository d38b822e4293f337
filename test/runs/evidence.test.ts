import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { folderName, listEvidence, readEvidence, storeEvidence } from '../../src/runs/evidence.ts';
import { bucketOf, freshnessOf, type Now, reusable } from '../../src/runs/freshness.ts';
import { evidenceRecordSchema } from '../../src/runs/schema.ts';
import type { EvidenceRecord, SpecContext } from '../../src/runs/types.ts';

const context: SpecContext = {
  documentHash: 'd',
  designHash: 'e',
  tasksPlanHash: 'p',
  taskFingerprint: 'f',
  taskText: 'First',
};

const record = (more: Partial<EvidenceRecord> = {}): EvidenceRecord => ({
  schemaVersion: '1.0.0',
  runId: 'r1',
  specName: 'login',
  taskId: '1.2',
  status: 'verified',
  runner: 'claude',
  repository: { headAfter: 'a'.repeat(40), dirtyBefore: false, dirtyAfter: true, fingerprintAfter: 'tree' },
  changedFiles: [{ path: 'src/a.ts', changeType: 'modified', preExisting: false, modifiedDuringRun: true }],
  verificationCommands: [
    { name: 'unit', argv: ['npm', 'test'], required: true, exitCode: 0, durationMs: 5, passed: true },
  ],
  verificationSkipped: false,
  runnerClaims: { changedFiles: [], commandsReported: [], testsReported: [], statements: [] },
  claimChecks: [],
  violations: [],
  warnings: [],
  reasons: [],
  evaluatedAt: '2026-01-02T03:04:05.000Z',
  contract: 'rules',
  specContext: context,
  ...more,
});

const now: Now = {
  specName: 'login',
  taskId: '1.2',
  context,
  inHistory: () => true,
  now: Date.parse('2026-01-03T00:00:00Z'),
};

describe('evidence records', () => {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-evidence-'));
  after(() => rmSync(root, { recursive: true, force: true }));

  it('are stored once and never overwritten', () => {
    const path = storeEvidence(root, record());
    assert.equal(path, 'evidence/runs/login/1.2/r1.json');
    assert.throws(() => storeEvidence(root, record({ status: 'failed' })), { code: 'evidence-exists' });
    assert.equal(readEvidence(root, 'login', '1.2', 'r1')?.status, 'verified');
    const text = JSON.parse(readFileSync(join(root, '.claude/state', path), 'utf8'));
    assert.deepEqual(evidenceRecordSchema.parse(text), record());
  });

  it('keep their folder whatever a task is called', () => {
    for (const name of ['../../etc', '..', '', 'a/b', '.x', 'é', 'x'.repeat(500)]) {
      assert.match(folderName(name), /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$|^none$/);
    }
    storeEvidence(root, record({ taskId: '../../../escape', runId: 'r2' }));
    assert.equal(readEvidence(root, 'login', '../../../escape', 'r2')?.runId, 'r2');
  });

  it('that cannot be read are told and skipped', () => {
    const dir = join(root, '.claude/state/evidence/runs/login/9');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'torn.json'), '{');
    writeFileSync(join(dir, 'other.json'), '{"schemaVersion":"1.0.0"}');
    mkdirSync(join(dir, 'folder.json'));
    writeFileSync(join(dir, 'copy.json'), JSON.stringify(record({ taskId: '9', runId: 'other' })));
    storeEvidence(root, record({ taskId: '9', runId: 'ok' }));
    const { records, diagnostics } = listEvidence(root, 'login', '9');
    assert.deepEqual(
      [records.map(r => r.runId), diagnostics.map(d => `${d.code} ${d.path.split('/').at(-1)}`).sort()],
      [
        ['ok'],
        [
          'EVIDENCE_INVALID_SHAPE copy.json',
          'EVIDENCE_INVALID_SHAPE other.json',
          'EVIDENCE_UNREADABLE folder.json',
          'EVIDENCE_UNREADABLE torn.json',
        ],
      ],
    );
  });
});

describe('old evidence', () => {
  const cases: [string, string, string[], Partial<EvidenceRecord>, Partial<Now>][] = [
    ['of the same task and tree of documents', 'valid', [], {}, {}],
    ['of another spec', 'invalid', ['spec-name-mismatch'], { specName: 'pay' }, {}],
    [
      'with a path that leaves the repository',
      'invalid',
      ['paths-outside-repository'],
      { changedFiles: [{ path: '../x', changeType: 'added', preExisting: false, modifiedDuringRun: true }] },
      {},
    ],
    ['without a time', 'invalid', ['timestamp-unparseable'], { evaluatedAt: 'yesterday' }, {}],
    ['accepted by nobody', 'invalid', ['manual-record-malformed'], { status: 'manually-accepted' }, {}],
    ['of a failed run', 'not-accepted', ['status-failed'], { status: 'failed' }, {}],
    ['of a task that is gone', 'stale', ['task-missing'], {}, { context: null }],
    [
      'of a task that changed',
      'stale',
      ['task-identity-changed'],
      {},
      { context: { ...context, taskFingerprint: 'x' } },
    ],
    [
      'from before the document',
      'stale',
      ['document-hash-changed'],
      {},
      { context: { ...context, documentHash: 'x' } },
    ],
    ['from before the design', 'stale', ['design-hash-changed'], {}, { context: { ...context, designHash: null } }],
    ['from before the plan', 'stale', ['plan-hash-changed'], {}, { context: { ...context, tasksPlanHash: 'x' } }],
    ['of another history', 'stale', ['history-diverged'], {}, { inHistory: () => false }],
  ];
  for (const [name, worth, reasons, changed, at] of cases) {
    it(`${name}: ${worth}`, () => {
      const found = freshnessOf(record(changed), { ...now, ...at });
      assert.deepEqual([found.worth, found.reasons], [worth, reasons]);
    });
  }

  it('of the future and of unknown history is noted', () => {
    const late = freshnessOf(record(), { ...now, now: 0, inHistory: () => null });
    assert.deepEqual([late.worth, late.notes], ['valid', ['evaluated-in-the-future', 'history-unknown']]);
  });

  it('the newest accepted record decides the task', () => {
    const failed = record({ runId: 'r3', status: 'failed' });
    const old = record({ runId: 'r1' });
    assert.deepEqual(bucketOf([failed, old], now), { bucket: 'valid', by: 'r1' });
    const stale = record({ runId: 'r4', specContext: { ...context, tasksPlanHash: 'old' } });
    assert.deepEqual(bucketOf([failed, stale, old], now), { bucket: 'stale', by: 'r4' });
    assert.deepEqual(bucketOf([failed], now), { bucket: 'missing', by: null });
    // What accepted nothing decides nothing, however odd it is.
    const odd = record({ runId: 'r5', status: 'failed', evaluatedAt: 'yesterday' });
    assert.deepEqual(bucketOf([odd, old], now), { bucket: 'valid', by: 'r1' });
    const unsigned = record({ runId: 'r6', status: 'manually-accepted' });
    assert.deepEqual(bucketOf([odd, unsigned, old], now), { bucket: 'invalid', by: 'r6' });
  });

  it('a pass is used again only at exactly the same tree, rules and argv', () => {
    const wanted = { name: 'unit', argv: ['npm', 'test'], tree: 'tree', contract: 'rules' };
    assert.equal(reusable([record()], wanted, now)?.runId, 'r1');
    assert.equal(reusable([record()], { ...wanted, tree: 'tree2' }, now), null);
    assert.equal(reusable([record()], { ...wanted, tree: null }, now), null);
    assert.equal(reusable([record()], { ...wanted, contract: 'others' }, now), null);
    assert.equal(reusable([record()], { ...wanted, argv: ['npm', 'test', '--', '-x'] }, now), null);
    assert.equal(reusable([record({ status: 'failed' })], wanted, now), null);
    const [command] = record().verificationCommands;
    const once = record({ verificationCommands: [{ ...command!, reused: 'reused-evidence' }] });
    assert.equal(reusable([once], wanted, now), null);
  });
});
