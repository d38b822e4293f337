import { calm, DOES, WORK, words } from './guarded.ts';
import { hint } from './hints.ts';
import type { Segment } from './sentence.ts';
import type { Token } from './types.ts';

/** How a thing does, told without a check: where in a segment the judgement stands, or -1. */

/** How a thing does. */
const MANNER = words(
  `correctly properly reliably smoothly flawlessly perfectly fine well cleanly gracefully nicely beautifully dependably
  as_expected as_intended as_designed as_it_should as_they_should as_specified as_planned as_before like_clockwork like_a_charm normally normal solidly robustly
  exactly_as just_as without_a_hitch without_trouble without_a_problem without_incident seamlessly faultlessly consistently`,
);
export const STATES = words(
  `up_and_running functional operational healthy usable intact in_order in_good_order in_shape in_good_shape 
  back_in_shape back_in_order back_to_normal back_on_track reliable error-free alive ready_for_use`,
);
const RIGHT = words('right correct expected proper desired same identical intended');
const GIVES = words(
  'gives give returns return shows show prints print produces produce yields yield displays display computes compute calculates delivers reports renders outputs emits gets sends send contains holds has answers picks opens loads writes reads',
);

export const STARTS = words(
  'launches starts boots validates loads renders parses resolves installs responds goes_through went_through ran_through runs_through gets_through comes_up connects converges opens',
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

/** The rarest word of a phrase is its last. */
const closings = (...lists: Set<string>[]) => lists.flatMap(list => [...list].map(w => w.split(' ').at(-1)!));
/** Without a word of these there is no judgement of how a thing does. */
export const MANNERS = hint(
  closings(MANNER, STATES, RIGHT, STARTS, ALL_DO, BARE).concat(
    'working',
    'good',
    'perfect',
    'without',
    'functions',
    'behaves',
    'work',
  ),
);

/** Where the subject of a statement about a thing ends, or -1: "the new importer", "everything", "both sides of the API". */
function subjectEnd({ tokens, tags }: Segment): number {
  const m =
    /^(?:p[DQ]?[wAhrS8]{1,3}(?=[DJQ]))?A*(?:D[DwAhrSKdGQi8Opa]{1,6}?|Q[DwrhSK8i]{1,3}|[JQ]|Qp[DwhJ]{1,3}|K|i[wh]?|w{1,2}(?=[EWd]))(?:p[DQ8whirSK]{1,4})?(?=A*[EPWMwdr])/.exec(
      tags,
    );
  if (
    !m ||
    WORK.has(tokens[0]!.word) ||
    (/^w+$/.test(m[0]) &&
      !/(?:s|ing)$/.test(tokens[m[0].length - 1]!.word) &&
      !tokens.some(t => /^(?:now|again)$/.test(t.word)))
  )
    return -1;
  return m[0].length;
}

/** "The whole thing is up and running", "Your example now gives the right total", "It copes with all files without trouble" */
/** What scales well on paper. */
const IDEA =
  /^(?:approach|design|solution|architecture|model|structure|idea|plan|proposal|concept|pattern|tests?|specs?|names?|docs?)$/;

export function judged(segment: Segment, next: Segment | undefined): number {
  const { tokens, tags } = segment;
  const end = subjectEnd(segment);
  if (end < 0) return -1;
  if (IDEA.test(tokens[end - 1]!.word)) return -1;
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
  let verb = end;
  while (tags[verb] === 'A') verb++;
  const stop = tokens.length - (tags.endsWith('A') ? 1 : 0);
  if (
    (stop === verb + 1 || /^A*p[DQ8]/.test(tags.slice(verb + 1))) &&
    calm(segment) &&
    (tags[0] === 'Q'
      ? ALL_DO.has(tokens[verb]!.word)
      : STARTS.has(tokens[verb]!.word) &&
        /^A*D/.test(tags) &&
        (tags[end - 1] === 'h' || THINGS.has(tokens[end - 1]!.word)))
  )
    return verb;
  for (let k = end; k < tokens.length && k < end + 9; k++) {
    const { word } = tokens[k]!;
    const before = tags.slice(0, k);
    if (!calm(segment, 0, k, 'F')) return -1;
    const previous = tokens[k - 1]!.word;
    // "The order is right every time"
    if (
      /^(?:right|correct|accurate|complete)$/.test(word) &&
      /E[EA]*$/.test(before) &&
      /^(?:Qw?$|A*A$|p[DQ]?Q)/.test(tags.slice(k + 1)) &&
      (/Q/.test(tags.slice(k)) || tokens.some(t => /^(?:now|again)$/.test(t.word))) &&
      calm(segment)
    )
      return k;
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
      ((tags[0] === 'Q' && (!/ed$/.test(previous) || /^A*QE/.test(tags))) ||
        tokens
          .slice(end, k)
          .some(t => DOES.has(t.word) || (t.tag === 'w' && k === end + 1 && /[^s]s$/.test(t.word)))) &&
      calm(segment)
    )
      return k;
    if (RIGHT.has(word) && tokens.slice(Math.max(end - 1, k - 4), k).some(t => GIVES.has(t.word)) && calm(segment))
      return word === 'expected' ||
        (/^(?:same|identical)$/.test(word) && /p[DQ]?Q/.test(tags.slice(k))) ||
        tokens.some(t => /^(?:now|again|still|as before)$/.test(t.word))
        ? k
        : -1;
    if (
      word === 'without' &&
      ENDINGS.has(lastOf(tokens, k)) &&
      tokens
        .slice(end, k)
        .some(
          (t, j) =>
            DOES.has(t.word) ||
            t.tag === 'P' ||
            (j === 0 && t.tag === 'w' && /(?<!day|week|hour|minute|month|second|time|s)s$/.test(t.word)),
        )
    )
      return calm(segment, 0, k) && calm(segment, k, tokens.length, 'F') ? k : -1;
  }
  return -1;
}

const lastOf = (tokens: Token[], k: number) => tokens.slice(k + 1, k + 5).find(t => ENDINGS.has(t.word))?.word ?? '';

/** "Builds on all three platforms", "Installs and imports cleanly" */
export function bare(segment: Segment, whole: boolean): number {
  const { tokens, tags } = segment;
  const lead = /^A*/.exec(tags)![0].length;
  const token = tokens[lead];
  if (!whole || !token || !BARE.has(token.word) || tokens.length > 9) return -1;
  // "Builds on my last change"
  if (
    /^builds|works$/.test(token.word) &&
    tokens.some(t => /^(?:changes?|work|idea|commit|branch|approach|foundation|pr|patch|proposal)$/.test(t.word))
  )
    return -1;
  return /^(?:$|A+$|p[QD8]|pw8|pK|A*G)/.test(tags.slice(lead + 1)) && calm(segment) ? lead : -1;
}

/** "The package installs and imports cleanly": the subject stands before the "and". */
export function joined(segment: Segment, before: Segment | undefined): number {
  if (!before || segment.bound !== '&' || !calm(before) || segment.tokens.length > 6) return -1;
  // "is live and responding as expected"
  if (
    /^(?:working|responding|running|answering)$/.test(segment.tokens[0]!.word) &&
    /E/.test(before.tags) &&
    calm(segment)
  )
    return segment.tokens.findIndex(t => MANNER.has(t.word));
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
