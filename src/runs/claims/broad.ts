import type { Hit } from './hits.ts';
import { AMISS, CODE, isSomewhere, isStatic, PLACE, refused, STATES, THING, useAt } from './observe.ts';
import { kindOf, type Segment, type Sentence } from './sentence.ts';
import type { ClaimKind } from './types.ts';

/**
 * The last look at a sentence in which the narrower rules found nothing. It asks for little: something was tried and
 * what followed is told without a negative, or something ran to its end without one.
 */

/** Parts of a page: what tells of a third party elsewhere is here what was looked at. */
const WIDGET = /^(?:dialog|banner|toast|tooltip|notification|email|mail|badge|label)s?$/;
const GOT = /^(?:got|get|received|saw|see|found|ended up with|came back with|had|produced|has|have)$/;
/** Work on code: what is told after it is no outcome. */
const WORKED =
  /^(?:added|moved|wrote|renamed|removed|updated|changed|fixed|replaced|implemented|refactored|extracted|deleted|dropped|switched|opened|left|kept|made|put|set|filed|noted|documented|cleaned|reverted|pushed|committed|merged|adjusted|corrected|marked|closed|asked|decided|chose|split|turned|bumped|pinned|raised|lowered|reduced|took|copied|saved|attached|started|posted|will|want|need)$/;
const TESTED = /^(?:tested|verified|confirmed|retested|re-tested|smoke-tested|hand-tested|tried|exercised|checked)$/;
const WAY =
  /^(?:manually|locally|by hand|end-to-end|thoroughly|extensively|carefully|twice|both|properly|fully|again|well)$/;
const ENDED =
  /^(?:finished|finishes|completed|completes|ran|runs|ran through|runs through|went through|goes through|came up|comes up|starts|started|boots|booted|loads|loaded|opens|opened|renders|rendered|starts up|started up|installs|installed|deploys|deployed|imports|imported|exports|exported|syncs|synced|builds|built|passes|passed|connects|connected|executes|executed|succeeded|succeeds|works|worked|converts|converted|parses|parsed|processed|uploads|uploaded|plays|played|migrated|migrates|restored|answered|answers|printed|prints|went|goes|behaves|resolves|resolve|parse|load|run|start|render|install|build)$/;

export const plain = (segment: Segment, from: number) => {
  for (let i = from; i < segment.tokens.length; i++) {
    const { tag, word } = segment.tokens[i]!;
    if ('FnIoLx?2'.includes(tag) && !(word === 'where' && i > 2)) return false;
    if (tag === 'X' && !WIDGET.test(word)) return false;
    if (tag === 'H' && word !== 'can' && word !== 'want') return false;
    const harmless =
      (word === 'times' && segment.tokens[i + 1]?.word !== 'out') || (word === 'kept' && segment.tags[i - 1] === 'E');
    if (AMISS.test(word) && !harmless) return false;
  }
  return true;
};

/** A clause of its own: something, and right behind it what it does. */
export function clause(segment: Segment): boolean {
  const { tokens, tags } = segment;
  for (let k = 1; k < tokens.length && k < 7; k++) {
    if (!/^A*(?:D[wAhrSK8GX]+|[JQ]|Q[wrhSKpD8X]+|8[whr]+|[wh])A*$/.test(tags.slice(0, k))) continue;
    const { tag, word } = tokens[k]!;
    if (tag === 'E' || tag === 'd' || word === 'can' || word === 'found') return true;
    if ('wrhPM'.includes(tag) && /(?:[^s]s|ed)$/.test(word) && word.length > 3 && tokens[k - 1]!.tag !== 'D')
      return true;
    if (tag === 'w' && /s$/.test(tokens[k - 1]!.word) && k === tokens.length - 1) return true;
  }
  return false;
}

/** Verbs of trial: after these a plain statement is what was seen. */
const TRIAL =
  /^(?:ran|ran it|run|tried|tested|clicked|clicked through|opened|restarted|launched|replayed|repeated|reran|re-ran|called|curled|curled it|navigated|walked through|walked|installed|booted|rebooted|logged in|signed in|let it run|fed|gave|typed|dragged|printed|deployed|went|went through|killed|unplugged|resized|toggled|played|played through|stepped through|looked|reloaded|submitted|hit|used|simulated|started|migrated|rebuilt)$/;
/** "The upgrade script ran on a copy of production" */
const RAN_ON =
  /\bran (?:on|against|in|over|with) (?:a|the|my|our|real)\b.*\b(?:copy|dump|production|staging|data|sandbox|sample|clone)\b/;

function afterUse(sentence: Sentence, closed: boolean[], before: boolean): Place | null {
  let used = before;
  let trial = before;
  for (let i = 0; i < sentence.segments.length; i++) {
    const segment = sentence.segments[i]!;
    if (closed[i]) {
      used = false;
      continue;
    }
    if (used && plain(segment, 0) && !isStatic(segment.tokens) && !refused(segment)) {
      const first = segment.tokens.find(t => t.tag !== 'A');
      const got = segment.tags.includes('1') && segment.tokens.some(t => /^(?:got|received)$/.test(t.word));
      const told = (got || GOT.test(first?.word ?? '') || clause(segment)) && !WORKED.test(first?.word ?? '');
      const good = /[dGPWVM]/.test(segment.tags);
      const seen = trial && !segment.tokens.some(t => STATES.test(t.word)) && !isSomewhere(segment);
      if (told && (good || seen))
        return { segment: i, hit: { kind: 'verified', from: 0, at: 0, to: segment.tokens.length, zero: true } };
    }
    // "it can be stopped and started again" is no trial.
    const can = segment.bound === '&' && /[H2]/.test(sentence.segments[i - 1]?.tags ?? '');
    const at = can ? -1 : useAt(segment);
    if (at >= 0 && !/[SKXFnIoLxH]/.test(segment.tags) && !isStatic(segment.tokens)) {
      used = true;
      const code = segment.tokens.slice(at + 1, at + 5).some(t => CODE.test(t.word));
      trial =
        TRIAL.test(segment.tokens[at]!.word) &&
        !code &&
        !(/^(?:used|started)$/.test(segment.tokens[at]!.word) && segment.tags.length < 4);
      if (code) used = false;
    } else if (/^D[wAhr]{1,3}Ep/.test(segment.tags) && RAN_ON.test(segment.tokens.map(t => t.word).join(' ')))
      used = trial = plain(segment, 0);
    else if (at >= 0 || /[Fon]/.test(segment.tags) || WORKED.test(segment.tokens[0]!.word)) used = false;
  }
  return null;
}

/** "Tested on both phones", "manually tested": a trial without a word on how it went. */
function tested(sentence: Sentence, closed: boolean[]): Place | null {
  // "no longer drops letters" is a success, "no longer works" is none.
  const over = sentence.tokens.some((t, k) => t.word === 'no longer' && !/[WPGdM]/.test(sentence.tags[k + 1] ?? 'W'));
  const tags = over ? sentence.tags.replace('n', 'A') : sentence.tags;
  if (
    /[FnIoHXL]/.test(tags) ||
    !sentence.segments.every(s => plain(s, 0) || s.tokens.some(t => t.word === 'no longer'))
  )
    return null;
  for (let i = 0; i < sentence.segments.length; i++) {
    const { tokens, tags } = sentence.segments[i]!;
    const at = tokens.findIndex(t => TESTED.test(t.word));
    if (
      closed[i] ||
      at < 0 ||
      at > 3 ||
      !/^(?:1?[EA]*|[AG]*|JE+A*|Q[EA]*)$/.test(
        tags.slice(0, at).replace(/w/, WAY.test(tokens[at - 1]?.word ?? '') ? 'A' : 'w'),
      )
    )
      continue;
    const rest = tokens.slice(at + 1);
    const way = WAY.test(tokens[at - 1]?.word ?? '') && rest.length === 0;
    const on =
      (rest[0]?.word === 'it' || rest[0]?.tag === 'p' || rest[0]?.word === 'this') &&
      rest.some(t => /^(?:on|in|with|against|under)$/.test(t.word)) &&
      rest.some(t => PLACE.test(t.word) || t.tag === 'Q');
    const hand = rest.length === 1 && WAY.test(rest[0]!.word);
    if (way || (on && (!isStatic(rest) || rest.some(t => PLACE.test(t.word) && !THING.test(t.word)))) || hand)
      return { segment: i, hit: { kind: 'verified', from: 0, at, to: tokens.length } };
  }
  return null;
}

/** "The import finished on the full dump without a single error" */
function endedClean(sentence: Sentence, closed: boolean[]): Place | null {
  for (let i = 0; i < sentence.segments.length; i++) {
    const { tokens, tags } = sentence.segments[i]!;
    const none = /o[DA8wSKQ]{0,3}F/.exec(tags);
    if (closed[i] || !none || !/^(?:without|with no|no|zero|not a single)$/.test(tokens[none.index]!.word)) continue;
    const before = tags.slice(0, none.index);
    const verb = tokens.findIndex((t, k) => k > 0 && k < none.index && ENDED.test(t.word));
    if (verb < 1 || /[HInLXx1]/.test(before) || !/^(?:D|J|Q|K|i|8|A|h|S)/.test(tags)) continue;
    if (/^(?:a|an|any)$/.test(tokens[0]!.word) && !/^(?:fresh|clean|full|new|second|complete)$/.test(tokens[1]!.word))
      continue;
    return { segment: i, hit: { kind: 'verified', from: 0, at: none.index, to: tokens.length, zero: true } };
  }
  return null;
}

const LOST =
  /^(?:and )?(?:none|nothing|not one|no \w+|no lost \w+) ?(?:were |was |got |is |are )?(?:lost|dropped|missing|twice|duplicated|skipped|rejected|refused|left behind|left|stuck|failed|update|updates)?$/;

/** "Enqueued 10,000 jobs, all were processed, none twice" */
function counted(sentence: Sentence, closed: boolean[]): Place | null {
  const [first, ...rest] = sentence.segments;
  if (!first || closed[0] || !/^(?:1?w)?8[whSrA]{1,3}(?:$|[pA])/.test(first.tags) || /[HI]/.test(sentence.tags))
    return null;
  for (const [i, { tokens, tags }] of rest.entries()) {
    const all = /^Qp?J?E[A]*[wPGdO]/.test(tags) && plain(rest[i]!, 0);
    if (!closed[i + 1] && (all || LOST.test(tokens.map(t => t.word).join(' '))))
      return { segment: i + 1, hit: { kind: 'verified', from: 0, at: 0, to: tokens.length, zero: true } };
  }
  return null;
}

const AS_DUE =
  /^(?:as it should|as they should|as it did before|as it used to|as you wanted|as requested by the spec)$/;

/** "Your example prints 42 now, as it should" */
function asDue(sentence: Sentence, closed: boolean[]): Place | null {
  if (/[FnoHIXL]/.test(sentence.tags) || !sentence.tokens.some(t => /^(?:now|again|still)$/.test(t.word))) return null;
  for (const [i, { tokens }] of sentence.segments.entries()) {
    const at = tokens.findIndex(t => AS_DUE.test(t.word));
    if (at >= 0 && !closed[i] && (i > 0 || at > 1))
      return { segment: i, hit: { kind: 'verified', from: 0, at, to: at + 1 } };
  }
  return null;
}

/** "The crash is gone: I ran your reproduction five times" */
function goneSince(sentence: Sentence, closed: boolean[], before: boolean): Place | null {
  const used = before || sentence.segments.some((s, i) => !closed[i] && useAt(s) >= 0 && !/[FnIoLxHX]/.test(s.tags));
  if (!used) return null;
  for (let i = 0; i < sentence.segments.length; i++) {
    const { tags, tokens } = sentence.segments[i]!;
    const m = /^D[wA]{0,2}F(?:p[^FnIoHE]{0,4})?E+A*d/.exec(tags);
    if (!closed[i] && m && tokens[m[0].length - 1]!.word === 'gone')
      return { segment: i, hit: { kind: 'verified', from: 0, at: m[0].length - 1, to: tokens.length, zero: true } };
  }
  return null;
}

const RUN = /^(?:run|runs|rerun|re-run|loop|replay|session|batch)$/;
/** Files whose sameness is the test. */
const RECORDED = /^(?:golden files|goldens|snapshots?|benchmarks?)$/;
/** To be over is not to be well. */
const OVER = /^(?:finish\w*|complete\w*|ended|holds?|agrees?|accept\w*|match\w*|clear\w*)$/;
const WELL = /^(?:green|all green|clean|passing|successful|flawless|error-free|fully green|full green)$/;
const EVENT =
  /^(?:ran|finished|completed|went|came up|came back|ended|started|worked|passed|executed|succeeded|restored|converted|migrated)$/;
const EACH =
  /^(?:compile|build|builds|run|runs|render|renders|resolve|resolves|load|loads|start|starts|open|opens|connect|connects|parse|answer|answers|respond|agree|match|survive)$/;
const ENVIRONMENTS =
  /^(?:systems|platforms|browsers|devices|phones|versions|machines|screens|databases|architectures|targets|widths|locales|environments|simulators|emulators|distributions|clients)$/;
const DELIVERED = /^(?:merged|pushed|released|shipped|tagged|deployed|committed|published|done|finished)$/;
const FIX = /^(?:fix|change|patch|commit|pin|update|bump|rename|upgrade)$/;
const BROUGHT = /^(?:got|made|brought|turned|makes|brings|turns)$/;

/** "The full run completed and came out clean", "Golden files are unchanged", "At last, a green run" */
function ranWell(sentence: Sentence, closed: boolean[]): Place | null {
  if (/[FnIoHXLx2]/.test(sentence.tags)) return null;
  const lead = /^(?:[DA8]*|[wa]E)[Aw]{0,2}r/.exec(sentence.tags);
  const run = lead !== null && RUN.test(sentence.tokens[lead[0].length - 1]!.word);
  for (let i = 0; i < sentence.segments.length; i++) {
    const segment = sentence.segments[i]!;
    const { tokens, tags } = segment;
    const hit = (kind: ClaimKind, at: number): Place => ({ segment: i, hit: { kind, from: 0, at, to: tokens.length } });
    if (closed[i]) continue;
    const good = /Q?[EA]*([GP])(?=$|[pA])/.exec(tags);
    const word = good ? tokens[good.index + good[0].length - 1]!.word : '';
    if (
      good &&
      run &&
      !OVER.test(word) &&
      (i === 0 ? good.index === lead[0].length : good.index === 0) &&
      (i === 0 || good[1] === 'G')
    )
      return hit('tests', good.index + good[0].length - 1);
    if (/^1A*uG(?:$|[pA])/.test(tags) && WELL.test(tokens[tags.indexOf('G')]!.word))
      return hit('tests', tags.indexOf('G'));
    const same = /SE+A*d/.exec(tags);
    if (same && RECORDED.test(tokens[same.index]!.word)) return hit('tests', same.index + same[0].length - 1);
    const owned = /(?:^(?:D|8)|[uwrpPE](?:D|8)?)A*([GP])[AwS]?[SrK]A*$/.exec(tags);
    if (
      owned &&
      (owned.index === 0 ||
        /^(?:see|have|got|report|get|count)(?: an?| any)?$/.test(tokens[owned.index]!.word) ||
        (/^(?:after|with|following)$/.test(tokens[owned.index]!.word) && DELIVERED.test(tokens[0]!.word)))
    ) {
      const at = tags.indexOf(owned[1]!, owned.index);
      if (WELL.test(tokens[at]!.word) && tokens.length <= 8) return hit(kindOf(tokens) ?? 'tests', at);
    }
    const event = /^[DQ][wAh]{1,3}([EPWw])A*G(?=$|[pA])/.exec(tags);
    if (event && EVENT.test(tokens[tags.indexOf('G') - 1]!.word)) return hit('verified', tags.indexOf('G'));
    const every = /^Q(?:pD)?[wh]{1,2}(?:p[Dwh]{1,2})?([wrSPE])(?:$|[AG])/.exec(tags);
    if (
      every &&
      tokens[0]!.word !== 'most' &&
      tokens[0]!.word !== 'half' &&
      EACH.test(tokens[every[0].length - (/[AG]$/.test(every[0]) ? 2 : 1)]!.word)
    )
      return hit('verified', every[0].length - 1);
    const alike = tokens.findIndex(t => /^(?:(?:pixel|byte|bit)-identical|byte for byte|bit-for-bit)$/.test(t.word));
    if (alike > 0 && /E[EA]*$/.test(tags.slice(0, alike))) return hit('verified', alike);
    const gave = tokens.findIndex(t => /^(?:gave|give|returned|yielded|produced|got)$/.test(t.word));
    if (
      gave > 0 &&
      /r|1|Q/.test(tags.slice(0, gave)) &&
      (run || /r/.test(tags.slice(0, gave)) || tokens[gave - 1]!.word === 'both') &&
      tokens.slice(gave, gave + 4).some(t => /^(?:same|identical|expected|correct|right)$/.test(t.word))
    )
      return hit('verified', gave);
    const answers = tokens.findIndex(
      (t, k) =>
        /^2\d\d$/.test(t.word) &&
        k > 2 &&
        tokens.slice(k - 2, k).some(v => /^(?:answers?|returns?|responds?|gives?|answered|returned)$/.test(v.word)),
    );
    if (answers > 0 && /^(?:Q|DQ)/.test(tags)) return hit('verified', answers);
    const across = /^[DJ][wAhr]{0,2}(?:[wdPrhW]|E(?=[GdW]))[GdAw]?p([QD8w]+)/.exec(tags);
    if (
      across &&
      !tokens.some(t => STATES.test(t.word) || /^(?:runs|kept|applies|available)$/.test(t.word)) &&
      tokens.slice(2).some((t, k) => ENVIRONMENTS.test(t.word) && /[Q8]/.test(tags.slice(Math.max(0, k), k + 2)))
    )
      return hit('verified', 2);
    const brought = /^(?:1|[JD]|D[wh])A*[EwP]Q?[D8A]*[SK]r?(?:tP|P|G)(?:$|[pA])/.exec(tags);
    if (brought && (!/^D[wh]/.test(tags) || FIX.test(tokens[1]!.word)) && tokens.some(t => BROUGHT.test(t.word)))
      return hit(kindOf(tokens) ?? 'tests', brought[0].length - 1);
  }
  return null;
}

export type Place = { segment: number; hit: Hit };

export function broadly(sentence: Sentence, closed: boolean[], usedBefore: boolean, onPaper: boolean): Place | null {
  if (sentence.question) return null;
  return (
    (onPaper ? null : afterUse(sentence, closed, usedBefore)) ??
    tested(sentence, closed) ??
    endedClean(sentence, closed) ??
    goneSince(sentence, closed, usedBefore) ??
    ranWell(sentence, closed) ??
    counted(sentence, closed) ??
    asDue(sentence, closed)
  );
}
