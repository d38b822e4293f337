export type Token = { text: string; kind: 'word' | 'string' | 'op' | 'call'; pos: number; end: number };

/** Words, strings and operators; a backtick escapes, `#` and `<# #>` comment. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  while (i < source.length) {
    const c = source[i]!;
    const pos = i;
    if (
      c === '\n' ||
      c === ';' ||
      c === '|' ||
      c === '&' ||
      c === '{' ||
      c === '}' ||
      c === '(' ||
      c === ')' ||
      c === ','
    ) {
      const two = source.slice(i, i + 2);
      const text = two === '||' || two === '&&' ? two : c;
      i += text.length;
      tokens.push({ text, kind: 'op', pos, end: i });
    } else if (/\s/.test(c) || (c === '`' && source[i + 1] === '\n')) i += c === '`' ? 2 : 1;
    else if (source.startsWith('<#', i)) {
      const end = source.indexOf('#>', i);
      i = end < 0 ? source.length : end + 2;
    } else if (c === '#') while (i < source.length && source[i] !== '\n') i++;
    else if (source.startsWith('@"', i) || source.startsWith("@'", i)) {
      const end = source.indexOf(`\n${source[i + 1]}@`, i);
      i = end < 0 ? source.length : end + 3;
      tokens.push({
        text: source.slice(pos + 2, end < 0 ? undefined : end).replace(/^\r?\n/, ''),
        kind: 'string',
        pos,
        end: i,
      });
    } else {
      const redirect = /^(?:[*\d]?>>?(?:&\d)?)/.exec(source.slice(i, i + 5));
      if (redirect) {
        i += redirect[0].length;
        tokens.push({ text: redirect[0], kind: 'op', pos, end: i });
        continue;
      }
      let text = '';
      let quoted = false;
      while (i < source.length && !/[\s;|&{}(),<>]/.test(source[i]!)) {
        const at = source[i]!;
        if (at === '"' || at === "'") {
          quoted = true;
          let k = i + 1;
          for (; k < source.length; k++) {
            if (at === '"' && source[k] === '`') text += source[++k] ?? '';
            else if (source[k] === at) {
              if (source[k + 1] !== at) break;
              text += at;
              k++;
            } else text += source[k];
          }
          i = k + 1;
        } else if (at === '`') {
          text += source[i + 1] ?? '';
          i += 2;
        } else {
          text += at;
          i++;
        }
      }
      if (i === pos) i++;
      else tokens.push({ text, kind: quoted ? 'string' : 'word', pos, end: i });
    }
  }
  return tokens;
}
