import { hint, may, type Noted } from './hints.ts';
import type { Hit } from './hits.ts';
import { type Segment, UNSEEN } from './sentence.ts';
import type { Token } from './types.ts';

const STATIC =
  /^(?:file|files|exists|exist|path|paths|licen[cs]e|licen[cs]es|source|reading|docs|documentation|comment|comments|config|configs|value|values|spelling|manifest|version|versions|line|lines|diff|history|changelog|schema|wording|link|links|spec|imports|callers|usages|grep|signature|constant|header|default|setting|option|permission|permissions|name|names|typo|code|by eye)$/;
export const PLACE =
  /^(?:browser|browsers|device|devices|phone|emulator|simulator|staging|production|prod|hand|locally|container|containers|sandbox|machine|real|linux|windows|macos|mac|ios|android|safari|chrome|chromium|firefox|edge|node|postgresql|postgres|mysql|sqlite|sample|copy|data|both|script|laptop|vm|cluster|preview|repl|terminal|shell|live|actual|end|manually|screen|reader|tablet|hardware|person|docker|kubernetes|server|database|dataset|clean|fresh)$/;

/** Places of trial that are also things to work on. */
export const THING = /^(?:copy|data|sample|database|dataset|script|node|end|hand|real|live|both|clean)$/;

const LOOKED_AT =
  /^(?:pages?|screens?|widths?|sizes|dashboard|charts?|rendering|screenshots|output|pdf|video|animation|preview)$/;

/** Where a segment tells of the speaker's own use: "I ran", "Tried", "then clicked"; -1 where it does not. */
export function useAt(segment: Segment): number {
  if (segment.use === UNSEEN) segment.use = findUse(segment);
  return segment.use;
}

function findUse(segment: Segment): number {
  if (segment.tokens[0]!.word === 'only') return -1;
  const m = /^[A&]*(?:1[EA]*)?([vO])/.exec(segment.tags);
  // "Verified by the notary"
  if (
    m &&
    m[1] === 'v' &&
    segment.tokens[m[0].length]?.word === 'by' &&
    segment.tags[m[0].length + 1] === 'D' &&
    !/[SKa1]/.test(segment.tags)
  )
    return -1;
  if (m) return m[0].length - 1;
  // "The toggle was tried on a phone"
  const tried = /E+A*Op/.exec(segment.tags);
  if (
    tried &&
    !segment.tags.includes('1') &&
    (segment.tokens.some(t => PLACE.test(t.word)) ||
      /^(?:with|on|in)$/.test(segment.tokens[tried.index + tried[0].length - 1]!.word))
  ) {
    const at = tried.index + tried[0].length - 2;
    if (/^(?:tried|tested|exercised|checked|replayed|played|loaded|opened)$/.test(segment.tokens[at]!.word)) return at;
  }
  const lead = /^[A&]*(?:1[EA]*?)?[ErP]/.exec(segment.tags);
  if (lead) {
    const at = lead[0].length - 1;
    const token = segment.tokens[at]!;
    if (
      token.word === 'ran' ||
      (token.word === 'went through' && (segment.tags[0] === '1' || /^D/.test(segment.tags.slice(at + 1))))
    )
      return at;
    const next = segment.tokens[at + 1];
    if (
      /^(?:have|'ve|was|were)$/.test(token.word) &&
      next &&
      /^(?:run|been)$/.test(next.word) &&
      segment.tags.includes('1')
    )
      return at + 1;
    if (token.word === 'run' && segment.tags[0] === '1') return at;
    if (
      token.word === 'looked' &&
      segment.tags[0] === '1' &&
      segment.tokens.some(t => PLACE.test(t.word) || LOOKED_AT.test(t.word))
    )
      return at;
    if (/^(?:gave|fed)$/.test(token.word) && /^(?:it|them)$/.test(next?.word ?? '') && /^1?[EA]/.test(segment.tags))
      return at;
    if (token.word === 'went' && /^(?:through|over)$/.test(next?.word ?? '') && segment.tags[0] === '1') return at;
  }
  return -1;
}

/** "The fix was verified on a device": the passive counts with a place of trial, or with the work itself as the subject. */
function passive(segment: Segment): number {
  const m = /E+A*v(?=$|[Ap]|tW)/.exec(segment.tags);
  if (!m) return -1;
  const at = m.index + m[0].length - 1;
  const before = segment.tokens.slice(0, m.index);
  const subject = before.at(-1);
  const work =
    subject &&
    (subject.tag === 'J' ||
      subject.tag === 'Q' ||
      /^(?:fix|change|changes|flow|flows|feature|patch|migration|upgrade|bug|behaviour|behavior|part|half|side|path|branch|result|rollback|import|export|fixes|implementation|solution|endpoint|endpoints|integration|setup|deployment|functionality)$/.test(
        subject.word,
      ));
  const place = segment.tokens.slice(at + 1).some(t => PLACE.test(t.word));
  return subject?.tag !== '1' && (place || work) ? at : -1;
}

const PEOPLE =
  /^(?:team|author|authors|maintainers?|owner|owners|customer|client's|designers?|support|legal|colleagues?|product|you|him|her|them|qa)$/;

export const isStatic = (tokens: Token[]) => tokens.some(t => STATIC.test(t.word));

/** A claim of trial by its verb alone: "Verified on PostgreSQL". */
export function verifiedVerb(segment: Segment): (Hit & { placed: boolean }) | null {
  let at = useAt(segment);
  if (at >= 0 && segment.tokens[at]!.tag !== 'v') at = -1;
  if (at < 0) at = passive(segment);
  if (at < 0) return null;
  const rest = segment.tokens.slice(at + 1);
  // "Verified by the notary"
  if (rest[0]?.word === 'by' && rest[1]?.tag === 'D' && !/[SKa]/.test(segment.tags)) return null;
  // "Verified badges are drawn by the server" tells of badges.
  if (/^v[wXhS2]{1,2}(?:E[wpD]|[wu]D)/.test(segment.tags)) return null;
  if (
    /^(?:users|accounts|members|customers|badges|senders|addresses|sellers|merchants|publishers|domains|profiles|visitors|buyers)$/.test(
      rest[0]?.word ?? '',
    )
  )
    return null;
  if (/^v[wXh]A$/.test(segment.tags) && segment.tokens[2]!.word === 'only') return null;
  // "Verified badge removed" is work on a badge.
  if (
    /^[wXhr]+$/.test(segment.tags.slice(at + 1)) &&
    !segment.tags.includes('1') &&
    rest.length > 1 &&
    /ed$/.test(rest.at(-1)!.word)
  )
    return null;
  // "confirmed the naming with the team"
  if (rest.some((t, k) => t.word === 'with' && rest.slice(k + 1, k + 4).some(w => PEOPLE.test(w.word)))) return null;
  const placed = rest.some(t => PLACE.test(t.word));
  if (isStatic(rest) && !placed) return null;
  return { kind: 'verified', from: 0, at, to: segment.tokens.length, placed };
}

/** An answer of failure that nobody asked for. */
export const refused = (segment: Segment) =>
  segment.tags.includes('8') &&
  segment.tokens.some(t => /^[45]\d\d$/.test(t.word)) &&
  !segment.tokens.some(t =>
    /^(?:want|wanted|expected|intended|right|correct|that (?:we|i|you) (?:want|expect)\w*)$/.test(t.word),
  );

/** A good outcome after a use: "returns the right value", "as expected", "same numbers". */
export function outcome(segment: Segment, from: number): Hit | null {
  for (let i = from; i < segment.tokens.length; i++) {
    const tag = segment.tokens[i]!.tag;
    const got =
      /^(?:got|get|received)$/.test(segment.tokens[i]!.word) &&
      segment.tokens[i - 1]?.word !== 'to' &&
      i < segment.tokens.length - 1 &&
      !/[Fon]/.test(segment.tags.slice(i)) &&
      !segment.tokens.some(t => /^[45]\d\d$/.test(t.word));
    const gone = segment.tokens[i]!.word === 'no longer' && i < segment.tokens.length - 1;
    const returned =
      /^(?:returns|returned|shows|showed|gave|gives|yields|reads)$/.test(segment.tokens[i]!.word) &&
      i < segment.tokens.length - 1 &&
      !segment.tokens.some(t => t.word === 'too');
    const before = i > from && segment.tokens[i]!.word === 'as before';
    // "the list of open tickets"
    // A thing that stays silent after a trial has told nothing.
    if (/^(?:stays?|stayed|keeps?|kept) (?:silent|quiet)$/.test(segment.tokens[i]!.word)) continue;
    if (segment.tokens[i]!.word === 'open' && /^[wh]/.test(segment.tags.slice(i + 1))) continue;
    if (got || gone || before || tag === 'd' || tag === 'W' || tag === 'G' || tag === 'V' || tag === 'P' || returned)
      return { kind: 'verified', from, at: i, to: segment.tokens.length };
  }
  return null;
}

/** Set phrases, counted where a check or a run is in sight or where the phrase is the whole sentence. */
export function idiom(segment: Segment, whole: boolean, context: boolean): Hit | null {
  const at = segment.tags.indexOf('Y');
  if (at < 0 || (!context && !(whole && segment.tokens.length <= 9))) return null;
  return { kind: context ? 'tests' : 'verified', from: 0, at, to: segment.tokens.length, zero: true };
}

const TRIAL =
  /^(?:repeated|tested|tried|checked|opened|clicked|clicked through|used|followed|let it run|started|restarted|launched|installed|called|curled|logged|logged in|signed in|walked through|walked|played|stepped through|replayed|killed|compared|sent|loaded|uploaded|fed|recorded|had the|had it running|toggled|went through it|went through|went|exercised|rebooted|visited|navigated|verified|confirmed|double-checked|reran|let it run|reloaded|typed|dragged|submitted|queried|hit|re-ran|retested|re-tested|ran|printed|scanned|connected|plugged|flashed|resized|rendered|created|posted|submitted)$/;
export const AMISS =
  /^(?:still|flickers?|hangs?|stops?|stopped|freezes?|froze|loops?|jumps?|lags?|wrong|missing|blank|empty|slow|slower|overlaps?|differs?|different|stuck|refused|rejected|denied|unclear|odd|strange|weird|lost|cut|nothing|kept|only|too|most|goes|takes|took|unreachable|old|so|why|unable|down|dead|twice|duplicated|disappear|vanish(?:es|ed)?|failed|loses?|forgets?|forgot|ignores?|ignored|drops?|dropped|swallows?|skips?|skipped|refuses|blocks?|blocked|needs?|lacks?|clips?|clipped|resets?|falls?|truncat\w+|doubled?|doubles|garbled|scrambled|cropped|misaligned|unreadable|invisible|delayed|late|used|times|timed|but|white|black|grey|gray|corrupt\w*|stale|throws?|complains?|warns?|turns?|half|stutters?|overflows?|spills?|covers?|hides?|unstyled|silent|stays silent|stayed silent|missing)$/;

/** Work on code and reading of it: what follows describes the code. */
export const CODE =
  /^(?:support|formatter|codemod|linter|template|convention|style|proposal|request for|branch|changelog|refactor\w*|cache|approach\w*|map|pr|git|profiler|plan|object|schema|helpers?|registry|type|types|librar\w+|outline|function|class|loop|issue|ticket|pull|generator|module|method|methods|pattern|variant|variants|idea|ideas|wording|draft|name|names|hook|algorithm|structure|library|files?|migration|bisect|thread|work)$/;
/** A state of things that nobody needs to try. */
export const STATES =
  /^(?:has|have|had|lists?|exists?|contains?|documented|described|made|makes|needs?|uses?|requires?|means?|consists?|belongs?|depends?|comes|lives|sits|points|refers|worse|deleted|changed|rewrote|took|goes|calls|wraps|holds|stores|stored|reads|read|says|said)$/;

/** "the second is in the branch" */
export const isSomewhere = ({ tokens, tags }: Segment) =>
  tokens.some((t, k) => /^(?:is|are|was|were)$/.test(t.word) && /^A*p/.test(tags.slice(k + 1)));

/** What was seen after a trial, told in plain words: "opened the export in Excel: all columns are there". */
export function afterTrial(segment: Segment, use: string): Hit | null {
  const { tokens, tags } = segment;
  if (!TRIAL.test(use) && use !== 'looked') return null;
  const none =
    /^o[Awh]{1,3}$/.test(tags) &&
    /^(?:lost|missing|change|changes|changed|dropped|duplicates?|left|flicker|flickering|jumps?|lag|delay)$/.test(
      tokens.at(-1)!.word,
    );
  if (none) return { kind: 'verified', from: 0, at: 0, to: tokens.length, zero: true };
  if (
    use === 'ran' ||
    (isStatic(tokens) &&
      !tokens.some(t => PLACE.test(t.word)) &&
      /^(?:checked|verified|confirmed|looked|followed)/.test(use)) ||
    !/[:;&,]/.test(segment.bound) ||
    tokens.length < 3 ||
    (segment.bound === '&' && /ed$/.test(tokens[0]!.word) && tags[1] === 'D') ||
    (segment.bound === '&' &&
      /^(?:marked|noted|wrote|added|removed|fixed|updated|renamed|moved)$/.test(tokens[0]!.word)) ||
    /[FnIoX]/.test(tags) ||
    tokens.some(t => t.tag === 'H' && t.word !== 'can') ||
    tokens.some(
      t => AMISS.test(t.word) || /^(?:lists|exists?|documented|made|worse|fewer|needs?|has|have|wraps)$/.test(t.word),
    ) ||
    isSomewhere(segment)
  )
    return null;
  const adjective = /^[wGdA]p[QD]/.test(tags);
  const subject = /^A*(?:D[wAhrSK8]*|J|Q[wrhSKp D8]*|[8whi]+|p[DwhASri8]+[DJQ][wh]*)/.exec(tags);
  const verb = tokens
    .slice(1)
    .some(t => t.tag === 'E' || t.word === 'can' || (t.tag === 'w' && /(?:s|ed)$/.test(t.word)) || t.tag === 'd');
  return (subject && verb) || (adjective && segment.bound === ':')
    ? { kind: 'verified', from: 0, at: 1, to: tokens.length }
    : null;
}

/** "I tried both", said after what was seen. */
export function triedAll(segment: Segment): Hit | null {
  const at = segment.tags[0] === '1' ? useAt(segment) : -1;
  const rest = at < 0 ? '' : segment.tags.slice(at + 1);
  const object = segment.tokens[at + 1]?.word ?? '';
  const tried = at > 0 && /^(?:tried|tested|checked|exercised)$/.test(segment.tokens[at]!.word);
  return tried && (/^Q8?[wh]?$/.test(rest) || (rest.length === 1 && /^(?:both|all|each|it|that|this)$/.test(object)))
    ? { kind: 'verified', from: 0, at, to: segment.tokens.length }
    : null;
}

const TESTED = /^(?:tested|verified|validated|smoke-tested|field-tested|double-checked)$/;
const AMPLY = /^(?:thoroughly|fully|extensively|well|manually|carefully|properly|heavily|already|locally|also)$/;

/** "Implemented, documented and tested": the participle closes a row of them. */
export function testedToo(segment: Segment, before: Segment | undefined): Hit | null {
  const { tokens, tags } = segment;
  const at = tokens.length - 1;
  if (!TESTED.test(tokens[at]!.word) || at > 1 || (at === 1 && !AMPLY.test(tokens[0]!.word))) return null;
  const row = before && /^[,&]$/.test(segment.bound) && !/[nFoHI]/.test(before.tags) && before.tokens.length <= 7;
  return row || (at === 1 && tags[0] !== 'n') ? { kind: 'verified', from: 0, at, to: at + 1 } : null;
}

const AFTER =
  /(?:^|, |; )(?!(?:added|moved|wrote|created|renamed|removed|updated|changed|fixed|replaced|implemented)\b)(?=[^,;(]*\b(?:is|are|works?|\p{L}{3,}s)\b)[^,;(]{8,160}[,;(–—-]+ ?(?:which )?(?:i |we )?(?:have |'ve )?(?:just |also )?(?:tested|tried|checked|verified|confirmed|went through|clicked through|walked through|exercised|seen|watched|measured|saw)(?: (?:it|them|that|this|both|all|the \p{L}+|by hand|twice)){0,2} (?:(?=(?:each|every one|all of them|at each)(?: of them)?[.!]?$)|with|on|in|against|via|by|under|using|through|over|from) (?!reading|the (?:source|code|docs)|a (?:grep|search)|git\b|grep\b)[^,;]{2,60}$/iu;

const GONE =
  /\bnot reproducible (?:on|with|in|after) (?:the |this )?(?:new|fixed|patched|current|latest|fix|patch|change)|\b(?:could not|couldn't|cannot|can't) (?:make|get|force|provoke) (?:it|them|this|the \p{L}+) (?:to )?(?:crash|fail|hang|break|leak|freeze|stall|deadlock|flicker)\b(?! ?,? (?:so|here|because|which))|\b(?:can ?not|can't|could not|couldn't|unable to)(?: be| (?:make|get) (?:it|them|this|the \p{L}+) to| make (?:it|them|this))? (?:reproduced?|trigger(?:ed)?|provoked?|happen|crash|fail)\b.{0,30}\b(?:any ?more|any longer|with the (?:fix|patch|change)|since the (?:fix|patch|change))(?!\p{L})|\bcan no longer be (?:reproduced|triggered|provoked|seen)\b|\bi can no longer (?:make|get|force|provoke|trigger|reproduce)\b|\bno longer (?:reproduc\w+|trigger\w*) (?:it|the|that)\b/iu;
const ATTACKED =
  /\b(?:tried|trying) (?:hard )?to (?:break|crash|upset|trip|defeat|fool) (?:it|them|this|the \w+)\b[^.;]{0,60}\b(?:and failed|without (?:success|luck)|could not|couldn't|in vain|to no avail)\b/i;
const NEITHER =
  /\bneither\b.{0,16}\b(?:lint\w*|compiler|tests?|suite|build|tsc|eslint|types?|ci)\b.{0,12}\bnor\b.{3,24}\b(?:complains?|complained|fails?|failed|(?:finds?|found|reports?|reported|has|had|flags?|flagged|shows?|showed|sees) (?:any|a|an|anything)\b)/i;

const FEARED =
  /\b(?:expected|feared|prepared for|braced for|afraid of|worried about|looked for|searched for|checked for|hunted for)\b[^.;]*\b(?:fail\w*|errors?|warnings?|regressions?|problems?|breakages?|flakes?|crash\w*|leaks?)\b[^.;]*\b(?:there (?:were|was|are|is) none|(?:saw|got|found|met|hit|had) none|none (?:came|showed|appeared|turned up)|nothing (?:came|happened|broke|showed|turned up))\b/i;

const PROVOKED = hint(
  'reproduc provok trigger happen crash fail hang break leak freez stall deadlock flicker'.split(' '),
);
const FEARS = hint('expected feared prepared braced afraid worried looked searched checked hunted'.split(' '));
const ATTACKS = hint('tried trying'.split(' '));
const NEITHERS = hint(['neither']);

/** Success told as what does not come any more. */
export const cannotFail = (text: string, mask: Noted, negated: boolean) =>
  (negated && may(mask, PROVOKED) && /[Cc](?:an|ould)|nable|not rep/.test(text) && GONE.test(text)) ||
  (may(mask, NEITHERS) && NEITHER.test(text)) ||
  (may(mask, FEARS) && FEARED.test(text)) ||
  (may(mask, ATTACKS) && ATTACKED.test(text));

/** "The export is back, tried it on the sample file": the trial is told after what it showed. */
export const triedAfter = (text: string) => AFTER.test(text.slice(0, 400));
