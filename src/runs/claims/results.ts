import { kindOf, type Segment } from './sentence.ts';
import type { ClaimKind, Token } from './types.ts';

/** A result inside one segment: the token where the result stands, and what it is a result of. */
export type Hit = { kind: ClaimKind; from: number; at: number; to: number; zero?: boolean; count?: boolean };

/** What the surrounding text supplies: a check named before, a run or a use in the same stretch. */
export type Context = {
  kind?: ClaimKind;
  head?: ClaimKind;
  carried?: ClaimKind;
  ran: boolean /** One of several states in a row. */;
  listed?: boolean;
};

const STRONG = /^(?:pass\w*|green.*|succe\w+|back to green|in the green|all green|back in the green|ok)$/;
const SUBJECT = '[SK][rSKih8Qfq]*';
const BETWEEN = '(?:(?:[pJ1i]|D[1J])[pwiDQ8AJ1hfOSKrq%odxP2MXefx]{0,9}?)?';
const SUBJECT_RESULT = new RegExp(`${SUBJECT}${BETWEEN}[EA]*[GPVY]`, 'g');
const COUNT = /(?:[8fe]|Q8?)(?:p[8D]{1,2})?[wSrAhKi]{0,3}[EA]*[PGV]/g;
const NONE = /o[A8wQDSKOWprhE]{0,5}F|0(?:p8)?[AwSKrh]{0,3}F|F[A]?0/g;
const NEVER = /n[AEuDJQ8SK1]{0,5}F/g;

const FINDS = /^(?:found|finds|reports|reported|sees|flags|flagged|lists|detects|detected|shows|raises)$/;
const MANNER = /^(?:unchanged|identically|correctly|reliably|as expected|as intended|consistently|correct|normally)$/;
const COMPLEMENT = /^(?:$|[A&,pIBVGtxo;:]|[E~])/;

/** Whether the result stands alone ("the tests pass on Linux") rather than taking an object ("passes the id to ..."). */
function standsAlone(segment: Segment, at: number): boolean {
  const token = segment.tokens[at]!;
  const rest = segment.tags.slice(at + 1);
  const next = segment.tokens[at + 1];
  if (token.tag === 'V' || token.tag === 'Y' || !next) return true;
  if (token.tag === 'P') {
    if (next.tag === 't' && /^(?:pass|accept|match)/.test(token.word)) return false;
    if (/^(?:accepts?|accepted|likes|approves?|approved)$/.test(token.word))
      return COMPLEMENT.test(rest) || /^[JD]/.test(rest);
    return (
      COMPLEMENT.test(rest) ||
      (/^D[wA8]/.test(rest) && segment.tokens.some(t => t.word === 'ago')) ||
      next.word.endsWith('ly') ||
      MANNER.test(next.word) ||
      /^[Q8fr]*[8Qfr]/.test(rest) ||
      /^(?:runs?|times?)$/.test(next.word)
    );
  }
  return COMPLEMENT.test(rest) || next.word.endsWith('ly') || /^[8QSK]/.test(rest) || next.tag === 'P';
}

function subjectResults(segment: Segment, hits: Hit[]): void {
  SUBJECT_RESULT.lastIndex = 0;
  for (let m = SUBJECT_RESULT.exec(segment.tags); m; m = SUBJECT_RESULT.exec(segment.tags)) {
    const at = m.index + m[0].length - 1;
    const kind = kindOf(segment.tokens, m.index, at) ?? 'tests';
    if (standsAlone(segment, at)) hits.push({ kind, from: m.index, at, to: segment.tokens.length });
    SUBJECT_RESULT.lastIndex = at;
  }
}

function selfVerbs(segment: Segment, hits: Hit[]): void {
  const { tokens, tags } = segment;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const before = tags.slice(0, i);
    const after = tags.slice(i + 1);
    const single = tokens.length === 1 && /^[&,]?$/.test(segment.bound);
    if (single && /^(?:typechecks|type-checks|builds|lints)$/.test(token.word)) {
      hits.push({ kind: token.kind ?? 'build', from: 0, at: i, to: 1 });
      continue;
    }
    const free = /^(?:$|[ApGE8Io])/.test(after) && !/^E/.test(after);
    if (!free) continue;
    if (token.tag === 'M' && !/[1D]A*$/.test(before))
      hits.push({ kind: token.kind!, from: 0, at: i, to: tokens.length });
    else if (/^(?:builds?|rebuilds?|lint)$/.test(token.word)) {
      const plural = !token.word.endsWith('s');
      const does = /(?:^|[Jhiw])E[A]*$/.test(before) && /^(?:does|do|did)$/.test(tokens[i - 1]!.word);
      const bare = before === '' && /^[AG]/.test(after) && !plural;
      const still = /^A+$/.test(before) && !plural;
      const subject = plural
        ? /[hiKQ]A*$/.test(before) && /(?:^|[^D])[iKQ]A*$|s$/.test(tokens[i - 1]?.word ?? '')
        : /[hJiKQ]A*$/.test(before);
      const many =
        plural && /[hiKQ]A*$/.test(before) && (tokens[i - 1]!.tag !== 'h' || tokens[i - 1]!.word.endsWith('s'));
      if (does || bare || still || (plural ? many : subject))
        hits.push({ kind: token.word === 'lint' ? 'lint' : 'build', from: 0, at: i, to: tokens.length });
    }
  }
}

const FOLLOWED = /^(?:$|[ApBI&V8L1:,O]|E+(?:$|[Aup])|J)/;

function zeroFailures(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const own = kindOf(tokens);
  const inContext = own ?? context.head ?? context.carried ?? context.kind;
  for (const pattern of [NONE, NEVER]) {
    pattern.lastIndex = 0;
    for (let m = pattern.exec(tags); m; m = pattern.exec(tags)) {
      const end = m.index + m[0].length;
      pattern.lastIndex = end;
      const last = tokens[end - 1]!;
      const next = tokens[end];
      const adjective = /^(?:red|failing|failed|broken|flaky)$/.test(last.word) && /^[Sr]/.test(tags.slice(end));
      if (last.tag === 'F' && !adjective && !FOLLOWED.test(tags.slice(end)) && !next?.word.endsWith('ly')) continue;
      if (pattern === NEVER) {
        const words = tokens.slice(m.index, end).map(t => t.word);
        const perceived =
          tags.slice(m.index, end).includes('u') ||
          /\b(?:get|seen|found|observed|detected|have|a failing|is|are|was)\b/.test(
            words.join(' ') +
              (adjective ? ' is' : '') +
              (/[Ew]/.test(tags[m.index - 1] ?? '') && /D/.test(tags.slice(m.index, end)) ? ' is' : ''),
          );
        const verb =
          /^(?:fails?|breaks?|crash(?:es)?|complains?|errors?|protest|failing|red|panics?|flakes?|trip)$/.test(
            last.word,
          );
        if (!perceived && !verb) continue;
        if (
          verb &&
          !own &&
          !context.carried &&
          !context.ran &&
          !context.head &&
          !/J[EA]*$/.test(tags.slice(0, m.index))
        )
          continue;
      }
      const fragment =
        m.index === 0 &&
        tokens.length <= 6 &&
        pattern === NONE &&
        !/[E]/.test(tags.slice(end)) &&
        /^[oA8S0F]/.test(tags.slice(m.index));
      const told =
        m.index > 0 &&
        /^(?:reports?|reported|finds?|found|shows?|showed|sees|flagged|raised|lists)$/.test(
          tokens[m.index - 1]!.word,
        ) &&
        m.index > 1;
      if (!inContext && !context.ran && !fragment && !told) continue;
      const typed = own ?? context.head ?? (context.ran && !context.carried ? 'verified' : inContext) ?? 'verified';
      hits.push({ kind: typed, from: 0, at: m.index, to: tokens.length, zero: true });
    }
  }
  const fallen = /F[^;:]*p8t0/.exec(tags);
  if (fallen && (inContext || context.ran))
    hits.push({ kind: own ?? inContext ?? 'tests', from: 0, at: tags.indexOf('t0'), to: tokens.length, zero: true });
  // "the compiler found no leftovers"
  const found = /[SK][A]*$/.test(
    tags.slice(
      0,
      Math.max(
        0,
        tokens.findIndex(t => FINDS.test(t.word)),
      ),
    ),
  )
    ? tokens.findIndex(t => FINDS.test(t.word))
    : -1;
  if (found > 0 && !hits.length && /^[A]?o[A]*w/.test(tags.slice(found + 1)) && own)
    hits.push({ kind: own, from: 0, at: found, to: tokens.length, zero: true });
  // "nothing to report", "none found", "nothing left to flag" beside a check.
  const nothing = tokens.findIndex(
    (t, i) => /^(?:nothing|none)$/.test(t.word) && /^(?:$|A*$|A*t|A*[uw]|[pP])/.test(tags.slice(i + 1)),
  );
  if (
    nothing >= 0 &&
    inContext &&
    !/^(?:to (?:do|run|test|build|check|lint))/.test(
      tokens
        .slice(nothing + 1, nothing + 3)
        .map(t => t.word)
        .join(' '),
    )
  ) {
    const told =
      /^(?:$|A*$|A*t[wuEFr])/.test(tags.slice(nothing + 1)) &&
      (context.head || own || /^A*$/.test(tags.slice(0, nothing)) || context.ran);
    if (told) hits.push({ kind: inContext, from: 0, at: nothing, to: tokens.length, zero: true });
  }
}

function counts(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  COUNT.lastIndex = 0;
  for (let m = COUNT.exec(tags); m; m = COUNT.exec(tags)) {
    const at = m.index + m[0].length - 1;
    COUNT.lastIndex = at + 1;
    const known = kindOf(tokens, m.index, at) ?? context.head ?? context.carried;
    if (
      !STRONG.test(tokens[at]!.word) &&
      tokens[at]!.tag !== 'V' &&
      !(known && /[PG]/.test(tokens[at]!.tag) && !/^Q/.test(m[0]))
    )
      continue;
    if (tokens.slice(m.index, at).some(t => t.word === 'who')) continue;
    if (/w/.test(m[0]) && /^Q/.test(m[0]) && !known && !context.ran) continue;
    if (!standsAlone(segment, at)) continue;
    hits.push({
      kind: known ?? context.kind ?? 'tests',
      from: m.index,
      at,
      to: tokens.length,
      count: /^[8fe]/.test(m[0]),
    });
  }
  const full = tags.indexOf('f');
  const seen = context.ran || /[rd]/.test(tags) ? 'verified' : undefined;
  if (full >= 0 && (kindOf(tokens) ?? context.head ?? context.carried ?? seen) && !hits.length && !/F/.test(tags))
    hits.push({
      kind: kindOf(tokens) ?? context.head ?? context.carried ?? seen!,
      from: 0,
      at: full,
      to: tokens.length,
      count: true,
    });
  const percent =
    /(?:^|[^\d])100$/.test(tokens.find(t => t.tag === '8' && t.word === '100')?.word ?? '') && /8%/.test(tags);
  if (percent && !hits.length && tokens.some(t => /^(?:pass|success|green)$/.test(t.word) || t.tag === 'P'))
    hits.push({ kind: 'tests', from: 0, at: 0, to: tokens.length });
}

function exitCodes(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const zero = tokens.findIndex(t => t.tag === '0');
  if (zero < 0) return;
  const near = tokens
    .slice(Math.max(0, zero - 4), zero)
    .map(t => t.word)
    .join(' ');
  const kind = kindOf(tokens) ?? context.head ?? context.carried ?? context.kind;
  if (!/\b(?:exit(?:s|ed)?|exit code|exit status|rc|returned|returns|status|code|errorlevel|exitcode)\b/.test(near))
    return;
  if (kind || /^[r E A w p]*0/.test(tags)) hits.push({ kind: kind ?? 'tests', from: 0, at: zero, to: tokens.length });
}

function fragments(segment: Segment, context: Context, first: boolean, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const lead = /^[DA]*[GP]8?[AwS]?[SKr]/.exec(tags);
  if (
    lead &&
    first &&
    !/[EPGHIF]/.test(tags.slice(lead[0].length)) &&
    tokens.length <= 9 &&
    !/^[DA]*P[^S]*$/.test(tags) &&
    tokens[0]!.word !== 'the'
  )
    hits.push({ kind: kindOf(tokens) ?? 'tests', from: 0, at: 0, to: tokens.length });
  const beside = /p(?:D?A?)[GP]A?D?[wA]?[SK]r?/.exec(tags);
  if (beside && tokens[beside.index]!.word === 'with' && !/[EP]/.test(tags.slice(beside.index + beside[0].length)))
    hits.push({
      kind: kindOf(tokens, beside.index) ?? 'tests',
      from: beside.index,
      at: beside.index,
      to: tokens.length,
    });
  const open = /^(?:[EA]*)([GPV])/.exec(tags);
  const spread = /^[DA]*([GP])p[DQA8]*[wA]?[SK](?=$|[pA8r])/.exec(tags);
  if (
    spread &&
    first &&
    STRONG.test(
      tokens[tags.search(/[GP]/)]!.word.replace('a full pass', 'pass')
        .replace('full pass', 'pass')
        .replace(/^clean$/, 'pass'),
    )
  )
    hits.push({ kind: kindOf(tokens)!, from: 0, at: tags.search(/[GP]/), to: tokens.length });
  if (!open) return;
  const at = open[0].length - 1;
  const known = context.head ?? context.carried;
  const strong = STRONG.test(tokens[at]!.word);
  const listed = context.listed && tokens.length === 1;
  if (known && (first || /[:,&(=B;-]/.test(segment.bound) || segment.boundWord === 'as') && standsAlone(segment, at))
    hits.push({ kind: known, from: 0, at, to: tokens.length });
  else if (
    strong &&
    tokens[at]!.word !== 'ok' &&
    (tokens[at]!.word !== 'pass' || tokens.length <= 2) &&
    !listed &&
    !/^[SKhrwD]/.test(tags.slice(at + 1)) &&
    (first || tags.length <= 2) &&
    standsAlone(segment, at) &&
    tokens.length <= 9
  )
    hits.push({ kind: context.kind ?? 'tests', from: 0, at, to: tokens.length });
}

/** "The run came back green", "`packages/core` is green", "every step matched": the subject is no check by name. */
function looseSubjects(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const m = /(?:^|[^SKhG])(?:[D8][Aw]{0,2}r[rh]?|i[hr]?|Q[8A]?[rwh]{1,2}|D?A*8?h)(?:p[DQ8whi]{1,4})?[EA]*([GPV])/.exec(
    tags,
  );
  if (!m) return;
  const at = m.index + m[0].length - 1;
  const strong = STRONG.test(tokens[at]!.word) && tokens[at]!.word !== 'ok';
  const every = /Q/.test(m[0]);
  if (!standsAlone(segment, at)) return;
  if (
    (strong && (/[ri]/.test(m[0]) || /green/.test(tokens[at]!.word))) ||
    (every && tokens[at]!.tag === 'P' && (context.ran || context.kind)) ||
    (/r/.test(m[0]) &&
      /^(?:clean|cleanly|fine|successful|uneventful|good|smooth|perfect|flawless)$/.test(tokens[at]!.word) &&
      (context.ran || context.kind || tokens.length <= 6))
  )
    hits.push({ kind: context.carried ?? context.kind ?? 'tests', from: 0, at, to: tokens.length });
}

function pronouns(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const m = /(?:^|[^SKhi])([JQ]|D(?=[EAP])|1(?=E*A*[GY]))(?:p[wDi8hS]{1,4})?[EA]*([GPY])/.exec(tags);
  if (!m) return;
  const at = m.index + m[0].length - 1;
  const subject = tokens[m.index + m[0].search(/[JQD1]/)]!.word;
  const strong = STRONG.test(tokens[at]!.word) && tokens[at]!.word !== 'ok';
  if (/^(?:i|we|us|me)$/.test(subject) && !/^(?:.*green|clean)$/.test(tokens[at]!.word)) return;
  const wide = /^(?:everything|all|the lot)$/.test(subject);
  if (!standsAlone(segment, at) || (/^(?:which|who|he|she)$/.test(subject) && !context.carried && !context.kind))
    return;
  if (
    strong ||
    (wide && tokens[at]!.word !== 'good' && tokens[at]!.tag === 'G') ||
    (wide && /^check/.test(tokens[at]!.word)) ||
    context.carried ||
    (context.kind && context.ran)
  )
    hits.push({
      kind: wide && !strong ? 'verified' : (context.carried ?? context.kind ?? 'tests'),
      from: 0,
      at,
      to: tokens.length,
    });
}

/** "The branch passes all checks": the check is the object. */
function passedChecks(segment: Segment, hits: Hit[]): void {
  const m = /(?:^|[wihJ1DAd])A*P([DQA8w]{0,3})[SK][rS]?(?=$|[ApIV8(])/.exec(segment.tags);
  if (!m) return;
  const at = segment.tags.indexOf('P', m.index);
  const { tokens } = segment;
  if (!/^(?:pass|passes|passed|passing|clears?|cleared|survives?|survived)$/.test(tokens[at]!.word) || at === 0) return;
  if (
    /\b(?:of time|she|he|driving|people|everyone|candidate|student|candidates|students)\b/.test(
      tokens.map(t => t.word).join(' '),
    )
  )
    return;
  hits.push({ kind: kindOf(tokens, at) ?? 'tests', from: 0, at, to: tokens.length });
}

/** "`node --test` reports 140 passing tests", "the soak test shows a flat line". */
function reports(segment: Segment, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const m = /[SK]r?[A]*([EA])(?:Q?8A?[PG][Sw]|[DA]*[dG][wrSh])/.exec(tags);
  if (!m) return;
  const at = m.index + m[0].length - 2;
  const verb = tokens
    .slice(m.index, at)
    .some(t =>
      /^(?:reports?|reported|shows?|showed|gives?|gave|returns?|returned|counts?|lists|says|yields)$/.test(t.word),
    );
  const good =
    tags[at] === 'P' ||
    /^(?:flat|expected|correct|same|identical|right|clean|green|good|desired)$/.test(tokens[at]!.word) ||
    /8/.test(m[0]);
  if (verb && good) hits.push({ kind: kindOf(tokens, m.index, at) ?? 'tests', from: m.index, at, to: tokens.length });
}

export function results(segment: Segment, context: Context, first: boolean): Hit[] {
  const hits: Hit[] = [];
  const { tags } = segment;
  if (/[GPVY]/.test(tags)) {
    if (/[SK]/.test(tags)) subjectResults(segment, hits);
    if (/[GPV]/.test(tags)) counts(segment, context, hits);
    if (!hits.length) pronouns(segment, context, hits);
    if (!hits.length) looseSubjects(segment, context, hits);
    if (!hits.length) fragments(segment, context, first, hits);
    if (!hits.length) passedChecks(segment, hits);
  } else if (tags.includes('f')) counts(segment, context, hits);
  if (!hits.length && /[GPd]/.test(tags)) reports(segment, hits);
  if (/[on0F]/.test(tags)) zeroFailures(segment, context, hits);
  if (!hits.length) selfVerbs(segment, hits);
  if (tags.includes('0')) exitCodes(segment, context, hits);
  return hits;
}

export const wordsOf = (tokens: Token[]) => tokens.map(t => t.word).join(' ');
