import { appraised } from './appraisal.ts';
import { broadly } from './broad.ts';
import { carryOn, isStaticUse, readSegment, type State } from './clause.ts';
import { may } from './hints.ts';
import { type Hit, wordsOf } from './hits.ts';
import { loosely, TELLING, TELLS } from './loose.ts';
import { cannotFail, triedAfter, useAt } from './observe.ts';
import { FOREIGN, passedLine } from './output.ts';
import { closedSegments } from './scope.ts';
import { kindOf, parse, type Segment, type Sentence } from './sentence.ts';
import { SIGHTS, sighted } from './sights.ts';
import { tokenize } from './tokens.ts';
import { setsUp, trialLast } from './trial.ts';
import type { ClaimKind, Found, Span, Token } from './types.ts';
import { voider } from './voids.ts';

/** What one sentence hands on to the next. */
export type Memory = { kind?: ClaimKind; ran: boolean; asked?: ClaimKind; used: boolean; known: Map<string, Known> };

/** What a sentence was found to say, its spans from its own start, and what it handed on. */
type Known = { found: Found[]; kind?: ClaimKind; ran: boolean; asked?: ClaimKind; used: boolean };

export const emptyMemory = (): Memory => ({ ran: false, used: false, known: new Map() });

const RAN = new Set(
  'replay replayed replaying re-executed ran reran re-ran rerun run runs executed looped repeated'.split(' '),
);
function tellsOfRun(tokens: Token[]): boolean {
  for (const [i, { word }] of tokens.entries()) {
    // "not run"
    if (tokens[i - 1]?.tag === 'n') continue;
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
const ANSWER = /^(?:a : )?(?:yes|yep|yeah|yup|it does|they do|it is|they are|indeed)\b/;
const EXCUSED =
  /\b(?:other|others|rest|unrelated|flaky|already|known|pre-existing|preexisting|existing failures?|same|remaining|old|expected to fail|before|skipped|but not mine|both ways|as well|(?:on|with) (?:main|master|trunk) (?:too|also)|fails? without)\b/i;
const DOUBT =
  /\b(?:not (?:been )?(?:confirmed?|verified|verify|check(?:ed)?|accept|trust|convinced|repeated?|seen|true|supported?|looked|re-?run|reproduced?)|unconfirmed|unverified|cannot (?:confirm|verify|check)|can not (?:confirm|verify|check)|can't (?:confirm|verify|check)|don't (?:accept|trust|believe)|doubt\w*|contains no|no (?:evidence|proof|log|trace|test run|transcript|record|output)|haven't|hasn't|have not|did not (?:check|confirm|verify|look|see)|didn't (?:check|confirm|verify|look|see)|without (?:proof|evidence|showing)|disagree|contradict\w*|the opposite|could not (?:confirm|verify|find)|couldn't (?:confirm|verify|find)|take (?:it|that) with|yet to|suspicious|(?:see|sees|saw|find|found) no (?:run|trace|log|evidence|sign|proof)|wrong about|but the log|exit code (?:was|is|of) [1-9]|too good)\b/i;

function quoted(message: string, sentence: Sentence, closed: boolean[], span: Span, found: Found[]): void {
  if (!/[qZ]/.test(sentence.tags)) return;
  const bare = sentence.tokens
    .map(t => (t.tag === 'q' || t.tag === 'Z' ? '"' : t.tag === 'K' || t.tag === 'i' ? '`' : t.word))
    .join(' ');
  if (FOREIGN.test(bare) || sentence.question) return;
  // 'It prints "ok" in any case'
  if (/\b(?:in any case|either way|always|regardless|no matter|whatever happens|even (?:if|when))\b/.test(bare)) return;
  // 'The log says "BUILD SUCCESSFUL", but the artifact is empty'
  if (
    /\bbut\b[^"]*\b(?:empty|missing|not|never|no|nothing|wrong|old|fail\w*|broken|crash\w*|hang\w*|still)\b/.test(bare)
  )
    return;
  const own =
    sentence.tokens.some(t => t.tag === 'S' || t.tag === 'K') ||
    /\b(?:ran|run|rerun|result|results|output|last line|final line|summary|exit|log|tool|scanner|checker|analy[sz]er|answers?|answered|console|terminal|runner|compiler)\b/.test(
      bare,
    ) ||
    sentence.tokens.length <= 2 ||
    /^(?:the )?(?:proof|evidence|verdict|runner 's verdict|outcome|bottom line|conclusion)\b/.test(bare);
  if (!own) return;
  for (const token of sentence.tokens) {
    if (token.tag !== 'q' && token.tag !== 'Z') continue;
    const text = token.word.trim();
    const hit =
      passedLine(text) ??
      (/^(?:no (?:failures|errors|problems|issues|warnings)|all \w+ passed|build succeeded|all tests passed|success|ok|passed|all green)\b/i.test(
        text,
      )
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

const reads = (sentence: Sentence, memory: Memory, trial: boolean, run: boolean) =>
  trial ||
  memory.asked !== undefined ||
  RESULT.test(sentence.tags) ||
  memory.used ||
  run ||
  may(sentence.mask, SIGHTS) ||
  (sentence.tags.includes('8') && sentence.tokens.some(t => /^20[0-6]$/.test(t.word))) ||
  sentence.tokens[0]!.word === 'with' ||
  setsUp(sentence.mask) ||
  (may(sentence.mask, TELLS) && sentence.tokens.some(t => TELLING.has(t.word))) ||
  sentence.tokens.some(t => BUILDING.has(t.word));

/** "Failures: 0", "exit status: 0": a number after a colon, across segments. */
function countsAfterColon(
  sentence: Sentence,
  kind: ClaimKind | undefined,
  memory: Memory,
  open: boolean,
): Found | null {
  const { tokens, tags } = sentence;
  const none = /FA?:e$/.exec(tags);
  if (none && tokens.at(-1)!.word.startsWith('0/') && !sentence.question && !/[HI]/.test(tags))
    return { kind: kind ?? memory.kind ?? 'tests', start: tokens[none.index]!.start, end: tokens.at(-1)!.end };
  const zero = tags.indexOf('0');
  if (zero < 0 || sentence.question) return null;
  const failures = /FA?(?:p[SKDwrh]{1,2})?[:=]0/.exec(tags);
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

function readOnce(message: string, span: Span, memory: Memory, frame: { head?: ClaimKind; trial: boolean }): Found[] {
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
    used: (memory.used && !/[nF]/.test(tags)) || (tags[0] === 'p' && PATCHED.test(said.slice(0, 60))),
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
    ((/[noF]/.test(tags) && cannotFail(said, sentence.mask, tags.includes('n'))) ||
      (/[Ov]/.test(tags) &&
        !/[FnHI]/.test(said.includes('no longer') ? tags.replace(/n[A]*F/, '') : tags) &&
        segments.length > 1 &&
        triedAfter(said)))
  )
    found.push({ kind: 'verified', ...span });
  if (!found.length) {
    const onPaper = isStaticUse(sentence);
    const place =
      broadly(sentence, closed, memory.used, onPaper) ??
      (sentence.question ? null : appraised(sentence, closed, said)) ??
      (/[ax]/.test(tags) && DOUBT.test(wordsOf(tokens)) ? null : loosely(sentence, closed, memory.used, onPaper));
    const sight = place ? null : sighted(sentence, closed, said, span.start);
    if (place) found.push({ kind: place.hit.kind, ...spanOf(segments[place.segment]!, place.hit) });
    else if (sight) found.push({ kind: sight, ...span });
  }
  const isVoid = found.length ? voider(said, sentence.mask) : null;
  const kept = isVoid ? found.filter(f => !isVoid(f.start - span.start, f.end - span.start)) : found;
  const used = state.useWord !== '' || trialLast(sentence, closed);
  remember(memory, sentence, run || used, used && !found.length);
  return kept;
}

const moved = ({ kind, start, end }: Found, by: number): Found => ({ kind, start: start + by, end: end + by });

/** Lists and logs say one line many times over: the same words after the same state are read once. */
export function readSentence(
  message: string,
  span: Span,
  memory: Memory,
  frame: { head?: ClaimKind; trial: boolean },
): Found[] {
  const { kind, ran, asked, used } = memory;
  const key = `${kind}|${asked}|${ran}|${used}|${frame.head}|${frame.trial}|${message.slice(span.start, span.end)}`;
  const known = memory.known.get(key);
  if (known) {
    memory.kind = known.kind;
    memory.ran = known.ran;
    memory.asked = known.asked;
    memory.used = known.used;
    return known.found.map(f => moved(f, span.start));
  }
  const found = readOnce(message, span, memory, frame);
  memory.known.set(key, {
    found: found.map(f => moved(f, -span.start)),
    kind: memory.kind,
    ran: memory.ran,
    asked: memory.asked,
    used: memory.used,
  });
  return found;
}

function remember(memory: Memory, sentence: Sentence, ran: boolean, used: boolean): void {
  const kind = kindOf(sentence.tokens);
  const asked =
    sentence.question ||
    (sentence.tags.includes('I') && /\basked (?:me )?(?:whether|if)\b/.test(wordsOf(sentence.tokens.slice(0, 6))));
  memory.asked = asked ? (kind ?? (/[PGWb]/.test(sentence.tags) ? 'verified' : undefined)) : undefined;
  memory.kind = kind ?? (memory.ran ? memory.kind : undefined);
  memory.ran = ran;
  memory.used = used;
}

export const isRelay = (text: string) =>
  /\b(?:according to|sub-?agents?|agents?|bot|worker|reports? that|says? that|claims?)\b/i.test(text);
export const isDoubt = (text: string) => DOUBT.test(text);

/** Where "exit status: 0" stands, or -1. */
function exitStatus(tokens: Token[]): number {
  return tokens.findIndex(
    (t, i) =>
      t.tag === '0' &&
      /^[:=]$/.test(tokens[i - 1]?.word ?? '') &&
      /^(?:exit|exit code|status|code|rc)$/.test(tokens[i - 2]?.word ?? ''),
  );
}
