import { blocked } from './blocked.ts';
import type { Place } from './broad.ts';
import { calm, WORK, words } from './guarded.ts';
import { hint, may } from './hints.ts';
import { type Hit, standsAlone } from './hits.ts';
import { bare, joined, judged, MANNERS, STARTS, STATES } from './manner.ts';
import { noneLeft, REMARKS, remark } from './remarks.ts';
import { kindOf, type Segment, type Sentence } from './sentence.ts';
import { TRIALS, TRIED, trialTold } from './trial.ts';
import type { ClaimKind } from './types.ts';

/**
 * The loosest look, for sentences in which nothing else was found: a check and, anywhere behind it, a word of success;
 * a thing and a judgement of how it does; a trial and how it went. What it lacks in grammar it makes up in guards.
 */

/** Nouns which a good word may stand before and still tell of the result. */
const SIGNS = words(
  'tick ticks check checkmark checkmarks mark marks light lights run runs pass result results state shape sheet slate bill board dot dots badge status screen outcome exit bar bars wall row column summary verdict report health',
);

const CONFIRM = words(
  'confirm confirms confirmed prove proves proved show shows showed demonstrate demonstrates verify vouch vouches agree agrees',
);
const definite = (segment: Segment) =>
  !/^A*(?:a|an|any|some|each other)$/.test(segment.tokens[0]!.word) && !WORK.has(segment.tokens[0]!.word);

/** "The four tests that touch this function succeed", "CI gave me a green tick on every job" */
function checkDoes(segment: Segment): { at: number; kind: ClaimKind; from: number } | null {
  const { tokens, tags } = segment;
  const subject = tags.search(/[SK]/);
  if (
    subject < 0 ||
    !definite(segment) ||
    !/^(?:[SK]|A*[DQ8][DQA8wp%hi]{0,4}|A+|[wh]{1,2}|J[EA]*|[^FnHILxX2]*D[DQA8w]{0,3})$/.test(
      tags.slice(0, subject) || 'S',
    )
  )
    return null;
  const lead = tags.slice(0, subject);
  if (lead.length > 4 && /[wrE]/.test(lead) && !tokens.slice(0, subject).some(t => t.word === 'that')) return null;
  if (/^(?:only|few|what|half)$/.test(tokens[0]!.word)) return null;
  // "two failing specs were fixed": the check has to be the subject, or to be named last.
  for (let at = subject + 1; at < tokens.length; at++) {
    const { tag, word } = tokens[at]!;
    if (tag !== 'G' && tag !== 'P' && tag !== 'Y') continue;
    const between = tags.slice(subject + 1, at);
    const relative =
      /^[wrSK]*[DJQ12]/.test(between) &&
      tokens.slice(subject + 1, at).some(t => /^(?:that|which|i|we|you)$/.test(t.word));
    if ((/[ot]/.test(between) && !relative) || !calm(segment, 0, at, 'F2')) return null;
    // "every test that existed before still passes": what failed or stood before is said of the test.
    if (!relative && !calm(segment, subject, at)) return null;
    if (tag === 'P') {
      if (!standsAlone(segment, at) || !/^(?:pass|succe|hold|go|run|come|agree)/.test(word) || word.endsWith('ing'))
        continue;
      if (!relative && !/^[rwhSKQ8A]*[EA]*$/.test(between)) continue;
    } else {
      const next = tokens[at + 1];
      if (next && /[whrSK]/.test(next.tag) && !SIGNS.has(next.word)) continue;
      if (!/[EPw]/.test(between)) continue;
      if (tags[subject - 1] === 'p') continue;
      // "The tests describe the behaviour well"
      if (/^(?:well|nicely|perfectly|smoothly|cleanly)$/.test(word) && /w[D]/.test(between)) continue;
    }
    if (!calm(segment, at + 1)) return null;
    return { at, kind: kindOf(tokens, 0, at) ?? 'tests', from: relative ? at : 0 };
  }
  return null;
}

/** "All green lights from CI", "A clean bill of health from the linter" */
function signFrom(segment: Segment): { at: number; kind: ClaimKind } | null {
  const { tokens, tags } = segment;
  // "All clear from the linter"
  const from = /^[DA]*GpD?w?[SK]/.exec(tags);
  if (from && tokens[tags.indexOf('p')]!.word === 'from' && calm(segment))
    return { at: tags.indexOf('G'), kind: kindOf(tokens) ?? 'tests' };
  const m = /[GP]([wrS])(?:pw)?p[DQ8A]*[wA]?[SK]/.exec(tags);
  if (!m || !calm(segment)) return null;
  if (!SIGNS.has(tokens[m.index + 1]!.word) || WORK.has(tokens[0]!.word)) return null;
  if (!/^(?:[JD1]?[EAw]*D?A*|Q?A*)$/.test(tags.slice(0, m.index))) return null;
  return { at: m.index, kind: kindOf(tokens, m.index) ?? 'tests' };
}

/** "End-to-end tests confirm that both sides reject the same inputs", "as the 40 existing tests confirm" */
function confirmed(segment: Segment): { at: number; kind: ClaimKind } | null {
  const { tokens, tags } = segment;
  const at = tokens.findIndex(t => CONFIRM.has(t.word));
  if (at < 1 || !/^[DQ8]*[wA]{0,2}[SK][SKr]{0,2}A?$/.test(tags.slice(0, at)) || !definite(segment)) return null;
  if (!calm(segment, 0, at + 1) || /^[SK]/.test(tags.slice(at + 1))) return null;
  const rest = tokens.slice(at + 1);
  const plain = !rest.length || (rest[0]!.word === 'that' && rest.length > 2) || /^(?:it|this|so)$/.test(rest[0]!.word);
  return plain && calm(segment, at + 1, tokens.length, 'n') ? { at, kind: kindOf(tokens, 0, at) ?? 'tests' } : null;
}

/** Words that let a sentence without any other sign of a result be looked at. */
export const TELLING = new Set([...STARTS, ...CONFIRM, ...TRIALS, 'same', 'identical', 'able', 'links', ...STATES]);
export const TELLS = hint([...TELLING].map(word => word.split(' ')[0]!));

export function loosely(sentence: Sentence, closed: boolean[], usedBefore: boolean, onPaper: boolean): Place | null {
  if (sentence.question) return null;
  const { mask, tags } = sentence;
  const checks = /[SK]/.test(tags);
  const mannered = may(mask, MANNERS) || tags.includes('~');
  const remarked = may(mask, REMARKS) || /^p.*8/.test(tags) || (tags.includes('p') && /[dG]/.test(tags));
  for (let i = 0; i < sentence.segments.length && (checks || mannered || remarked); i++) {
    const segment = sentence.segments[i]!;
    if (closed[i] || !segment.tokens.length) continue;
    const before = sentence.segments[i - 1];
    const next = sentence.segments[i + 1];
    const check = checks ? checkDoes(segment) : null;
    const found = check ?? (checks ? (signFrom(segment) ?? confirmed(segment)) : null);
    let at = found?.at ?? (mannered ? Math.max(judged(segment, next), joined(segment, before)) : -1);
    if (at < 0 && mannered) at = bare(segment, i === 0);
    if (at < 0 && remarked) at = remark(segment, before, i === 0);
    const none = at < 0 ? noneLeft(segment, next) : -1;
    if (at < 0 && none < 0) continue;
    const kind = found?.kind ?? kindOf(segment.tokens) ?? 'verified';
    const hit: Hit = {
      kind,
      from: check?.from ?? 0,
      at: Math.max(at, none),
      to: segment.tokens.length,
      zero: none >= 0,
    };
    if (!blocked(segment, { ...hit, from: 0 })) return { segment: i, hit };
  }
  return onPaper || !(usedBefore || may(mask, TRIED)) ? null : trialTold(sentence, closed, usedBefore);
}
