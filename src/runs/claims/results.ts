import { type Context, type Hit, STRONG, standsAlone } from './hits.ts';
import { zeroFailures } from './none.ts';
import { counts, exitCodes } from './numbers.ts';
import { kindOf, type Segment } from './sentence.ts';
import { looseSubjects, passedChecks, pronouns, reports, selfVerbs, subjectResults } from './subjects.ts';

/** "we have a green build", "came back with a clean run" */
const OWNS =
  /^(?:have|has|'ve|got|get|came back|comes back|ended|ended up|finished|is back|are back|reported|reports|ends|returned|showed|shows|gave|gives|came out)(?: with)?(?: a| an| the| one| its| our| another| back to a)?(?: \w+)?$/;

function fragments(segment: Segment, context: Context, first: boolean, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const lead = /^[DA]*[GP]8?[AwS]?[SKr]/.exec(tags);
  if (
    lead &&
    first &&
    !/[EPGHIF]/.test(tags.slice(lead[0].length)) &&
    tokens.length <= 9 &&
    !/^[DA]*P[^S]*$/.test(tags) &&
    tokens[0]!.word !== 'the' &&
    !/^(?:takes?|needs?|costs?|means?|requires?|lasts?|asserts?|should)$/.test(tokens[lead[0].length]?.word ?? '')
  )
    hits.push({ kind: kindOf(tokens) ?? 'tests', from: 0, at: 0, to: tokens.length });
  const beside = /[pd](?:D?A?)[GP]A?D?[wA]?[SK]r?/.exec(tags);
  if (beside && /\bwith$/.test(tokens[beside.index]!.word) && !/[EP]/.test(tags.slice(beside.index + beside[0].length)))
    hits.push({
      kind: kindOf(tokens, beside.index) ?? 'tests',
      from: beside.index,
      at: beside.index,
      to: tokens.length,
    });
  const owned = /[Edr](?:p?D?A*)[GP][wA]?[Sr](?=$|[pA8,V])/.exec(tags);
  if (owned) {
    const at = owned.index + owned[0].search(/[GP]/);
    const before = tokens.slice(owned.index, at).map(t => t.word);
    if (
      OWNS.test(before.join(' ')) &&
      /^(?:green|clean|passing|successful|flawless|error-free|fully green|all-green)$/.test(tokens[at]!.word) &&
      !/[HInoF]/.test(tags.slice(0, at))
    )
      hits.push({ kind: kindOf(tokens, at) ?? 'tests', from: owned.index, at, to: tokens.length });
  }
  // "🟢🟢 both jobs"
  if (first && /^V+[DQ8]*w?[Sr]$/.test(tags))
    hits.push({ kind: kindOf(tokens) ?? 'tests', from: 0, at: 0, to: tokens.length });
  const open = /^(?:[EA]*)([GPV])/.exec(tags);
  // "Success and failure use the same colour"
  if (open && /^success/.test(tokens[open[0].length - 1]!.word) && context.joined) return;
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
    !/^[SKhrwDE]/.test(tags.slice(at + 1)) &&
    (first || tags.length <= 2 || (/^EA[GP]$/.test(tags) && /^(?:is|are)$/.test(tokens[0]!.word))) &&
    standsAlone(segment, at) &&
    tokens.length <= 9
  )
    hits.push({ kind: context.kind ?? 'tests', from: 0, at, to: tokens.length });
}

/** All results that one segment tells of, before anything around it is weighed. */
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
  if (/[0o]/.test(tags)) exitCodes(segment, context, hits);
  return hits;
}
