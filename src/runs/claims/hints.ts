/**
 * Which of the longer patterns a sentence can hold at all. Each pattern has words without which none of its forms can
 * stand; the tokenizer, which sees every word anyway, notes the patterns whose words it met, by their first letters.
 */

const SLOTS = 8192;
const LONGEST = 6;
const FIRST = new Int32Array(SLOTS);
const SECOND = new Int32Array(SLOTS);

/** What the sentence at hand may hold, one bit for a pattern. */
export type Noted = { first: number; second: number };
export const noted: Noted = { first: 0, second: 0 };

export type Hint = { first: number; second: number };

let count = 0;

/** A hint that any of the words gives; a word stands for all that begin like it. */
export function hint(words: Iterable<string>): Hint {
  const bit = 1 << (count % 31);
  const own: Hint = count < 31 ? { first: bit, second: 0 } : { first: 0, second: bit };
  count++;
  for (const word of words) {
    let hash = word.charCodeAt(0) | 32;
    for (let i = 1; i < Math.min(word.length, LONGEST); i++) hash = step(hash, word.charCodeAt(i) | 32);
    FIRST[hash & (SLOTS - 1)]! |= own.first;
    SECOND[hash & (SLOTS - 1)]! |= own.second;
  }
  return own;
}

export const may = (mask: Noted, own: Hint): boolean =>
  (mask.first & own.first) !== 0 || (mask.second & own.second) !== 0;

export const step = (hash: number, code: number): number => (hash * 31 + code) & 0x3fffffff;

/** The letters of a word so far, two to six of them. */
export function note(hash: number): void {
  noted.first |= FIRST[hash & (SLOTS - 1)]!;
  noted.second |= SECOND[hash & (SLOTS - 1)]!;
}

/** The same for a stretch that is no plain word: a hyphened one, code, a quotation. */
export function noteText(text: string): void {
  let hash = 0;
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i) | 32;
    if (c > 96 && c < 123) {
      hash = length === 0 ? c : step(hash, c);
      length++;
      if (length > 1 && length <= LONGEST) note(hash);
    } else length = 0;
  }
}
