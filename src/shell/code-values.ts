import { type Call, glob, type Machine, path } from './machine.ts';
import { activate, isKnown, UNKNOWN } from './marks.ts';
import { type Language, type Token, tokenize } from './tokens.ts';

/** A value as far as literals tell: texts it may have, or a list of values; `path` when it is a path object. */
/** `folder`: names in this folder, not looked up yet. */
export type Value = { texts: string[]; list?: Value[]; path?: boolean; folder?: string };

const UNKNOWN_VALUE: Value = { texts: [UNKNOWN] };
export const MAX = 64;

export const text = (value: string, path = false): Value => (path ? { texts: [value], path } : { texts: [value] });
export const flat = (value: Value): string[] => (value.list ? value.list.flatMap(flat).slice(0, MAX * 4) : value.texts);

function combine(a: Value, b: Value, glue: (x: string, y: string) => string): Value {
  const texts: string[] = [];
  for (const x of flat(a)) for (const y of flat(b)) if (texts.length < MAX) texts.push(glue(x, y));
  return { texts, ...(a.path || b.path ? { path: true } : {}) };
}

const joinPath = (a: string, b: string): string =>
  b.startsWith('/') ? b : a === '' ? b : `${a.replace(/\/$/, '')}/${b}`;

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
};

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

const STRING_METHODS =
  /^(?:replace|replaceAll|strip|trim|rstrip|lstrip|format|lower|upper|toString|encode|decode|slice|substring|concat|chomp|sub|gsub)$/;

/** Value of the expression in [from, to). */
export function evaluate(r: Reader, from: number, to: number): Value {
  const { tokens } = r;
  if (r.depth > 24) return UNKNOWN_VALUE;
  r.depth++;
  try {
    let i = from;
    while (i < to && tokens[i]!.text === '\n' && tokens[i]!.kind === 'p') i++;
    const [first, at] = term(r, i, to);
    let value = first;
    i = at;
    while (i < to) {
      const token = tokens[i]!;
      if (token.kind === 'p' && token.text === '\n') {
        i++;
        continue;
      }
      if (
        token.kind === 'p' &&
        (token.text === '+' || token.text === '.' || token.text === '..' || token.text === '/')
      ) {
        const [next, after] = term(r, i + 1, to);
        const isPath = token.text === '/';
        value = isPath ? { ...combine(value, next, joinPath), path: true } : combine(value, next, (a, b) => a + b);
        i = Math.max(after, i + 1);
        continue;
      }
      if (
        token.kind === 's' &&
        value.texts.length === 1 &&
        !value.list &&
        tokens[i - 1]?.kind === 's' &&
        r.language === 'python'
      ) {
        value = combine(value, stringValue(r, token), (a, b) => a + b);
        i++;
        continue;
      }
      if (token.kind === 'p' && token.text === '%' && r.language === 'python')
        return { texts: flat(value).map(one => fill(one, /%\w/g, evaluate(r, i + 1, to))) };
      if (
        (token.kind === 'p' && /^(?:\|\||\?)$/.test(token.text)) ||
        (token.kind === 'i' && /^(?:or|if)$/.test(token.text))
      ) {
        const rest = evaluate(r, i + 1, to);
        return { texts: [...flat(value), ...flat(rest)].slice(0, MAX) };
      }
      break;
    }
    return value;
  } finally {
    r.depth--;
  }
}

function fill(format: string, hole: RegExp, value: Value): string {
  const values = value.list ? value.list.map(one => flat(one)[0] ?? UNKNOWN) : flat(value);
  let i = 0;
  return format.replace(hole, () => values[i++] ?? UNKNOWN);
}

export function stringValue(r: Reader, token: Token): Value {
  if (!token.parts) return text(token.text);
  let value = text('');
  for (const part of token.parts) {
    if (typeof part === 'string') value = combine(value, text(part), (a, b) => a + b);
    else {
      const inner: Reader = { ...r, tokens: tokenize(part.code, r.language) };
      value = combine(value, evaluate(inner, 0, inner.tokens.length), (a, b) => a + b);
    }
  }
  return value;
}

const ARGV = /^(?:sys\.argv|process\.argv|Deno\.args|Bun\.argv|ARGV|@ARGV|\$ARGV|\$argv|arg|argv)$/;

/** One operand with everything that hangs on it: members, calls, indexes. */
function term(r: Reader, from: number, to: number): [Value, number] {
  const { tokens } = r;
  let i = from;
  while (
    i < to &&
    ((tokens[i]!.kind === 'p' && /^[\n&!*\\]$/.test(tokens[i]!.text)) ||
      (tokens[i]!.kind === 'i' &&
        /^(?:await|new|not|return|my|glob|<)$/.test(tokens[i]!.text) &&
        tokens[i + 1] &&
        !isPunct(tokens[i + 1], '(') &&
        !isPunct(tokens[i + 1], '.')))
  ) {
    if (tokens[i]!.text === 'glob') {
      const [inner, after] = term(r, i + 1, to);
      return [globbed(r, inner), after];
    }
    i++;
  }
  const token = tokens[i];
  if (!token || i >= to) return [UNKNOWN_VALUE, to];
  let value: Value = UNKNOWN_VALUE;
  let chain = '';
  if (token.kind === 's') value = stringValue(r, token);
  else if (isPunct(token, '(')) {
    const end = closing(tokens, i);
    const parts = split(tokens, i + 1, end);
    value =
      parts.length === 1
        ? evaluate(r, parts[0]![0], parts[0]![1])
        : { texts: [], list: parts.map(([a, b]) => evaluate(r, a, b)) };
    i = end;
  } else if (isPunct(token, '[') || isPunct(token, '{')) {
    const end = closing(tokens, i);
    value = token.text === '[' ? comprehension(r, i + 1, end) : UNKNOWN_VALUE;
    i = end;
  } else if (token.kind === 'i') {
    chain = r.names.get(token.text) ?? token.text;
    value = r.vars.get(token.text) ?? constant(r, chain) ?? UNKNOWN_VALUE;
    // Perl and Ruby let arguments follow without brackets.
  } else if (token.kind === 'n') value = text(token.text);
  i++;
  while (i < to) {
    const next = tokens[i]!;
    if (next.kind !== 'p') break;
    if (
      (next.text === '.' ||
        next.text === '->' ||
        next.text === '::' ||
        (next.text === '?' && isPunct(tokens[i + 1], '.'))) &&
      tokens[i + 1]?.kind === 'i'
    ) {
      if (r.language === 'perl' && next.text === '.') break;
      if (r.language === 'php' && next.text === '.') break;
      const name = tokens[i + 1]!.text;
      chain = chain ? `${chain}.${name}` : `.${name}`;
      i += 2;
      if (!isPunct(tokens[i], '(')) value = member(r, value, chain, name);
      continue;
    }
    if (next.text === '(') {
      const end = closing(tokens, i);
      value = called(r, value, chain, split(tokens, i + 1, end));
      chain = '';
      i = end + 1;
      continue;
    }
    if (next.text === '[') {
      const end = closing(tokens, i);
      const key = tokens.slice(i + 1, end);
      const index = key.length === 1 && key[0]!.kind === 'n' ? Number(key[0]!.text) : Number.NaN;
      if (ARGV.test(chain) && !Number.isNaN(index)) {
        const offset =
          chain.startsWith('process') || chain.startsWith('Bun')
            ? 2
            : chain === 'sys.argv' || chain === '$argv' || chain === 'arg'
              ? 1
              : 0;
        const given = r.argv[index - offset];
        value = given === undefined ? UNKNOWN_VALUE : text(given);
      } else if (chain === 'Dir') value = globbed(r, evaluate(r, i + 1, end));
      else if (value.list && !Number.isNaN(index)) value = value.list[index] ?? UNKNOWN_VALUE;
      else if (value.list) value = { texts: flat(value) };
      else if (ARGV.test(chain)) value = { texts: r.argv.length > 0 ? r.argv : [UNKNOWN] };
      else value = { texts: [UNKNOWN] };
      chain = '';
      i = end + 1;
      continue;
    }
    break;
  }
  return [value, i];
}

function constant(r: Reader, name: string): Value | undefined {
  if (/^(?:__dirname|\$Bin)$/.test(name)) return text(r.call.scope.cwd[0]!);
  if (ARGV.test(name)) return { texts: [], list: r.argv.map(arg => text(arg)) };
  if (name === 'None' || name === 'null' || name === 'undefined') return text('');
  return undefined;
}

function member(r: Reader, value: Value, chain: string, name: string): Value {
  if (ARGV.test(chain)) return { texts: [], list: r.argv.map(arg => text(arg)) };
  if (name === 'parent') return { texts: flat(value).map(one => one.replace(/\/?[^/]*$/, '') || '.'), path: true };
  if (name === 'name' || name === 'stem' || name === 'basename')
    return value.path ? { texts: flat(value).map(one => one.replace(/^.*\//, '')) } : value;
  return UNKNOWN_VALUE;
}

function globbed(r: Reader, value: Value, under?: Value): Value {
  const scope = { ...r.call.scope, globstar: true };
  const found = flat(under ? combine(under, value, joinPath) : value).flatMap(one =>
    isKnown(one) ? glob(r.m, scope, activate(one)) : [one],
  );
  return { texts: [], list: found.slice(0, MAX * 4).map(one => text(one, true)) };
}

/** `[f(x) for x in y]` names its values by the loop; anything else is a list. */
function comprehension(r: Reader, from: number, to: number): Value {
  const parts = split(r.tokens, from, to);
  return { texts: [], list: parts.map(([a, b]) => evaluate(r, a, b)) };
}

const children = (value: Value): Value => ({ ...combine(value, text(UNKNOWN), joinPath), path: true });

function called(r: Reader, receiver: Value, chain: string, args: [number, number][]): Value {
  const arg = (n: number): Value => (args[n] ? evaluate(r, args[n]![0], args[n]![1]) : text(''));
  const name = chain.replace(/^.*\./, '');
  const base = chain.includes('.') ? chain.slice(0, chain.lastIndexOf('.')).replace(/^.*\./, '') : '';
  if (name === 'join') {
    if (receiver.list && base === '') {
      const glue = flat(arg(0))[0] ?? ',';
      return { texts: [receiver.list.map(one => flat(one)[0] ?? UNKNOWN).join(args.length > 0 ? glue : ',')] };
    }
    if (base === '' && receiver.texts.length === 1 && receiver !== UNKNOWN_VALUE) {
      const items = arg(0);
      return items.list
        ? { texts: [items.list.map(one => flat(one)[0] ?? UNKNOWN).join(receiver.texts[0])] }
        : UNKNOWN_VALUE;
    }
    if (receiver !== UNKNOWN_VALUE && receiver.list)
      return { texts: [receiver.list.map(one => flat(one)[0] ?? UNKNOWN).join(flat(arg(0))[0] ?? ',')] };
    return args.map((_, n) => arg(n)).reduce((a, b) => combine(a, b, joinPath));
  }
  if (
    /^(?:resolve|abspath|realpath|normpath|normalize|expanduser|str|String|Path|PurePath|PosixPath|Pathname|fspath|fileURLToPath|pathToFileURL|URL|expand_path|file|bytes|from)$/.test(
      name,
    )
  ) {
    if (base === '' && /^(?:resolve|absolute)$/.test(name) && receiver.path) return receiver;
    if (args.length === 0) return receiver;
    const value = args.map((_, n) => arg(n)).reduce((a, b) => combine(a, b, joinPath));
    return { ...value, path: true, texts: flat(value) };
  }
  if (/^(?:joinpath|with_name)$/.test(name))
    return {
      ...(name === 'with_name'
        ? combine(member(r, receiver, '', 'parent'), arg(0), joinPath)
        : args.map((_, n) => arg(n)).reduce((a, b) => combine(a, b, joinPath), receiver)),
      path: true,
    };
  if (name === 'with_suffix')
    return {
      ...combine({ texts: flat(receiver).map(one => one.replace(/\.[^./]*$/, '')) }, arg(0), (a, b) => a + b),
      path: true,
    };
  if (/^(?:glob|rglob|globSync|sync|iglob)$/.test(name)) {
    if (receiver.path)
      return name === 'rglob'
        ? globbed(r, combine(text('**'), arg(0), joinPath), receiver)
        : globbed(r, arg(0), receiver);
    return globbed(r, arg(0));
  }
  if (/^(?:listdir|readdirSync|readdir|scandir|walk|children|entries|each_child)$/.test(name))
    return name === 'walk'
      ? { texts: flat(arg(0)) }
      : { texts: [UNKNOWN], ...(r.language === 'js' && args.length === 1 ? { folder: flat(arg(0))[0] } : {}) };
  if (name === 'iterdir') return children(receiver);
  if (/^(?:getcwd|cwd|pwd)$/.test(name)) return text(r.call.scope.cwd[0]!, true);
  if (name === 'dirname')
    return {
      texts: flat(arg(0)).map(one => (one.includes('/') ? one.replace(/\/?[^/]*$/, '') : isKnown(one) ? '.' : one)),
    };
  if (name === 'basename') return { texts: flat(arg(0)).map(one => one.replace(/^.*\//, '')) };
  if (name === 'filter' && receiver.folder !== undefined && args[0]) return filtered(r, receiver, args);
  if (/^(?:absolute|as_posix|flat|sort|sorted|enumerate|filter|list|tuple|set|reversed|concat|Array)$/.test(name)) {
    const value = base === '' && args.length > 0 && !/^(?:flat|sort|filter)$/.test(name) ? arg(0) : receiver;
    return value;
  }
  if (name === 'format')
    return {
      texts: flat(receiver).map(one => fill(one, /\{[^}]*\}/g, { texts: [], list: args.map((_, n) => arg(n)) })),
    };
  if (/^(?:replace|replaceAll)$/.test(name) && args.length === 2) {
    const [a, b] = [flat(arg(0))[0] ?? UNKNOWN, flat(arg(1))[0] ?? UNKNOWN];
    return isKnown(a + b) && a !== '' ? { texts: flat(receiver).map(one => one.replaceAll(a, b)) } : receiver;
  }
  if (STRING_METHODS.test(name)) return receiver;
  if (/^(?:fromhex|b64decode|atob|fromCharCode|chr)$/.test(name))
    return decoded(
      name,
      args.map((_, n) => arg(n)),
    );
  return UNKNOWN_VALUE;
}

/** `readdirSync(d).filter(f => f.endsWith('.js'))`: the names there are, where the test is that simple. */
function filtered(r: Reader, names: Value, args: [number, number][]): Value {
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

function decoded(name: string, args: Value[]): Value {
  const given = args.map(arg => flat(arg)[0] ?? UNKNOWN);
  if (given.some(one => !isKnown(one))) return UNKNOWN_VALUE;
  if (name === 'fromhex') return text(Buffer.from(given[0] ?? '', 'hex').toString('utf8'));
  if (name === 'b64decode' || name === 'atob') return text(Buffer.from(given[0] ?? '', 'base64').toString('utf8'));
  return text(given.map(code => String.fromCharCode(Number(code) & 0xffff)).join(''));
}
