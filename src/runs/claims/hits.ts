import type { Segment } from './sentence.ts';
import type { ClaimKind, Token } from './types.ts';

/** A result inside one segment: the token where the result stands, and what it is a result of. */
export type Hit = { kind: ClaimKind; from: number; at: number; to: number; zero?: boolean; count?: boolean };

/** What the surrounding text supplies: a check named before, a run or a use in the same stretch. */
export type Context = {
  kind?: ClaimKind;
  head?: ClaimKind;
  carried?: ClaimKind;
  ran: boolean;
  /** One of several states in a row. */
  listed?: boolean;
  /** More follows after "and". */
  joined?: boolean;
  /** What stands before the colon counts failures. */
  failing?: boolean;
  /** What stands just before tells of a failure. */
  trouble?: boolean;
};

export const STRONG =
  /^(?:pass\w*|ran clean|runs clean|came back clean|comes back clean|green.*|succe\w+|back to green|in the green|all green|back in the green|(?:turn\w*|went|goes|gone|stay\w*) green|ok)$/;
/** "passes through a proxy", "passed as an argument": no check has passed. */
const ELSEWHERE = /^(?:through|over|along|by|into|between|down|up|around|via|as|to|onto|past|out)$/;
const TIME = /^(?:seconds?|minutes?|hours?|days?|runs?|rounds?|iterations?|repetitions?|night|weekend)$/;
const MANNER =
  /^(?:unchanged|untouched|unmodified|unaltered|identically|correctly|reliably|as expected|as intended|consistently|correct|normally|byte for byte|byte-for-byte|exactly|unscathed)$/;
const COMPLEMENT = /^(?:$|[A&,pIBVGtxo;:]|[E~])/;

/** Whether the result stands alone ("the tests pass on Linux") rather than taking an object ("passes the id to ..."). */
export function standsAlone(segment: Segment, at: number): boolean {
  const token = segment.tokens[at]!;
  const rest = segment.tags.slice(at + 1);
  const next = segment.tokens[at + 1];
  // "returns `true` on success"
  if (/^success/.test(token.word) && /^(?:on|upon|for|of|after)$/.test(segment.tokens[at - 1]?.word ?? ''))
    return false;
  // A silent type checker is content; a silent test command has told nothing.
  if (/^(?:(?:prints?|printed|says|said|shows) nothing|(?:came|comes) back empty)$/.test(token.word))
    return segment.tokens.slice(0, at).some(t => t.kind === 'lint' || t.kind === 'types' || t.kind === 'build');
  if (token.tag === 'V' || token.tag === 'Y' || !next) return true;
  // "went through like a knife through butter"
  if (next.word === 'like' && rest[1] === 'D' && token.tag === 'P') return true;
  if (token.tag === 'P') {
    if (/green|^succe|clean$/.test(token.word) && !/^[SKhG]/.test(rest)) return true;
    if (/^surviv/.test(token.word) && segment.tokens[at - 1]?.tag === 'S') return true;
    if (/^surviv/.test(token.word) && segment.tokens.slice(at + 1, at + 5).some(t => TIME.test(t.word))) return true;
    if (/^pass/.test(token.word) && (ELSEWHERE.test(next.word) || (next.word === 'in' && /^[p~]/.test(rest.slice(1)))))
      return false;
    // "callers that pass no locale"
    if (next.tag === 'o' && next.word !== 'without' && /^pass/.test(token.word) && !/^o[A8D]*F/.test(rest))
      return false;
    // "Tests passing does not mean that ..."
    if (token.word === 'passing' && next.tag === 'E') return false;
    if (next.tag === 't' && /^(?:pass|accept|match)/.test(token.word)) return false;
    if (/^(?:confirms|accepts?|accepted|likes|approves?|approved)$/.test(token.word))
      return COMPLEMENT.test(rest) || /^[JD]/.test(rest);
    return (
      COMPLEMENT.test(rest) ||
      (/^D[wA8]/.test(rest) && segment.tokens.some(t => t.word === 'ago')) ||
      next.word.endsWith('ly') ||
      MANNER.test(next.word) ||
      /^[Q8fr]*[8Qfr]/.test(rest) ||
      segment.tokens.slice(at + 1, at + 4).some(t => /^(?:runs?|times?)$/.test(t.word))
    );
  }
  return COMPLEMENT.test(rest) || next.word.endsWith('ly') || /^[8QSK]/.test(rest) || next.tag === 'P';
}

export function wordsOf(tokens: Token[]): string {
  let words = '';
  for (const { word } of tokens) words += words === '' ? word : ` ${word}`;
  return words;
}
