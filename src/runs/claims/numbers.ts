import { type Context, type Hit, STRONG, standsAlone } from './hits.ts';
import { kindOf, type Segment } from './sentence.ts';

const COUNT = /(?:[8fe]|Q8?)(?:p[8D]{1,2})?[wSrAhKi]{0,3}[EA]*[PGV]/g;

export function counts(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  COUNT.lastIndex = 0;
  for (let m = COUNT.exec(tags); m; m = COUNT.exec(tags)) {
    const at = m.index + m[0].length - 1;
    COUNT.lastIndex = at + 1;
    const known = kindOf(tokens, m.index, at) ?? context.head ?? context.carried;
    if (
      !STRONG.test(tokens[at]!.word) &&
      tokens[at]!.tag !== 'V' &&
      !(known && /[PG]/.test(tokens[at]!.tag) && !/^Q/.test(m[0]))
    )
      continue;
    if (tokens.slice(m.index, at).some(t => t.word === 'who')) continue;
    if (/w/.test(m[0]) && /^Q/.test(m[0]) && !known && !context.ran) continue;
    if (!standsAlone(segment, at)) continue;
    hits.push({
      kind: known ?? context.kind ?? 'tests',
      from: m.index,
      at,
      to: tokens.length,
      count: /^[8fe]/.test(m[0]),
    });
  }
  const full = tags.indexOf('f');
  const seen = context.ran || /[rd]/.test(tags) || /^f[wA]{1,2}P/.test(tags.slice(full)) ? 'verified' : undefined;
  if (
    full >= 0 &&
    (kindOf(tokens) ?? context.head ?? context.carried ?? seen ?? (tags === 'f' ? 'tests' : undefined)) &&
    !hits.length &&
    !/F/.test(tags)
  )
    hits.push({
      kind: kindOf(tokens) ?? context.head ?? context.carried ?? seen ?? 'tests',
      from: 0,
      at: full,
      to: tokens.length,
      count: true,
    });
  const percent =
    /(?:^|[^\d])100$/.test(tokens.find(t => t.tag === '8' && t.word === '100')?.word ?? '') && /8%/.test(tags);
  if (percent && !hits.length && tokens.some(t => /^(?:pass|success|green)$/.test(t.word) || t.tag === 'P'))
    hits.push({ kind: 'tests', from: 0, at: 0, to: tokens.length });
}

export function exitCodes(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const zero = tokens.findIndex(t => t.tag === '0' || t.word === 'zero');
  if (zero < 1) return;
  const near = tokens
    .slice(Math.max(0, zero - 4), zero)
    .map(t => t.word)
    .join(' ');
  const kind = kindOf(tokens) ?? context.head ?? context.carried ?? context.kind;
  if (!/\b(?:exit(?:s|ed)?|exit code|exit status|rc|returned|returns|status|code|errorlevel|exitcode)\b/.test(near))
    return;
  // "it closes the connection and exits with 0" tells what a program does.
  const tells = !kindOf(tokens) && !context.head && tokens[0]!.word === 'exits' && segment.bound === '&';
  if (!tells && (kind || /^[rEAwpDhPi]*0/.test(tags)))
    hits.push({ kind: kind ?? 'tests', from: 0, at: zero, to: tokens.length });
}
