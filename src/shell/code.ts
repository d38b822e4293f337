import { type Call, copyScope, glob, type Machine, nothing, path, touch } from './machine.ts';
import { activate, isKnown, UNKNOWN } from './marks.ts';
import { CALLS, type CallRow, EXEC, EXEC_MODULES, FILE_MODULES } from './table/calls.ts';
import { type Language, type Token, tokenize } from './tokens.ts';

export type { Language };

/** A value as far as literals tell: texts it may have, or a list of values; `path` when it is a path object. */
type Value = { texts: string[]; list?: Value[]; path?: boolean };

const UNKNOWN_VALUE: Value = { texts: [UNKNOWN] };
const MAX = 64;

const text = (value: string, path = false): Value => (path ? { texts: [value], path } : { texts: [value] });
const flat = (value: Value): string[] => (value.list ? value.list.flatMap(flat).slice(0, MAX * 4) : value.texts);

function combine(a: Value, b: Value, glue: (x: string, y: string) => string): Value {
  const texts: string[] = [];
  for (const x of flat(a)) for (const y of flat(b)) if (texts.length < MAX) texts.push(glue(x, y));
  return { texts, ...(a.path || b.path ? { path: true } : {}) };
}

const joinPath = (a: string, b: string): string =>
  b.startsWith('/') ? b : a === '' ? b : `${a.replace(/\/$/, '')}/${b}`;

type Reader = {
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

const isPunct = (token: Token | undefined, text: string): boolean => token?.kind === 'p' && token.text === text;

/** Index of the bracket that closes the one at `open`. */
function closing(tokens: Token[], open: number): number {
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
function split(tokens: Token[], from: number, to: number): [number, number][] {
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
function evaluate(r: Reader, from: number, to: number): Value {
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

function stringValue(r: Reader, token: Token): Value {
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
    return name === 'walk' ? { texts: flat(arg(0)) } : text(UNKNOWN);
  if (name === 'iterdir') return children(receiver);
  if (/^(?:getcwd|cwd|pwd)$/.test(name)) return text(r.call.scope.cwd[0]!, true);
  if (name === 'dirname')
    return {
      texts: flat(arg(0)).map(one => (one.includes('/') ? one.replace(/\/?[^/]*$/, '') : isKnown(one) ? '.' : one)),
    };
  if (name === 'basename') return { texts: flat(arg(0)).map(one => one.replace(/^.*\//, '')) };
  if (/^(?:absolute|as_posix|flat|sort|sorted|filter|list|tuple|set|reversed|concat|Array)$/.test(name)) {
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

function decoded(name: string, args: Value[]): Value {
  const given = args.map(arg => flat(arg)[0] ?? UNKNOWN);
  if (given.some(one => !isKnown(one))) return UNKNOWN_VALUE;
  if (name === 'fromhex') return text(Buffer.from(given[0] ?? '', 'hex').toString('utf8'));
  if (name === 'b64decode' || name === 'atob') return text(Buffer.from(given[0] ?? '', 'base64').toString('utf8'));
  return text(given.map(code => String.fromCharCode(Number(code) & 0xffff)).join(''));
}

/** First pass: what names stand for, in any order of definition. */
function bind(r: Reader): void {
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
    if ((token.text === 'in' || token.text === 'of') && tokens[i - 1]?.kind === 'i')
      put(tokens[i - 1]!.text, { ...spread(evaluate(r, i + 1, headEnd(tokens, i + 1))) });
    if (token.text === 'foreach' || (token.text === 'for' && r.language === 'perl')) {
      const variable = tokens.slice(i + 1, i + 4).find(one => one.kind === 'i' && one.text.startsWith('$'));
      const open = tokens.findIndex((one, k) => k > i && isPunct(one, '('));
      if (open > 0) put(variable?.text ?? '$_', spread(evaluate(r, open, closing(tokens, open) + 1)));
    }
    if (/^(?:forEach|map|each|for_each)$/.test(token.text) && isPunct(tokens[i - 1], '.')) {
      const start = statementStart(tokens, i - 2);
      const list = spread(evaluate(r, start, i - 1));
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
          ? tokens[i + 4]!.text.replace(/^node:/, '').replace(/^fs\/promises$|^fs-extra$/, 'fs')
          : undefined;
      if (required) names.set(token.text, required);
      else put(token.text, value);
    }
  }
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

const WRITES = /[wax+]|O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/;

/** Second pass: every call that changes files or starts a program. */
function scan(r: Reader): void {
  const { tokens, m, call } = r;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === 'x') {
      for (const one of flat(stringValue(r, token))) run(r, one);
      continue;
    }
    if (token.kind !== 'i') continue;
    const bracket =
      isPunct(tokens[i + 1], '(') ||
      (r.language === 'js' &&
        tokens[i + 1]?.kind === 's' &&
        isPunct(tokens[i - 1], '.') === false &&
        token.text === '$');
    const loose =
      !bracket &&
      (r.language === 'perl' || r.language === 'ruby' || r.language === 'php' || r.language === 'tcl') &&
      tokens[i + 1] !== undefined &&
      (tokens[i + 1]!.kind === 's' || tokens[i + 1]!.kind === 'i' || isPunct(tokens[i + 1], '<'));
    if (!bracket && !loose) continue;
    const own = r.names.get(token.text) ?? token.text;
    const dotted = isPunct(tokens[i - 1], '.') || isPunct(tokens[i - 1], '->') || isPunct(tokens[i - 1], '::');
    const name = own.replace(/^.*\./, '');
    const end = bracket ? closing(tokens, i + 1) : looseEnd(tokens, i + 1);
    const args = bracket && isPunct(tokens[i + 1], '(') ? split(tokens, i + 2, end) : split(tokens, i + 1, end);
    const before = dotted ? tokens[i - 2] : undefined;
    const base =
      before?.kind === 'i' ? (r.names.get(before.text) ?? before.text).replace(/^.*\./, '') : dotted ? '' : undefined;
    const required = before && isPunct(before, ')') ? requiredModule(tokens, i - 2) : undefined;
    const module = required ?? base;
    // `fileinput.input(f, inplace=True)`
    if (/^(?:input|FileInput)$/.test(name) && keyword(r, args, 'inplace') && args[0])
      for (const one of flat(evaluate(r, ...args[0]))) touch(m, call.scope, 'write', one, r.via);
    const row = CALLS.get(name);
    if (row) writes(r, name, row, i, args, dotted, module);
    if (EXEC.test(name) && (!dotted || (module !== undefined && EXEC_MODULES.test(module)))) {
      if (name === 'exec' && !dotted && r.language === 'python') evaluated(r, args);
      else if (name === 'run' && !dotted && r.language === 'js') continue;
      else execute(r, args);
    }
    if (
      (name === 'eval' && !dotted) ||
      name === 'runInNewContext' ||
      name === 'runInThisContext' ||
      name === 'instance_eval'
    )
      evaluated(r, args);
    if (
      (name === 'require' || name === 'import' || name === 'load' || name === 'require_relative') &&
      !dotted &&
      args[0]
    ) {
      for (const one of flat(evaluate(r, ...args[0])))
        if (/^\.{0,2}\//.test(one)) m.scripts.add(path(m, call.scope, one));
    }
  }
}

const requiredModule = (tokens: Token[], close: number): string | undefined => {
  const inner = tokens[close - 1];
  const word = tokens[close - 3];
  return inner?.kind === 's' && word?.kind === 'i' && /^(?:require|import|__import__)$/.test(word.text)
    ? inner.text.replace(/^node:/, '').replace(/^(?:fs\/promises|fs-extra)$/, 'fs')
    : undefined;
};

function looseEnd(tokens: Token[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === 'i' && depth === 0 && /^(?:or|and|if|unless|for|foreach|while|do)$/.test(token.text)) return i;
    if (token.kind !== 'p') continue;
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text) && --depth < 0) return i;
    else if (depth === 0 && /^(?:;|\n|\|\||&&)$/.test(token.text)) return i;
  }
  return tokens.length;
}

function keyword(r: Reader, args: [number, number][], name: string): Value | undefined {
  for (const [a, b] of args)
    if (r.tokens[a]?.text === name && (isPunct(r.tokens[a + 1], '=') || isPunct(r.tokens[a + 1], ':')))
      return evaluate(r, a + 2, b);
  return undefined;
}

function writes(
  r: Reader,
  name: string,
  row: CallRow,
  i: number,
  args: [number, number][],
  dotted: boolean,
  module: string | undefined,
): void {
  const { tokens, m, call } = r;
  const value = (n: number): Value | undefined => (args[n] ? evaluate(r, ...args[n]!) : undefined);
  const isModule = module !== undefined && FILE_MODULES.test(module);
  let receiver: Value | undefined;
  if (dotted && !isModule) receiver = evaluate(r, statementStartOf(tokens, i - 2), i - 1);
  if (row.on === 'module' && !isModule) return;
  if (row.on === 'path' && dotted && !isModule && !receiver?.path) return;
  // Ruby's File.open and Perl's open have their own habits.
  if (r.language === 'perl' && name === 'open') {
    perlOpen(r, args);
    return;
  }
  const onReceiver = receiver !== undefined && row.at.includes('r') && (receiver.path || row.at.length === 1);
  if (row.mode !== undefined) {
    const position = onReceiver ? 0 : row.mode;
    const given = keyword(r, args, 'mode') ?? keyword(r, args, 'flags') ?? value(position);
    const mode =
      given &&
      !(
        args[position] &&
        keyword(r, [args[position]!], 'mode') === undefined &&
        isPunct(tokens[args[position]![0] + 1], '=')
      )
        ? given
        : keyword(r, args, 'mode');
    const words = tokens
      .slice(args[position]?.[0] ?? 0, args[position]?.[1] ?? 0)
      .map(one => one.text)
      .join('');
    if (!mode && !/O_/.test(words)) return;
    if (
      !WRITES.test(
        flat(mode ?? text(''))
          .filter(isKnown)
          .join(''),
      ) &&
      !/O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(words)
    )
      return;
  }
  const extra = row.deep ? { deep: true as const } : {};
  const write = (target: Value | undefined): void => {
    for (const one of target ? new Set(flat(target)) : []) touch(m, call.scope, row.op ?? 'write', one, r.via, extra);
  };
  if (onReceiver) {
    write(receiver);
    if (row.op === 'rename') write(value(0));
    return;
  }
  const list = name === 'remove' && r.language === 'ruby' ? args.map((_, n) => n) : row.at;
  for (const at of list) if (at !== 'r') write(value(at));
  // Perl and Ruby delete lists: `unlink @files`, `File.delete(a, b)`.
  if (/^(?:unlink|delete|rm|rm_f|rm_rf)$/.test(name))
    for (let n = 1; n < args.length; n++) if (!isPunct(tokens[args[n]![0] + 1], ':')) write(value(n));
  // A content that the text tells, for guards that judge what is written.
  if (/^(?:writeFile|appendFile|write_text|outputFile|file_put_contents|write)/.test(name))
    attach(r, value(onReceiver ? 0 : 1), name);
}

function attach(r: Reader, value: Value | undefined, name: string): void {
  const last = r.m.effects.at(-1);
  const known =
    value && !value.list && value.texts.length === 1 && isKnown(value.texts[0]!) ? value.texts[0] : undefined;
  if (!last || last.via !== r.via || known === undefined) return;
  last.content = () => known;
  if (name.startsWith('append')) last.append = true;
}

function statementStartOf(tokens: Token[], from: number): number {
  let i = from;
  while (i >= 0) {
    const token = tokens[i]!;
    if (token.kind === 'p' && /^[)\]]$/.test(token.text)) {
      let depth = 0;
      for (; i >= 0; i--) {
        const one = tokens[i]!;
        if (one.kind !== 'p') continue;
        if (/^[)\]}]$/.test(one.text)) depth++;
        else if (/^[([{]$/.test(one.text) && --depth === 0) break;
      }
      // What the bracket belongs to: a name before it goes with it.
      if (tokens[i - 1]?.kind === 'i' || (isPunct(tokens[i - 1], ')') && token.text === ')')) {
        i--;
        continue;
      }
    } else if (token.kind === 'p') return i + 1;
    if (isPunct(tokens[i - 1], '.') || isPunct(tokens[i - 1], '->') || isPunct(tokens[i - 1], '::')) i -= 2;
    else return Math.max(i, 0);
  }
  return 0;
}

function perlOpen(r: Reader, args: [number, number][]): void {
  const value = (n: number): string[] => (args[n] ? flat(evaluate(r, ...args[n]!)) : []);
  for (const mode of value(1)) {
    const glued = /^\s*(\+?>{1,2}|\+<)\s*(?::\S+\s*)?(.*)$/s.exec(mode);
    if (glued) for (const file of glued[2] ? [glued[2]] : value(2)) touch(r.m, r.call.scope, 'write', file, r.via);
    else if (/^\s*\|(?!-)/.test(mode)) run(r, mode.replace(/^\s*\|/, ''));
    else if (/^\|-$/.test(mode)) for (const one of value(2)) run(r, one);
  }
}

function run(r: Reader, code: string): void {
  if (code.replaceAll(UNKNOWN, '') === '') return;
  r.m.script(code, {
    ...r.call,
    scope: { ...copyScope(r.call.scope), functions: new Map(), aliases: new Map() },
    stdin: nothing,
  });
}

/** `system("..")` is shell text; a list, or several words, is an argv. */
function execute(r: Reader, args: [number, number][]): void {
  const plain = args.filter(
    ([a]) => !(r.tokens[a]?.kind === 'i' && isPunct(r.tokens[a + 1], '=')) && !isPunct(r.tokens[a], '{'),
  );
  const values = plain.map(([a, b]) => evaluate(r, a, b));
  const [first, second] = values;
  if (!first) return;
  const argvOf = (value: Value): string[] => (value.list ?? []).map(one => flat(one)[0] ?? UNKNOWN);
  const start = (argv: string[]): void => {
    if (argv.length > 0)
      r.m.start(argv, {
        ...r.call,
        scope: { ...copyScope(r.call.scope), functions: new Map(), aliases: new Map() },
        stdin: nothing,
      });
  };
  if (first.list) start(argvOf(first));
  else if (second?.list) start([flat(first)[0] ?? UNKNOWN, ...argvOf(second)]);
  else if (values.length > 1 && r.language !== 'js' && r.language !== 'python')
    start(values.map(value => flat(value)[0] ?? UNKNOWN));
  else for (const one of flat(first).slice(0, 8)) run(r, one);
}

function evaluated(r: Reader, args: [number, number][]): void {
  if (r.depth > 3 || !args[0]) return;
  for (const one of flat(evaluate(r, ...args[0])).slice(0, 4))
    if (isKnown(one)) readCode(r.m, one, r.language, r.argv, r.via, r.call);
}

let nesting = 0;

/** Reads a program in another language for the files it changes and the commands it starts. */
export function readCode(
  m: Machine,
  source: string,
  language: Language,
  argv: string[],
  via: string,
  call: Call,
): void {
  if (nesting > 4) return;
  nesting++;
  try {
    if (language === 'tcl') {
      tcl(m, source, via, call);
      return;
    }
    const r: Reader = {
      m,
      call,
      language,
      argv,
      tokens: tokenize(source, language),
      vars: new Map(),
      names: new Map(),
      via,
      depth: 0,
    };
    bind(r);
    scan(r);
  } finally {
    nesting--;
  }
}

function tcl(m: Machine, source: string, via: string, call: Call): void {
  for (const found of source.matchAll(
    /(?:^|[;[\n{])\s*(exec|spawn|system|file\s+(?:delete|rename|copy|mkdir|link)|open|log_file)\s+([^;\]\n}]*)/g,
  )) {
    const words = found[2]!.split(/\s+/).map(word => word.replace(/^["{]|["}]$/g, ''));
    const verb = found[1]!;
    if (/^(?:exec|spawn|system)$/.test(verb))
      m.script(found[2]!, { ...call, scope: copyScope(call.scope), stdin: nothing });
    else if (verb === 'open') {
      if (/[wa+]/.test(words[1] ?? '')) touch(m, call.scope, 'write', words[0] ?? '', via);
    } else
      for (const word of words.filter(word => word !== '' && !word.startsWith('-')))
        touch(m, call.scope, /delete/.test(verb) ? 'delete' : 'rename', word, via, { deep: true });
  }
}
