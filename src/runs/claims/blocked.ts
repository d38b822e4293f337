import type { Hit } from './hits.ts';
import { narrated, SETTING } from './scope.ts';
import type { Segment } from './sentence.ts';
import type { Token } from './types.ts';

const PURPOSE =
  /^(?:say|claim|tell|report|write|state|call|pretend|think|assume|believe|make|let|help|verify|confirm|check|see|ensure|prove|find|get|keep|have|show|validate|know|pass|be)$/;
const SPOKE =
  /^(?:said|reported|claimed|stated|told|assumed|announced|pretended|thought|believed|mentioned|implied|called|assume|reporting|claiming|saying|claim)$/;
/** Verbs that make the result after them a wish, an opinion or a rule: "keeps the tests green", "called it green". */
const RATES =
  /^(?:keeps?|kept|keeping|leaves?|leaving|calls|called|considers?|deems?|declared|declares|marks?|marked|labels?|labelled)$/;
/** "The hook checks that the tests pass": what a program is for. */
const RULES =
  /^(?:checks|verifies|ensures|guarantees|asserts|requires|expects|assumes|decides|pretends|simulates|indicates|tells|promises|demands|detects|knows|remembers|records|proves|check|verify|ensure|assert|require)$/;
/** Every word that the two looks below weigh by itself, so that the usual one is passed over at once. */
const WEIGHED = new Set(
  [SPOKE, RATES, RULES]
    .flatMap(pattern => pattern.source.slice(4, -2).split('|'))
    .flatMap(word => (word.endsWith('s?') ? [word.slice(0, -2), word.slice(0, -1)] : [word]))
    .concat(
      'before afterwards wrong mistaken premature falsely incorrectly lied untrue false means mean meaning denotes signals only few neither nor way how getting making keeping bringing turning technically nominally officially formally superficially syntactically word statement retract lie as'.split(
        ' ',
      ),
    ),
);
const GLAD = /^(?:happy|glad|pleased|proud|relieved|able)$/;

/** Words before "that" which vouch for what follows; any other clause of this kind is told at second hand or as a wish. */
const VOUCHES =
  /(?:\b(?:i|we)(?: have| 've| can| did| also| just| then| now| still| again| am| 'm)* (?:verified|verify|confirm|confirmed|check|checked|saw|see|found|know|report|made sure|double-checked|proved|observed|noticed|note|ensured|validated|happy to report|glad to report|pleased to report|happy to say|glad to say|pleased to say)|^(?:verified|confirmed|checked|validated|double-checked|made sure|saw|noted|note|shows|proof)|\b(?:shows?|showed|confirms|confirmed|proves|proved|means|meant|tells me|told me|good news is|result is|upshot is|bottom line is|is how i know|fact|such|so|given|seeing|now|turns out|turned out))$/;
const RELATES =
  /\b(?:says?|said|reports?|reported|states?|tells|finds?|found|claims?|concludes?|concluded|answers?|answered)$/;

/** "… that the tests pass": whether the clause hangs on words which do not vouch for it. */
function unvouched(tokens: Token[], tags: string, at: number): boolean {
  for (let i = at - 1; i > 0; i--) {
    if (tokens[i]!.word !== 'that' || /[p&]/.test(tags[i - 1]!)) continue;
    const clause = tags.slice(i + 1, at);
    // "the tests that I wrote pass" is a relative clause.
    if (!/[SKJQr]/.test(clause) || /[SKr]$/.test(tags.slice(0, i)) || /^[12]/.test(clause)) continue;
    const lead = tokens
      .slice(0, i)
      .map(t => t.word)
      .join(' ');
    return !VOUCHES.test(lead) && !(/[aSKr]/.test(tags.slice(0, i)) && RELATES.test(lead));
  }
  return false;
}

const share = (ratio: string) => {
  const [part, total] = ratio.replaceAll(',', '').split('/').map(Number);
  return (part ?? 0) / (total || 1);
};

const said = (tokens: Token[]) => tokens.some(t => SPOKE.test(t.word));

const FRESH =
  /^(?:second|third|full|final|fresh|clean|complete|last|quick|manual|new|dry|hundred|thousand|repeat|repeated|later|subsequent|rerun|local|cold|forced|single)$/;

/** "A skipped test counts as passed", "the way it works": a rule or a description and no event. */
function generic(tokens: Token[], tags: string, hit: Hit): boolean {
  const first = tokens[0]!.word;
  if (
    /^(?:a|an|any|one's)$/.test(first) &&
    !tags.slice(0, 6).includes('8') &&
    !FRESH.test(tokens[1]?.word ?? '') &&
    /^D[wAGPFO]*[SKr]/.test(tags)
  )
    return true;
  for (let i = 0; i < hit.at; i++) {
    const { word } = tokens[i]!;
    if (!WEIGHED.has(word)) continue;
    if (/^(?:way|how|getting|making|keeping|bringing|turning)$/.test(word) && (i > 0 || word === 'how')) return true;
    if (
      /^(?:technically|nominally|officially|formally|superficially|syntactically|word|statement|retract|lie)$/.test(
        word,
      )
    )
      return true;
    if (
      word === 'as' &&
      /^(?:counts?|counted|up|treated|regarded|considered|recorded|interpreted|handled|listed)$/.test(
        tokens[i - 1]?.word ?? '',
      )
    )
      return true;
  }
  return false;
}

/** Whether what stands around the result in its own segment takes the fact away from it. */
export function blocked(segment: Segment, hit: Hit, next?: Segment): boolean {
  const { tokens, tags } = segment;
  const before = tags.slice(0, hit.at);
  if (tags.includes('D') && unvouched(tokens, tags, hit.at)) return true;
  if (generic(tokens, tags, hit)) return true;
  for (let i = 0; i < hit.at; i++) {
    const { tag, word } = tokens[i]!;
    // "the tests that I could run pass"
    if (tag === 'H' && i > 1 && /^(?:can|could)$/.test(word) && /[SKQ][DJ]?1$/.test(tags.slice(0, i))) continue;
    if (tag === 'H') {
      const confirms = word === 'can' && /^(?:confirm|see|say|report|verify)$/.test(tokens[i + 1]?.word ?? '');
      if (!confirms && !(hit.zero && /^(?:could|can|would)$/.test(word) && /[no]/.test(tags.slice(i, hit.at + 2))))
        return true;
    }
    if (tag === 'I' && !narrated(segment, i)) return true;
    if (tag === 't' && i < hit.at - 1 && PURPOSE.test(tokens[i + 1]!.word) && !GLAD.test(tokens[i - 1]?.word ?? ''))
      return true;
    if (tag === 'n' && !(hit.zero && i >= hit.at - 1)) return true;
    // "the three specs that clicked on nothing are green"
    if (
      tag === 'o' &&
      i > 2 &&
      word === 'nothing' &&
      /[SKr]D/.test(tags.slice(0, i)) &&
      tokens[tags.search(/[SKr]D/) + 1]!.word === 'that'
    )
      continue;
    if (
      tag === 'o' &&
      i < hit.at &&
      !hit.zero &&
      !/^(?:without|nothing but)$/.test(word) &&
      !(word === 'no' && i === 0 && tags[1] === ',')
    )
      return true;
    if (tag === 'F' && tags[i - 1] !== 'D' && !hit.zero && /F[EA]*$/.test(before.slice(0, i + 1)) && i === hit.at - 1)
      return true;
    if (tag === 'e' && share(word) < 0.75) return true;
    if (!WEIGHED.has(word)) continue;
    if (/^(?:before|afterwards)$/.test(word) && i < hit.from) return true;
    if (/^(?:wrong|mistaken|premature|falsely|incorrectly|lied|untrue|false)$/.test(word)) return true;
    if (RATES.test(word) && /^[DJ]/.test(tags.slice(i + 1)) && tokens[hit.at]!.tag === 'G') return true;
    if (
      /^(?:means|mean|meaning|denotes|signals)$/.test(word) ||
      (RULES.test(word) && /^(?:that|whether|if|until)$/.test(tokens[i + 1]?.word ?? '')) ||
      (word === 'only' && i < hit.at && /^[8fe]/.test(tags.slice(i + 1))) ||
      word === 'few' ||
      word === 'neither' ||
      word === 'nor'
    )
      return true;
    if (SPOKE.test(word) && /[12X]/.test(tags.slice(0, i + 1))) return true;
  }
  // "Before the upgrade everything worked"
  if (tokens[0]!.word === 'before' && /(?:ed|was|were|ran)$/.test(tokens[hit.at]!.word)) return true;
  const stale = tags.indexOf('L');
  // "green after removing the stale cache": the old thing is what was done away with.
  if (
    stale >= 0 &&
    !(
      stale > hit.at &&
      /^(?:stale|outdated|previous|earlier|original)/.test(tokens[stale]!.word) &&
      tokens.slice(hit.at + 1, stale).some(t => /^(?:after|since|like|as|than|unlike|against|without)$/.test(t.word))
    ) &&
    !(stale < hit.at && tokens.slice(hit.at).some(t => /^(?:now|today|again|meanwhile)$/.test(t.word)))
  )
    return true;
  if (
    /^D?A*S?r?E/.test(tags) &&
    /^(?:was|were)$/.test(tokens.find(t => t.tag === 'E')?.word ?? '') &&
    tokens.some(t => /^(?:passing|failing)$/.test(t.word))
  )
    return true;
  if (tokens[0]!.word === 'that' && /^[A]*E/.test(tags.slice(hit.at + 1))) return true;
  const others = before.replace(/pD?X/g, (m, at: number) =>
    /^(?:from|of)$/.test(tokens[at]!.word) && tokens[at + m.length - 1]!.word !== 'you' ? 'p' : m,
  );
  if (/[X]/.test(others.replace(/(SD?)X(?=[1wPGE])/, '$1w')) || (/2[A]?[xE]/.test(before) && said(tokens))) return true;
  // "passed once, before I added the second case"
  if (
    next?.bound === ',' &&
    next.tags[0] === 'L' &&
    /^(?:passed|worked|succeeded|compiled|ran)$/.test(tokens[hit.at]!.word)
  )
    return true;
  const after = tags.slice(hit.at + 1);
  // "The tests can hardly fail" is an opinion of the tests; "I can no longer make it fail" is an attempt.
  if (
    hit.zero &&
    /[SKDwhQ]/.test(before) &&
    !before.includes('1') &&
    tokens.slice(0, hit.at + 2).some(t => /^(?:can|could|cannot)$/.test(t.word)) &&
    /n/.test(tags)
  )
    return true;
  if (hit.zero && hit.at > 0 && /H/.test(before))
    return /could|can|would/.test(tokens.map(t => t.word).join(' ')) ? !/[no]/.test(tags) : true;
  const condition = /^[A]{0,2}(?:[pDSKih8wFA]{0,5})I/.exec(after);
  if (condition) {
    const at = hit.at + condition[0].length;
    const word = tokens[at]!.word;
    const run =
      /^(?:run|executed|running|started|called|built|tested|ran)$/.test(tokens[at + 1]?.word ?? '') ||
      (segment.tags[at + 1] === '1' && !SETTING.test(tokens.slice(at + 2).find(t => t.tag !== 'A')?.word ?? ''));
    if (word !== 'even if' && !(word === 'when' && run) && !(word === 'once' && !tags[at + 1]) && word !== 'where')
      return true;
  }
  if (/^A*n/.test(after) && !hit.zero) return true;
  if ((hit.zero || /nothing/.test(tokens[hit.at]!.word)) && tokens.slice(hit.at).some(t => t.word === 'yet'))
    return true;
  // An indefinite present is a rule of the trade and not a run: "a build succeeds when ...".
  if (
    /^(?:a|an|any)$/.test(tokens[hit.from - 1]?.word ?? '') &&
    /^(?:pass|passes|succeeds|is|completes|works)$/.test(tokens[hit.at]!.word)
  )
    return true;
  return false;
}
