import { type Context, type Hit, STRONG, standsAlone } from './hits.ts';
import { kindOf, type Segment } from './sentence.ts';

const SUBJECT = '[SK][rSKih8Qfq]*';
const BETWEEN =
  '(?:[DJ]E?F[wpAL]{0,3}|2E?w{1,2}p?|J[FEwA]{1,3}L|(?:[pJ1i]|D[12J])H?[pwiDQ8AJ1hfOSKrq%odxP2MXefx]{0,9}?)?';
const SUBJECT_RESULT = new RegExp(`${SUBJECT}${BETWEEN}[EA]*(?:Q(?=G))?[GPVY]`, 'g');

export function subjectResults(segment: Segment, hits: Hit[]): void {
  SUBJECT_RESULT.lastIndex = 0;
  for (let m = SUBJECT_RESULT.exec(segment.tags); m; m = SUBJECT_RESULT.exec(segment.tags)) {
    const at = m.index + m[0].length - 1;
    const kind = kindOf(segment.tokens, m.index, at) ?? 'tests';
    if (standsAlone(segment, at)) hits.push({ kind, from: m.index, at, to: segment.tokens.length });
    SUBJECT_RESULT.lastIndex = at;
  }
}

const VERBS = new Set(
  'typechecks type-checks typecheck type-check build builds rebuild rebuilds lint lints compile'.split(' '),
);

export function selfVerbs(segment: Segment, hits: Hit[]): void {
  const { tokens, tags } = segment;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.tag !== 'M' && !VERBS.has(token.word)) continue;
    const before = tags.slice(0, i);
    const after = tags.slice(i + 1);
    const single = tokens.length === 1 && /^[&,]?$/.test(segment.bound);
    if (single && /^(?:typechecks|type-checks|builds|lints)$/.test(token.word)) {
      hits.push({ kind: token.kind ?? 'build', from: 0, at: i, to: 1 });
      continue;
    }
    const free = /^(?:$|[ApGE8Io])/.test(after) && !/^E/.test(after);
    if (!free) continue;
    if (
      /^type-?checks$/.test(token.word) &&
      /(?:^|[hJwiQ])A*$/.test(before) &&
      !/^(?:the|a|new|our|no)$/.test(tokens[i - 1]?.word ?? 'the')
    ) {
      hits.push({ kind: 'types', from: 0, at: i, to: tokens.length });
      continue;
    }
    if (token.tag === 'M' && (!/[1D]A*$/.test(before) || token.word.startsWith('types check')))
      hits.push({ kind: token.kind!, from: 0, at: i, to: tokens.length });
    else if (/^(?:builds?|rebuilds?|lint|compile)$/.test(token.word)) {
      const plural = !token.word.endsWith('s');
      if (token.word === 'compile' && /S$/.test(before) && tokens[i - 1]!.word.endsWith('s'))
        hits.push({ kind: 'build', from: 0, at: i, to: tokens.length });
      const does = /(?:^|[Jhiw])E[A]*$/.test(before) && /^(?:does|do|did)$/.test(tokens[i - 1]!.word);
      const bare = before === '' && /^[AG]/.test(after) && !plural;
      const still = /^A+$/.test(before) && !plural;
      const subject = plural
        ? /[hiKQ]A*$/.test(before) && /(?:^|[^D])[iKQ]A*$|s$/.test(tokens[i - 1]?.word ?? '')
        : /[hJiKQ]A*$/.test(before);
      // "the bundle builds": the thing is named like its build
      const made =
        /(?:^|D|w)A*S$/.test(before) &&
        /^(?:bundle|image|wheel|artifact|artefact|package|storybook|docusaurus|mkdocs|sphinx)s?$/.test(
          tokens[i - 1]!.word,
        );
      const many =
        plural && /[hiKQ]A*$/.test(before) && (tokens[i - 1]!.tag !== 'h' || tokens[i - 1]!.word.endsWith('s'));
      if (does || bare || still || (made && !plural) || (plural ? many : subject))
        hits.push({ kind: token.word === 'lint' ? 'lint' : 'build', from: 0, at: i, to: tokens.length });
    }
  }
}

/** "it is passed on": what is passed is a thing and no check. */
const passive = (segment: Segment, at: number) =>
  segment.tokens[at]!.word === 'passed' &&
  /^(?:is|are|was|were|be|been|being|gets|get|'s|'re)$/.test(segment.tokens[at - 1]?.word ?? '');

/** "The run came back green", "`packages/core` is green", "every step matched": the subject is no check by name. */
export function looseSubjects(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const m =
    /(?:^|[^SKhG])(?:[D8][Aw]{0,2}r[rh]?|AEr|^w{1,2}r|i[hr]?|wpD?w{1,2}|Q[8A]?[rwh]{1,2}|Q1H?[wO]|D?A*8?h)(?:D?1H?[rwOE]{1,2}A?)?(?:p[DQ8whi]{0,4})?[EA]*([GPV])/.exec(
      tags,
    );
  if (!m) return;
  const at = m.index + m[0].length - 1;
  const strong = STRONG.test(tokens[at]!.word) && tokens[at]!.word !== 'ok';
  const every = /Q/.test(m[0]);
  if (!standsAlone(segment, at) || passive(segment, at)) return;
  // `check()` is a function and no run
  if (tokens.slice(m.index, at).some(t => t.tag === 'i' && /\)$/.test(t.word))) return;
  if (
    (tokens[at]!.tag === 'G' && tokens.slice(m.index, at).some(t => t.tag === 'i' && /\s/.test(t.word))) ||
    (strong && /Q1/.test(m[0])) ||
    (strong &&
      (/[ri]/.test(m[0]) ||
        /^(?:two|three|four|five|six|seven|eight|nine)$/.test(tokens[m.index]!.word) ||
        /green/.test(tokens[at]!.word))) ||
    (every && /^(?:healthy|up and running|operational)$/.test(tokens[at]!.word)) ||
    (every && tokens[at]!.tag === 'P' && (context.ran || context.kind)) ||
    (/r/.test(m[0]) &&
      /^(?:clean|cleanly|fine|successful|uneventful|good|smooth|perfect|flawless)$/.test(tokens[at]!.word) &&
      (context.ran || context.kind || tokens.length <= 6))
  )
    hits.push({ kind: context.carried ?? context.kind ?? 'tests', from: 0, at, to: tokens.length });
}

export function pronouns(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const m = /(?:^|[^SKhi])([JQ]|D(?=[EAP])|1(?=E*A*[GY]))(?:p[wDi8hS]{1,4})?[EA]*([GPY])/.exec(tags);
  if (!m) return;
  const at = m.index + m[0].length - 1;
  const subject = tokens[m.index + m[0].search(/[JQD1]/)]!.word;
  const strong = STRONG.test(tokens[at]!.word) && tokens[at]!.word !== 'ok';
  if (/^(?:i|we|us|me)$/.test(subject) && !/^(?:.*green|clean)$/.test(tokens[at]!.word)) return;
  if (/^D/.test(tags.slice(m.index + m[0].search(/[JQD1]/))) && !/^(?:this|that|these|those|ones?|same)$/.test(subject))
    return;
  if (passive(segment, at)) return;
  if (/^pass/.test(tokens[at]!.word) && tokens[at + 1]?.word === 'for' && !context.kind) return;
  if (/^(?:that|which)$/.test(subject) && tokens[at + 1]?.word === 'for') return;
  if (
    /^(?:it|this|that|which)$/.test(subject) &&
    tokens[at]!.tag === 'G' &&
    !context.kind &&
    !context.ran &&
    tokens.length > 5
  )
    return;
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
export function passedChecks(segment: Segment, hits: Hit[]): void {
  const m = /(?:^|[wihJ1DAd])A*P([DQA8w]{0,3}|QpD?[wAhE]{0,4})[SK][rS]?(?=$|[ApIV8(])/.exec(segment.tags);
  if (!m) return;
  const at = segment.tags.indexOf('P', m.index);
  const { tokens } = segment;
  if (
    !/^(?:do pass|does pass|did pass|pass|passes|passed|passing|clears?|cleared|survives?|survived)$/.test(
      tokens[at]!.word,
    ) ||
    at === 0
  )
    return;
  if (
    /\b(?:of time|she|he|driving|people|everyone|candidate|student|candidates|students)\b/.test(
      tokens.map(t => t.word).join(' '),
    )
  )
    return;
  hits.push({ kind: kindOf(tokens, at) ?? 'tests', from: 0, at, to: tokens.length });
}

/** "`node --test` reports 140 passing tests", "the soak test shows a flat line". */
export function reports(segment: Segment, hits: Hit[]): void {
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
