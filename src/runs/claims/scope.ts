import { wordsOf } from './hits.ts';
import type { Segment, Sentence } from './sentence.ts';

const ORDER = new Set(
  'verify ensure confirm please see try wait make check run rerun re-run execute test build lint open pull merge push use remember note expect let start keep get prove validate assert inspect look watch install launch click call ask tell send paste give set do go report update add fix search grep compare replace write read type enter choose select skip leave drop change switch move copy restart stop review approve deploy tag rebase retry sync fetch clone download create mention consider avoid never'.split(
    ' ',
  ),
);
const SOFTLY = new Set('then also again now just only still first finally simply next afterwards always'.split(' '));
const LOOSE = new Set(
  'rerun re-run check run test build lint open use get keep report set update fix do note go merge search change move copy review tag rebase write read type drop skip stop deploy switch leave select retry sync download replace grep compare approve create mention fetch clone restart consider'.split(
    ' ',
  ),
);
const HYPOTHETICAL = /^(?:if|unless|until|till|in case|provided|provided that|assuming|whether|as long as|as soon as)$/;
const INTENT =
  /^(?:will|'ll|would|going to|let me|let us|let's|plan to|i plan|we plan|planning|want|need to|should|could|might|may|ought|must|hope|try|tried to|trying to|next|'d|shall|needs to|have to|has to)$/;

const PAST = /^(?:ran|went|saw|got|made|did|took|[a-z]{3,}ed)$/;

/** The segment that opens an order, or -1. */
function orderAt(sentence: Sentence): number {
  for (let i = 0; i < sentence.segments.length; i++) {
    const { tokens, tags, bound } = sentence.segments[i]!;
    if (i > 0 && !/[&,;:~-]/.test(bound)) continue;
    let k = 0;
    while (k < tokens.length && SOFTLY.has(tokens[k]!.word)) k++;
    const token = tokens[k];
    if (!token || !ORDER.has(token.word)) continue;
    // "Set the clock to noon and ran the job": what follows is past, and so is the first.
    if (
      /^(?:set|put|cut|let|hit|split|reset)$/.test(token.word) &&
      sentence.segments.slice(i + 1).some(s => PAST.test(s.tokens[0]!.word))
    )
      continue;
    const next = tags[k + 1];
    if (next === undefined) {
      if (/^(?:please|wait|verify)$/.test(token.word)) return i;
      continue;
    }
    if (token.word === 'get' && /^D?S/.test(tags.slice(k + 1))) return i;
    if (LOOSE.has(token.word)) {
      if (
        (/[DKiqJQ2]/.test(next) && !/[GPE]/.test(tags.slice(k + 1, k + 4).replace(/^[Ki]/, ''))) ||
        tokens[k + 1]!.word === 'that' ||
        (token.word === 'search' && tokens[k + 1]!.word === 'for') ||
        (token.word === 'run' && next === 'S' && !/[PGEF]/.test(tags))
      )
        return i;
    } else if (!/[EP]/.test(next) || token.word === 'please') return i;
  }
  return -1;
}

const ASKS = /^(?:do|does|did|should|shall|can|could|would|want|may|is|are|ok|okay|anything|what|which|how|where|who)$/;

/** The segment at which the asking begins; what stands before it is told and not asked. */
function lastBreak(sentence: Sentence): number {
  const asks = sentence.segments.findIndex((s, i) => i > 0 && ASKS.test(s.tokens[0]!.word) && s.tokens.length > 1);
  if (asks > 0 && !ASKS.test(sentence.segments[0]!.tokens[0]!.word)) return asks;
  for (let i = sentence.segments.length - 1; i > 0; i--) if (/[;:(-]/.test(sentence.segments[i]!.bound)) return i;
  return 0;
}

/** Verbs of an opening scene: what held "when I started" held before the change. */
export const SETTING =
  /^(?:started|began|arrived|cloned|opened|left|took|looked|checked|got|came|joined|wrote|said|picked|forked|first)$/;

/** A condition that is really a point in the past: "when I removed the shim". */
export const narrated = (segment: Segment, at: number) =>
  (/^(?:once|when)$/.test(segment.tokens[at]!.word) &&
    !segment.tokens.slice(at + 1, at + 7).some(t => /^(?:cut|created|forked|branched|written|handed)$/.test(t.word)) &&
    /^(?:was|were|had)$/.test(segment.tokens.slice(at + 1, at + 6).find(t => t.tag === 'E')?.word ?? '') &&
    !segment.tags.includes('H') &&
    /[GP]/.test(segment.tags.slice(at)) &&
    at === 0) ||
  (segment.tags[at + 1] === '1' &&
    !SETTING.test(segment.tokens.slice(at + 2).find(t => t.tag !== 'A')?.word ?? '') &&
    !HYPOTHETICAL.test(segment.tokens[at]!.word) &&
    !/[H]/.test(segment.tags) &&
    !/^(?:why|how|where)$/.test(segment.tokens[at]!.word) &&
    !/^(?:have|get|push|merge|run|fix|see|start)$/.test(segment.tokens[at + 2]?.word ?? ''));

/** "The last time I looked", "Yesterday": the scene of what follows lies before the change. */
const past = (segment: Segment) =>
  segment.tags.includes('L') && segment.tokens.length <= 5 && !/[SKPGF]/.test(segment.tags);

/** For each segment, whether nothing in it can be a claim because of what the sentence is. */
export function closedSegments(sentence: Sentence): boolean[] {
  const { segments } = sentence;
  const closed = segments.map(() => false);
  const shut = (from: number, to = segments.length) => {
    for (let i = from; i < to; i++) closed[i] = true;
  };
  if (sentence.question) shut(lastBreak(sentence));
  const order = orderAt(sentence);
  if (order >= 0) {
    const stop = segments.findIndex((s, i) => i > order && (s.bound === ';' || s.bound === '('));
    shut(order, stop < 0 ? undefined : stop);
  }
  const inverted =
    (/^(?:were|had|should)$/.test(sentence.tokens[0]?.word ?? '') && /^[EHL][DSJQ]/.test(sentence.tags)) ||
    (/^had (?:the|a|an|my|it)\b/.test(sentence.tokens[0]?.word ?? '') && /^O[SKr]P/.test(sentence.tags));
  // "To check: `curl …` answers 200"
  if (
    segments[1]?.bound === ':' &&
    /^(?:still |left |yet )?to (?:be (?:checked|tested|verified|confirmed|done)|check|verify|test|try|see|confirm|reproduce|validate)\b/.test(
      wordsOf(segments[0]!.tokens.slice(0, 3)),
    )
  )
    shut(0);
  let conditional = inverted;
  let opened = 0;
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!;
    if (segment.bound === ';' || (segment.bound === ':' && WONDER.test(wordsOf(segments[0]!.tokens.slice(0, 4)))))
      conditional = false;
    const opener = segment.tags.includes('I') ? /^A*I/.exec(segment.tags) : null;
    // "Whether with or without the plugin, the build succeeds"
    const either =
      i === 0 &&
      segments[1]?.boundWord === 'or' &&
      segment.tokens[0]!.word === 'whether' &&
      segments[2] !== undefined &&
      !/[EPGWM]/.test(segment.tags + segments[1].tags);
    // "Even if you disable the cache, the tests pass"
    if (opener && segment.tokens[opener[0].length - 1]!.word === 'even if') closed[i] = true;
    else if (
      opener &&
      !either &&
      !narrated(segment, opener[0].length - 1) &&
      !BET.test(wordsOf(segment.tokens.slice(0, 5)))
    ) {
      conditional = true;
      opened = i;
    }
    // "If it is slow, clear the cache, but the tests pass"
    if (conditional && segment.bound === 'B' && i > opened + 1 && segments[opened + 1]!.bound === ',')
      conditional = false;
    if (
      conditional &&
      !(
        segment.bound === ':' &&
        /^(?:if you|in case you|should you)/.test(
          segments[0]!.tokens
            .slice(0, 2)
            .map(t => t.word)
            .join(' '),
        )
      )
    )
      closed[i] = true;
  }
  // A condition that trails ("the build passes, if you set X", "green once the image is there").
  for (let i = 1; i < segments.length; i++)
    if (
      segments[i]!.bound !== ';' &&
      segments[i]!.tags.includes('I') &&
      /^A*I/.test(segments[i]!.tags) &&
      segments[i]!.boundWord !== 'so' &&
      !/^if you (?:want|like|need|prefer|wish|are|'re)/.test(
        segments[i]!.tokens.slice(0, 3)
          .map(t => t.word)
          .join(' '),
      ) &&
      HYPOTHETICAL.test(segments[i]!.tokens.find(t => t.tag === 'I')!.word)
    )
      closed[i - 1] = true;
  if (
    segments.length > 1 &&
    past(segments[0]!) &&
    /^[,-]$/.test(segments[1]!.bound) &&
    segments[1]!.tokens.some(t => /^(?:was|were|passed|succeeded|worked|compiled|built)$/.test(t.word))
  )
    closed[1] = true;
  // "Back in June the suite took two minutes and was green"
  for (let i = 1; segments[0]?.tags.startsWith('L') && segments[i]?.bound === '&'; i++)
    if (/^(?:was|were)$/.test(segments[i]!.tokens[0]!.word)) closed[i] = true;
  for (let i = 1; i < segments.length; i++) {
    const earlier = segments[i - 1]!;
    const soft =
      segments[i]!.bound === '&' ||
      segments[i]!.bound === ',' ||
      (segments[i]!.bound === '~' && /^(?:so|therefore|thus|hence)$/.test(segments[i]!.boundWord));
    const meant = earlier.tokens.some((t, k) => t.tag === 'H' && INTENT.test(t.word) && earlier.tags[k - 1] !== 'n');
    if (soft && (meant || (closedBy(earlier) && closed[i - 1]))) {
      closed[i] = true;
    }
    if (segments[i]!.bound === ':' && earlier.tokens.some(t => /^(?:would|could|should)$/.test(t.word)))
      closed[i] = true;
    // The condition covers what is joined to it: "when A is set and the build succeeded".
    const at = earlier.tags.search(/I/);
    if (
      segments[i]!.bound === '&' &&
      at >= 0 &&
      !narrated(earlier, at) &&
      (!/[PGF]/.test(earlier.tags.slice(0, at)) || /^I[^PGFE]+$/.test(earlier.tags.slice(at)))
    )
      closed[i] = true;
  }
  return closed;
}

const BET = /^if i (?:had to|must) (?:bet|guess|choose|pick|complain)\b/;

/** "If you're wondering about Windows: …" */
const WONDER =
  /^(?:if you 're (?:wondering|asking|curious)|if you (?:wonder|ask)|in case you (?:wonder|ask|'re|are)|should you wonder)/;

const closedBy = (segment: Segment) =>
  segment.tokens.some(t => t.tag === 'H' && INTENT.test(t.word)) || /^A*1?n?\w?H/.test(segment.tags);
