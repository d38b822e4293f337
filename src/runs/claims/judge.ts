import type { Hit } from './hits.ts';
import { PLACE, THING } from './observe.ts';
import type { Segment } from './sentence.ts';
import type { Token } from './types.ts';

const QUALITY =
  /^(?:fine|well|correctly|perfectly|properly|great|now|again|successfully|reliably|flawlessly|smoothly|cleanly|nicely|normally|as expected|as intended|as designed|as it should|as they should|the way it should|the way they should|where it should|as specified|as planned|as described|as advertised|as documented|beautifully|locally|here|everywhere|too|today|consistently|end|out|without|still|identically|seamlessly|good|excellently|solidly|first try|on the first try|like a dream|like clockwork|either|both|together|throughout|already|once more|as before|the same|under)$/;

const JUDGING = new Set(
  'handles handle covers run runs ran running render renders load loads respond responds serves stable solid bit-identical byte-identical bit-for-bit pixel-perfect identical same with correct come occur happen appear reappear return reproduce recur show resurface returns gives produces yields returned gave produced reproducible recurring cleanly successfully smoothly clean quiet silent without'
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

const IDEA = /^(?:approach|pattern|idea|design|strategy|technique|concept|scheme|architecture|convention|structure)$/;
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
    // "This approach works well for small teams" is an opinion.
    if (i > 0 && IDEA.test(tokens[i - 1]!.word)) continue;
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
    if (
      /^without (?:a|any) (?:hitch|complaint|problem|murmur|peep|fuss)/.test(
        token.word + ' ' + (next?.word ?? '') + ' ' + (tokens[i + 2]?.word ?? ''),
      ) &&
      /[wdPEO]/.test(before.slice(1)) &&
      !/[S]/.test(before)
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
      ((!next &&
        /^(?:system|everything|service|app|application|server|cluster|all|connection)$/.test(
          tokens.findLast((t, k) => k < i && t.tag !== 'E' && t.tag !== 'A')?.word ?? '',
        )) ||
        /^(?:under|across|even|again|now|throughout)$/.test(next?.word ?? '') ||
        /^p8/.test(tags.slice(i + 1)))
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
        /^(?:runs?|ran|running|render|renders|loads?|responds?|serves)$/.test(token.word) &&
        /(?:^|[wJQhiSKr]|[wJQhiSKr]E)A*$/.test(before) &&
        next &&
        /^(?:fine|smoothly|flawlessly|perfectly|well|correctly|as expected|as intended|as it should|without|stable|like clockwork)$/.test(
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
    if (token.word === 'working' && i === 0 && segment.bound === '&' && (!next || QUALITY.test(next.word))) return hit;
    const subject = /(?:^|[wJQhiSKrG8q12)])[EA]*$/.exec(before);
    if (!subject && !/^ones?$/.test(tokens[i - 1]?.word ?? '')) continue;
    const far = next?.tag === 'A' ? tokens[i + 2] : undefined;
    const generic = /(?:^|[JQ])[EA]*$/.test(before);
    const bare = /^w$/.test(before) && !next && tokens[0]!.word !== 'which';
    if (bare && !ran && !tokens[0]!.word.endsWith('s') && segment.bound !== '') continue;
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
        /E[EAQ]*$/.test(before) &&
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
      !(segment.bound === '&' && next && QUALITY.test(next.word)) &&
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
      tokens
        .slice(i + 2)
        .some(t => (PLACE.test(t.word) && (ran || !THING.test(t.word))) || t.tag === 'Q' || t.word === 'my');
    const named =
      next?.tag === 'p' && /[SK]A*$/.test(before) && !/^(?:by|like|on|through|around|towards)$/.test(next.word);
    // "The fix works for uploads"
    const fix =
      next?.word === 'for' && /^(?:fix|patch|workaround|repair|correction|change)$/.test(tokens[i - 1]?.word ?? '');
    const used = next?.tag === 'p' && next.word === 'with' && (tags.slice(i + 2).includes('Q') || ran);
    if (
      place ||
      fix ||
      (next?.tag === 'p' &&
        /^(?:now|again)$/.test(tokens.at(-1)!.word) &&
        !/^(?:with|by|on|like|as)$/.test(next.word)) ||
      named ||
      used ||
      (ran && next?.tag === 'p') ||
      next?.tag === 'Y' ||
      (next?.word === 'like' && /^(?:before|always|it)$/.test(tokens[i + 2]?.word ?? ''))
    )
      return hit;
  }
  return null;
}
