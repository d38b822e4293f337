import type { Context, Hit } from './hits.ts';
import { kindOf, type Segment } from './sentence.ts';

const NONE = /o[A8wQDSKOWprhEJ]{0,5}F|0(?:p8)?[AwSKrh]{0,3}F|F[A]?0/g;
const NEVER = /n[AEuDJQ8SK1]{0,5}(?:(?<=u)w)?F/g;
const REPEATS =
  /^(?:iterations|runs|repetitions|requests|rounds|attempts|hours|minutes|loops|samples|cases|inputs|times|calls|messages|records|rows)$/;
const LOST =
  /^(?:and )?(?:none|nothing|not one|no \w+) (?:\w+ )?(?:were |was |got |is |are )?(?:rejected|lost|dropped|missing|skipped|failed|refused|left behind|overlaps?|breaks?|jumps?|flickers?|leaks?|leaked|moves|moved|crashed|changes|changed|sticks out|duplicated|cut off|out of place)$/;
const FINDS = /^(?:found|finds|reports|reported|sees|flags|flagged|lists|detects|detected|shows|raises)$/;
const FOLLOWED = /^(?:$|[ApBI&V8L1:,OG]|E+(?:$|[Aup])|J)/;

export function zeroFailures(segment: Segment, context: Context, hits: Hit[]): void {
  const { tokens, tags } = segment;
  const own = kindOf(tokens);
  const inContext = own ?? context.head ?? context.carried ?? context.kind;
  for (const pattern of [NONE, NEVER]) {
    pattern.lastIndex = 0;
    for (let m = pattern.exec(tags); m; m = pattern.exec(tags)) {
      const end = m.index + m[0].length;
      pattern.lastIndex = end;
      const last = tokens[end - 1]!;
      const next = tokens[end];
      const adjective =
        /^(?:red|failing|failed|broken|flaky)$/.test(last.word) &&
        (/^[Sr]/.test(tags.slice(end)) ||
          /^(?:links?|lines?|snapshots?|references?|images?|dots?|crosses)$/.test(next?.word ?? '') ||
          (/^wA*$/.test(tags.slice(end)) && (own ?? context.head) !== undefined && /s$/.test(next?.word ?? '')));
      if (last.tag === 'F' && !adjective && !FOLLOWED.test(tags.slice(end)) && !next?.word.endsWith('ly')) continue;
      if (pattern === NEVER) {
        const words = tokens.slice(m.index, end).map(t => t.word);
        const perceived =
          tags.slice(m.index, end).includes('u') ||
          /\b(?:get|seen|found|observed|detected|have|a failing|is|are|was)\b/.test(
            words.join(' ') +
              (adjective ? ' is' : '') +
              (/[Ew]/.test(tags[m.index - 1] ?? '') && /D/.test(tags.slice(m.index, end)) ? ' is' : ''),
          );
        const verb =
          /^(?:fails?|failed|breaks?|crash(?:es)?|complains?|errors?|protest|failing|red|broken|flaky|panics?|flakes?|trips?|objects?|objected|grumbles?|moans?|whines?|balks?|nags?|chokes?|protests?)$/.test(
            last.word,
          );
        if (!perceived && !verb) continue;
        if (
          verb &&
          !(
            (tags[m.index + 1] === 'u' || tokens[m.index + 1]!.word === 'seen') &&
            tags.slice(0, m.index).includes('1')
          ) &&
          !own &&
          !context.carried &&
          !context.ran &&
          !context.head &&
          !/J[EA]*$/.test(tags.slice(0, m.index))
        )
          continue;
      }
      const fragment =
        (/^A*$/.test(tags.slice(0, m.index)) ||
          (/^[Aw]E$/.test(tags.slice(0, m.index)) && tokens[0]!.word === 'there')) &&
        (tokens.length <= 7 ||
          (tokens[0]!.word === 'there' && tokens.some(t => /^(?:during|while|throughout)$/.test(t.word)))) &&
        pattern === NONE &&
        (!/[E]/.test(tags.slice(end)) || /^E+A$/.test(tags.slice(end))) &&
        /^[oA8S0F]/.test(tags.slice(m.index));
      // "there is no test in the diff": what stands behind "in the" is a place.
      if (/pD$/.test(tags.slice(m.index, end - 1)) && tokens[end - 3]?.word === 'in') continue;
      // "Not a bug" is an opinion of a report.
      if (tokens[m.index]!.word === 'not a' && m.index === 0) continue;
      // "No problem" opens a talk and tells of nothing.
      if (tokens.length === 2 && !inContext && /^(?:problem|issue|trouble|surprise|fuss)$/.test(last.word)) continue;
      const attempt = /1[EAH]*$/.test(tags.slice(0, m.index)) && /^n(?:A*[uE]|AD)/.test(tags.slice(m.index));
      const told =
        m.index > 0 &&
        /^(?:reports?|reported|finds?|found|shows?|showed|sees|flagged|raised|lists)$/.test(
          tokens[m.index - 1]!.word,
        ) &&
        m.index > 1;
      // "the app starts without errors"
      const started = tokens[m.index]!.word === 'without' && /h[wdPEr]$/.test(tags.slice(0, m.index));
      // "I see no failures"
      const perceived =
        /1A*[uE]$/.test(tags.slice(0, m.index)) &&
        !/^(?:am|was|'m)$/.test(tokens[m.index - 1]!.word) &&
        /^(?:failures?|errors?|warnings?|regressions?|failing|broken)$/.test(last.word);
      const counted = /^8[wrh]$/.test(tags.slice(0, m.index)) && REPEATS.test(tokens[1]!.word);
      if (!inContext && !context.ran && !fragment && !told && !attempt && !counted && !started && !perceived) continue;
      const typed = own ?? context.head ?? (context.ran && !context.carried ? 'verified' : inContext) ?? 'verified';
      hits.push({ kind: typed, from: 0, at: m.index, to: tokens.length, zero: true });
    }
  }
  const fallen = /F[^;:]*p8t[0o]|p8[wS]?F[wSr]*t[0o]/.exec(tags);
  if (fallen && (inContext || context.ran || /^(?:types?|compile|lint|test|build|failing)$/.test(tokens[0]!.word)))
    hits.push({ kind: own ?? inContext ?? 'tests', from: 0, at: tags.search(/t[0o]/), to: tokens.length, zero: true });
  // "the compile errors are gone"
  const gone = /(?:^|[,DA])S[rw]?F(?:p[DiKwh]{1,3})?E+A*d/.exec(tags);
  if (gone && /^(?:gone|disappeared|vanished)$/.test(tokens[gone.index + gone[0].length - 1]!.word))
    hits.push({ kind: own ?? 'tests', from: 0, at: gone.index + gone[0].length - 1, to: tokens.length, zero: true });
  // "The last two failures are gone"
  const last = /^D[Aw8]{1,3}FE+A*d(?=$|[pA])/.exec(tags);
  if (last && /^(?:last|remaining|final)$/.test(tokens[1]!.word) && tokens.some(t => t.word === 'gone'))
    hits.push({ kind: own ?? 'tests', from: 0, at: tags.indexOf('F'), to: tokens.length, zero: true });
  // "The warning is gone from the build output"
  const vanished = /^D?[wS]{0,2}FE+A*dpD?[wS]*[Sr]/.exec(tags);
  if (
    vanished &&
    tokens.some(t => /^(?:gone|disappeared|vanished)$/.test(t.word)) &&
    tokens[tags.indexOf('p')]!.word !== 'with'
  )
    hits.push({ kind: own ?? 'tests', from: 0, at: tags.indexOf('F'), to: tokens.length, zero: true });
  // "the compiler found no leftovers"
  const finds = own && tags.includes('o') ? tokens.findIndex(t => FINDS.test(t.word)) : -1;
  const found = finds > 0 && /[SK]A*$/.test(tags.slice(0, finds)) ? finds : -1;
  if (found > 0 && !hits.length && /^[A]?o[A]*w/.test(tags.slice(found + 1)) && own)
    hits.push({ kind: own, from: 0, at: found, to: tokens.length, zero: true });
  if (
    (/[aSK1]/.test(tags) || context.ran) &&
    /\b(?:found|finds|saw|sees) nothing (?:broken|wrong|amiss|suspicious|bad|odd|out of place)\b/.test(
      tokens.map(t => t.word).join(' '),
    )
  )
    hits.push({ kind: own ?? 'verified', from: 0, at: tags.indexOf('o'), to: tokens.length, zero: true });
  // "41,000 rows in, none rejected"
  if (context.ran && !hits.length && LOST.test(tokens.map(t => t.word).join(' ')))
    hits.push({ kind: own ?? 'verified', from: 0, at: 0, to: tokens.length, zero: true });
  // "nothing to report", "none found", "nothing left to flag" beside a check.
  const nothing = tokens.findIndex(
    (t, i) =>
      t.tag === 'o' &&
      /^(?:nothing|none)$/.test(t.word) &&
      !/^(?:do|does|did|doing|done)$/.test(tokens[i - 1]?.word ?? '') &&
      /^(?:$|A*$|A*t|A*[uw]|[pP]|A*pD?[SK](?:$|t))/.test(tags.slice(i + 1)),
  );
  if (
    nothing >= 0 &&
    (inContext || context.failing) &&
    !context.trouble &&
    !/^(?:to (?:do|run|test|build|check|lint))/.test(
      tokens
        .slice(nothing + 1, nothing + 3)
        .map(t => t.word)
        .join(' '),
    )
  ) {
    const told =
      /^(?:$|A*$|A*(?:pD?[SK])?t[wuEFr]|A*pD?[SK]A*$)/.test(tags.slice(nothing + 1)) &&
      (context.head || context.failing || own || /^A*$/.test(tags.slice(0, nothing)) || context.ran);
    // "Tests: none." counts tests that exist; "failing tests: none" counts failures.
    const counted =
      tokens[nothing]!.word === 'none' &&
      /^(?:tests|build)$/.test(inContext ?? 'tests') &&
      !context.failing &&
      !/[Fu]/.test(tags) &&
      !context.ran;
    if (told && !counted)
      hits.push({ kind: inContext ?? 'tests', from: 0, at: nothing, to: tokens.length, zero: true });
  }
}
