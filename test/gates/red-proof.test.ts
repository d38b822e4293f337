import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redRefusal } from '../../src/gates/red-proof.ts';

const RED = {
  outcome: 'specs-generated',
  command: 'pytest',
  targetSpecs: ['tests/test_a.py'],
  executed: 3,
  passed: 1,
  failed: 2,
  skipped: 0,
  errors: 0,
  failingTests: ['a', 'b'],
};

test('a red record is accepted', () => assert.equal(redRefusal(RED), null));

test('refusals come in their order: each of these has every later fault too', () => {
  const worst: Record<string, unknown> = {
    outcome: 'done',
    executed: 'x',
    passed: 0,
    failed: 0,
    skipped: 1,
    errors: 1,
    exception: {},
    command: '',
    targetSpecs: [],
  };
  const cures: [RegExp, Record<string, unknown>][] = [
    [/outcome is "done"/, { outcome: 'specs-generated' }],
    [/executed is not a number/, { executed: 0 }],
    [/never ran/, { errors: 0 }],
    [/a skip does not establish red/, { skipped: 0 }],
    [/no spec was executed/, { executed: 1 }],
    [/exception is not/, { exception: undefined }],
    [/red is not established/, { failed: 1 }],
    [/command is empty/, { command: 'pytest' }],
    [/no target specs/, { targetSpecs: ['a'] }],
  ];
  assert.match(redRefusal([worst])!, /not an object/);
  let record = worst;
  for (const [refusal, cure] of cures) {
    assert.match(redRefusal(record)!, refusal);
    record = { ...record, ...cure };
  }
  assert.equal(redRefusal(record), null);
});

test('a remediation may have failed nothing, when somebody answers for it', () => {
  const exception = { kind: 'remediation', reason: 'the spec was wrong', attribution: 'A. Reviewer' };
  assert.equal(redRefusal({ ...RED, failed: 0, exception }), null);
  assert.match(redRefusal({ ...RED, failed: 0, exception: { ...exception, attribution: '' } })!, /exception is not/);
});
