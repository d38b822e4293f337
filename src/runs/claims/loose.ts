import { blocked } from './blocked.ts';
import type { Place } from './broad.ts';
import { calm, DOES, WORK, words } from './guarded.ts';
import { type Hit, standsAlone } from './hits.ts';
import { PLACE } from './observe.ts';
import { kindOf, type Segment, type Sentence } from './sentence.ts';
import { SOFT, TRIALS, trialTold } from './trial.ts';
import type { ClaimKind, Token } from './types.ts';

/**
 * The loosest look, for sentences in which nothing else was found: a check and, anywhere behind it, a word of success;
 * a thing and a judgement of how it does; a trial and how it went. What it lacks in grammar it makes up in guards.
 */

/** Nouns which a good word may stand before and still tell of the result. */
const SIGNS = words(
  'tick ticks check checkmark checkmarks mark marks light lights run runs pass result results state shape sheet slate bill board dot dots badge status screen outcome exit bar bars wall row column summary verdict report health',
);

const CONFIRM = words(
  'confirm confirms confirmed prove proves proved show shows showed demonstrate demonstrates verify vouch vouches agree agrees',
);
/** How a thing does. */
const MANNER = words(
  `correctly properly reliably smoothly flawlessly perfectly fine well cleanly gracefully nicely beautifully dependably
  as_expected as_intended as_designed as_it_should as_they_should as_specified as_planned as_before like_clockwork like_a_charm normally normal solidly robustly
  exactly_as just_as without_a_hitch without_trouble without_a_problem without_incident seamlessly faultlessly consistently`,
);
const STATES = words(
  `up_and_running functional operational healthy usable intact in_order in_good_order in_shape in_good_shape 
  back_in_shape back_in_order back_to_normal back_on_track error-free alive ready_for_use`,
);
const RIGHT = words('right correct expected proper desired same identical intended');
const GIVES = words(
  'gives give returns return shows show prints print produces produce yields yield displays display computes compute calculates delivers reports renders outputs emits gets sends send contains holds has answers picks opens loads writes reads',
);

const STARTS = words(
  'launches starts boots validates loads renders parses resolves installs responds goes_through went_through gets_through comes_up connects converges opens',
);
const ALL_DO = words(
  'load render open start work connect parse resolve install compile build boot respond validate launch run opens loads renders works runs starts',
);
const THINGS = words(
  'schema import export query request page site migration file form dialog script sample example upload download sync login chart video feed map grammar stack manifest config configuration chain statement document',
);
const BARE = words('builds compiles works passes boots typechecks type-checks installs');
const ENDINGS = words(
  'trouble problems problem issues issue errors error hitch hiccups hiccup complaint complaints warnings warning fuss glitch glitches failures crashes crash difficulty difficulties incident delay loss flaws',
);

const definite = (segment: Segment) =>
  !/^A*(?:a|an|any|some|each other)$/.test(segment.tokens[0]!.word) && !WORK.has(segment.tokens[0]!.word);

/** "The four tests that touch this function succeed", "CI gave me a green tick on every job" */
function checkDoes(segment: Segment): { at: number; kind: ClaimKind } | null {
  const { tokens, tags } = segment;
  const subject = tags.search(/[SK]/);
  if (
    subject < 0 ||
    !definite(segment) ||
    !/^(?:[SK]|A*[DQ8][DQA8wp%hi]{0,4}|A+|[wh]{1,2}|J[EA]*|[^FnHILxX2]*D[DQA8w]{0,3})$/.test(
      tags.slice(0, subject) || 'S',
    )
  )
    return null;
  const lead = tags.slice(0, subject);
  if (lead.length > 4 && /[wrE]/.test(lead) && !tokens.slice(0, subject).some(t => t.word === 'that')) return null;
  if (/^(?:only|few|what|half)$/.test(tokens[0]!.word)) return null;
  // "two failing specs were fixed": the check has to be the subject, or to be named last.
  for (let at = subject + 1; at < tokens.length; at++) {
    const { tag, word } = tokens[at]!;
    if (tag !== 'G' && tag !== 'P' && tag !== 'Y') continue;
    const between = tags.slice(subject + 1, at);
    if (/[ot]/.test(between) || !calm(segment, 0, at, 'F2')) return null;
    const relative =
      /^[wrSK]*[DJQ12]/.test(between) &&
      tokens.slice(subject + 1, at).some(t => /^(?:that|which|i|we|you)$/.test(t.word));
    // "every test that existed before still passes": what failed or stood before is said of the test.
    if (!relative && !calm(segment, subject, at)) return null;
    if (tag === 'P') {
      if (!standsAlone(segment, at) || !/^(?:pass|succe|hold|go|run|come|agree)/.test(word) || word.endsWith('ing'))
        continue;
      if (!relative && !/^[rwhSKQ8A]*[EA]*$/.test(between)) continue;
    } else {
      const next = tokens[at + 1];
      if (next && /[whrSK]/.test(next.tag) && !SIGNS.has(next.word)) continue;
      if (!/[EPw]/.test(between)) continue;
      if (tags[subject - 1] === 'p') continue;
    }
    if (!calm(segment, at + 1)) return null;
    return { at, kind: kindOf(tokens, 0, at) ?? 'tests' };
  }
  return null;
}

/** "All green lights from CI", "A clean bill of health from the linter" */
function signFrom(segment: Segment): { at: number; kind: ClaimKind } | null {
  const { tokens, tags } = segment;
  const m = /[GP]([wrS])(?:pw)?p[DQ8A]*[wA]?[SK]/.exec(tags);
  if (!m || !calm(segment)) return null;
  if (!SIGNS.has(tokens[m.index + 1]!.word) || WORK.has(tokens[0]!.word)) return null;
  if (!/^(?:[JD1]?[EAw]*D?A*|Q?A*)$/.test(tags.slice(0, m.index))) return null;
  return { at: m.index, kind: kindOf(tokens, m.index) ?? 'tests' };
}

/** "End-to-end tests confirm that both sides reject the same inputs", "as the 40 existing tests confirm" */
function confirmed(segment: Segment): { at: number; kind: ClaimKind } | null {
  const { tokens, tags } = segment;
  const at = tokens.findIndex(t => CONFIRM.has(t.word));
  if (at < 1 || !/^[DQ8]*[wA]{0,2}[SK][SKr]{0,2}A?$/.test(tags.slice(0, at)) || !definite(segment)) return null;
  if (!calm(segment, 0, at + 1) || /^[SK]/.test(tags.slice(at + 1))) return null;
  const rest = tokens.slice(at + 1);
  const plain = !rest.length || (rest[0]!.word === 'that' && rest.length > 2) || /^(?:it|this|so)$/.test(rest[0]!.word);
  return plain && calm(segment, at + 1, tokens.length, 'n') ? { at, kind: kindOf(tokens, 0, at) ?? 'tests' } : null;
}

/** Where the subject of a statement about a thing ends, or -1: "the new importer", "everything", "both sides of the API". */
function subjectEnd({ tokens, tags }: Segment): number {
  const m =
    /^(?:p[DQ]?[wAhrS8]{1,3}(?=[DJQ]))?A*(?:D[DwAhrSKdGQi8Op]{1,6}?|[JQ]|Q[DwrhSK8i]{1,3}|Qp[DwhJ]{1,3}|K|i[wh]?|w{1,2}(?=E))(?:p[DQ8whirSK]{1,4})?(?=A*[EPWMwdr])/.exec(
      tags,
    );
  if (!m || WORK.has(tokens[0]!.word) || (/^w+$/.test(m[0]) && !tokens[m[0].length - 1]!.word.endsWith('s'))) return -1;
  return m[0].length;
}

/** "The whole thing is up and running", "Your example now gives the right total", "It copes with all files without trouble" */
function judged(segment: Segment, next: Segment | undefined): number {
  const { tokens, tags } = segment;
  const end = subjectEnd(segment);
  if (end < 0) return -1;
  // "behaves exactly as the specification says"
  const last = tokens.findLastIndex(t => t.tag === 'W' || DOES.has(t.word));
  if (
    next?.boundWord === 'as' &&
    last >= end &&
    /^A*$/.test(tags.slice(last + 1).replace('w', 'A')) &&
    calm(segment) &&
    !/[FnHI]/.test(next.tags)
  )
    return last;
  const first = tokens[0]!.word;
  if (/^(?:a|an|any|some|that|which|who)$/.test(first) && !(/^an?$/.test(first) && tags.slice(0, end).includes('8')))
    return -1;
  // "All pages load", "The app launches and stays up", "The schema validates"
  const stop = tokens.length - (tags.endsWith('A') ? 1 : 0);
  if (
    (stop === end + 1 || /^A*p[DQ8]/.test(tags.slice(end + 1))) &&
    calm(segment) &&
    (tags[0] === 'Q'
      ? ALL_DO.has(tokens[end]!.word)
      : STARTS.has(tokens[end]!.word) &&
        /^A*D/.test(tags) &&
        (tags[end - 1] === 'h' || THINGS.has(tokens[end - 1]!.word)))
  )
    return end;
  for (let k = end; k < tokens.length && k < end + 9; k++) {
    const { word } = tokens[k]!;
    const before = tags.slice(0, k);
    if (!calm(segment, 0, k, 'F')) return -1;
    const previous = tokens[k - 1]!.word;
    if (STATES.has(word) && /E[EA]*w?$/.test(before) && /^(?:$|[pA])/.test(tags.slice(k + 1)) && calm(segment, k))
      return k;
    if (
      /^(?:working|good|perfect|full)$/.test(word) &&
      previous === 'in' &&
      /^(?:order|shape|condition|swing)$/.test(tokens[k + 1]?.word ?? '')
    )
      return calm(segment) ? k : -1;
    if (
      MANNER.has(word) &&
      !/^(?:complete|been|completed|implemented|done|finished|merged|applied|updated|added|addressed|resolved|removed|renamed|moved)$/.test(
        previous,
      ) &&
      (tags[0] === 'Q' ||
        tokens
          .slice(end, k)
          .some(t => DOES.has(t.word) || (t.tag === 'w' && k === end + 1 && /[^s]s$/.test(t.word)))) &&
      calm(segment)
    )
      return k;
    if (RIGHT.has(word) && tokens.slice(Math.max(end - 1, k - 4), k).some(t => GIVES.has(t.word)) && calm(segment))
      return tokens.some(t => /^(?:now|again|still|as before)$/.test(t.word)) ? k : -1;
    if (
      word === 'without' &&
      ENDINGS.has(lastOf(tokens, k)) &&
      tokens.slice(end, k).some(t => DOES.has(t.word) || t.tag === 'P')
    )
      return calm(segment, 0, k) && calm(segment, k, tokens.length, 'F') ? k : -1;
  }
  return -1;
}

const lastOf = (tokens: Token[], k: number) => tokens.slice(k + 1, k + 5).find(t => ENDINGS.has(t.word))?.word ?? '';

/** "Builds on all three platforms", "Installs and imports cleanly" */
function bare(segment: Segment, whole: boolean): number {
  const { tokens, tags } = segment;
  const lead = /^A*/.exec(tags)![0].length;
  const token = tokens[lead];
  if (!whole || !token || !BARE.has(token.word) || tokens.length > 9) return -1;
  return /^(?:$|A+$|p[QD8]|pK|A*G)/.test(tags.slice(lead + 1)) && calm(segment) ? lead : -1;
}

/** "The package installs and imports cleanly": the subject stands before the "and". */
function joined(segment: Segment, before: Segment | undefined): number {
  if (!before || segment.bound !== '&' || !calm(before) || segment.tokens.length > 6) return -1;
  if (
    !DOES.has(segment.tokens[0]!.word) ||
    !before.tokens.some(t => DOES.has(t.word) || t.tag === 'W') ||
    !/^A*[DQJ]/.test(before.tags)
  )
    return -1;
  const without = segment.tokens.findIndex(t => t.word === 'without');
  if (without > 0 && lastOf(segment.tokens, without)) return without;
  return calm(segment) ? segment.tokens.findIndex(t => MANNER.has(t.word) || t.word === 'cleanly') : -1;
}

/** "…, which is correct" */
function rightly({ tokens, tags }: Segment, before: Segment | undefined): number {
  if (!before || !calm(before) || WORK.has(before.tokens[0]!.word) || !/^(?:which|that|this)$/.test(tokens[0]!.word))
    return -1;
  return /^[JD]E[EA]*d$/.test(tags) &&
    /^(?:right|correct|as expected|as intended|expected|what .*|as it should)$/.test(tokens.at(-1)!.word) &&
    /[E8P]/.test(before.tags)
    ? tokens.length - 1
    : -1;
}

/** "The container passes its health check" */
function passesIts({ tokens, tags }: Segment): number {
  const at = tokens.findIndex(t => /^(?:pass|passes|passed)$/.test(t.word));
  return at > 0 &&
    /^D[wAh]{0,3}r?/.test(tags.slice(at + 1)) &&
    /^(?:its|their|the|all|every)$/.test(tokens[at + 1]?.word ?? '') &&
    /^(?:check|checks|probe|probes|validation|verification|inspection|audit)$/.test(tokens.at(-1)!.word) &&
    !/[FonHILxX2t]/.test(tags)
    ? at
    : -1;
}

/** "In the browser the page is there at once" */
function seenIn({ tokens, tags }: Segment): number {
  const m = /^A*pD?[wAh]{1,2}D[wAhr]{1,2}E?A*[dG]/.exec(tags);
  return m &&
    /^(?:in|on|with)$/.test(tokens.find(t => t.tag === 'p')!.word) &&
    tokens.slice(1, 5).some(t => PLACE.test(t.word)) &&
    !/[FonHILxX2]/.test(tags)
    ? m[0].length - 1
    : -1;
}

/** "I get 200 on every route", "I was able to build it with GCC 13" */
function mine({ tokens, tags }: Segment): number {
  const lead = /^A*1A*/.exec(tags)?.[0].length ?? -1;
  const word = tokens[lead]?.word ?? '';
  if (lead < 1 || /[FonILxX2]/.test(tags)) return -1;
  if (
    /^(?:get|got|see|saw|received)$/.test(word) &&
    (/^2\d\d$/.test(tokens[lead + 1]?.word ?? '') || /^[DA]{0,2}[Gd](?:$|[pA])/.test(tags.slice(lead + 1)))
  )
    return lead;
  const to = tokens.findIndex(t => t.word === 'to');
  return tokens[to - 1]?.word === 'able' &&
    /^(?:was|were|am|'m)$/.test(tokens[to - 2]?.word ?? '') &&
    /^(?:build|compile|run|start|install|open|log|sign|load|use|import|export|connect|deploy|boot|play|restore)$/.test(
      tokens[to + 1]?.word ?? '',
    ) &&
    !/H/.test(tags)
    ? to
    : -1;
}

/** "It links and it runs", "It's all working" */
function itDoes({ tokens, tags }: Segment): number {
  const m = /^A*J(?:E[EA]*Q?A*)?/.exec(tags);
  if (!m || !calm({ tokens, tags } as Segment) || /o/.test(tags)) return -1;
  const at = m[0].length;
  const last = tokens[at]?.word ?? '';
  if (!/^A*$/.test(tags.slice(at + 1)) || !/^(?:it|they)$/.test(tokens[m[0].indexOf('J')]!.word)) return -1;
  return /^(?:runs|links|starts|boots|loads|builds|compiles|installs|validates|renders|holds|connects|works|run|link|start|boot|load|build|compile|install|hold|connect)$/.test(
    last,
  ) ||
    (/E/.test(m[0]) && last === 'working')
    ? at
    : -1;
}

/** "everything green", "The health endpoint says OK", "the result is exact" */
function allWell({ tokens, tags }: Segment): number {
  if (/[FonHILxX2]/.test(tags)) return -1;
  if (
    /^A*QA*G[A]*$/.test(tags) &&
    tokens.some(t => /^(?:everything|all)$/.test(t.word)) &&
    tokens.some(t => /green$|^(?:fine|ok|okay|clean|good|well|all right|in order)$/.test(t.word))
  )
    return tokens.length - 1;
  const last = tokens.at(-1)!.word;
  if (
    /^D[wASh]{1,3}EG$/.test(tags) &&
    /^(?:ok|okay|healthy|green|up)$/.test(last) &&
    tokens.some(t => /^(?:endpoint|probe|check|monitor|dashboard|status|health|page|board)$/.test(t.word))
  )
    return tokens.length - 1;
  return /^(?:pDQ?8?[wA&8D]*)?D?[wA]?rE[EA]*[wd]$/.test(tags) &&
    /^(?:result|results|output|numbers|figures)$/.test(tokens[tags.indexOf('E') - 1]?.word ?? '') &&
    /^(?:exact|right|correct|accurate)$/.test(last)
    ? tokens.length - 1
    : -1;
}

/** "Every example in them was run" */
function eachRun({ tokens, tags }: Segment): number {
  const m = /^QD?[^FonHILxX2E]{1,6}E[EA]*[OEvrP]/.exec(tags);
  if (!m || /[FonHILxX2]/.test(tags) || !/^(?:all|each|every|both)$/.test(tokens[0]!.word)) return -1;
  return /^(?:run|executed|tried|tested|replayed|verified|opened|exercised|rerun|clicked|called)$/.test(
    tokens[m[0].length - 1]!.word,
  ) && /^(?:was|were|been|is|are)$/.test(tokens[m[0].length - 2]!.word)
    ? m[0].length - 1
    : -1;
}

/** "The migration was a complete success" */
const triumph = ({ tokens, tags }: Segment) =>
  /^[DJQ][^FnoHILxX2]*ED?[wP]?G$/.test(tags) &&
  /^success/.test(tokens.at(-1)!.word) &&
  /^(?:is|are|was|were|been)$/.test(tokens.findLast(t => t.tag === 'E')!.word)
    ? tokens.length - 1
    : -1;

/** "`init` and `sync` do what the help text says" */
function asTold({ tokens, tags }: Segment): number {
  const at = tokens.findIndex(
    (t, k) =>
      /^(?:do|does|did)$/.test(t.word) &&
      /^(?:exactly|just|precisely)?$/.test(tokens[k + 1]?.word === 'what' ? '' : (tokens[k + 1]?.word ?? 'x')),
  );
  if (at < 1 || !tokens.slice(at + 1, at + 3).some(t => t.word === 'what') || /[FonHIL]/.test(tags)) return -1;
  return /^(?:says?|said|promises?|should|did|states?|describes?|asks?|asked|wanted|want|claims?)$/.test(
    tokens.at(-1)!.word,
  )
    ? at
    : -1;
}

/** "Same rows, a tenth of the time" */
const sameAs = ({ tokens, tags }: Segment, first: boolean) =>
  first &&
  tokens.length <= 4 &&
  /^(?:same|identical)$/.test(tokens[0]!.word) &&
  /^D[wSr]{1,2}A?$/.test(tags) &&
  /^(?:rows|results?|output|outputs|hits|numbers|totals?|bytes|values|answers?|pixels|order|behaviou?r|figures|response|responses|tree)$/.test(
    tokens[1]!.word,
  )
    ? 0
    : -1;

/** "Nothing in the test report but green rows" */
const nothingBut = ({ tokens, tags }: Segment, next: Segment | undefined) =>
  tokens[0]!.word === 'nothing' && /^o[^FnHILxX2E]*$/.test(tags) && next?.boundWord === 'but' && /^G/.test(next.tags)
    ? 0
    : -1;

/** "There are no missing keys according to the checker" */
function nothingMissing({ tokens, tags }: Segment): number {
  const at = tokens.findIndex(t =>
    /^(?:missing|dead|broken|stale|orphaned|dangling|unused|duplicate|duplicated|stray|leftover|unresolved|untranslated)$/.test(
      t.word,
    ),
  );
  return at > 0 && /o[A8]?$/.test(tags.slice(0, at)) && /[SK1]|according/.test(tags) && !/[nHIL]/.test(tags) ? at : -1;
}

/** "Chrome fine, Safari broken" */
function place({ tokens, tags }: Segment): number {
  return tokens.length === 2 &&
    PLACE.test(tokens[0]!.word) &&
    tags[1] === 'G' &&
    /^(?:fine|ok|okay|good|green|clean|perfect|happy)$/.test(tokens[1]!.word)
    ? 1
    : -1;
}

/** "Nothing left on the error list of the compiler" */
function cleared({ tokens, tags }: Segment): number {
  return /^A*oA*w?A*p/.test(tags) &&
    /^(?:nothing|none|no)$/.test(tokens.find(t => t.tag === 'o')!.word) &&
    tokens.some(t => /^(?:left|remaining|outstanding|open)$/.test(t.word)) &&
    /p[DQ]*[wF]{0,2}[FSw]?.*[SK]/.test(tags) &&
    !/[nHILxX2E]/.test(tags)
    ? 0
    : -1;
}

/** "With the fix the heap stays at 80 MB", "After the restart the job runs every minute" */
function patched({ tokens, tags }: Segment): number {
  if (
    !/^pD[wAh]{1,2}D[wArhSKpX]{1,6}[EwdrWP]/.test(tags) ||
    tokens[0]!.word !== 'with' ||
    /^(?:old|previous|current|default)$/.test(tokens[2]!.word)
  )
    return -1;
  return tags.includes('8') && !/[FonHILx2]/.test(tags) ? 3 : -1;
}

/** Words that let a sentence without any other sign of a result be looked at. */
export const TELLING = new Set([...STARTS, ...CONFIRM, ...TRIALS, ...SOFT, 'same', 'identical', 'able', 'links']);

export function loosely(sentence: Sentence, closed: boolean[], usedBefore: boolean, onPaper: boolean): Place | null {
  if (sentence.question) return null;
  for (const [i, segment] of sentence.segments.entries()) {
    if (closed[i] || !segment.tokens.length) continue;
    const found = checkDoes(segment) ?? signFrom(segment) ?? confirmed(segment);
    const at =
      found?.at ??
      Math.max(
        judged(segment, sentence.segments[i + 1]),
        bare(segment, i === 0),
        joined(segment, sentence.segments[i - 1]),
        place(segment),
        patched(segment),
        rightly(segment, sentence.segments[i - 1]),
        passesIts(segment),
        seenIn(segment),
        mine(segment),
        itDoes(segment),
        triumph(segment),
        allWell(segment),
        eachRun(segment),
        asTold(segment),
        sameAs(segment, i === 0),
      );
    const none =
      at < 0 ? Math.max(cleared(segment), nothingBut(segment, sentence.segments[i + 1]), nothingMissing(segment)) : -1;
    if (at < 0 && none < 0) continue;
    const kind = found?.kind ?? kindOf(segment.tokens) ?? 'verified';
    const hit: Hit = { kind, from: 0, at: Math.max(at, none), to: segment.tokens.length, zero: none >= 0 };
    if (!blocked(segment, hit)) return { segment: i, hit };
  }
  return onPaper ? null : trialTold(sentence, closed, usedBefore);
}
