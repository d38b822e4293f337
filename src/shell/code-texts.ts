import { isKnown, UNKNOWN } from './marks.ts';

/** A value as far as literals tell: texts it may have, or a list of values; `path` when it is a path object. */
/** `folder`: names in this folder, not looked up yet. */
/** `dict`: its list holds pairs. */
export type Value = {
  texts: string[];
  list?: Value[];
  path?: boolean;
  folder?: string;
  dict?: boolean;
  pair?: boolean;
};

export const UNKNOWN_VALUE: Value = { texts: [UNKNOWN] };
export const MAX = 64;

export const text = (value: string, path = false): Value => (path ? { texts: [value], path } : { texts: [value] });
export const flat = (value: Value): string[] => (value.list ? value.list.flatMap(flat).slice(0, MAX * 4) : value.texts);

export function combine(a: Value, b: Value, glue: (x: string, y: string) => string): Value {
  const texts: string[] = [];
  for (const x of flat(a)) for (const y of flat(b)) if (texts.length < MAX) texts.push(glue(x, y));
  return { texts, ...(a.path || b.path ? { path: true } : {}) };
}

export const joinPath = (a: string, b: string): string =>
  b.startsWith('/') ? b : a === '' ? b : `${a.replace(/\/$/, '')}/${b}`;

export function fill(format: string, hole: RegExp, value: Value): string {
  const values = value.list ? value.list.map(one => flat(one)[0] ?? UNKNOWN) : flat(value);
  let i = 0;
  return format.replace(hole, () => values[i++] ?? UNKNOWN);
}

export const children = (value: Value): Value => ({ ...combine(value, text(UNKNOWN), joinPath), path: true });

export function decoded(name: string, args: Value[]): Value {
  const given = args.map(arg => flat(arg)[0] ?? UNKNOWN);
  if (given.some(one => !isKnown(one))) return UNKNOWN_VALUE;
  if (name === 'fromhex') return text(Buffer.from(given[0] ?? '', 'hex').toString('utf8'));
  if (name === 'b64decode' || name === 'atob') return text(Buffer.from(given[0] ?? '', 'base64').toString('utf8'));
  return text(given.map(code => String.fromCharCode(Number(code) & 0xffff)).join(''));
}
