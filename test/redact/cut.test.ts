import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { headTail, tail } from '../../src/redact/cut.ts';

describe('tail', () => {
  const cases: [string, number, string][] = [
    ['a\nb\nc\n', 2, 'b\nc\n'],
    ['a\nb\nc', 2, 'b\nc'],
    ['a\nb\n', 5, 'a\nb\n'],
    ['a\n\n\n', 2, '\n\n'],
    ['', 3, ''],
    ['a', 0, ''],
    ['\n', 1, '\n'],
    ['a\r\nb\r\n', 1, 'b\r\n'],
  ];
  for (const [text, lines, expected] of cases) {
    it(`${lines} of ${JSON.stringify(text)}`, () => assert.equal(tail(text, lines), expected));
  }

  it('is an ending with exactly that many lines', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '🦊', '\n', '\r\n', 'x y'), { maxLength: 40 }).map(a => a.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 12 }), (s, n) => {
        const out = tail(s, n);
        assert.ok(s.endsWith(out));
        const count = (t: string) => t.split('\n').length - (t === '' || t.endsWith('\n') ? 1 : 0);
        assert.equal(count(out), Math.min(n, count(s)));
      }),
    );
  });
});

describe('headTail', () => {
  it('leaves a text that fits', () => assert.equal(headTail('äöü', 6), 'äöü'));
  it('says how much is missing', () => {
    const out = headTail('a'.repeat(500) + 'b'.repeat(500), 131);
    assert.equal(out, `${'a'.repeat(50)}\n[... 900 bytes left out ...]\n${'b'.repeat(50)}`);
  });
  it('cuts at a line end close by', () => {
    const out = headTail(`${'a'.repeat(45)}\n${'b'.repeat(500)}\n${'c'.repeat(45)}`, 131);
    assert.equal(out, `${'a'.repeat(45)}\n[... 502 bytes left out ...]\n${'c'.repeat(45)}`);
  });
  it('has no room for its marker', () => assert.equal(headTail('🦊🦊🦊', 9), '🦊🦊'));

  it('keeps to its bytes, and whole characters of both ends', () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', '漢', '🦊', '\n', 'word '), { maxLength: 400 })
      .map(a => a.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 400 }), (s, max) => {
        const out = headTail(s, max);
        assert.ok(Buffer.byteLength(out) <= max);
        assert.ok(!out.includes('\uFFFD'));
        const [head, end, more] = out.split(/\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/);
        assert.equal(more, undefined);
        assert.ok(s.startsWith(head!));
        assert.ok(s.endsWith(end ?? ''));
        const missing = /\n\[\.\.\. (\d+) bytes/.exec(out);
        if (missing) assert.equal(Buffer.byteLength(head! + end!) + Number(missing[1]), Buffer.byteLength(s));
      }),
      { numRuns: 500 },
    );
  });
});
