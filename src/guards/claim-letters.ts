/** Text as a reader sees it: letters that only look like others, characters that are not seen, marks that decorate. */

/** Letters that only look like the ones of PASS: full-width and mathematical forms fold by NFKC, these do not. */
const LOOKALIKES: Record<string, string> = {
  А: 'A',
  а: 'a',
  Р: 'P',
  р: 'p',
  Ѕ: 'S',
  ѕ: 's',
  Α: 'A',
  Ρ: 'P',
  ɑ: 'a',
  Е: 'E',
  е: 'e',
  Т: 'T',
  О: 'O',
  о: 'o',
  С: 'C',
  с: 'c',
  Ε: 'E',
  Τ: 'T',
  Ο: 'O',
  ᴘ: 'P',
  ᴀ: 'A',
  ꜱ: 'S',
  Տ: 'S',
};

const DECORATION = /\p{Extended_Pictographic}|\u{fe0f}|[\u2713\u2714\u2611\u221a]/gu;
const SHORTCODE = /(?<!\S):[a-z_]{2,30}:(?!\S)/g;
/** What stands for a good verdict without a word. */
const GOOD_MARK =
  /^[\s*_]*(?:[\u2705\u2714\u2713\u2611\u{1f7e2}\u{1f44d}\u{1f7e9}]\u{fe0f}?|:white_check_mark:)[\s*_.!]*$/u;

export const isGoodMark = (text: string): boolean => GOOD_MARK.test(text);

export function fold(text: string): string {
  const folded = /[^\x00-\x7f]/.test(text)
    ? text
        .normalize('NFKC')
        .replace(/[\u0370-\u03ff\u0400-\u04ff\u0251\u0555\u1d00-\u1d2f\ua731]/g, c => LOOKALIKES[c] ?? c)
        // Soft hyphens, joiners, marks of direction: there, and not seen.
        .replace(/\p{Cf}|\u034f|\u115f|\u3164/gu, '')
    : text;
  return folded.includes('&')
    ? folded.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(nbsp|ensp|emsp|zwnj|zwj|shy));/gi, entity)
    : folded;
}

function entity(all: string, decimal?: string, hex?: string, name?: string): string {
  if (name) return /sp$/i.test(name) ? ' ' : '';
  const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16);
  return code > 31 && code < 0x11_0000 ? String.fromCodePoint(code) : all;
}

/** Takes off what decorates a line: headings, list marks, emphasis, code ticks, links, emoji, struck-out text. */
export function strip(text: string): string {
  let line = text
    .replace(SHORTCODE, ' ')
    .replace(/~~[^~]*~~/g, ' ')
    .replace(/<!--.{0,2000}?-->/g, '')
    .replace(/<\/?(?:b|i|u|em|strong|span|code|mark|font|small|ins)(?:\s[^<>]*)?>/gi, '')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/!?\[([^[\]|/]{0,80})\](?:\([^()]{0,500}\)|\[[^[\]]{0,80}\])/g, '$1');
  line = line.replace(/^\s*(?:[-*+:\u2022\u00b7]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+|#{1,6}\s*)+/, '');
  line = line.replace(/^\[[ xX]\]\s*/, m => (/[xX]/.test(m) ? '' : m));
  line = line
    .replace(/\\(?=[*_`:#>~[\]])/g, '')
    .replace(/([A-Za-z])_(?=[A-Za-z])/g, '$1 ')
    .replace(/[*_`"'\u201c\u201d\u2018\u2019]+/g, '')
    .replace(DECORATION, ' ');
  return line
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!,;]{1,9}$/, '')
    .trim();
}
