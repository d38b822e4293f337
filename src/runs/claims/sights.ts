import { hint } from './hints.ts';
import { OUTCOMES_TOLD } from './outcomes-told.ts';
import type { Sentence } from './sentence.ts';
import { TRIALS_TOLD } from './trials-told.ts';
import type { ClaimKind } from './types.ts';

/** "`lint` 0, `tsc` 0, `test` 0": exit codes in a row. */
const zeroes = ({ segments }: Sentence) => segments.filter(s => s.tags === 'K0').length > 1;

const LOOKS = [...TRIALS_TOLD, ...OUTCOMES_TOLD];

/** The looks that a word calls for, as indices. */
const CALLED = new Map<string, number[]>();
for (const [index, { needs }] of LOOKS.entries())
  for (const word of needs.split(' ')) CALLED.set(word, [...(CALLED.get(word) ?? []), index]);

/** The looks that the words of a sentence call for, each once. */
function called({ tokens }: Sentence): number[] {
  const found: number[] = [];
  for (const { tag, word } of tokens) {
    if (tag === 'q' || tag === 'i') continue;
    for (const part of word.includes(' ') ? word.split(' ') : [word])
      for (const index of CALLED.get(part) ?? []) if (!found.includes(index)) found.push(index);
  }
  return found;
}

/** Words that let a sentence without any other sign of a result be looked at. */
export const SIGHTS = hint(
  'can devtools console inspector profiler snapshot snapshots golden goldens flaky greens'.split(' '),
);

/** Whether nothing speaks against a sight in its own clauses, and no hedge stands before it. */
function within({ segments }: Sentence, start: number, end: number, not: RegExp): boolean {
  for (const { tokens, tags } of segments) {
    if (tokens[0]!.start >= end) break;
    if (tokens.at(-1)!.end <= start ? /H/.test(tags) : not.test(tags)) return false;
  }
  return true;
}

/** The kind of a claim that the whole sentence makes, or null. */
export function sighted(sentence: Sentence, closed: boolean[], said: string, from: number): ClaimKind | null {
  if (sentence.question || closed.includes(true)) return null;
  if (sentence.tags.startsWith('K0') && zeroes(sentence)) return sentence.tokens[0]!.kind ?? 'tests';
  let text = '';
  for (const index of called(sentence)) {
    const one = LOOKS[index]!;
    text ||= said.slice(0, 400).toLowerCase().replaceAll('’', "'");
    const m = one.pattern.exec(text);
    if (m && within(sentence, from + m.index, from + m.index + m[0].length, one.not)) return one.kind;
  }
  return null;
}
