import { closing, isPunct, near, split } from './brackets.ts';
import type { Reader } from './code-reader.ts';
import { columns, row } from './code-tables.ts';
import { flat, MAX, UNKNOWN_VALUE, type Value } from './code-texts.ts';
import { evaluate } from './code-values.ts';
import { UNKNOWN } from './marks.ts';
import { CALLS, FILE_MODULES } from './table/calls.ts';
import type { Token } from './tokens.ts';

/** First pass: what names stand for, in any order of definition. */
export function bind(r: Reader): void {
  const { tokens, vars, names } = r;
  const endOf = (from: number): number => {
    let depth = 0;
    for (let i = from; i < tokens.length; i++) {
      const token = tokens[i]!;
      if (token.kind !== 'p') continue;
      if (/^[([{]$/.test(token.text)) depth++;
      else if (/^[)\]}]$/.test(token.text) && --depth < 0) return i;
      else if (depth === 0 && /^(?:;|,|\n)$/.test(token.text)) return i;
    }
    return tokens.length;
  };
  const put = (name: string, value: Value): void => {
    const old = vars.get(name);
    vars.set(
      name,
      old && old !== value
        ? old.list || value.list
          ? value
          : { texts: [...new Set([...old.texts, ...value.texts])].slice(0, 8), ...(value.path ? { path: true } : {}) }
        : value,
    );
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind !== 'i') continue;
    const next = tokens[i + 1];
    if (token.text === 'as' && next?.kind === 'i' && tokens[i - 1]?.kind === 'i')
      names.set(next.text, names.get(tokens[i - 1]!.text) ?? tokens[i - 1]!.text);
    // `{ writeFileSync: w } = require('fs')`
    if (
      isPunct(next, ':') &&
      tokens[i + 2]?.kind === 'i' &&
      (isPunct(tokens[i - 1], '{') || isPunct(tokens[i - 1], ',')) &&
      CALLS.has(token.text)
    )
      names.set(tokens[i + 2]!.text, token.text);
    // `for folder, _, names in os.walk(top)`
    if (token.text === 'in' && tokens[i + 1] && tokens.slice(i + 1, i + 5).some(one => one.text === 'walk')) {
      let first = i - 1;
      while (isPunct(tokens[first - 1], ',')) first -= 2;
      if (first < i - 1) {
        const top = flat(evaluate(r, i + 1, headEnd(tokens, i + 1)));
        put(tokens[first]!.text, { texts: top.flatMap(one => [one, `${one}/${UNKNOWN}`]) });
        for (let k = first + 2; k < i; k += 2) put(tokens[k]!.text, { texts: [UNKNOWN] });
        continue;
      }
    }
    if (token.text === 'in' || token.text === 'of') {
      const from = loopHead(tokens, i);
      const names = from === null ? null : columns(tokens, from, i);
      if (names !== null) {
        let start = i + 1;
        while (isPunct(tokens[start], '\n')) start++;
        const counted = tokens[start]?.text === 'enumerate';
        const zipped = tokens[start]?.text === 'zip' && isPunct(tokens[start + 1], '(');
        const one = zipped
          ? {
              texts: [],
              list: split(tokens, start + 2, closing(tokens, start + 1)).map(([a, b]) => row(evaluate(r, a, b))),
            }
          : row(entries(evaluate(r, i + 1, headEnd(tokens, i + 1))));
        names.forEach((name, k) => {
          if (name === null) return;
          put(name, counted ? (k === 0 ? UNKNOWN_VALUE : one) : (one.list?.[k] ?? UNKNOWN_VALUE));
        });
        continue;
      }
    }
    if ((token.text === 'in' || token.text === 'of') && tokens[i - 1]?.kind === 'i') {
      const value = row(evaluate(r, i + 1, headEnd(tokens, i + 1)));
      const ends = value.texts.every(one => one === UNKNOWN) ? endings(tokens, tokens[i - 1]!.text) : [];
      put(tokens[i - 1]!.text, ends.length > 0 ? { texts: ends.map(end => UNKNOWN + end) } : value);
    }
    if (token.text === 'foreach' || (token.text === 'for' && r.language === 'perl')) {
      const variable = tokens.slice(i + 1, i + 4).find(one => one.kind === 'i' && one.text.startsWith('$'));
      const open = near(tokens, i + 1, 40, '(');
      if (open > 0) put(variable?.text ?? '$_', spread(evaluate(r, open, closing(tokens, open) + 1)));
    }
    // `import('node:fs').then(f => f.rm(..))`
    if (token.text === 'then' && isPunct(tokens[i - 2], ')') && tokens[i - 5]?.text === 'import') {
      const name = tokens.slice(i + 1, i + 5).find(one => one.kind === 'i' && one.text !== 'async');
      if (name) names.set(name.text, moduleName(tokens[i - 3]!.text));
    }
    if (/^(?:forEach|map|each|for_each)$/.test(token.text) && isPunct(tokens[i - 1], '.')) {
      const start = statementStart(tokens, i - 2);
      const list = row(evaluate(r, start, i - 1));
      const open = near(tokens, i + 1, 5, '[');
      const names =
        open > 0 && isPunct(tokens[open - 1], '(') ? columns(tokens, open, closing(tokens, open) + 1) : null;
      if (names !== null) {
        names.forEach((one, k) => {
          if (one !== null) put(one, list.list?.[k] ?? UNKNOWN_VALUE);
        });
        continue;
      }
      const name = tokens
        .slice(i + 1, i + 7)
        .find(one => one.kind === 'i' && one.text !== 'function' && one.text !== 'async' && one.text !== 'do');
      if (name) put(name.text, list);
    }
    if (isPunct(next, '=') || isPunct(next, ':=')) {
      const end = endOf(i + 2);
      if (isPunct(tokens[i - 1], '.')) continue;
      const value = evaluate(r, i + 2, end);
      const last = tokens[end - 1];
      // `w = fs.writeFileSync`: another name for a call.
      if (last?.kind === 'i' && (CALLS.has(last.text) || FILE_MODULES.test(last.text)))
        names.set(token.text, last.text);
      const required =
        tokens[i + 2]?.kind === 'i' && /^(?:require|import)$/.test(tokens[i + 2]!.text) && tokens[i + 4]?.kind === 's'
          ? moduleName(tokens[i + 4]!.text)
          : undefined;
      const onward = tokens.slice(i + 6, end).some(one => isPunct(one, '('));
      if (required && !onward) names.set(token.text, required);
      else put(token.text, value);
    }
  }
}

/** `if f.endswith('.py')`, `if not f.endswith(('.py', '.pyi')): continue`: all that an otherwise unknown name may end in. */
function endings(tokens: Token[], name: string): string[] {
  const found: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]!.text !== name || !/^ends[wW]ith$/.test(tokens[i + 2]?.text ?? '') || !isPunct(tokens[i + 3], '('))
      continue;
    const end = closing(tokens, i + 3);
    const before = tokens[i - 1]?.text ?? '';
    const skips = tokens.slice(end, end + 5).some(one => one.text === 'continue');
    if ((before === 'not' || before === '!') !== skips || !/^(?:if|not|!|\()$/.test(before)) return [];
    found.push(...tokens.slice(i + 4, end).flatMap(one => (one.kind === 's' ? [one.text] : [])));
  }
  return found;
}

export const moduleName = (text: string): string =>
  text.replace(/^node:/, '').replace(/^(?:fs\/promises|fs-extra)$/, 'fs');

/** In Python a loop over a dictionary with two names is one over its pairs. */
const entries = (value: Value): Value => (value.dict ? { texts: [], list: value.list! } : value);

/** Where the names of a loop begin: after `for`, `for (const`. */
function loopHead(tokens: Token[], at: number): number | null {
  for (let i = at - 1; i >= Math.max(0, at - 24); i--) {
    const token = tokens[i]!;
    if (token.kind === 'i' && /^(?:for|const|let|var)$/.test(token.text)) return i + 1;
    if (token.kind !== 'i' && !/^[,()[\]]$/.test(token.text)) return null;
  }
  return null;
}

const spread = (value: Value): Value => ({
  texts: flat(value).slice(0, MAX),
  path: value.path || value.list?.some(one => one.path) || false,
});

function headEnd(tokens: Token[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === 'i' && token.text === 'if' && depth === 0) return i;
    if (token.kind !== 'p') continue;
    if (/^[([{]$/.test(token.text)) {
      if (token.text === '{' && depth === 0) return i;
      depth++;
    } else if (/^[)\]}]$/.test(token.text) && --depth < 0) return i;
    else if (depth === 0 && /^(?::|;|\n)$/.test(token.text)) return i;
  }
  return tokens.length;
}

function statementStart(tokens: Token[], from: number): number {
  let depth = 0;
  for (let i = from; i >= 0; i--) {
    const token = tokens[i]!;
    if (token.kind !== 'p') continue;
    if (/^[)\]}]$/.test(token.text)) depth++;
    else if (/^[([{]$/.test(token.text) && --depth < 0) return i + 1;
    else if (depth === 0 && /^(?:;|\n|=|=>)$/.test(token.text)) return i + 1;
  }
  return 0;
}
