import { beyond } from './line-edits.ts';

const SETS: Record<string, string> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
  cntrl: '\\x00-\\x1f\\x7f',
};

/** A POSIX expression, basic or extended, as one of JavaScript. */
export function toRegExp(source: string, extended: boolean, flags: string): RegExp {
  if (source === '') beyond();
  let out = '';
  /** At the start of an expression, a group or an alternative, where `*` is itself and `^` an anchor. */
  let fresh = true;
  for (let i = 0; i < source.length; i++) {
    const c = source[i]!;
    const was: boolean = fresh;
    fresh = false;
    if (c === '[') {
      const close = setEnd(source, i);
      out += set(source.slice(i + 1, close));
      i = close;
    } else if (c === '\\') {
      const next = source[++i] ?? beyond();
      if (/[(){}|+?]/.test(next)) {
        out += extended ? `\\${next}` : next;
        fresh = !extended && /[(|]/.test(next);
      } else if (/[1-9wWsSbBnt]/.test(next)) out += `\\${next}`;
      else if (next === '<') out += '\\b(?=\\w)';
      else if (next === '>') out += '\\b(?<=\\w)';
      else if (next === '\n') out += '\\n';
      else if (/[\w'`]/.test(next)) beyond();
      else out += `\\${next}`;
    } else if (/[(){}|+?]/.test(c)) {
      out += extended ? c : `\\${c}`;
      fresh = extended && /[(|]/.test(c);
    } else if (c === '*') out += was ? '\\*' : '*';
    else if (c === '^') {
      out += was || extended ? '^' : '\\^';
      fresh = was;
    } else if (c === '$') out += extended || /^(?:$|\\[)|])/.test(source.slice(i + 1)) ? '$' : '\\$';
    else out += c === '/' ? '\\/' : c;
  }
  return new RegExp(out, `${flags}s`);
}

function setEnd(source: string, from: number): number {
  let i = from + 1;
  if (source[i] === '^') i++;
  if (source[i] === ']') i++;
  for (; i < source.length; i++) {
    if (source.startsWith('[:', i)) {
      i = source.indexOf(':]', i) + 1;
      if (i === 0) beyond();
    } else if (source[i] === ']') return i;
  }
  return beyond();
}

function set(body: string): string {
  const not = body.startsWith('^');
  const inner = (not ? body.slice(1) : body).replace(/\[:(\w+):\]|\\([nt])|[\\\]/[]/g, (all, name, letter) =>
    name ? (SETS[name] ?? beyond()) : letter ? `\\${letter}` : `\\${all}`,
  );
  return `[${not ? '^' : ''}${inner}]`;
}
