import { calm, WORK } from './guarded.ts';
import { hint } from './hints.ts';
import { PLACE } from './observe.ts';
import type { Segment } from './sentence.ts';

/** Remarks of one clause that tell of success in a shape of their own: where in the segment it stands, or -1. */

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
  const at = tags.includes('P') ? tokens.findIndex(t => /^(?:pass|passes|passed)$/.test(t.word)) : -1;
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
  const lead = tags[0] === 'A' ? 1 : 0;
  if (tags[lead] !== 'p' && tags[lead] !== 'A') return -1;
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
  if (!tags.includes('1')) return -1;
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
  if (!tags.includes('J')) return -1;
  const m = /^A*J(?:E[EA]*Q?A*)?/.exec(tags);
  if (!m || !calm({ tokens, tags } as Segment) || /o/.test(tags)) return -1;
  const at = m[0].length;
  const last = tokens[at]?.word ?? '';
  const onIt = /^A*p[D]?[wAh8]{1,3}$/.test(tags.slice(at + 1)) && tokens.slice(at + 1).some(t => PLACE.test(t.word));
  if ((!onIt && !/^A*$/.test(tags.slice(at + 1))) || !/^(?:it|they)$/.test(tokens[m[0].indexOf('J')]!.word)) return -1;
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
  // "All good now"
  if (/^GA{1,2}$/.test(tags) && /^all /.test(tokens[0]!.word) && /^(?:now|again|here|locally)$/.test(tokens[1]!.word))
    return 0;
  if (
    /^A*QA*G[A]*$/.test(tags) &&
    tokens.some(t => /^(?:everything|all)$/.test(t.word)) &&
    tokens.some(t => /green$|^(?:fine|ok|okay|clean|good|well|all right|in order)$/.test(t.word))
  )
    return tokens.length - 1;
  // "Lighthouse gives it 100"
  if (
    /^A*[SK]E?[wE]?J?8%?$/.test(tags) &&
    /^(?:gives|gave|scores|shows)$/.test(tokens.find(t => t.tag === 'E' || t.tag === 'w')?.word ?? '') &&
    tokens.at(-1)!.word.startsWith('100')
  )
    return tokens.length - 1;
  // "The test agent says 52/52"
  if (/aE+A*f$/.test(tags)) return tokens.length - 1;
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
  if (tags[0] !== 'Q') return -1;
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
  tags.endsWith('G') &&
  /^[DJQ][^FnoHILxX2]*ED?[wP]?G$/.test(tags) &&
  /^success/.test(tokens.at(-1)!.word) &&
  /^(?:is|are|was|were|been)$/.test(tokens.findLast(t => t.tag === 'E')!.word)
    ? tokens.length - 1
    : -1;

/** "`init` and `sync` do what the help text says" */
function asTold({ tokens, tags }: Segment): number {
  const at = tokens.findIndex(
    (t, k) =>
      t.tag === 'E' &&
      /^(?:do|does|did)$/.test(t.word) &&
      /^(?:exactly|just|precisely)?$/.test(tokens[k + 1]?.word.startsWith('what') ? '' : (tokens[k + 1]?.word ?? 'x')),
  );
  if (at < 1 || !tokens.slice(at + 1, at + 3).some(t => t.word.startsWith('what')) || /[FonHIL]/.test(tags)) return -1;
  return /^(?:says?|said|promises?|should|did|states?|describes?|asks?|asked|wanted|want|claims?|what (?:you|i|we) .*)$/.test(
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
  tokens[0]!.word === 'nothing' &&
  /^o[^FnHILxX2E]*$/.test(tags) &&
  next?.boundWord === 'but' &&
  (/^G/.test(next.tags) || /^(?:dots|ticks|checkmarks|passes)$/.test(next.tokens[0]!.word))
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
    /[GPW]/.test(tags[1]!) &&
    /^(?:fine|ok|okay|good|green|clean|perfect|happy|passes|pass|works)$/.test(tokens[1]!.word)
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
    tags[0] !== 'p' ||
    !/^pD[wAh]{1,2}(?:pw)?[Dw][wArhSKpX]{0,6}[EwdrWP]/.test(tags) ||
    tokens[0]!.word !== 'with' ||
    /^(?:old|previous|current|default)$/.test(tokens[2]!.word)
  )
    return -1;
  return /[8dG]/.test(tags) && !/[FonHILx2]/.test(tags) ? 3 : -1;
}
/** "The old and the new parser agree on all files" */
const bothAgree = ({ tokens, tags }: Segment, before: Segment | undefined) => {
  const at = tags.includes('P') ? tokens.findIndex(t => /^(?:agree|match)$/.test(t.word)) : -1;
  const two = [...(before && tokens.length ? before.tokens : []), ...tokens.slice(0, Math.max(at, 0))].some(t =>
    /^(?:both|old|two)$/.test(t.word),
  );
  return at > 0 && two && /^(?:$|A|p[DQ8])/.test(tags.slice(at + 1)) && !/[FonHILxX2]/.test(tags) ? at : -1;
};

/** "Back to zero warnings" */
const backToNone = ({ tokens, tags }: Segment) =>
  /^A*[wA]p?t[o0]F/.test(tags) && /^(?:back|down)$/.test(tokens[0]!.word) ? 0 : -1;

/** Without a word of these there is no remark. */
export const REMARKS = hint(
  'fine ok okay good green clean perfect happy pass passes passed get got see saw received able runs run links link starts start boots boot loads load builds build compiles compile installs install validates renders holds hold connects connect works work working success successful everything all exact right correct accurate says said each every both what same identical expected intended missing dead broken stale orphaned dangling unused duplicate duplicated stray leftover unresolved untranslated agree match longer back down gives gave scores reports reported nothing none healthy up'.split(
    ' ',
  ),
);

/** The first remark of success in a segment that holds nothing which speaks against it. */
export function remark(segment: Segment, before: Segment | undefined, first: boolean): number {
  if (/[FonHILxX2]/.test(segment.tags)) return rightly(segment, before);
  for (const look of [place, patched, passesIts, seenIn, mine, itDoes, triumph, allWell, eachRun, asTold]) {
    const at = look(segment);
    if (at >= 0) return at;
  }
  const at = rightly(segment, before);
  if (at >= 0) return at;
  const agreed = bothAgree(segment, segment.bound === '&' ? before : undefined);
  return agreed >= 0 ? agreed : sameAs(segment, first);
}

const REPRODUCED =
  /^(?:reproduction|repro|script|example|file|sample|command|snippet|scenario|page|import|export|request|call|query|form|case|upload|download|input)$/;
/** "The reproduction from the ticket no longer fails" */
function failsNoMore({ tokens, tags }: Segment): number {
  const m = /^D[wAhrS]{1,3}(?:p[DQ]?[wXh]{1,2})?nF(?=$|[Ap])/.exec(tags);
  const at = m ? m[0].length - 1 : -1;
  return at > 0 &&
    tokens[at - 1]!.word === 'no longer' &&
    /s$/.test(tokens[at]!.word) &&
    tokens.slice(1, 4).some(t => REPRODUCED.test(t.word))
    ? at
    : -1;
}

/** The first remark of something bad that there is none of. */
export function noneLeft(segment: Segment, next: Segment | undefined): number {
  if (segment.tags.includes('nF')) return failsNoMore(segment);
  if (!segment.tags.includes('o')) return -1;
  const at = Math.max(cleared(segment), nothingBut(segment, next), backToNone(segment));
  return at >= 0 ? at : nothingMissing(segment);
}
