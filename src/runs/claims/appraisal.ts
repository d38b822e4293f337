import type { Place } from './broad.ts';
import { hint, may } from './hints.ts';
import type { Segment, Sentence } from './sentence.ts';
import type { ClaimKind, Token } from './types.ts';

/** Judgements told in plain words: outputs that are alike, services that are well, the last failure that went. */

const OUTPUTS =
  /^(?:contents?|outputs?|checksums?|hash|hashes|dumps?|results?|bytes|screenshots|exports|totals|numbers|counts|images|reports?|rows|digests?|sums|responses|answers|traces|frames|pixels|generated|output|listings?|bodies|figures|builds|artefacts|artifacts|bundles|binaries|archives|pdfs|snapshots)$/;
const SAME = new Set('match agree equal equals same identical unchanged bit-identical byte-identical'.split(' '));
const SERVICE =
  /^(?:staging|production|server|service|system|cluster|site|app|application|revision|deployment|probes?|canary|node|nodes|pods?|instance|container|containers|daemon|queue|database|workers?|api|preview|demo|environment|replica|replicas|endpoints?)$/;
const HALE = /^(?:healthy|up and running|green|all green|stable|well|fine)$/;
const DULY = new Set('correctly properly flawlessly perfectly reliably gracefully'.split(' '));
const LAST =
  /^\W*(?:that|this|it) (?:was|is|closes|fixes|removes|resolves|clears|got rid of|takes care of) the last (?:remaining |of the )?(?:(?:red|failing|broken|type|lint|compile|build) (?:tests?|specs?|errors?|warnings?)|test failures?|lint findings?)\b/i;
const EMPTY = /\bdiff\b[^,;.:]{0,60}\b(?:is|was|stays|remains|came back|comes back|turned out) empty\b/i;
const LASTLY = hint(['last']);
const DIFFS = hint(['diff']);
const WHAT = /^what (?:passes|works|i (?:have )?(?:verified|tested|checked|tried)|is green)$/;

const wordsOf = (tokens: Token[]) => tokens.map(t => t.word).join(' ');

function alike({ tokens, tags }: Segment): number {
  const same = tokens.findIndex(t => SAME.has(t.word));
  if (same < 1 || !/^[DQwrhAJ8S&pGq]*E?[AD]*$/.test(tags.slice(0, same))) return -1;
  const verb = /^(?:match|agree)$/.test(tokens[same]!.word);
  if (!verb && !/E[AD]*$/.test(tags.slice(0, same))) return -1;
  if (!tokens.slice(0, same).some(t => OUTPUTS.test(t.word))) return -1;
  const after = tags.slice(same + 1);
  return (verb ? !/^(?:$|A|p|D)/.test(after) : /^[whSrK]/.test(after)) ? -1 : same;
}

function hale({ tokens, tags }: Segment): number {
  const m = /^[DAQ8]*[wAhrS]{1,3}E[EA]*G(?=$|[pAo])/.exec(tags);
  if (!m) return -1;
  const at = m[0].length - 1;
  return HALE.test(tokens[at]!.word) &&
    SERVICE.test(tokens.find((_, k) => tags[k] === 'E' && k > 0) ? (tokens[tags.indexOf('E') - 1]?.word ?? '') : '')
    ? at
    : -1;
}

/** "The uploader correctly handles all file types" */
function duly({ tokens, tags }: Segment): number {
  const at = tokens.findIndex(t => DULY.has(t.word));
  return at > 0 && /^D[wAhrS]{1,3}/.test(tags) && !/^[EFnoHI]/.test(tags.slice(at - 1, at)) && /Q/.test(tags.slice(at))
    ? at
    : -1;
}

/** "behaves the same as before", "work unchanged" */
function asBefore({ tokens, tags }: Segment): number {
  const at = tags.indexOf('W');
  if (at < 1 || !/^(?:behave|work|function|perform|look)/.test(tokens[at]!.word)) return -1;
  return /^(?:(?:exactly )?(?:the )?same|unchanged|untouched|unmodified|identically|just as before|as before|as is)\b/.test(
    wordsOf(tokens.slice(at + 1, at + 4)),
  )
    ? at
    : -1;
}

export function appraised(sentence: Sentence, closed: boolean[], said: string): Place | null {
  const { tags, segments } = sentence;
  const place = (segment: number, kind: ClaimKind, at: number): Place => ({
    segment,
    hit: { kind, from: 0, at, to: segments[segment]!.tokens.length, zero: true },
  });
  if (!closed[0] && !/[HIn]/.test(tags)) {
    if (may(sentence.mask, LASTLY) && LAST.test(said)) return place(0, 'tests', 0);
    if (may(sentence.mask, DIFFS) && /E/.test(tags) && EMPTY.test(said)) return place(0, 'verified', 0);
    if (segments[1]?.bound === ':' && !/[FoL]/.test(tags) && WHAT.test(wordsOf(segments[0]!.tokens)))
      return place(1, 'verified', 0);
  }
  for (const [i, segment] of segments.entries()) {
    if (closed[i] || /[FnHILx2]/.test(segment.tags.replace(/oD?[A]*F/, 'G'))) continue;
    // "is what I said" and "the docs say" are words and no look.
    if (/X/.test(segment.tags)) continue;
    for (const look of [alike, hale, duly, asBefore]) {
      const at = look(segment);
      if (at >= 0) return place(i, 'verified', at);
    }
  }
  return null;
}
