import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatStamp, parseStamp, stampTime } from '../../src/verdict/statefile.ts';

const PASS = 'PASS\n2026-05-12T18:30:00Z\nnpm test\n0\n';

test('the four lines are byte-exact', () => {
  const at = stampTime(new Date('2026-05-12T18:30:00.123Z'));
  assert.equal(formatStamp({ verdict: 'PASS', at, command: 'npm test', exitCode: 0 }), PASS);
  assert.equal(formatStamp({ verdict: 'FAIL', at, command: '', exitCode: 1 }), 'FAIL\n2026-05-12T18:30:00Z\n\n1\n');
  assert.equal(
    formatStamp({ verdict: 'FAIL', at, command: 'a\nb\r\nc', exitCode: 2 }),
    'FAIL\n2026-05-12T18:30:00Z\na b c\n2\n',
  );
});

test('a PASS is believed only in the exact format', () => {
  assert.equal(parseStamp(PASS).kind, 'stamp');
  const malformed = [
    PASS.replace('PASS', ' PASS '),
    PASS.replace('PASS', 'pass'),
    `\n${PASS}`,
    PASS.replace('PASS', 'PASS (12)'),
    PASS.replaceAll('\n', '\r\n'),
    PASS.slice(0, -1),
    `${PASS}\n`,
    'PASS\n2026-05-12T18:30:00Z\n0\n',
    'PASS\n2026-05-12T18:30:00Z\nnpm\ntest\n0\n',
    'PASS\nyesterday\nnpm test\n0\n',
    'PASS\n2026-05-12T18:30:00Z\nnpm test\nzero\n',
    '',
    '{"verdict":"PASS"}\n',
  ];
  for (const text of malformed) assert.equal(parseStamp(text).kind, 'malformed', JSON.stringify(text));
});

test('PASS beside a failing exit code is a contradiction', () => {
  assert.equal(parseStamp(PASS.replace('\n0\n', '\n1\n')).kind, 'contradiction');
});

test('a FAIL may be written by hand', () => {
  for (const text of ['FAIL', 'FAIL\n', 'FAIL\r\nx\r\n', 'FAIL\n2026-05-12T18:30:00Z\nnpm test\n1\n']) {
    const read = parseStamp(text);
    assert.equal(read.kind === 'stamp' && read.stamp.verdict, 'FAIL', JSON.stringify(text));
  }
});

test('what is formatted parses to the same stamp, whatever the command holds', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('PASS' as const, 'FAIL' as const),
      fc.string(),
      fc.integer({ min: 0, max: 255 }),
      (verdict, command, code) => {
        const exitCode = verdict === 'PASS' ? 0 : code;
        const read = parseStamp(formatStamp({ verdict, at: '2026-05-12T18:30:00Z', command, exitCode }));
        assert.ok(read.kind === 'stamp');
        assert.equal(read.stamp.verdict, verdict);
        assert.equal(read.stamp.exitCode, exitCode);
        assert.equal(formatStamp(read.stamp).split('\n').length, 5);
      },
    ),
  );
});
