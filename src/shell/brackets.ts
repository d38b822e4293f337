import type { Token } from './tokens.ts';

export const isPunct = (token: Token | undefined, text: string): boolean => token?.kind === 'p' && token.text === text;

/** Index of the bracket that closes the one at `open`. */
export function closing(tokens: Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind !== 'p') continue;
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text) && --depth === 0) return i;
  }
  return tokens.length;
}

/** Arguments between `from` and `to`, split at top-level commas. */
export function split(tokens: Token[], from: number, to: number): [number, number][] {
  const out: [number, number][] = [];
  let depth = 0;
  let start = from;
  for (let i = from; i < to; i++) {
    const token = tokens[i]!;
    if (token.kind !== 'p') continue;
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text)) depth--;
    else if (depth === 0 && (token.text === ',' || token.text === '=>')) {
      out.push([start, i]);
      start = i + 1;
    }
  }
  if (start < to) out.push([start, to]);
  return out.filter(([a, b]) => tokens.slice(a, b).some(token => token.text !== '\n'));
}

/** The first of the next `within` tokens from `from` on that is this mark; -1 where none is. */
export function near(tokens: Token[], from: number, within: number, text: string): number {
  for (let i = from; i < Math.min(tokens.length, from + within); i++) if (isPunct(tokens[i], text)) return i;
  return -1;
}
