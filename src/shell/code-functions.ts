/** Functions that a program defines: what they are called with is what their parameters stand for. */
import { closing, isPunct, near, split } from './brackets.ts';
import type { Reader } from './code-reader.ts';
import { flat, MAX, type Value } from './code-texts.ts';
import type { Token } from './tokens.ts';

export type Defined = { params: { name: string; rest: boolean }[]; at: number };

const MOST = 40;

/** Finds functions and gives the names of their parameters a spelling of their own, so that no two share one. */
export function functions(tokens: Token[], source: string, language: Reader['language']): Map<string, Defined> {
  const found = new Map<string, Defined>();
  const indents = source.split('\n').map(line => line.length - line.trimStart().length);
  for (let i = 0; i < tokens.length && found.size < MOST; i++) {
    const head = headAt(tokens, i, language);
    if (head === null) continue;
    const end = bodyEnd(tokens, i, head.after, indents, language, head.expression);
    const params = split(tokens, head.open + 1, head.close).map(([a, b]) => {
      let at = a;
      while (at < b && (tokens[at]!.kind !== 'i' || /^(?:self|final)$/.test(tokens[at]!.text))) at++;
      const own = at < b ? tokens[at]!.text : '';
      return { own, rest: tokens.slice(a, at).some(token => /^(?:\*|\.\.?)$/.test(token.text)) };
    });
    const renamed = new Map(params.filter(p => p.own !== '').map(p => [p.own, `${p.own}__f${found.size}`]));
    rename(tokens, head.open, end, renamed);
    found.set(head.name, {
      at: head.nameAt,
      params: params.map(p => ({ name: renamed.get(p.own) ?? '', rest: p.rest })),
    });
  }
  return found;
}

type Head = { name: string; nameAt: number; open: number; close: number; after: number; expression: boolean };

function headAt(tokens: Token[], i: number, language: Reader['language']): Head | null {
  const [token, next] = [tokens[i]!, tokens[i + 1]];
  if (token.kind !== 'i') return null;
  const named = language === 'python' || language === 'ruby' ? token.text === 'def' : token.text === 'function';
  if (named && next?.kind === 'i' && isPunct(tokens[i + 2], '(')) {
    const close = closing(tokens, i + 2);
    return { name: next.text, nameAt: i + 1, open: i + 2, close, after: close + 1, expression: false };
  }
  if (!isPunct(next, '=')) return null;
  let k = i + 2;
  if (language === 'python') {
    if (tokens[k]?.text !== 'lambda') return null;
    const colon = near(tokens, k + 1, 40, ':');
    return colon < 0
      ? null
      : { name: token.text, nameAt: i, open: k, close: colon, after: colon + 1, expression: true };
  }
  if (language !== 'js') return null;
  if (tokens[k]?.text === 'async') k++;
  if (tokens[k]?.text === 'function' && isPunct(tokens[k + 1], '(')) k++;
  const bracket = isPunct(tokens[k], '(');
  const close = bracket ? closing(tokens, k) : k + 1;
  const arrow = isPunct(tokens[bracket ? close + 1 : close], '=>');
  const body = (bracket ? close + 1 : close) + (arrow ? 1 : 0);
  if (!arrow && tokens[k - 1]?.text !== 'function') return null;
  return {
    name: token.text,
    nameAt: i,
    open: bracket ? k : k - 1,
    close,
    after: body,
    expression: arrow && !isPunct(tokens[body], '{'),
  };
}

function bodyEnd(
  tokens: Token[],
  start: number,
  after: number,
  indents: number[],
  language: Reader['language'],
  expression: boolean,
): number {
  if (!expression && language !== 'python' && language !== 'ruby' && language !== 'lua') {
    const open = near(tokens, after, 20, '{');
    return open < 0 ? after : closing(tokens, open) + 1;
  }
  let depth = 0;
  const own = indents[tokens[start]!.line] ?? 0;
  for (let i = after; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (expression && token.kind === 'p') {
      if (/^[([{]$/.test(token.text)) depth++;
      else if (/^[)\]}]$/.test(token.text) && --depth < 0) return i;
      else if (depth === 0 && /^(?:;|\n)$/.test(token.text)) return i;
    }
    if (expression) continue;
    const opens = isPunct(tokens[i - 1], '\n') && token.text !== '\n' && token.line > tokens[start]!.line;
    const back = opens && (indents[token.line] ?? 0) <= own;
    if (language === 'python' ? back : token.text === 'end' && (back || token.line === tokens[start]!.line)) return i;
  }
  return tokens.length;
}

function rename(tokens: Token[], from: number, to: number, names: Map<string, string>): void {
  for (let i = from; i < Math.min(to, tokens.length); i++) {
    const token = tokens[i]!;
    const own = token.kind === 'i' && !isPunct(tokens[i - 1], '.') ? names.get(token.text) : undefined;
    if (own !== undefined) tokens[i] = { ...token, text: own };
    if (token.parts)
      tokens[i] = {
        ...token,
        parts: token.parts.map(part =>
          typeof part === 'string'
            ? part
            : { code: part.code.replace(/[$@]?[A-Za-z_]\w*/g, word => names.get(word) ?? word) },
        ),
      };
  }
}

/** What the calls of each function give its parameters. */
export function bindParams(
  r: Reader,
  defined: Map<string, Defined>,
  evaluate: (r: Reader, from: number, to: number) => Value,
): void {
  const { tokens, vars } = r;
  for (let i = 0; i < tokens.length; i++) {
    const known = tokens[i]!.kind === 'i' ? defined.get(tokens[i]!.text) : undefined;
    if (known === undefined || known.at === i || !isPunct(tokens[i + 1], '(')) continue;
    const args = split(tokens, i + 2, closing(tokens, i + 1));
    args.forEach(([a, b], k) => {
      let at = a;
      while (isPunct(tokens[at], '\n')) at++;
      const keyword = r.language === 'python' && tokens[at]?.kind === 'i' && isPunct(tokens[at + 1], '=');
      const unpacked = /^(?:\*|\.\.?)$/.test(tokens[at]?.text ?? '');
      const rest = known.params.findIndex(param => param.rest);
      const all = known.params.map(param => param.name);
      const into = keyword
        ? all.filter(name => name.startsWith(`${tokens[at]!.text}__f`))
        : unpacked
          ? all.slice(k)
          : [all[rest >= 0 && k >= rest ? rest : k]];
      while (unpacked && /^[*.]+$/.test(tokens[at]?.text ?? '')) at++;
      const value = evaluate(r, keyword ? at + 2 : at, b);
      into.forEach((name, n) => {
        if (!name) return;
        const given = unpacked && value.list ? (value.list[n] ?? value) : value;
        const old = vars.get(name);
        const texts = [...new Set([...(old ? flat(old) : []), ...flat(given)])].slice(0, MAX);
        const path = old?.path || given.path;
        vars.set(
          name,
          given.list && (old === undefined || old.list) ? given : { texts, ...(path ? { path: true } : {}) },
        );
      });
    });
  }
}
