import type { Place } from './broad.ts';
import { calm, DOES, WORK, words } from './guarded.ts';
import { hint, may, type Noted } from './hints.ts';
import { wordsOf } from './hits.ts';
import { AMISS, CODE, isSomewhere, isStatic, PLACE, STATES, useAt } from './observe.ts';
import type { Segment, Sentence } from './sentence.ts';

/** A trial and, behind it, how it went, in whatever words: all that is asked of the second is that nothing speaks against it. */

const NONE = words('none nothing nobody no not_one no_one not_a_single without');
/** "nothing happened" after a trial is no good news. */
const IDLE = words(
  'happens happened happening changes appears appeared came comes works worked effect response output reaction reply answer visible shows showed helped helps result results luck access else more to uses use used needs wants knows calls reads depends',
);
const SEEN = words(
  `was were is are came arrived appeared shows showed stayed stays kept keeps returned worked went got opened loaded started stopped
  closed ended reached landed held accepts accepted rejected fired triggered rang logged printed updated reconnected survived passed
  switched jumped moved followed matched appear arrive show stay come work open load start stop held found picked`,
);
const ARRIVED = words(
  'came arrived appeared loaded opened started reached landed ended worked got held survived passed went runs ran stayed',
);

export const TRIALS = words(
  `ran ran_through tried tested clicked clicked_through clicked_around opened reopened closed restarted launched replayed repeated reran re-ran called curled pinged navigated
  walked_through installed booted rebooted logged_in signed_in let_it_run fed gave typed filled dragged printed went_through killed unplugged resized toggled
  played reloaded refreshed submitted hit simulated emulated migrated rebuilt triggered fired imported exported uploaded sent requested fetched queried loaded
  stopped pulled connected reconnected disconnected started stepped_through pasted diffed plugged threw let posted scrolled zoomed hovered swiped tapped pressed
  shook logged ordered booked bought paid cancelled registered scanned downloaded deployed walked visited watched observed restored retraced exercised hammered flooded
  fuzzed looped executed invoked rendered converted generated spot-checked recalculated played_through retried crawled left asked undid redid tabbed repeated timed rotated locked unlocked muted typed recorded drove forced provoked pressed hovered formatted joined invited searched filtered sorted zipped unzipped encoded decoded encrypted decrypted mounted backed_up dialled throttled knocked shuffled`,
);
/** Verbs of trial where a place or a clock makes them one. */
export const SOFT = words(
  'created deleted renamed switched dropped turned cut did made took pushed set put went changed edited added removed moved entered picked chose waited used held',
);
const ENTITY =
  /^(?:users?|accounts?|orders?|notes?|cards?|projects?|rows?|records?|items?|customers?|invoices?|folders?|comments?|it|them|one|again)$/;
const EDITS = /^(?:dropped|cut|set|put|changed|edited|added|removed|moved|switched|turned|made|used)$/;
/** To check a value in a file is no trial. */
const LOOKS = words('checked verified confirmed looked compared inspected followed double-checked');
const CLOCK = words(
  'clock time date network connection wifi phone browser emulator simulator device cable power language theme mode locale tab view timeout orientation times forth',
);

/** Without one of these nothing was tried. */
const CLOCKS = hint([
  ...CLOCK,
  ...(PLACE.source.match(/[a-z]{3,}/g) ?? []),
  ...(ENTITY.source.match(/[a-z]{2,}/g) ?? []),
]);
const SOFTLY = hint([...SOFT].map(word => word.split(' ')[0]!));
/** A soft verb of trial beside what makes it one. */
export const setsUp = (mask: Noted) => may(mask, SOFTLY) && may(mask, CLOCKS);
export const TRIED = hint([...TRIALS, ...SOFT, ...LOOKS].map(word => word.split(' ')[0]!));

/** The verb of trial that a segment opens with, by the speaker or an agent. */
export function trialIn({ tokens, tags }: Segment): string {
  const lead = /^(?:p[DQ8]?[wAhrS8d]{1,4}(?=1))?[A&]*(?:1[EA]*|D?[wS]{0,2}a[EA]*)?/.exec(tags)![0].length;
  for (const at of [lead, lead - 1]) {
    const word = tokens[at]?.word ?? '';
    if (at < 0 || (at === lead - 1 && !/[EA]/.test(tags[at]!))) continue;
    if (tokens.length < 2 || (word === 'left' && !tokens.some(t => /^(?:open|running|on|idle)$/.test(t.word))))
      continue;
    if (TRIALS.has(word) || (word === 'logged' && /^(?:in|out|on|off)$/.test(tokens[at + 1]?.word ?? ''))) return word;
    if (
      LOOKS.has(word) &&
      (!isStatic(tokens.slice(at + 1)) || /^(?:every|each|all)$/.test(tokens[at + 1]?.word ?? '')) &&
      !tokens.some(t => CODE.test(t.word))
    )
      return word;
    // To edit for a place is work; to set a clock or a device is a trial.
    const edits = EDITS.test(word);
    if (
      /^(?:created|deleted|added|removed|edited|renamed|made)$/.test(word) &&
      ENTITY.test(tokens.at(-1)!.word) &&
      tokens.length < at + 4
    )
      return word;
    // "Formatted the repository twice"
    if (
      /(?:ed|^ran|^sent|^did)$/.test(word) &&
      !/^(?:renamed|tried|failed|asked|rewrote|reviewed|changed)$/.test(word) &&
      /^(?:twice|times|three times|in a row|in turn|over and over)$/.test(tokens.at(-1)!.word)
    )
      return 'ran';
    if (word === 'waited' && /^(?:for|until)$/.test(tokens[at + 1]?.word ?? '') && tokens.some(t => t.tag === 't'))
      return 'ran';
    if (SOFT.has(word) && tokens.some(t => (!edits && PLACE.test(t.word)) || CLOCK.has(t.word))) return word;
  }
  return '';
}

/** Whether the sentence ends on a trial, so that the next one may tell how it went. */
export function trialLast(sentence: Sentence, closed: boolean[]): boolean {
  const last = sentence.segments.at(-1);
  return (
    last !== undefined &&
    may(sentence.mask, TRIED) &&
    !closed.at(-1) &&
    !/[FnoHILxX]/.test(last.tags) &&
    !last.tokens.slice(1, 6).some(t => CODE.test(t.word)) &&
    trialIn(last) !== ''
  );
}

/** What tells of others elsewhere is here what was looked at. */
const THING =
  /^(?:notes?|a note|dialog|banner|toast|tooltip|notification|e?mail|badge|label|the title|the text|the label|the message|a message|the note)$/;

const FAILS =
  /^(?:slow|slowed|crash|crashed|fail|failed|hang|hung|break|broke|leak|stall|freeze|flicker|time|complain|lose|drop|jump|stutter|throw)$/;
const RIGHT = words('right correct expected same identical proper');
const VERB = 'EPWMdu';

/** A statement: a subject and, not far behind, a verb. */
function states(segment: Segment): number {
  const { tokens, tags } = segment;
  const lead = /^A*(?:p[DQ]?[whrS]{1,2}(?=[DJQ8]))?/.exec(tags)![0].length;
  if (
    !'DJQ8KihwX'.includes(tags[lead] ?? '?') ||
    (tags[lead] === 'w' && !tokens[lead]!.word.endsWith('s') && !/^[WEdGP]/.test(tags.slice(lead + 1)))
  )
    return -1;
  for (let k = lead + 1; k < tokens.length && k < lead + 8; k++) {
    const { tag, word } = tokens[k]!;
    if (VERB.includes(tag) || SEEN.has(word) || DOES.has(word)) return k;
    if ('wrhSO'.includes(tag) && /(?:[^s]s|ed)$/.test(word) && word.length > 3 && tags[k - 1] !== 'D') return k;
  }
  return -1;
}

const untroubled = (segment: Segment) =>
  !segment.tokens.some(
    (t, i) =>
      (AMISS.test(t.word) &&
        !(t.word === 'goes' && /^(?:up|down|away|on|off|back)$/.test(segment.tokens[i + 1]?.word ?? '')) &&
        !(
          i > 0 &&
          (/^(?:only|still|times|kept|all|old|most)$/.test(t.word) ||
            (t.word === 'too' && i === segment.tokens.length - 1))
        )) ||
      (STATES.test(t.word) && t.word !== 'list' && !segment.tokens.some(o => RIGHT.has(o.word))) ||
      (WORK.has(t.word) && (i === 0 || segment.tags[i - 1] === '1')) ||
      (CODE.test(t.word) && !/^files?$/.test(t.word)),
  );

/** "it starts, but the mapping is rejected" */
const turns = (next: Segment | undefined) =>
  next?.bound === 'B' && (/[Fno]/.test(next.tags) || next.tokens.some(t => AMISS.test(t.word)));

export function trialTold(sentence: Sentence, closed: boolean[], usedBefore: boolean): Place | null {
  if (!usedBefore && sentence.segments.length === 1) return null;
  let used = usedBefore;
  let trial = '';
  let ran = false;
  for (const [i, segment] of sentence.segments.entries()) {
    const { tokens, tags } = segment;
    if (closed[i]) {
      used = false;
      continue;
    }
    const place = (at: number): Place => ({
      segment: i,
      hit: { kind: 'verified', from: 0, at, to: tokens.length, zero: true },
    });
    const none0 =
      ran &&
      NONE.has(tokens[0]!.word) &&
      /^oA?[EwA]*w$/.test(tags) &&
      /^(?:slower|worse|bigger|larger|lost|changed|moved|different|heavier|missing|off)$/.test(tokens.at(-1)!.word);
    if (none0) return place(0);
    if (used) {
      const lead = tokens[0]!.tag === 'A' ? 1 : 0;
      const there = /^there (?:was|were|is|are) no$/.test(wordsOf(tokens.slice(lead, lead + 3)));
      const none = (there || NONE.has(tokens[lead]?.word ?? '')) && !tokens.some(t => IDLE.has(t.word));
      if (none && !/[HILxX2dGP1]/.test(tags) && !/o.*[on]/.test(tags)) return place(lead);
      if (
        segment.bound === ':' &&
        tokens.length === 1 &&
        /^(?:empty|identical|same|equal|nothing)$/.test(tokens[0]!.word)
      )
        return place(0);
      // "it did not slow down or fail"
      const not = /^A*[JDw]{1,3}E*A*n/.exec(tags);
      if (not && FAILS.test(tokens[not[0].length]?.word ?? '') && !/[HILxX2]/.test(tags))
        return place(not[0].length - 1);
      if (tags[lead] === 'Y' && calm(segment)) return place(lead);
      // "uploaded 2 MB: rejected with the right message"
      if (
        segment.bound === ':' &&
        /^(?:rejected|refused|accepted|answered|found|shown|returned|saved|restored|kept)$/.test(tokens[0]!.word) &&
        tokens.some(t => RIGHT.has(t.word)) &&
        calm(segment)
      )
        return place(0);
      // "pressed it forty times, one request each"
      if (i > 0 && tokens.length <= 5 && /^(?:one|two|exactly|\d+)$/.test(tokens[0]!.word) && calm(segment))
        if (/^(?:each|every time|each time|per \w+)$/.test(tokens.at(-1)!.word)) return place(0);
      const seen = states(segment);
      const it = /^(?:it|this|that|which)$/.test(tokens[lead]?.word ?? '');
      if (
        seen > 0 &&
        segment.bound !== '~' &&
        !turns(sentence.segments[i + 1]) &&
        calm(
          segment,
          0,
          tokens.length,
          (tokens.some(t => t.word === 'where') ? 'I' : '') +
            // "the right error is shown"
            (tokens.every(
              (t, k) =>
                t.tag !== 'F' ||
                RIGHT.has(tokens[k - 1]?.word ?? '') ||
                tokens.some(d => /^that (?:we|i|you) (?:want|expect)/.test(d.word)),
            )
              ? 'F'
              : '') +
            (tokens.every(t => t.tag !== 'X' || THING.test(t.word)) ? 'X' : ''),
        ) &&
        !/o/.test(tags) &&
        untroubled(segment) &&
        (!LOOKS.has(trial) || !isStatic(tokens)) &&
        !isSomewhere(segment) &&
        (!it ||
          ARRIVED.has(tokens[seen]!.word) ||
          tags[seen] === 'P' ||
          tokens.some(t => RIGHT.has(t.word)) ||
          DOES.has(tokens[seen]!.word) ||
          /^[GdP]/.test(tags.slice(seen + 1)) ||
          /^(?:stays|stayed|remains|keeps|shows|says|returns|gives|prints)$/.test(tokens[seen]!.word))
      )
        return place(seen);
    }
    // "With two browsers open, a message shows up in the other one"
    if (
      /^p[DQ8w]{1,3}d$/.test(tags) &&
      /^with/.test(tokens[0]!.word) &&
      tokens.some(t => PLACE.test(t.word)) &&
      tokens.at(-1)!.word === 'open'
    ) {
      used = true;
      continue;
    }
    const at = useAt(segment);
    // "it can be stopped and started again" is no trial.
    const can = segment.bound === '&' && /[H2]/.test(sentence.segments[i - 1]?.tags ?? '');
    const tried = can ? '' : trialIn(segment) || (at >= 0 ? tokens[at]!.word : '');
    if (/^(?:ran|reran|re-ran|tested|repeated|compared|measured)$/.test(tried) && calm(segment)) ran = true;
    if (tried) trial = /^(?:measured|compared|profiled|benchmarked)$/.test(tried) ? '' : tried;
    const onCode =
      tried !== '' && tokens.slice(1, 6).some(t => CODE.test(t.word)) && !tokens.some(t => PLACE.test(t.word));
    if (
      tried &&
      trial &&
      !onCode &&
      calm(segment, 0, tokens.length, /^(?:forced|provoked|simulated|triggered)$/.test(trial) ? '2F' : '2') &&
      (!/[SKo]/.test(tags) || /[SK][hw]/.test(tags))
    )
      used ||=
        TRIALS.has(trial) ||
        ENTITY.test(tokens.at(-1)!.word) ||
        LOOKS.has(trial) ||
        tokens.some(t => PLACE.test(t.word) || CLOCK.has(t.word));
    else if (/[Fon]/.test(tags) || WORK.has(tokens[0]!.word)) used = false;
  }
  return null;
}
