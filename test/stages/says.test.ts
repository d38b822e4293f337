import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWord } from '../../src/stages/says.ts';

test('the last object of a message counts, whatever stands around it', () => {
  assert.deepEqual(lastWord('Done. {"status":"complete","summary":"x"}'), { status: 'complete' });
  const both =
    'First {"status":"complete","summary":"x"}, then\n```json\n{"status":"needs_input","question":"Which {one}?"}\n```\n';
  assert.deepEqual(lastWord(both), { status: 'needs_input', question: 'Which {one}?' });
  assert.deepEqual(lastWord('{"status":"blocked","reason":"no key","more":{"a":{}}}'), {
    status: 'blocked',
    reason: 'no key',
  });
});

test('other texts say nothing', () => {
  for (const text of ['', 'all good', '{"status":"fine"}', '{"status":"needs_input"}', '}{', '{{{{', '[1]', '{"a":1'])
    assert.equal(lastWord(text), null, text);
  assert.equal(lastWord('{'.repeat(100_000) + '}'), null);
});
