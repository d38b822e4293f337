import { closing, isPunct, split } from './brackets.ts';
import { ARGV, constant, filtered, globbed, member, type Reader } from './code-reader.ts';
import { braced, ofDict, under } from './code-tables.ts';
import {
  children,
  combine,
  decoded,
  fill,
  flat,
  joinPath,
  MAX,
  text,
  UNKNOWN_VALUE,
  type Value,
} from './code-texts.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { type Token, tokenize } from './tokens.ts';

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
    value = token.text === '[' ? comprehension(r, i + 1, end) : braced(r, i + 1, end, evaluate);
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
      if (!isPunct(tokens[i], '('))
        value = value.dict && r.language === 'js' ? under(value, name) : member(r, value, chain, name);
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
      } else if (value.dict)
        value = under(value, key.length === 1 && /^[sn]$/.test(key[0]!.kind) ? key[0]!.text : undefined);
      else if (chain === 'Dir') value = globbed(r, evaluate(r, i + 1, end));
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

/** `[f(x) for x in y]` names its values by the loop; anything else is a list. */
function comprehension(r: Reader, from: number, to: number): Value {
  const parts = split(r.tokens, from, to);
  return { texts: [], list: parts.map(([a, b]) => evaluate(r, a, b)) };
}

function called(r: Reader, receiver: Value, chain: string, args: [number, number][]): Value {
  const arg = (n: number): Value => (args[n] ? evaluate(r, args[n]![0], args[n]![1]) : text(''));
  const name = chain.replace(/^.*\./, '');
  const base = chain.includes('.') ? chain.slice(0, chain.lastIndexOf('.')).replace(/^.*\./, '') : '';
  const listed = base === 'Object' && args[0] ? ofDict(arg(0), name) : ofDict(receiver, name);
  if (listed) return listed;
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
