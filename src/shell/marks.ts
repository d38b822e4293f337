/**
 * Marks inside a half-expanded word. They are Unicode noncharacters, which no text carries, so that a quoted `*`
 * and an active one, or an unknown value, can live in one string until the word becomes file names.
 */
export const UNKNOWN = '\uFDD0';
export const STAR = '\uFDD1';
export const ANY = '\uFDD2';
export const BRACKET = '\uFDD3';
export const OPEN = '\uFDD4';
export const OR = '\uFDD5';
export const CLOSE = '\uFDD6';
export const BREAK = '\uFDD7';
export const EMPTY = '\uFDD8';

const FOREIGN = /[\uFDD0-\uFDDF]/g;
const ACTIVE = /[\uFDD1-\uFDD3]/;

/** Same length, so that offsets stay true. */
export const clean = (text: string): string => text.replace(FOREIGN, '\uFFFD');

export const isKnown = (text: string): boolean => !text.includes(UNKNOWN);
export const hasGlob = (text: string): boolean => ACTIVE.test(text);

/** An unquoted expansion: its pattern characters become active. */
export const activate = (text: string): string =>
  text.replace(/[*?[]/g, c => (c === '*' ? STAR : c === '?' ? ANY : BRACKET));

/** Pattern marks back to the characters they were typed as. */
export const plain = (text: string): string =>
  ACTIVE.test(text) || text.includes(EMPTY)
    ? text.replace(/[\uFDD1-\uFDD3\uFDD8]/g, c => (c === STAR ? '*' : c === ANY ? '?' : c === BRACKET ? '[' : ''))
    : text;

const LIMIT = 512;

/** `a{b,c}` in marks -> `ab`, `ac`. */
export function alternatives(text: string): string[] {
  if (!text.includes(OPEN)) return [text];
  const start = text.indexOf(OPEN);
  let depth = 0;
  let from = start + 1;
  const options: string[] = [];
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (c === OPEN) depth++;
    else if (c === OR && depth === 1) {
      options.push(text.slice(from, i));
      from = i + 1;
    } else if (c === CLOSE && --depth === 0) {
      options.push(text.slice(from, i));
      const head = text.slice(0, start);
      const tails = alternatives(text.slice(i + 1));
      const out: string[] = [];
      for (const option of options)
        for (const inner of alternatives(option))
          for (const tail of tails) {
            if (out.length >= LIMIT) return out;
            out.push(head + inner + tail);
          }
      return out;
    }
  }
  return [text.replaceAll(OPEN, '')];
}

export const either = (options: string[]): string =>
  options.length === 1 ? options[0]! : OPEN + options.join(OR) + CLOSE;
