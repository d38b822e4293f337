/** Tables of a program: lists of rows, dictionaries, and the names that a loop gives to their columns. */
import { closing, isPunct, split } from './brackets.ts';
import type { Reader } from './code-reader.ts';
import { flat, MAX, text, UNKNOWN_VALUE, type Value } from './code-texts.ts';
import type { Token } from './tokens.ts';

type Evaluate = (r: Reader, from: number, to: number) => Value;

/** `{'a': b, c}` between its brackets: pairs, or what a set holds. Null where it is neither. */
export function braced(r: Reader, from: number, to: number, evaluate: Evaluate): Value {
  const parts = split(r.tokens, from, to);
  if (parts.length === 0 || parts.length > MAX * 4) return UNKNOWN_VALUE;
  const rows = parts.map(([a, b]): Value => {
    const start = skipLines(r.tokens, a);
    const key = r.tokens[start];
    const colon = isPunct(r.tokens[start + 1], ':') && (key?.kind === 's' || key?.kind === 'i' || key?.kind === 'n');
    if (!colon) return evaluate(r, a, b);
    const name = key!.kind === 'i' && r.language === 'python' ? evaluate(r, start, start + 1) : text(key!.text);
    return { texts: [], list: [name, evaluate(r, start + 2, b)], pair: true };
  });
  const pairs = rows.every(row => row.pair);
  return rows.some(row => row.pair) && !pairs
    ? UNKNOWN_VALUE
    : { texts: [], list: rows, ...(pairs ? { dict: true } : {}) };
}

const skipLines = (tokens: Token[], from: number): number => {
  let i = from;
  while (isPunct(tokens[i], '\n')) i++;
  return i;
};

/** Keys, values or pairs of a dictionary; undefined for another value. */
export function ofDict(value: Value, name: string): Value | undefined {
  if (!value.dict || !/^(?:items|entries|keys|values|get|iteritems)$/.test(name)) return undefined;
  if (name === 'keys') return { texts: [], list: value.list!.map(pair => pair.list![0]!) };
  if (name === 'values') return { texts: [], list: value.list!.map(pair => pair.list![1]!) };
  return name === 'get'
    ? { texts: value.list!.flatMap(pair => flat(pair.list![1]!)) }
    : { texts: [], list: value.list! };
}

/** What stands under a key, or under any where the key is not known. */
export function under(value: Value, key: string | undefined): Value {
  const found = value.list!.filter(pair => key === undefined || flat(pair.list![0]!).includes(key));
  if (found.length === 1) return found[0]!.list![1]!;
  return found.length === 0 ? UNKNOWN_VALUE : { texts: found.flatMap(pair => flat(pair.list![1]!)).slice(0, MAX * 4) };
}

/** One of the rows of a table, each column with all that may stand in it. */
export function row(value: Value): Value {
  const rows = value.list ?? [];
  if (value.dict) return { texts: rows.flatMap(pair => flat(pair.list![0]!)).slice(0, MAX) };
  const path = value.path || rows.some(one => one.path);
  if (rows.length > 0 && rows.every(one => one.dict))
    return { texts: [], list: rows.flatMap(one => one.list!), dict: true };
  if (rows.length > 0 && rows.every(one => one.list)) {
    const width = Math.min(8, Math.max(...rows.map(one => one.list!.length)));
    return { texts: [], list: Array.from({ length: width }, (_, k) => column(rows, k)) };
  }
  return { texts: flat(value).slice(0, MAX), path: path || false };
}

function column(rows: readonly Value[], k: number): Value {
  const cells = rows.flatMap(one => one.list?.[k] ?? []);
  if (cells.length > 0 && cells.every(cell => cell.list))
    return cells.length === 1 ? cells[0]! : { texts: [], list: cells };
  return { texts: cells.flatMap(flat).slice(0, MAX * 4), path: cells.some(cell => cell.path) };
}

/** `for a, (b, c) in X`, `for (const [a, b] of X)`, `forEach(([a, b]) => ..)`: names by column; null for a single name. */
export function columns(tokens: Token[], from: number, to: number): (string | null)[] | null {
  let [a, b] = [from, to];
  while (b - a > 2 && /^[[(]$/.test(tokens[a]!.text) && closing(tokens, a) === b - 1) [a, b] = [a + 1, b - 1];
  const parts = split(tokens, a, b);
  if (parts.length < 2 && b - a === to - from) return null;
  return parts.map(([x, y]) => (y - x === 1 && tokens[x]!.kind === 'i' ? tokens[x]!.text : null));
}
