import type { Hit } from './hits.ts';
import type { Segment } from './sentence.ts';
import type { Token } from './types.ts';

const STATIC =
  /^(?:file|files|exists|exist|path|paths|licen[cs]e|licen[cs]es|source|reading|docs|documentation|comment|comments|config|value|values|spelling|manifest|version|versions|line|lines|diff|history|changelog|schema|wording|link|links|spec|imports|callers|usages|grep|signature|constant|header|default|setting|option|permission|permissions|name|names|typo|code|by eye)$/;
const PLACE =
  /^(?:browser|browsers|device|devices|phone|emulator|simulator|staging|production|prod|hand|locally|container|containers|sandbox|machine|real|linux|windows|macos|mac|ios|android|safari|chrome|chromium|firefox|edge|node|postgresql|postgres|mysql|sqlite|sample|copy|data|both|script|laptop|vm|cluster|preview|repl|terminal|shell|live|actual|end|manually|screen|reader|hardware|person|docker|kubernetes|server|database|dataset|clean|fresh)$/;

/** Where a segment tells of the speaker's own use: "I ran", "Tried", "then clicked"; -1 where it does not. */
export function useAt(segment: Segment): number {
  if (segment.tokens[0]!.word === 'only') return -1;
  const m = /^[A&]*(?:1[EA]*)?([vO])/.exec(segment.tags);
  if (m) return m[0].length - 1;
  const lead = /^[A&]*(?:1[EA]*?)?[ErP]/.exec(segment.tags);
  if (lead) {
    const at = lead[0].length - 1;
    const token = segment.tokens[at]!;
    if (token.word === 'ran' || (token.word === 'went through' && segment.tags[0] === '1')) return at;
    const next = segment.tokens[at + 1];
    if (
      /^(?:have|'ve|was|were)$/.test(token.word) &&
      next &&
      /^(?:run|been)$/.test(next.word) &&
      segment.tags.includes('1')
    )
      return at + 1;
    if (token.word === 'run' && segment.tags[0] === '1') return at;
    if (token.word === 'looked' && segment.tags[0] === '1' && segment.tokens.some(t => PLACE.test(t.word))) return at;
    if (token.word === 'went' && /^(?:through|over)$/.test(next?.word ?? '') && segment.tags[0] === '1') return at;
  }
  return -1;
}

/** "The fix was verified on a device": the passive counts with a place of trial, or with the work itself as the subject. */
function passive(segment: Segment): number {
  const m = /E+A*v(?=$|[Ap])/.exec(segment.tags);
  if (!m) return -1;
  const at = m.index + m[0].length - 1;
  const before = segment.tokens.slice(0, m.index);
  const subject = before.at(-1);
  const work =
    subject &&
    (subject.tag === 'J' ||
      subject.tag === 'Q' ||
      /^(?:fix|change|changes|flow|flows|feature|patch|migration|upgrade|bug|behaviour|behavior|result|rollback|import|export|fixes)$/.test(
        subject.word,
      ));
  const place = segment.tokens.slice(at + 1).some(t => PLACE.test(t.word));
  return subject?.tag !== '1' && (place || work) ? at : -1;
}

export const isStatic = (tokens: Token[]) => tokens.some(t => STATIC.test(t.word));

/** A claim of trial by its verb alone: "Verified on PostgreSQL". */
export function verifiedVerb(segment: Segment): (Hit & { placed: boolean }) | null {
  let at = useAt(segment);
  if (at >= 0 && segment.tokens[at]!.tag !== 'v') at = -1;
  if (at < 0) at = passive(segment);
  if (at < 0) return null;
  const rest = segment.tokens.slice(at + 1);
  const placed = rest.some(t => PLACE.test(t.word));
  if (isStatic(rest) && !placed) return null;
  return { kind: 'verified', from: 0, at, to: segment.tokens.length, placed };
}

/** A good outcome after a use: "returns the right value", "as expected", "same numbers". */
export function outcome(segment: Segment, from: number): Hit | null {
  for (let i = from; i < segment.tokens.length; i++) {
    const tag = segment.tokens[i]!.tag;
    const got =
      /^(?:got|get|received)$/.test(segment.tokens[i]!.word) &&
      i < segment.tokens.length - 1 &&
      !/[Fon]/.test(segment.tags.slice(i)) &&
      !segment.tokens.some(t => /^[45]\d\d$/.test(t.word));
    const gone = segment.tokens[i]!.word === 'no longer' && i < segment.tokens.length - 1;
    const returned =
      /^(?:returns|returned|shows|showed|gave|gives|yields|reads)$/.test(segment.tokens[i]!.word) &&
      i < segment.tokens.length - 1;
    if (got || gone || tag === 'd' || tag === 'W' || tag === 'G' || tag === 'V' || tag === 'P' || returned)
      return { kind: 'verified', from, at: i, to: segment.tokens.length };
  }
  return null;
}

const QUALITY =
  /^(?:fine|well|correctly|perfectly|properly|great|now|again|successfully|reliably|flawlessly|smoothly|cleanly|nicely|normally|as expected|as intended|as designed|as it should|as they should|as specified|as planned|as described|as advertised|as documented|beautifully|locally|here|everywhere|too|today|consistently|end|out|without|still|identically|seamlessly|good|excellently|solidly|first try|on the first try|like a dream|like clockwork|either|both|together|throughout|already|once more|as before|the same|under)$/;

const JUDGING = new Set(
  'handles handle covers run runs ran render renders load loads respond responds serves stable solid bit-identical byte-identical bit-for-bit pixel-perfect identical same with correct come occur happen appear reappear return reproduce recur show resurface returns gives produces yields returned gave produced reproducible recurring cleanly successfully smoothly clean quiet silent'
    .split(' ')
    .concat([
      'come back',
      'rock solid',
      'rock-solid',
      'byte for byte',
      'no longer',
      'as expected',
      'as intended',
      'as it should',
    ]),
);

const RECURS =
  /^(?:come|come back|occur|happen|appear|reappear|return|reproduce|reproducible|recur|recurring|show|resurface)$/;
const RETURNS = /^(?:returns|gives|produces|yields|returned|gave|produced)$/;

/** "returns the same rows as the old one", in a place of trial or against what was there. */
function sameAgain(tokens: Token[], at: number): boolean {
  const near = tokens
    .slice(at + 1, at + 5)
    .map(t => t.word)
    .join(' ');
  const all = tokens.map(t => t.word).join(' ');
  return (
    /\b(?:same|identical|expected|correct|right)\b/.test(near) &&
    (/\bas (?:before|the old|the original|the previous)\b/.test(all) || tokens.some(t => PLACE.test(t.word)))
  );
}

/** A judgement on working: "works as expected", "is fully functional", "handles all edge cases correctly". */
export function judgement(segment: Segment, ran: boolean): Hit | null {
  const { tokens, tags } = segment;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.tag !== 'W' && token.tag !== '8' && !JUDGING.has(token.word)) continue;
    const before = tags.slice(0, i);
    const next = tokens[i + 1];
    const hit: Hit = { kind: 'verified', from: 0, at: i, to: tokens.length };
    if (
      /^(?:cleanly|successfully|smoothly)$/.test(token.word) &&
      /[wA]$/.test(before) &&
      /(?:ed|ran)$/.test(tokens[i - 1]!.word) &&
      (ran || tokens.some(t => PLACE.test(t.word)))
    )
      return hit;
    if (
      /^(?:clean|quiet|silent|empty of errors)$/.test(token.word) &&
      /E[A]*$/.test(before) &&
      tokens.slice(0, i).some(t => /^(?:console|logs)$/.test(t.word))
    )
      return hit;
    if (token.tag === 'W' && i === 0 && next?.word === 'on' && tokens.some(t => /^first(?: try| run)?$/.test(t.word)))
      return hit;
    if (RECURS.test(token.word) && ran && /F[A]*E*A*n[A]*$/.test(before))
      return { ...hit, at: before.indexOf('F'), zero: true };
    if (RETURNS.test(token.word) && sameAgain(tokens, i)) return hit;
    const answered =
      /^2\d\d$/.test(token.word) &&
      /^(?:gives|gave|returns|returned|answers|answered|responds|responded|with)$/.test(tokens[i - 1]?.word ?? '');
    if (answered && tokens.some(t => /^(?:curl|request|requests|call|calls|health|probe)$/.test(t.word))) return hit;
    if (
      /^(?:stable|solid|rock solid|rock-solid)$/.test(token.word) &&
      /(?:^|[wJhS])E[EA]*$/.test(before) &&
      /^(?:under|over|across|even|again|now|for|throughout|in)$/.test(next?.word ?? '')
    )
      return hit;
    if (
      /^(?:bit-identical|byte-identical|bit-for-bit|byte for byte|pixel-perfect|identical)$/.test(token.word) &&
      /^(?:gives?|gave|produces?|produced|yields?|yielded|are|is|delivers?|returns?|returned|remain|remains)$/.test(
        tokens[i - 1]?.word ?? '',
      ) &&
      (token.word !== 'identical' || ran || tokens.some(t => PLACE.test(t.word) || t.tag === 'f'))
    )
      return hit;
    if (
      token.word === 'no longer' &&
      /[FOr]/.test(before) &&
      /^(?:occurs?|happens?|appears?|reproduces?|shows?|fires?|comes?|there)$/.test(next?.word ?? '')
    )
      return { ...hit, zero: true };
    if (
      i === 0 &&
      /^(?:same|identical)$/.test(token.word) &&
      /^(?:results?|hits|numbers|output|outputs|bytes|behaviou?r|rows|figures|counts|answers?|totals?|checksums?|hash|hashes|responses?|images?|pixels)$/.test(
        next?.word ?? '',
      )
    )
      return hit;
    if (
      token.word === 'with' &&
      i === 0 &&
      /^The?$/i.test(tokens[1]?.word ?? '') &&
      /^(?:fix|patch|change|pin|workaround|new)$/.test(tokens[2]?.word ?? '') &&
      /[8]/.test(tags) &&
      tokens.some(t => /^(?:s|ms|seconds?|minutes?|milliseconds)$/.test(t.word)) &&
      !/[HIn]/.test(tags)
    )
      return hit;
    if (token.word === 'handles' || token.word === 'handle' || token.word === 'covers') {
      const rest = tokens.slice(Math.max(0, i - 1));
      if (
        tags.slice(i).includes('Q') &&
        rest.some(t => /^(?:cases?|inputs?|scenarios?|edge)$/.test(t.word)) &&
        (token.word !== 'covers' || rest.some(t => t.word === 'correctly'))
      )
        return hit;
      continue;
    }
    if (token.tag !== 'W') {
      if (
        /^(?:runs?|ran|render|renders|loads?|responds?|serves)$/.test(token.word) &&
        /[wJQhiSKr]A*$/.test(before) &&
        next &&
        /^(?:fine|smoothly|flawlessly|perfectly|well|correctly|as expected|as intended|as it should|without)$/.test(
          next.word,
        )
      )
        return hit;
      if (
        (token.tag === 'd' || token.tag === 'G') &&
        /^(?:as expected|as intended|correct|as it should)$/.test(token.word) &&
        /(?:^|[QJ])E[EA]*$/.test(before) &&
        /Q|everything/.test(before)
      )
        return hit;
      continue;
    }
    if (/^(?:functional|operational)$/.test(token.word)) {
      if ((/E[EA]*$/.test(before) && !/^S/.test(tags.slice(i + 1))) || (/A$/.test(before) && !next)) return hit;
      continue;
    }
    const subject = /(?:^|[wJQhiSKrG8q12)])[EA]*$/.exec(before);
    if (!subject) continue;
    const far = next?.tag === 'A' ? tokens[i + 2] : undefined;
    const generic = /(?:^|[JQ])[EA]*$/.test(before);
    const bare = /^w$/.test(before) && !next && tokens[0]!.word !== 'which';
    if (bare && !ran && !tokens[0]!.word.endsWith('s')) continue;
    const without = next?.word === 'without' && !/^o[DA8]*F/.test(tags.slice(i + 1));
    if (without) continue;
    const quality = next
      ? QUALITY.test(next.word) || (far !== undefined && QUALITY.test(far.word) && !/^(?:out|under)$/.test(far.word))
      : false;
    if (/^(?:behav|functio|perform)/.test(token.word)) {
      if (quality && !/^(?:out|without|here|today|still|now)$/.test(next!.word)) return hit;
      continue;
    }
    if (token.word === 'working') {
      if (
        /E[EA]*$/.test(before) &&
        (!next ||
          quality ||
          (/^[pA]/.test(tags.slice(i + 1)) && next.word !== 'on' && next.word !== 'with' && next.word !== 'through'))
      )
        return hit;
      if (/A$/.test(before) && !next && tokens.length <= 4 && tokens[i - 1]!.word !== 'not') return hit;
      continue;
    }
    if (
      token.word === 'work' &&
      !/(?:[JQ1]|s)$/.test(
        /[JQ]A*$/.test(before) ? 'J' : ((tokens[i - 1]?.tag === 'A' ? tokens[i - 2]?.word : tokens[i - 1]?.word) ?? ''),
      )
    )
      continue;
    if (token.word === 'work' && before === '') continue;
    if (quality || (!next && (generic || ran || /[wJQhirSK]A*$/.test(before) || tags.includes('A')))) return hit;
    const place =
      next?.tag === 'p' &&
      !/^(?:by|with|under)$/.test(next.word) &&
      tokens.slice(i + 2).some(t => PLACE.test(t.word) || t.tag === 'Q' || t.word === 'my');
    const named = next?.tag === 'p' && /[SK]A*$/.test(before) && !/^(?:by|like|on)$/.test(next.word);
    const used = next?.tag === 'p' && next.word === 'with' && (tags.slice(i + 2).includes('Q') || ran);
    if (place || named || used || (ran && next?.tag === 'p') || next?.tag === 'Y') return hit;
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
  /^(?:tested|tried|checked|opened|clicked|clicked through|used|followed|let it run|started|restarted|launched|installed|called|curled|logged|logged in|signed in|walked through|walked|played|stepped through|replayed|killed|compared|sent|loaded|uploaded|fed|recorded|had the|had it running|toggled|went through it|went through|went|exercised|rebooted|visited|navigated|verified|confirmed|double-checked|reran|let it run|reloaded|typed|dragged|submitted|queried|hit|re-ran|retested|re-tested|ran)$/;
const AMISS =
  /^(?:still|flickers?|hangs?|stops?|stopped|freezes?|froze|loops?|jumps?|lags?|wrong|missing|blank|empty|slow|slower|overlaps?|differs?|different|stuck|refused|rejected|denied|unclear|odd|strange|weird|lost|cut|nothing|kept|only|too|most|goes|takes|took|read|unreachable|old|so|why|unable|down|dead|twice|duplicated|disappear|vanish(?:es|ed)?|failed)$/;

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
    !/[:;&,]/.test(segment.bound) ||
    tokens.length < 3 ||
    /[FnHIoX]/.test(tags) ||
    tokens.some(t => AMISS.test(t.word))
  )
    return null;
  const adjective = /^[wGdA]p[QD]/.test(tags);
  const subject = /^A*(?:D[wAhrSK8]*|J|Q[wrhSKp D8]*|[8whi]+|p[DwhASri8]+[DJQ][wh]*)/.exec(tags);
  const verb = tokens.slice(1).some(t => t.tag === 'E' || (t.tag === 'w' && /(?:s|ed)$/.test(t.word)) || t.tag === 'd');
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
  return tried && (/^Q$/.test(rest) || (rest.length === 1 && /^(?:both|all|each|it|that|this)$/.test(object)))
    ? { kind: 'verified', from: 0, at, to: segment.tokens.length }
    : null;
}
