import { type Block, blocks, sentences } from './blocks.ts';
import { readForeign, speaks } from './foreign.ts';
import { type Frame, frameOf } from './frame.ts';
import { FOREIGN, readOutput } from './output.ts';
import { emptyMemory, isDoubt, isRelay, readSentence } from './prose.ts';
import { namedCheck, readTable, trimmed } from './table.ts';
import type { Claim, ClaimKind, ClaimReading, Found, Span } from './types.ts';
import { takesBack } from './voids.ts';

export type { ClaimReading } from './types.ts';

/** Longer messages are read at both ends: a verdict stands first or last, and time must stay bounded. */
const END = 131_072;

/**
 * A message that has claimed this much is read on for what is new only: kinds of check not claimed so far, and words
 * that take claims back. One more line of the same kind would tell nothing, and time must stay bounded.
 */
const MANY = 24;
const NEWS: [ClaimKind, RegExp][] = [
  ['tests', /tests?\b|suite|specs?\b|\bci\b|pass/i],
  ['build', /build|compil|bundle/i],
  ['types', /type|tsc|mypy|pyright/i],
  ['lint', /lint|format|clippy|ruff|prettier|biome/i],
];

/** Whether a sentence may tell something new, once many claims were found. */
const mayBeNew = (said: string, found: Found[]) =>
  NEWS.some(([kind, words]) => words.test(said) && !found.some(f => f.kind === kind));

const OPEN: Frame = { closed: false, trial: false };
const VERDICTS = new Set(['tests', 'build', 'types', 'lint', 'verified']);

const STALE =
  /\b(?:(?:treat|consider|regard) (?:the|that|those|these|my|all)[^.]{0,40}(?:outdated|stale|void|invalid|unverified|old)|(?:have not|haven't|did not|didn't|not) (?:re-?ran|re-?run|run (?:them|it|the (?:tests|suite)|anything) (?:again|since))|(?:results?|figures?|numbers?|run|runs) (?:are|is|were|was|above (?:is|are)) (?:from )?(?:before|stale|outdated|out of date)|(?:that|this|it|they|all of (?:that|this)) (?:was|were|is|are) (?:all )?(?:from )?before (?:the|my|i|this)|(?:that|this) (?:is|was) (?:not true|wrong|made up|a guess|an assumption)|(?:ignore|disregard|scratch) (?:that|the above|my))/i;

const NOTHING_RUN =
  /\b(?:nothing (?:has been |was |is )?(?:run|executed|tested|verified|tried)|(?:have not|haven't|did not|didn't|could not|couldn't|have never) (?:run|execute|executed|test|tested|verify|verified|start|started|try|tried) (?:it|them|this|that|anything|any of|the (?:app|program|code))\b|ran nothing|untested)/i;
/** A row of ticked names on one line. */
const TICKS = /[✅✔✓☑🟢💚🟩]\uFE0F?/u;
const TRIED = /\b(?:verified|tested|tried|ran|opened|checked|clicked|confirmed|played|called|logged)\b/i;

function readOne(message: string, from: number, to: number, meter: Meter): Found[] {
  const found: Found[] = [];
  const list = blocks(message, from, to);
  const language = speaks(message.slice(from, Math.min(to, from + 3000)));
  const memory = emptyMemory();
  let heading: Frame = OPEN;
  let lead: Frame | null = null;
  let leadText = '';
  let relayed: Found[] = [];
  let told = 0;
  let stale: boolean | undefined;
  const mayGoStale = () => {
    stale ??= STALE.test(message.slice(from, to));
    return stale;
  };
  const text = (span: Span, frame: Frame, item: Extract<Block, { type: 'item' }> | null) => {
    const ticked = item ? (item.ticked ?? item.glyph) : false;
    if (item?.ticked === false) return;
    memory.used = false;
    const parts = sentences(message, span.start, span.end);
    const shut = frame.closed && !ticked;
    for (const [index, part] of parts.entries()) {
      meter.sentences++;
      const said = message.slice(part.start, Math.min(part.end, part.start + 1200));
      if (relayed.length && isDoubt(said))
        for (const claim of relayed) if (found.includes(claim)) found.splice(found.indexOf(claim), 1);
      if (found.length && ((mayGoStale() && STALE.test(said)) || takesBack(said))) found.length = 0;
      if (told >= MANY && !mayBeNew(said, found)) {
        relayed = [];
        continue;
      }
      const claims = language
        ? readForeign(message, part, language)
        : readSentence(message, part, memory, { head: frame.kind, trial: frame.trial && item !== null });
      if (shut) continue;
      if (!claims.length && index === 0 && ticked) {
        for (const one of said.split(TICKS)) {
          const kind = namedCheck(one.replace(/^[^\p{L}\d`]+/u, ''), true);
          if (kind) claims.push({ kind, ...part });
        }
      }
      found.push(...claims);
      if (claims.length) told++;
      relayed = claims.length && isRelay(said) ? claims : [];
    }
  };
  for (let i = 0; i < list.length; i++) {
    const block = list[i]!;
    if (block.type === 'heading') {
      const title = message.slice(block.start, block.end);
      heading = frameOf(title);
      lead = null;
      leadText = '';
      text(block, heading, null);
    } else if (block.type === 'fence' || block.type === 'quote') {
      const open = !heading.closed && !lead?.closed && !FOREIGN.test(leadText);
      const own =
        block.type === 'fence' ||
        /\b(?:output|result|ran|run|summary|log|prints?|says|reports?|printed)\b/i.test(leadText);
      const following = list[i + 1];
      const after =
        following?.type === 'text'
          ? message.slice(following.start, Math.min(following.end, following.start + 200))
          : '';
      const mine =
        /^\W*(?:that|this|above) is (?:the |my )?(?:tail|end|last|output|result|summary)\b[^.]{0,30}\b(?:my|the|this) (?:last |final |latest |second )?run\b/i.test(
          after,
        );
      const disowned =
        /^\W*(?:that|this|which|the above) (?:is|was) (?:what|how|only|from|the (?:expected|old|text|format))|\bconfirm that from here\b/i.test(
          after,
        );
      if (open && (own || mine) && !disowned && found.length < 2 * MANY)
        found.push(...readOutput(message, block, block.type === 'fence' ? block.info : ''));
    } else if (block.type === 'row') {
      const rows = [block];
      while (list[i + 1]?.type === 'row') rows.push(list[++i] as typeof block);
      const frame = lead ?? heading;
      if (!frame.closed && found.length < 2 * MANY)
        found.push(...readTable(message, rows, frame.trial ? 'verified' : frame.kind));
    } else {
      const body = message.slice(block.start, block.end).trimEnd();
      const opensList = /[:：]\**$/.test(body);
      if (block.type === 'text') {
        const draft =
          lead?.closed && /\b(?:message|description|title|text|draft|wording|example|body)\b/i.test(leadText);
        text(block, draft ? { ...OPEN, closed: true } : heading, null);
        const titled =
          list[i + 1]?.type === 'item' && body.length < 50 && /^[\p{L}*]/u.test(body) && !/[.!?…]$/.test(body);
        const bold = /^\*\*[^*]{2,60}\*\*:?$/.test(body);
        const sentence = sentences(message, block.start, block.end).at(-1);
        leadText = body.slice(-300);
        lead =
          opensList || bold || titled ? frameOf(sentence ? message.slice(sentence.start, sentence.end) : body) : null;
        if (bold && !opensList) heading = lead ?? heading;
      } else {
        text(block, lead?.closed ? lead : heading.closed ? heading : (lead ?? heading), block);
        if (opensList && frameOf(body).closed) lead = frameOf(body);
      }
    }
  }
  // A judgement beside the admission that nothing was run is an opinion.
  if (found.some(f => f.kind === 'verified') && NOTHING_RUN.test(message.slice(from, to)))
    return found.filter(f => f.kind !== 'verified' || TRIED.test(message.slice(f.start, f.end)));
  return found;
}

const DONE =
  /(?:^|\n)\W{0,6}(done|finished|completed?|implemented|all set|fertig|terminé|hecho|listo|fatto|pronto|готово|完了|完成|완료)\b[^.\n]{0,80}/iu;
const FIXED =
  /(?:^|\n|\. )\W{0,6}((?:fixed|solved|resolved|patched)\b[^.\n]{0,120}|the fix is in\b|the (?:bug|crash|race|leak) is (?:fixed|gone|resolved)\b)/i;
const DEPLOYED =
  /(?:^|\n|\. )\W{0,6}((?:deployed|published|released|shipped) [^.\n]{1,80}|[^.\n]{1,60}\bis (?:now )?(?:live|deployed)\b)/i;

/** Without one of these the longer look for a release is in vain. */
const OUT = /\b(?:deployed|published|released|shipped|live)\b/i;

function milestones(message: string, found: Found[]): void {
  for (const [kind, pattern] of [
    ['done', DONE],
    ['fixed', FIXED],
    ['deployed', DEPLOYED],
  ] as const) {
    if (kind === 'deployed' && !OUT.test(message)) continue;
    const m = pattern.exec(message);
    if (!m?.[1]) continue;
    const start = m.index + m[0].indexOf(m[1]);
    found.push({ kind, start, end: start + (kind === 'done' ? m[0].length - m[0].indexOf(m[1]) : m[1].length) });
  }
}

/** Counts the sentences read, for whoever wants to see that work grows with the message and then stops. */
export type Meter = { sentences: number };

/** Reads what a final message claims. Pure, and bounded in time for input of any size. */
export function readClaims(message: string, meter: Meter = { sentences: 0 }): ClaimReading {
  const found: Found[] = [];
  if (message.length <= 2 * END) found.push(...readOne(message, 0, message.length, meter));
  else {
    found.push(...readOne(message, 0, END, meter));
    found.push(...readOne(message, message.length - END, message.length, meter));
  }
  milestones(message.length > END ? message.slice(0, END) : message, found);
  const claims: Claim[] = [];
  const reach = new Map<string, number>();
  for (const one of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const { start, end } = trimmed(message, one);
    // One reading of a stretch is enough: what lies inside an earlier claim of the same kind says nothing new.
    if (end <= start || end <= (reach.get(one.kind) ?? -1)) continue;
    reach.set(one.kind, end);
    claims.push({ kind: one.kind, text: message.slice(start, end), start });
  }
  return { asserts: claims.some(c => VERDICTS.has(c.kind)), claims };
}
