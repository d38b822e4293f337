import { type Noted, noted } from './hints.ts';
import type { ClaimKind, Token } from './types.ts';

/** A stretch of a sentence between two boundaries (comma, colon, conjunction ...); `bound` is the boundary before it. */
export type Segment = { tokens: Token[]; tags: string; bound: string; boundWord: string; use: number };

export type Sentence = { tokens: Token[]; tags: string; segments: Segment[]; question: boolean; mask: Noted };

/** Not looked at so far: where a segment tells of use is asked many times. */
export const UNSEEN = -2;

const BOUNDARY = ',;:()B&~!=…-';

export function parse(tokens: Token[]): Sentence {
  const segments: Segment[] = [];
  let current: Token[] = [];
  let letters = '';
  let all = '';
  let bound = '';
  let boundWord = '';
  const close = () => {
    if (current.length) segments.push({ tokens: current, tags: letters, bound, boundWord, use: UNSEEN });
    current = [];
    letters = '';
  };
  for (const token of tokens) {
    all += token.tag;
    if (token.tag === '?') continue;
    if (!BOUNDARY.includes(token.tag)) {
      current.push(token);
      letters += token.tag;
      continue;
    }
    const opened = current.length > 0 || segments.length === 0;
    close();
    // "…, but" and "; and": the stronger of two boundaries in a row wins.
    if (opened || token.tag === 'B' || token.tag === ';' || bound === ',') {
      bound = token.tag;
      boundWord = token.word;
    }
  }
  close();
  return {
    tokens,
    tags: all,
    segments,
    mask: { first: noted.first, second: noted.second },
    question: tokens.at(-1)?.tag === '?' || tokens.at(-2)?.tag === '?',
  };
}

export const kindOf = (tokens: Token[], from = 0, to = tokens.length): ClaimKind | undefined => {
  let kind: ClaimKind | undefined;
  for (let i = from; i < to; i++) if (tokens[i]!.tag === 'S' || tokens[i]!.tag === 'K') kind = tokens[i]!.kind ?? kind;
  return kind;
};
