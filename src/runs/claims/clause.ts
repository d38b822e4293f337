import { blocked } from './blocked.ts';
import { hint, may } from './hints.ts';
import { type Context, type Hit, wordsOf } from './hits.ts';
import { judgement } from './judge.ts';
import {
  afterTrial,
  CODE,
  idiom,
  isStatic,
  outcome,
  PLACE,
  refused,
  testedToo,
  triedAll,
  useAt,
  verifiedVerb,
} from './observe.ts';
import { results } from './results.ts';
import { kindOf, type Segment, type Sentence } from './sentence.ts';
import type { ClaimKind } from './types.ts';

const HAND =
  /\b(?:sanity|smoke|manual|quick|spot|hand)[ -](?:test|check|run|try|trial)\b|^(?:test|check|trial|try|run) (?:with|against|on|in)\b/;
const FAILING =
  /^(?:fail(?:ing|ed|ures?)|red|errors?|warnings?|regressions?|complaints?|findings?|violations?|broken)$/;
/** "counts as success" */
const COUNTED =
  /(?:^|\s)(?:treats?|treated|counts?|counted|marks?|marked|flags?|flagged|labels?|labelled|up|treated|regarded|considered|recorded|interpreted|handled|listed)$/;

/** What has been said so far in the sentence at hand. */
export type State = {
  head?: ClaimKind;
  carried?: ClaimKind;
  /** The speaker has used the thing, in this sentence or just before it. */
  used: boolean;
  /** The verb of use in this very sentence, or the empty word. */
  useWord: string;
  ran: boolean;
};

/** What a segment tells of use and judgement, where it names no check with its result. */
function trials(sentence: Sentence, i: number, use: number, tried: boolean, state: State): Hit | null {
  const segment = sentence.segments[i]!;
  if (refused(segment)) return null;
  const judged = judgement(segment, state.used || tried);
  const verb = /v/.test(segment.tags) ? verifiedVerb(segment) : null;
  if (verb && (verb.placed || judged || !isStatic(sentence.tokens.slice(2, 8))) && !blocked(segment, verb)) return verb;
  const phrase = idiom(
    segment,
    sentence.segments.length === 1,
    state.ran || state.used || kindOf(sentence.tokens) !== undefined,
  );
  if (phrase && !blocked(segment, phrase)) return phrase;
  if (judged && !blocked(segment, judged)) return judged;
  if (!state.used && !tried) return null;
  const still = isStaticUse(sentence);
  const seen = state.used && !still ? outcome(segment, use >= 0 ? use + 1 : 0) : null;
  if (seen && (state.useWord || seen.at <= 6) && !blocked(segment, seen)) return seen;
  const after = use < 0 && state.useWord && i > 0 && !still ? afterTrial(segment, state.useWord) : null;
  if (after && !blocked(segment, after)) return after;
  const all = triedAll(segment) ?? testedToo(segment, sentence.segments[i - 1]);
  return all && !blocked(segment, all) ? all : null;
}

/** "Used the new API", "tried two approaches", "ran the formatter over the folder": work, and nothing that behaves. */
const onCode = ({ tokens }: Segment, use: number): boolean =>
  /^(?:used|tried|started|opened|looked|measured|ran|followed|compared)$/.test(tokens[use]!.word) &&
  tokens
    .slice(use + 1, use + 5)
    .some(
      t =>
        (CODE.test(t.word) && !(/^files?$/.test(t.word) && / in /.test(wordsOf(tokens)))) ||
        (tokens[use]!.word === 'used' && /^(?:apis?|methods?|flags?|options?|hooks?|types?)$/.test(t.word)),
    ) &&
  !tokens.some(t => PLACE.test(t.word));

export function readSegment(
  sentence: Sentence,
  i: number,
  closed: boolean,
  split: boolean,
  tried: boolean,
  memory: { kind?: ClaimKind },
  state: State,
): Hit[] {
  const segment = sentence.segments[i]!;
  const before = sentence.segments[i - 1];
  const after = sentence.segments[i + 1];
  const opens = i === 0 || state.used || /[;:]/.test(segment.bound) || segment.tags.includes('1');
  const use = tried && opens && segment.boundWord !== 'as' ? useAt(segment) : -1;
  if (use >= 0 && !/[nHI]/.test(segment.tags.slice(0, use)) && !onCode(segment, use)) {
    state.used = state.ran = true;
    // To run a program is to use it; to run a check is not.
    const program = segment.tokens[use]!.word === 'ran' && /^D?h/.test(segment.tags.slice(use + 1));
    state.useWord = program ? 'started' : segment.tokens[use]!.word;
  }
  if (closed || (segment.boundWord === 'as' && (before?.tokens.some(t => COUNTED.test(t.word)) ?? false))) return [];
  const context: Context = {
    kind: memory.kind,
    head: state.head,
    carried: state.carried,
    ran: state.ran,
    failing: before?.tags.includes('F') && before.tokens.some(t => FAILING.test(t.word)),
    trouble: segment.bound !== ':' && before?.tags.includes('F') === true && !/[no0]/.test(before.tags),
    joined: after?.bound === '&',
    listed: after !== undefined && /^(?:F|F&|w|n)$/.test(after.tags) && !/[;:]/.test(after.bound),
  };
  let hits = results(segment, context, i === 0 || /[:;-]/.test(segment.bound));
  if (hits.length) hits = hits.filter(h => !blocked(segment, h, after));
  if (split)
    hits = hits.filter(h => !h.count && !(/^pass/.test(segment.tokens[h.at]!.word) && segment.tags.includes('8')));
  // "Red: 3 of 3 jobs."
  if (segment.bound === ':' && /^A*F$/.test(before?.tags ?? '') && hits.every(h => h.count)) hits = [];
  if (hits.length) return hits;
  const trial = trials(sentence, i, use, tried, state);
  return trial && !split ? [trial] : [];
}

/** "Linux: passing", "Now passing: `a`, `b`": what stands before a colon names what comes after it. */
export function carryOn(sentence: Sentence, i: number, state: State): boolean {
  const segment = sentence.segments[i]!;
  const next = sentence.segments[i + 1];
  const own = kindOf(segment.tokens);
  if (own) state.carried = own;
  else if (segment.bound === ';') state.carried = undefined;
  if (!next) return false;
  // "Sanity check with the CLI: prints three lines"
  if (next.bound === ':' && HAND.test(wordsOf(segment.tokens))) state.used ||= !/[FnoHI]/.test(next.tags);
  if (own && /[:(=-]/.test(next.bound) && !segment.tags.includes('F')) {
    state.head = own;
  }
  if (own || next.bound !== ':' || state.head || segment.tokens.length > 3 || !/^[AwhPi]+$/.test(segment.tags))
    return false;
  state.head = 'tests';
  return segment.tags.includes('P') && segment.tokens.at(-1)!.word === 'passing' && /^[iKwq]/.test(next.tags);
}

const ON_PAPER = hint(
  'reading read from source code docs by line word verified confirmed checked validated double made opened started looked inspected followed used called scanned submitted attached sent imported exported installed compared'.split(
    ' ',
  ),
);

/** Something was opened or checked that cannot behave: a pull request, a file, a value. */
export function isStaticUse(sentence: Sentence): boolean {
  if (!may(sentence.mask, ON_PAPER)) return false;
  const words = wordsOf(sentence.tokens.slice(0, 14));
  if (/\bwith (?:my|a|the|an old|your) (?:phone|camera|scanner|tablet)\b/.test(words)) return false;
  if (
    /\b(?:by reading|read through|from the (?:code|source|docs)|in the (?:source|code|docs)|by eye|line by line|word (?:by|for) word|reading the)\b/.test(
      words,
    )
  )
    return true;
  if (
    /^(?:i )?(?:have )?(?:also )?(?:verified|confirmed|checked|validated|double-checked|made sure) (?:that |the |a |all |each |every )*(?:[a-z-]+ ){0,2}(?:licen[cs]e|headers?|files?|paths?|comments?|names?|spelling|wording|(?<!(?:every|each|all) )links?|imports?|callers?|versions?|manifest|changelog|entry|entries|keys?|columns?|constants?|defaults?|settings?|values?)\b/.test(
      words,
    ) &&
    !sentence.tokens.some(t => PLACE.test(t.word))
  )
    return true;
  if (
    /\bcompared (?:the |both |two |old |and |new )*(?:configs?|configurations?|settings|signatures|schemas|interfaces|apis|docs|implementations|code)\b/.test(
      words,
    )
  )
    return true;
  return /(?:^|\bi |\bhave |\band |\bthen )(?:opened|started|checked|looked at|looked|inspected|followed|used|called|scanned|went through|walked through|submitted|attached|sent|imported|exported|installed) (?:that |the |a |an |up |in |at |this |it |for )*(?:pull request|issue|ticket|branch|(?:file|files)(?! (?:in|with) (?!the|my|an?\b|your)[a-z]+)|path|licen[cs]e|source|docs|documentation|code|pr|draft|discussion|diff|changelog|history|convention|pattern|style|approach|log|logs|config|spec|dependency|dependencies|skeleton|refactor|work|callers|usages|list|lists|issues|tickets|options|comments|notes|thread)\b/.test(
    words,
  );
}
