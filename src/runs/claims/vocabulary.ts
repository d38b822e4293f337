/** What is known of a word before the sentence around it is read: its role, and the phrases it opens. */
import { CHECKS, ROLES, SELF } from './lexicon.ts';
import type { ClaimKind } from './types.ts';

export type Phrase = { words: string[]; tag: string; kind?: ClaimKind };
export type Entry = { tag: string; kind?: ClaimKind; phrases?: Phrase[] };

/** One lookup per word: its own role, and the phrases that it opens, longest first. */
export const WORDS = new Map<string, Entry>();

function learn(list: string, tag: string, kind?: ClaimKind): void {
  for (const item of list.split(/\s+/)) {
    if (!item) continue;
    const words = item.split('_');
    const entry: Entry = WORDS.get(words[0]!) ?? { tag: '' };
    WORDS.set(words[0]!, entry);
    if (words.length > 1) {
      entry.phrases ??= [];
      entry.phrases.push({ words, tag, kind });
    } else if (!entry.tag) {
      entry.tag = tag;
      entry.kind = kind;
    }
  }
}

for (const [kind, list] of Object.entries(CHECKS)) learn(list, 'S', kind as ClaimKind);
for (const [kind, list] of Object.entries(SELF)) learn(list, 'M', kind as ClaimKind);
for (const [tag, list] of Object.entries(ROLES)) learn(list, tag);
for (const entry of [...WORDS.values()]) {
  entry.phrases?.sort((a, b) => b.words.length - a.words.length);
  // A word that only goes on in phrases is known as well: one that is not known ends the search at once.
  for (const { words } of entry.phrases ?? [])
    for (const word of words) if (!WORDS.has(word)) WORDS.set(word, { tag: '' });
}

/**
 * The same words by length and a hash of their letters, so that the usual word of a message is found without
 * making a string of it.
 */
const SLOTS = 8192;
type Known = { word: string; entry: Entry };
const TABLE: (Known[] | undefined)[] = new Array(SLOTS);
for (const [word, entry] of WORDS) {
  if (!/^[a-z_]+$/.test(word)) continue;
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = (hash * 31 + (word.charCodeAt(i) | 32)) & 0x3fffffff;
  const slot = hash % SLOTS;
  const known = TABLE[slot];
  if (known) known.push({ word, entry });
  else TABLE[slot] = [{ word, entry }];
}

/** The known word whose letters stand in `codes` from `at` to `stop`. */
export function interned(codes: Uint16Array, at: number, stop: number, hash: number): Known | undefined {
  const slot = TABLE[hash % SLOTS];
  if (slot === undefined) return undefined;
  for (const known of slot) {
    const { word } = known;
    if (word.length !== stop - at) continue;
    let i = 0;
    while (i < word.length && (codes[at + i]! | 32) === (word.charCodeAt(i) | 32)) i++;
    if (i === word.length) return known;
  }
  return undefined;
}
