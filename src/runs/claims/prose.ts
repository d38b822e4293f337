import { type Context, type Hit, wordsOf } from './hits.ts';
import { afterTrial, idiom, isStatic, judgement, outcome, triedAll, useAt, verifiedVerb } from './observe.ts';
import { FOREIGN, passedLine } from './output.ts';
import { results } from './results.ts';
import { blocked, closedSegments } from './scope.ts';
import { kindOf, parse, type Segment, type Sentence } from './sentence.ts';
import { tokenize } from './tokens.ts';
import type { ClaimKind, Found, Span, Token } from './types.ts';

/** What one sentence hands on to the next. */
export type Memory = { kind?: ClaimKind; ran: boolean; asked?: ClaimKind; relayed: Found[]; used: boolean };

export const emptyMemory = (): Memory => ({ ran: false, relayed: [], used: false });

const RAN = new Set(
  'replay replayed replaying re-executed ran reran re-ran rerun run runs executed looped repeated'.split(' '),
);
const tellsOfRun = (tokens: Token[]) => tokens.some(t => RAN.has(t.word) || t.word.startsWith('ran '));

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
]);
const EXCUSED =
  /\b(?:other|others|rest|unrelated|flaky|already|known|pre-existing|preexisting|existing failures?|same|remaining|old|expected to fail|before|skipped|but not mine|both ways)\b/i;
const DOUBT =
  /\b(?:not (?:been )?(?:confirmed?|verified|verify|check(?:ed)?|accept|trust|convinced|repeated?|seen|true|supported?|looked|re-?run|reproduced?)|unconfirmed|unverified|cannot (?:confirm|verify|check)|can not (?:confirm|verify|check)|can't (?:confirm|verify|check)|don't (?:accept|trust|believe)|doubt\w*|contains no|no (?:evidence|proof|log|trace|test run|transcript|record|output)|haven't|hasn't|have not|did not (?:check|confirm|verify|look|see)|didn't (?:check|confirm|verify|look|see)|without (?:proof|evidence|showing)|disagree|contradict\w*|the opposite|could not (?:confirm|verify|find)|couldn't (?:confirm|verify|find)|take (?:it|that) with|yet to|suspicious|wrong about|but the log|too good)\b/i;

function quoted(message: string, sentence: Sentence, span: Span, found: Found[]): void {
  if (!/[qZ]/.test(sentence.tags)) return;
  const bare = sentence.tokens
    .map(t => (t.tag === 'q' || t.tag === 'Z' ? '"' : t.tag === 'K' || t.tag === 'i' ? '`' : t.word))
    .join(' ');
  if (FOREIGN.test(bare) || sentence.question) return;
  const own =
    sentence.tokens.some(t => t.tag === 'S' || t.tag === 'K') ||
    /\b(?:ran|run|rerun|result|results|output|last line|final line|summary|exit|log)\b/.test(bare) ||
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
    if (!segment || /[HIn]/.test(segment.tags.slice(0, segment.tokens.indexOf(token)))) continue;
    const inner = message.indexOf(text, token.start);
    found.push({
      kind: kindOf(sentence.tokens) ?? hit.kind ?? 'tests',
      start: inner,
      end: Math.min(inner + text.length, span.end),
    });
  }
}

/** "39 passed, 3 failed": the headline is failure unless the failures are set aside. */
function splitCount(sentence: Sentence, text: string): boolean {
  if (!sentence.tags.includes('F') || !/(?:[8e](?:p8)?[AwSDrK,]{0,3}F|F[:(=]?A?8)/.test(sentence.tags)) return false;
  return !EXCUSED.test(text);
}

const spanOf = (segment: Segment, hit: Hit): Span => ({
  start: segment.tokens[Math.min(hit.from, hit.at)]!.start,
  end: segment.tokens[hit.to - 1]!.end,
});

export function readSentence(
  message: string,
  span: Span,
  memory: Memory,
  frame: { head?: ClaimKind; trial: boolean },
): Found[] {
  const tokens = tokenize(message, span.start, Math.min(span.end, span.start + 1200));
  if (!tokens.length) return [];
  const sentence = parse(tokens);
  const found: Found[] = [];
  if (
    !RESULT.test(sentence.tags) &&
    !frame.trial &&
    !memory.asked &&
    tokens[0]!.word !== 'with' &&
    !tokens.some(t => BUILDING.has(t.word))
  ) {
    remember(memory, sentence, tellsOfRun(tokens), false);
    return found;
  }
  const text = wordsOf(tokens);
  const closed = closedSegments(sentence);
  const split = splitCount(sentence, text);
  const answered = memory.asked && /^(?:yes|yep|yeah|yup|it does|they do|it is|they are|indeed)\b/.test(text);
  if (answered && !/[nHIF]/.test(sentence.tags) && tokens.length <= 10) found.push({ kind: memory.asked!, ...span });
  let head = frame.head;
  let carried: ClaimKind | undefined;
  const tried = sentence.segments.some(s => useAt(s) >= 0);
  let used = memory.used && !/[nF]/.test(sentence.tags);
  let usedNow = false;
  let useWord = '';
  let ran = memory.ran || tellsOfRun(tokens);
  const relay = /[ax]/.test(sentence.tags);
  if (/F(?:p[SKDw]{1,2})?[:=]0/.test(sentence.tags) && !split && !sentence.question && !frame.trial) {
    const at = sentence.tags.search(/F(?:p[SKDw]{1,2})?[:=]0/);
    if (!/[HI]/.test(sentence.tags.slice(0, at)))
      found.push({
        kind: kindOf(tokens) ?? memory.kind ?? 'tests',
        start: tokens[at]!.start,
        end: tokens[sentence.tags.indexOf('0', at)]!.end,
      });
  }
  const exit = exitStatus(tokens);
  if (exit >= 0 && kindOf(tokens) && !sentence.question && !/[HIL]/.test(sentence.tags.slice(0, exit)) && !closed[0])
    found.push({ kind: kindOf(tokens)!, ...span });
  for (let i = 0; i < sentence.segments.length; i++) {
    const segment = sentence.segments[i]!;
    const own1 =
      segment.boundWord !== 'as' && (i === 0 || used || segment.tags.includes('1') || /[;:]/.test(segment.bound));
    const use = own1 ? useAt(segment) : -1;
    if (use >= 0 && !/[nHI]/.test(segment.tags.slice(0, use))) {
      used = usedNow = true;
      useWord = segment.tokens[use]!.word;
      ran = true;
    }
    const context: Context = {
      kind: memory.kind,
      head,
      carried,
      ran,
      failing: /F/.test(sentence.segments[i - 1]?.tags ?? ''),
      listed:
        /^(?:F|F&|w)$/.test(sentence.segments[i + 1]?.tags ?? '') && !/[;:]/.test(sentence.segments[i + 1]!.bound),
    };
    let hits = results(segment, context, i === 0 || /[:;-]/.test(segment.bound)).filter(
      h => !blocked(segment, h) && !(split && h.count),
    );
    if (split) hits = hits.filter(h => !/^(?:pass\w*)$/.test(segment.tokens[h.at]!.word) || !/8/.test(segment.tags));
    if (
      closed[i] ||
      (segment.bound === ':' && /^A*F$/.test(sentence.segments[i - 1]?.tags ?? '') && hits.every(h => h.count))
    )
      hits = [];
    if (!hits.length && !closed[i]) {
      const judged = judgement(segment, used || tried);
      const verb = verifiedVerb(segment);
      const seen = used && !isStaticUse(sentence) ? outcome(segment, use >= 0 ? use + 1 : 0) : null;
      for (const hit of [
        verb && !(isStatic(tokens.slice(2)) && !judged && !verb.placed && staticThat(text)) ? verb : null,
        idiom(segment, sentence.segments.length === 1, context.ran || used || kindOf(tokens) !== undefined),
        judged,
        seen && usedFits(segment, seen, usedNow) ? seen : null,
        use < 0 && useWord && i > 0 && !isStaticUse(sentence) ? afterTrial(segment, useWord) : null,
        triedAll(segment),
      ])
        if (hit && !blocked(segment, hit) && !(split && !judged)) {
          hits = [hit];
          break;
        }
    }
    for (const hit of hits) found.push({ kind: hit.kind, ...spanOf(segment, hit) });
    const own = kindOf(segment.tokens);
    const next = sentence.segments[i + 1];
    if (own) {
      carried = own;
      if (next && /[:(=-]/.test(next.bound) && !/F/.test(segment.tags)) head = own;
    }
    if (!own && next?.bound === ':' && !head && segment.tokens.length <= 3 && /^[AwhPi]+$/.test(segment.tags)) {
      // "Linux: passing", "Now passing: `a`, `b`"
      if (
        /P/.test(segment.tags) &&
        /^(?:now |all |still )?passing$/.test(wordsOf(segment.tokens)) &&
        /^[iKwq]/.test(next.tags)
      )
        found.push({ kind: 'tests', ...span });
      head = 'tests';
    }
    if (segment.bound === ';' && !own) carried = undefined;
    // A part that is taken back in the same breath ("..., but its transcript contains no run").
  }
  if (!found.length && frame.trial && !/[nHIF]/.test(sentence.tags) && tokens.length >= 3)
    found.push({ kind: 'verified', ...span });
  quoted(message, sentence, span, found);
  if (relay && DOUBT.test(text)) found.length = 0;
  remember(memory, sentence, tellsOfRun(tokens) || usedNow, usedNow && !found.length);
  return found;
}

function remember(memory: Memory, sentence: Sentence, ran: boolean, used: boolean): void {
  const kind = kindOf(sentence.tokens);
  memory.asked = sentence.question ? (kind ?? (/[PGWb]/.test(sentence.tags) ? 'verified' : undefined)) : undefined;
  memory.kind = kind ?? (memory.ran ? memory.kind : undefined);
  memory.ran = ran;
  memory.used = used;
}

export const isRelay = (text: string) =>
  /\b(?:according to|sub-?agents?|agents?|bot|worker|reports? that|says? that|claims?)\b/i.test(text);
export const isDoubt = (text: string) => DOUBT.test(text);

function usedFits(segment: Segment, hit: Hit, now: boolean): boolean {
  if (!now && hit.at > 6) return false;
  return segment.tokens.length > 0;
}

const staticThat = (text: string) => /\b(?:that|the|in|by|from|against|with)\b/.test(text);

/** Something was opened or checked that cannot behave: a pull request, a file, a value. */
function isStaticUse(sentence: Sentence): boolean {
  const words = wordsOf(sentence.tokens.slice(0, 14));
  if (
    /\b(?:by reading|read through|from the (?:code|source|docs)|in the (?:source|code|docs)|by eye|reading the)\b/.test(
      words,
    )
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
