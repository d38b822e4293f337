/** The words and redirections of an everyday command, part by part as the grammar gives them. */
import type { DoubleQuotedChild, HereDoc, Redirection, Statement, Word, WordPart } from 'unbash';

/** Thrown where the grammar has to look. */
export const BEYOND = new Error('beyond the everyday');

export type Cursor = {
  readonly text: string;
  at: number;
  depth: number;
  /** Here-documents whose text begins on the next line. */
  bodies: HereDoc[];
  readonly list: (c: Cursor) => Statement[];
};

/** Words beyond this are looked through for names only. */
export const MANY = 4000;
const DEEPEST = 16;
const BLANKS = /(?:[ \t]|\\\n)*(?:#[^\n]*)?/y;
const MORE = /(?:[\w@%+:,./=^~-]+[ \t]+)*/y;
const LITERAL = /(?:[\w@%+:,./=^~#\]-]|\\[^\n]|\{\}|!(?!\())+/y;
const QUOTED = /(?:[^"$`\\]|\\[\s\S])+/y;
const GLOB = /\?|\*+/y;
const SIMPLE = /\$(?:[A-Za-z_]\w*|[\d?@#$*!-])/y;
const PARAMETER = /\$\{([A-Za-z_]\w*)\}/y;
const REDIRECTION = /(?:(\d*)(>>|>&|>\||<>|<<<|<<-?|<&|[<>])|(&>>?))/y;
const DELIMITER = /(?:'([^'\n]+)'|"([^"\n$`\\]+)"|([\w.]+))(?=[\s;&|)<>]|$)/y;

function take(c: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = c.at;
  const found = pattern.exec(c.text);
  if (found) c.at = pattern.lastIndex;
  return found;
}

export const blanks = (c: Cursor): void => void take(c, BLANKS);

/** To the next word of a list; those of one that is longer than anybody looks at are passed over. */
export function onward(c: Cursor, list: readonly Word[]): void {
  blanks(c);
  if (list.length > MANY) take(c, MORE);
}

export function nested<T>(c: Cursor, read: () => T): T {
  if (++c.depth > DEEPEST) throw BEYOND;
  const out = read();
  c.depth--;
  return out;
}

/** Line ends and comments, and the here-documents that begin after the first of them. */
export function lines(c: Cursor): void {
  for (blanks(c); c.text[c.at] === '\n'; blanks(c)) {
    for (const item of c.bodies.splice(0)) fill(c, item);
    c.at++;
  }
}

function fill(c: Cursor, item: HereDoc): void {
  const { delimiter, body } = item as { delimiter: { value: string; quoted: boolean }; body: object };
  const pos = ++c.at;
  for (let from = pos; from < c.text.length; ) {
    const stop = c.text.indexOf('\n', from);
    const to = stop < 0 ? c.text.length : stop;
    const line = c.text.slice(from, to);
    if ((item.operator === '<<-' ? line.replace(/^\t+/, '') : line) !== delimiter.value) {
      from = to + 1;
      continue;
    }
    const text = c.text.slice(pos, from);
    if (!delimiter.quoted && /[$`\\]/.test(text)) throw BEYOND;
    Object.assign(body, { pos, end: from, text });
    c.at = to;
    return;
  }
  throw BEYOND;
}

export function redirection(c: Cursor): Redirection | null {
  const pos = c.at;
  const found = take(c, REDIRECTION);
  if (!found) return null;
  const fd = found[1];
  const operator = (found[2] ?? found[3])!;
  const descriptor = fd ? { descriptor: { type: 'FileDescriptor', pos, end: pos + fd.length, value: Number(fd) } } : {};
  blanks(c);
  if (operator !== '<<' && operator !== '<<-') {
    const target = word(c);
    const type = operator === '<<<' ? 'HereString' : 'Redirect';
    return { type, pos, end: c.at, operator, ...descriptor, target } as unknown as Redirection;
  }
  const from = c.at;
  const end = take(c, DELIMITER);
  if (!end) throw BEYOND;
  const value = (end[1] ?? end[2] ?? end[3])!;
  const delimiter = { type: 'HereDocDelimiter', pos: from, end: c.at, text: end[0], value, quoted: !end[3] };
  const body = { type: 'HereDocBody', parts: undefined };
  const item = { type: 'HereDoc', pos, end: c.at, operator, ...descriptor, delimiter, body } as unknown as HereDoc;
  c.bodies.push(item);
  return item;
}

/** Null for a `$` that stands for itself. */
function expansion(c: Cursor): DoubleQuotedChild | null {
  const pos = c.at;
  const here = () => ({ pos, end: c.at, text: c.text.slice(pos, c.at) });
  if (take(c, SIMPLE)) return { type: 'SimpleExpansion', ...here() };
  const named = take(c, PARAMETER);
  if (named) {
    const parameter = named[1]!;
    const at = { parameterPos: pos + 2, parameterEnd: c.at - 1 };
    return { type: 'ParameterExpansion', ...here(), parameter, ...at } as unknown as DoubleQuotedChild;
  }
  const next = c.text[pos + 1] ?? '';
  if (next === '(' && c.text[pos + 2] !== '(') {
    c.at += 2;
    const from = c.at;
    const outer = c.bodies;
    c.bodies = [];
    const commands = nested(c, () => c.list(c));
    if (c.text[c.at] !== ')' || c.bodies.length > 0) throw BEYOND;
    c.bodies = outer;
    const script = { type: 'Script', pos: from, end: c.at++, commands };
    return { type: 'CommandExpansion', ...here(), script } as unknown as DoubleQuotedChild;
  }
  if (/[({['`]/.test(next)) throw BEYOND;
  return null;
}

function quoted(c: Cursor): WordPart {
  const pos = c.at++;
  const parts: DoubleQuotedChild[] = [];
  let from = c.at;
  const literal = (): void => {
    if (from === c.at) return;
    const text = c.text.slice(from, c.at);
    const value = text.replace(/\\(?:([$`"\\])|\n)/g, '$1');
    parts.push({ type: 'Literal', pos: from, end: c.at, value, text });
  };
  for (;;) {
    take(c, QUOTED);
    const char = c.text[c.at];
    if (char === '"') break;
    if (char !== '$') throw BEYOND;
    const at = c.at;
    const part = expansion(c);
    if (!part) {
      c.at = at + 1;
      continue;
    }
    const after = c.at;
    c.at = at;
    literal();
    c.at = after;
    parts.push(part);
    from = after;
  }
  literal();
  if (parts.length === 0) parts.push({ type: 'Literal', pos: from, end: from, value: '', text: '' });
  c.at++;
  return { type: 'DoubleQuoted', pos, end: c.at, text: c.text.slice(pos, c.at), parts };
}

export function word(c: Cursor): Word {
  const pos = c.at;
  const parts: WordPart[] = [];
  let from = pos;
  const literal = (): void => {
    if (from === c.at) return;
    const text = c.text.slice(from, c.at);
    parts.push({ type: 'Literal', pos: from, end: c.at, value: text.replace(/\\([\s\S])/g, '$1'), text });
  };
  for (;;) {
    take(c, LITERAL);
    const char = c.text[c.at] ?? '\n';
    if (/[\s;&|<>)]/.test(char)) break;
    const at = c.at;
    let part: WordPart | null = null;
    if (char === "'") {
      const end = c.text.indexOf("'", at + 1) + 1;
      if (end === 0) throw BEYOND;
      const text = c.text.slice(at, end);
      part = { type: 'SingleQuoted', pos: at, end, value: text.slice(1, -1), text };
      c.at = end;
    } else if (char === '"') part = quoted(c);
    else if (char === '*' || char === '?') {
      const text = take(c, GLOB)![0];
      if (c.text[c.at] === '(') throw BEYOND;
      part = { type: 'Glob', kind: char === '*' ? 'star' : 'question', pos: at, end: c.at, text, value: text };
    } else if (char === '[' && at === pos && /^\s/.test(c.text[at + 1] ?? ' ')) {
      c.at++;
      continue;
    } else if (char === '$' && !/["']/.test(c.text[at + 1] ?? '')) {
      part = expansion(c);
      if (!part) {
        c.at = at + 1;
        continue;
      }
    } else throw BEYOND;
    const after = c.at;
    c.at = at;
    literal();
    c.at = after;
    parts.push(part as WordPart);
    from = after;
  }
  literal();
  if (c.at === pos) throw BEYOND;
  const text = c.text.slice(pos, c.at);
  const only = parts.length === 1 && parts[0]!.type === 'Literal' ? parts[0] : undefined;
  if (only) return { type: 'Word', text, pos, end: c.at, value: only.value } as Word;
  const shown = (list: readonly (WordPart | DoubleQuotedChild)[]): string =>
    list
      .map(part => (part.type === 'DoubleQuoted' ? shown(part.parts) : 'value' in part ? part.value : part.text))
      .join('');
  return { type: 'Word', text, pos, end: c.at, value: shown(parts), parts } as Word;
}
