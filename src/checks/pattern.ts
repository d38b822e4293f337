/** Patterns of `generic` checks: refused where they cannot be read in linear time, named where they prove little. */
import { safePattern } from '../runners/generic.ts';

export function patternProblem(source: string): string | null {
  const safe = safePattern(source);
  return 'problem' in safe ? safe.problem : null;
}

const BROAD_WORD =
  /^(?:all )?(?:tests? )?(?:pass(?:ed|es)?|ok(?:ay)?|success(?:ful(?:ly)?)?|succeeded|done|finished|complete[d]?|green|true|0|fail(?:s|ed|ure)?|error(?:s|ed)?|false|assert(?:ion)?)$/i;
const MUNDANE = [
  '> node build.js',
  'Installing dependencies',
  'Compiled 12 files in 3.2s',
  'https://example.com/a?b=1',
];

/** A pattern that much of any output would match says little of the check. */
export function isBroad(source: string): boolean {
  const safe = safePattern(source);
  if ('problem' in safe) return false;
  if (safe.pattern.test('') || MUNDANE.some(line => safe.pattern.test(line))) return true;
  const words = source
    .replace(/\\[bB]|[\^$()]|\(\?i?:/g, '')
    .replace(/\.\*|\\s[*+]?/g, ' ')
    .trim();
  return words.split('|').some(word => BROAD_WORD.test(word.trim()) || word.trim().length < 2);
}
