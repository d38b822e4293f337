import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from '../../src/runners/text.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';
import { type Case, loadCases, mark, outputOf, parseCase } from './score.ts';

const outputs = corpus('runner-outputs');
const seed = Number(process.env.TOUCHSTONE_SEED ?? Date.now() % 2 ** 31);

/** mulberry32: small, seeded, the same everywhere. */
function random(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Words that runners themselves print around names.
const GRAMMAR =
  /^(?:test|tests|spec|suite|pass|passed|passing|fail|failed|failing|skip|skipped|todo|pending|error|errors|errored|hook|hooks|before|after|each|all|first|second|assert|expect|expected|actual|ran|run|runs|running|file|files|not|main|lib|src|mod|project|doc|global|failure|unnamed|plan|count|handles|input|with|for|the|and|ignored|something|took|unit|line|module|class|ok|mjs|cjs|java|example|calc|com|total|data|implemented)$/i;

/** Another word of the same length and case, so that columns stay where they are. */
function sameShape(word: string, next: () => number): string {
  return [...word]
    .map(letter =>
      /[a-z]/.test(letter)
        ? pick('bcdfghjklmnpqrvwyz', next)
        : /[A-Z]/.test(letter)
          ? pick('BCDGHJKLMNQRVWYZ', next)
          : letter,
    )
    .join('');
}

function pick(letters: string, next: () => number): string {
  return letters[Math.floor(next() * letters.length)] ?? 'b';
}

function wordsOf(one: Case): string[] {
  const names = [...one.expected.failedIdentities, ...(one.expected.passedIdentities ?? [])];
  const words = new Set<string>();
  for (const name of names) {
    for (const part of name.split(/[^A-Za-z0-9]+/)) {
      const bare = /^(?:test|Test)(?=[A-Z])/.test(part) ? part.slice(4) : part;
      if (/^[A-Za-z]{4,}$/.test(bare) && !GRAMMAR.test(bare)) words.add(bare);
    }
  }
  return [...words];
}

function disguise(one: Case, text: string, next: () => number): { one: Case; text: string } {
  const map = new Map<string, string>();
  for (const word of wordsOf(one)) map.set(word, sameShape(word, next));
  const home = `/${sameShape('project', next)}`;
  const swap = (source: string): string => {
    let changed = source.replaceAll('/project', home);
    for (const [word, other] of map) {
      changed = changed.replace(new RegExp(`(?<![A-Za-z])((?:[tT]est)?)${word}(?![A-Za-z])`, 'g'), `$1${other}`);
    }
    return changed;
  };
  const expected = { ...one.expected, failedIdentities: one.expected.failedIdentities.map(swap) };
  return { one: { ...one, expected }, text: swap(text) };
}

test(`names and paths carry no weight (seed ${seed})`, { skip: outputs === null ? NO_CORPUS : false }, t => {
  const folder = outputs ?? '';
  const next = random(seed);
  const moved: string[] = [];
  let renamed = 0;
  for (const one of loadCases(folder)) {
    // A colour code's last letter would hide where a word begins.
    const text = plain(outputOf(folder, one));
    const other = disguise(one, text, next);
    if (other.text !== text) renamed++;
    const before = mark(one, parseCase(folder, one, text));
    const after = mark(other.one, parseCase(folder, other.one, other.text));
    if (JSON.stringify(before) !== JSON.stringify(after))
      moved.push(`${one.id}: ${JSON.stringify(before)} ${JSON.stringify(after)}`);
  }
  t.diagnostic(`${renamed} outputs renamed`);
  assert.ok(renamed > 150);
  assert.deepEqual(moved, []);
});
