import { isPunct } from './brackets.ts';
import { combine, flat, joinPath, MAX, text, UNKNOWN_VALUE, type Value } from './code-texts.ts';
import { type Call, glob, type Machine, path } from './machine.ts';
import { activate, isKnown, UNKNOWN } from './marks.ts';
import type { Language, Token } from './tokens.ts';

export type Reader = {
  m: Machine;
  call: Call;
  language: Language;
  argv: string[];
  tokens: Token[];
  vars: Map<string, Value>;
  names: Map<string, string>;
  via: string;
  depth: number;
  /** The archive that was opened last. */
  archive?: string | undefined;
};

export const ARGV = /^(?:sys\.argv|process\.argv|Deno\.args|Bun\.argv|ARGV|@ARGV|\$ARGV|\$argv|arg|argv)$/;

export function constant(r: Reader, name: string): Value | undefined {
  if (/^(?:__dirname|\$Bin)$/.test(name)) return text(r.call.scope.cwd[0]!);
  if (ARGV.test(name)) return { texts: [], list: r.argv.map(arg => text(arg)) };
  if (name === 'None' || name === 'null' || name === 'undefined') return text('');
  return undefined;
}

export function member(r: Reader, value: Value, chain: string, name: string): Value {
  if (ARGV.test(chain)) return { texts: [], list: r.argv.map(arg => text(arg)) };
  if (name === 'parent') return { texts: flat(value).map(one => one.replace(/\/?[^/]*$/, '') || '.'), path: true };
  if (name === 'name' || name === 'stem' || name === 'basename')
    return value.path ? { texts: flat(value).map(one => one.replace(/^.*\//, '')) } : value;
  return UNKNOWN_VALUE;
}

export function globbed(r: Reader, value: Value, under?: Value): Value {
  const scope = { ...r.call.scope, globstar: true };
  const found = flat(under ? combine(under, value, joinPath) : value).flatMap(one =>
    isKnown(one) ? glob(r.m, scope, activate(one)) : [one],
  );
  return { texts: [], list: found.slice(0, MAX * 4).map(one => text(one, true)) };
}

/** `readdirSync(d).filter(f => f.endsWith('.js'))`: the names there are, where the test is that simple. */
export function filtered(r: Reader, names: Value, args: [number, number][]): Value {
  const [a, b] = [args[0]![0], args.at(-1)![1]];
  const words = r.tokens.slice(a, b).filter(one => one.text !== '\n');
  const found = /^\(?(\w+)\)?=>(!?)\1\.(endsWith|startsWith|includes)\($/.exec(
    words
      .slice(0, -2)
      .map(one => one.text)
      .join(''),
  );
  const [value, close] = words.slice(-2);
  const at = names.folder === undefined ? UNKNOWN : path(r.m, r.call.scope, names.folder);
  if (!found || value?.kind !== 's' || !isPunct(close, ')') || !isKnown(at)) return names;
  const test = found[3] as 'endsWith' | 'startsWith' | 'includes';
  const list = r.m.tree.list(at).filter(one => one[test](value.text) !== (found[2] === '!'));
  return list.length > MAX ? names : { texts: [], list: list.map(one => text(one)) };
}
