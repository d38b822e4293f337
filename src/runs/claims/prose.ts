import { appraised } from './appraisal.ts';
import { broadly } from './broad.ts';
import { type Context, type Hit, wordsOf } from './hits.ts';
import { judgement } from './judge.ts';
import {
  afterTrial,
  cannotFail,
  idiom,
  isStatic,
  outcome,
  PLACE,
  testedToo,
  triedAfter,
  triedAll,
  useAt,
  verifiedVerb,
} from './observe.ts';
import { FOREIGN, passedLine } from './output.ts';
import { results } from './results.ts';
import { blocked, closedSegments } from './scope.ts';
import { kindOf, parse, type Segment, type Sentence } from './sentence.ts';
import { tokenize } from './tokens.ts';
import type { ClaimKind, Found, Span, Token } from './types.ts';
import { voided } from './voids.ts';

/** What one sentence hands on to the next. */
export type Memory = { kind?: ClaimKind; ran: boolean; asked?: ClaimKind; relayed: Found[]; used: boolean };

export const emptyMemory = (): Memory => ({ ran: false, relayed: [], used: false });

const RAN = new Set(
  'replay replayed replaying re-executed ran reran re-ran rerun run runs executed looped repeated'.split(' '),
);
function tellsOfRun(tokens: Token[]): boolean {
  for (const { word } of tokens) {
    const first = word.charCodeAt(0);
    if ((first === 114 || first === 101 || first === 108) && (RAN.has(word) || word.startsWith('ran '))) return true;
  }
  return false;
}

/** Without one of these roles a sentence holds no result. */
const RESULT = /[GPFWMvOdVYfqZ0o]/;
const BUILDING = new Set([
  'build',
  'builds',
  'rebuild',
  'rebuilds',
  'lint',
  'no longer',
  'got',
  'returned',
  'returns',
  'shows',
  'gives',
  'gave',
  'answers',
  'responds',
  'yes',
  'yep',
  'it',
  'they',
  'type-checks',
  'compile',
  'typechecks',
  'pixel-identical',
  'byte-identical',
  'bit-identical',
  'looked',
  'answer',
  'both',
  'all',
  'every',
  'each',
]);
/** What follows is seen with the change in place. */
const PATCHED = /^(?:with|after) (?:the|this|that|my) (?:fix|patch|change|workaround)(?: applied| in place| in)?\b/i;
const HAND =
  /\b(?:sanity|smoke|manual|quick|spot|hand)[ -](?:test|check|run|try|trial)\b|^(?:test|check|trial|try|run) (?:with|against|on|in)\b/;
/** "counts as success" */
const COUNTED = /(?:^|\s)(?:counts?|counted|up|treated|regarded|considered|recorded|interpreted|handled|listed)$/;
const ANSWER = /^(?:a : )?(?:yes|yep|yeah|yup|it does|they do|it is|they are|indeed)\b/;
const EXCUSED =
  /\b(?:other|others|rest|unrelated|flaky|already|known|pre-existing|preexisting|existing failures?|same|remaining|old|expected to fail|before|skipped|but not mine|both ways)\b/i;
const DOUBT =
  /\b(?:not (?:been )?(?:confirmed?|verified|verify|check(?:ed)?|accept|trust|convinced|repeated?|seen|true|supported?|looked|re-?run|reproduced?)|unconfirmed|unverified|cannot (?:confirm|verify|check)|can not (?:confirm|verify|check)|can't (?:confirm|verify|check)|don't (?:accept|trust|believe)|doubt\w*|contains no|no (?:evidence|proof|log|trace|test run|transcript|record|output)|haven't|hasn't|have not|did not (?:check|confirm|verify|look|see)|didn't (?:check|confirm|verify|look|see)|without (?:proof|evidence|showing)|disagree|contradict\w*|the opposite|could not (?:confirm|verify|find)|couldn't (?:confirm|verify|find)|take (?:it|that) with|yet to|suspicious|(?:see|sees|saw|find|found) no (?:run|trace|log|evidence|sign|proof)|wrong about|but the log|too good)\b/i;

function quoted(message: string, sentence: Sentence, closed: boolean[], span: Span, found: Found[]): void {
  if (!/[qZ]/.test(sentence.tags)) return;
  const bare = sentence.tokens
    .map(t => (t.tag === 'q' || t.tag === 'Z' ? '"' : t.tag === 'K' || t.tag === 'i' ? '`' : t.word))
    .join(' ');
  if (FOREIGN.test(bare) || sentence.question) return;
  const own =
    sentence.tokens.some(t => t.tag === 'S' || t.tag === 'K') ||
    /\b(?:ran|run|rerun|result|results|output|last line|final line|summary|exit|log|tool|scanner|checker|analy[sz]er|answers?|answered)\b/.test(
      bare,
    ) ||
    sentence.tokens.length <= 2;
  if (!own) return;
  for (const token of sentence.tokens) {
    if (token.tag !== 'q' && token.tag !== 'Z') continue;
    const text = token.word.trim();
    const hit =
      passedLine(text) ??
      (/^(?:all checks passed|build succeeded|all tests passed|success|ok|passed|all green)\b/i.test(text)
        ? { kind: null }
        : null);
    if (!hit || (!/\s|\d/.test(text) && sentence.tokens.length > 6)) continue;
    const segment = sentence.segments.find(s => s.tokens.includes(token));
    if (
      !segment ||
      closed[sentence.segments.indexOf(segment)] ||
      /[HIno]/.test(segment.tags.slice(0, segment.tokens.indexOf(token)))
    )
      continue;
    const inner = message.indexOf(text, token.start);
    found.push({
      kind: kindOf(sentence.tokens) ?? hit.kind ?? 'tests',
      start: inner,
      end: Math.min(inner + text.length, span.end),
    });
  }
}

/** "39 passed, 3 failed": the headline is failure unless the failures are set aside. */
function splitCount(sentence: Sentence): boolean {
  if (!sentence.tags.includes('F') || !/(?:[8e](?:p8)?[AwSDrK,]{0,3}F|F[:(=]?A?8)/.test(sentence.tags)) return false;
  return !EXCUSED.test(wordsOf(sentence.tokens));
}

const spanOf = (segment: Segment, hit: Hit): Span => ({
  start: segment.tokens[Math.min(hit.from, hit.at)]!.start,
  end: segment.tokens[hit.to - 1]!.end,
});

/** What has been said so far in the sentence at hand. */
type State = {
  head?: ClaimKind;
  carried?: ClaimKind;
  /** The speaker has used the thing, in this sentence or just before it. */
  used: boolean;
  /** The verb of use in this very sentence, or the empty word. */
  useWord: string;
  ran: boolean;
};

const reads = (sentence: Sentence, memory: Memory, trial: boolean, run: boolean) =>
  trial ||
  memory.asked !== undefined ||
  RESULT.test(sentence.tags) ||
  memory.used ||
  run ||
  sentence.tokens[0]!.word === 'with' ||
  sentence.tokens.some(t => BUILDING.has(t.word));

/** "Failures: 0", "exit status: 0": a number after a colon, across segments. */
function countsAfterColon(
  sentence: Sentence,
  kind: ClaimKind | undefined,
  memory: Memory,
  open: boolean,
): Found | null {
  const { tokens, tags } = sentence;
  const zero = tags.indexOf('0');
  if (zero < 0 || sentence.question) return null;
  const failures = /F(?:p[SKDw]{1,2})?[:=]0/.exec(tags);
  if (failures && !/[HI]/.test(tags.slice(0, failures.index)))
    return {
      kind: kind ?? memory.kind ?? 'tests',
      start: tokens[failures.index]!.start,
      end: tokens[tags.indexOf('0', failures.index)]!.end,
    };
  const exit = exitStatus(tokens);
  if (exit < 0 || !kind || !open || /[HIL]/.test(tags.slice(0, exit))) return null;
  return { kind, start: tokens[0]!.start, end: tokens[exit]!.end };
}

/** What a segment tells of use and judgement, where it names no check with its result. */
function trials(sentence: Sentence, i: number, use: number, tried: boolean, state: State): Hit | null {
  const segment = sentence.segments[i]!;
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

function readSegment(
  sentence: Sentence,
  i: number,
  closed: boolean,
  split: boolean,
  tried: boolean,
  memory: Memory,
  state: State,
): Hit[] {
  const segment = sentence.segments[i]!;
  const before = sentence.segments[i - 1];
  const after = sentence.segments[i + 1];
  const opens = i === 0 || state.used || /[;:]/.test(segment.bound) || segment.tags.includes('1');
  const use = tried && opens && segment.boundWord !== 'as' ? useAt(segment) : -1;
  if (use >= 0 && !/[nHI]/.test(segment.tags.slice(0, use))) {
    state.used = state.ran = true;
    // To run a program is to use it; to run a check is not.
    const program = segment.tokens[use]!.word === 'ran' && /^D?h/.test(segment.tags.slice(use + 1));
    state.useWord = program ? 'started' : segment.tokens[use]!.word;
  }
  if (closed || (segment.boundWord === 'as' && COUNTED.test(before?.tokens.at(-1)?.word ?? ''))) return [];
  const context: Context = {
    kind: memory.kind,
    head: state.head,
    carried: state.carried,
    ran: state.ran,
    failing: before?.tags.includes('F'),
    joined: after?.bound === '&',
    listed: after !== undefined && /^(?:F|F&|w|n)$/.test(after.tags) && !/[;:]/.test(after.bound),
  };
  let hits = results(segment, context, i === 0 || /[:;-]/.test(segment.bound));
  if (hits.length) hits = hits.filter(h => !blocked(segment, h));
  if (split)
    hits = hits.filter(h => !h.count && !(/^pass/.test(segment.tokens[h.at]!.word) && segment.tags.includes('8')));
  // "Red: 3 of 3 jobs."
  if (segment.bound === ':' && /^A*F$/.test(before?.tags ?? '') && hits.every(h => h.count)) hits = [];
  if (hits.length) return hits;
  const trial = trials(sentence, i, use, tried, state);
  return trial && !split ? [trial] : [];
}

/** "Linux: passing", "Now passing: `a`, `b`": what stands before a colon names what comes after it. */
function carryOn(sentence: Sentence, i: number, state: State): boolean {
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

export function readSentence(
  message: string,
  span: Span,
  memory: Memory,
  frame: { head?: ClaimKind; trial: boolean },
): Found[] {
  const tokens = tokenize(message, span.start, Math.min(span.end, span.start + 1200));
  if (!tokens.length) return [];
  const sentence = parse(tokens);
  const { tags, segments } = sentence;
  const run = tellsOfRun(tokens);
  if (!reads(sentence, memory, frame.trial, run)) {
    remember(memory, sentence, run, false);
    return [];
  }
  const found: Found[] = [];
  const closed = closedSegments(sentence);
  const split = splitCount(sentence);
  const kind = kindOf(tokens);
  if (memory.asked && tokens.length <= 10 && !/[nHIF]/.test(tags) && ANSWER.test(wordsOf(tokens)))
    found.push({ kind: memory.asked, ...span });
  const number = split || frame.trial ? null : countsAfterColon(sentence, kind, memory, !closed[0]);
  if (number) found.push(number);
  const said = message.slice(span.start, Math.min(span.end, span.start + 1200));
  const tried = segments.some(s => useAt(s) >= 0);
  const state: State = {
    head: frame.head,
    used: (memory.used && !/[nF]/.test(tags)) || PATCHED.test(said.slice(0, 60)),
    useWord: '',
    ran: memory.ran || run,
  };
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!;
    for (const hit of readSegment(sentence, i, closed[i]!, split, tried, memory, state))
      found.push({ kind: hit.kind, ...spanOf(segment, hit) });
    if (carryOn(sentence, i, state) && !closed[i]) found.push({ kind: 'tests', ...span });
  }
  if (!found.length && frame.trial && !/[nHIF]/.test(tags) && tokens.length >= 3)
    found.push({ kind: 'verified', ...span });
  quoted(message, sentence, closed, span, found);
  if (found.length && /[ax]/.test(tags) && DOUBT.test(wordsOf(tokens))) found.length = 0;
  if (
    !found.length &&
    !sentence.question &&
    ((/[noF]/.test(tags) && cannotFail(said)) || (/[Ov]/.test(tags) && !/[FnHI]/.test(tags) && triedAfter(said)))
  )
    found.push({ kind: 'verified', ...span });
  if (!found.length) {
    const place =
      broadly(sentence, closed, memory.used) ?? (sentence.question ? null : appraised(sentence, closed, said));
    if (place) found.push({ kind: place.hit.kind, ...spanOf(segments[place.segment]!, place.hit) });
  }
  const kept = found.filter(f => !voided(said, f.start - span.start, f.end - span.start));
  remember(memory, sentence, run || state.useWord !== '', state.useWord !== '' && !found.length);
  return kept;
}

function remember(memory: Memory, sentence: Sentence, ran: boolean, used: boolean): void {
  const kind = kindOf(sentence.tokens);
  const asked = sentence.question || /\basked (?:me )?(?:whether|if)\b/.test(wordsOf(sentence.tokens.slice(0, 6)));
  memory.asked = asked ? (kind ?? (/[PGWb]/.test(sentence.tags) ? 'verified' : undefined)) : undefined;
  memory.kind = kind ?? (memory.ran ? memory.kind : undefined);
  memory.ran = ran;
  memory.used = used;
}

export const isRelay = (text: string) =>
  /\b(?:according to|sub-?agents?|agents?|bot|worker|reports? that|says? that|claims?)\b/i.test(text);
export const isDoubt = (text: string) => DOUBT.test(text);

/** Something was opened or checked that cannot behave: a pull request, a file, a value. */
function isStaticUse(sentence: Sentence): boolean {
  const words = wordsOf(sentence.tokens.slice(0, 14));
  if (
    /\b(?:by reading|read through|from the (?:code|source|docs)|in the (?:source|code|docs)|by eye|line by line|word (?:by|for) word|reading the)\b/.test(
      words,
    )
  )
    return true;
  if (
    /^(?:i )?(?:have )?(?:also )?(?:verified|confirmed|checked|validated|double-checked|made sure) (?:that |the |a |all |each |every )*(?:[a-z-]+ ){0,2}(?:licen[cs]e|headers?|files?|paths?|comments?|names?|spelling|wording|links?|imports?|callers?|versions?|manifest|changelog|entry|entries|keys?|columns?|constants?|defaults?|settings?|values?)\b/.test(
      words,
    ) &&
    !sentence.tokens.some(t => PLACE.test(t.word))
  )
    return true;
  return /(?:^|\bi |\bhave |\band |\bthen )(?:opened|started|checked|looked at|looked|inspected|followed|used|called|scanned|submitted|attached|sent|imported|exported|installed) (?:that |the |a |an |up |in |at |this |it |for )*(?:pull request|issue|ticket|branch|file|files|path|licen[cs]e|source|docs|documentation|code|pr|draft|discussion|diff|changelog|history|convention|pattern|style|approach|log|logs|config|spec|dependency|dependencies|skeleton|refactor|work|callers|usages)\b/.test(
    words,
  );
}

/** Where "exit status: 0" stands, or -1. */
function exitStatus(tokens: Token[]): number {
  return tokens.findIndex(
    (t, i) =>
      t.tag === '0' &&
      /^[:=]$/.test(tokens[i - 1]?.word ?? '') &&
      /^(?:exit|exit code|status|code|rc)$/.test(tokens[i - 2]?.word ?? ''),
  );
}
