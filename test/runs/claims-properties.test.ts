import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readClaims } from '../../src/runs/claims/index.ts';

const SCRAPS = [
  'tests', 'pass', 'no', 'errors', 'not', 'if', 'the build', 'is green', '12 passed', '0', '/', '41 of 42', '|', '`npm test`', '`', '```', '\n', '\n\n',
  '> ', '- [x] ', '✅', '❌', '# ', '"', '…', '?', ':', ';', ',', '(', 'I ran', 'works', 'テスト', '通过', 'тесты', 'und', "don't", '\u{1f600}', '\ud83d',
]; // biome-ignore format: one list of scraps

const scraps = fc
  .array(fc.constantFrom(...SCRAPS), { maxLength: 60 })
  .chain(parts => fc.constantFrom('', ' ').map(glue => parts.join(glue)));

function sound(message: string): void {
  const { asserts, claims } = readClaims(message);
  for (const { text, start } of claims) assert.equal(message.slice(start, start + text.length), text);
  assert.equal(
    asserts,
    claims.some(c => !['done', 'fixed', 'deployed'].includes(c.kind)),
  );
  for (let i = 1; i < claims.length; i++) assert.ok(claims[i - 1]!.start <= claims[i]!.start);
}

describe('readClaims on anything at all', () => {
  it('never throws on arbitrary text, and its spans hold', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), sound), { numRuns: 400 });
    fc.assert(fc.property(scraps, sound), { numRuns: 600 });
  });

  it('says the same of the same message twice', () => {
    fc.assert(
      fc.property(scraps, message => assert.deepEqual(readClaims(message), readClaims(message))),
      { numRuns: 200 },
    );
  });

  it('reads twice as many sentences in a message twice as long, and stops growing at the cap', () => {
    const sentence = 'The tests pass, the build is green and nothing else was run. ';
    const read = (times: number) => {
      const meter = { sentences: 0 };
      readClaims(sentence.repeat(times), meter);
      return meter.sentences;
    };
    assert.equal(read(200), 200);
    assert.equal(read(400), 400);
    assert.equal(read(20_000), read(40_000));
  });

  it('finds a claim at either end of 10 MB', () => {
    const filler = 'The handler keeps one record at a time. '.repeat(250_000);
    assert.equal(readClaims(`All tests pass. ${filler}`).asserts, true);
    assert.equal(readClaims(`${filler}\nAll tests pass.`).asserts, true);
    assert.equal(readClaims(filler).asserts, false);
  });

  for (const [name, unit] of [
    ['letters', 'a'], ['digits', '1'], ['spaces', ' '], ['lines', '\n'], ['back-ticks', '`'], ['quotes', '"'], ['bars', '|a|b|\n'], ['dots', '. '],
    ['commas', 'tests, '], ['negations', 'no not no error '], ['brackets', '('], ['dashes', '- '], ['numbers', 'all 5 '], ['kana', 'テスト'], ['ratios', '1/'],
  ] as const) // biome-ignore format: a table
    it(`comes back from 2 MB of ${name}`, { timeout: 20_000 }, () => {
      assert.equal(typeof readClaims(unit.repeat(Math.ceil(2_000_000 / unit.length))).asserts, 'boolean');
    });
});
