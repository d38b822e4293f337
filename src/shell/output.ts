import { type Call, type Machine, once, path, type Text, textAsOfNow, unknown } from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { parseArgs } from './operands.ts';

const ESCAPES: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
  E: '\x1b',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** Backslash escapes of `printf` and `echo -e`. */
export const unbackslash = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|(.))/gs,
    (all, hex, u4, u8, octal, c) => {
      if (hex ?? u4 ?? u8) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(hex ?? u4 ?? u8, 16)));
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      return ESCAPES[c] ?? all;
    },
  );

export function printf(args: string[]): string {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  const text = unbackslash(format);
  let out = '';
  let i = 0;
  for (let round = 0; round < 512; round++) {
    const before = i;
    out += text.replace(/%(?:%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))/g, (all, kind) => {
      if (all === '%%') return '%';
      const value = values[i++] ?? '';
      if (kind === 's' || kind === 'q')
        return all.length === 2 ? value : /^%-?\d+s$/.test(all) ? value.padEnd(0) : UNKNOWN;
      if (kind === 'b') return unbackslash(value);
      if (kind === 'd' || kind === 'i') return /^-?\d+$/.test(value) && all.length === 2 ? value : UNKNOWN;
      if (kind === 'c') return value.slice(0, 1);
      return UNKNOWN;
    });
    if (i >= values.length || i === before) break;
  }
  return out;
}

const FRESH = 'fresh~0';
const lines = (list: string[]): string => (list.length > 0 ? `${list.join('\n')}\n` : '');

/** What the everyday printing programs print; undefined for all others. */
export function output(m: Machine, name: string, args: string[], call: Call): Text | undefined {
  const { scope, stdin } = call;
  switch (name) {
    case 'echo': {
      const flags = /^-[neE]+$/.exec(args[0] ?? '')?.[0] ?? '';
      const text = (flags ? args.slice(1) : args).join(' ');
      const body = flags.includes('e') ? unbackslash(text) : text;
      return () => body + (flags.includes('n') ? '' : '\n');
    }
    case 'printf': {
      if (args[0] === '-v') {
        scope.vars.set(args[1] ?? '', [printf(args.slice(2))]);
        return () => '';
      }
      const text = printf(args);
      return () => text;
    }
    case 'cat':
    case 'tac': {
      const files = args
        .filter(arg => arg === '-' || !arg.startsWith('-'))
        .map(arg => (arg === '-' ? stdin : textAsOfNow(m, path(m, scope, arg))));
      if (files.length === 0) return name === 'cat' ? stdin : unknown;
      return once(() => files.map(text => text() ?? UNKNOWN).join(''));
    }
    case 'tee':
      return stdin;
    case 'pwd':
      return () => `${scope.cwd[0]}\n`;
    case 'which':
      return () => lines(args.filter(arg => !arg.startsWith('-')));
    case 'basename': {
      const plain = args.filter(arg => !arg.startsWith('-'));
      const text = (plain[0] ?? '').replace(/\/+$/, '').replace(/^.*\//, '');
      const suffix = plain[1] ?? '';
      return () => `${suffix && text.endsWith(suffix) && text !== suffix ? text.slice(0, -suffix.length) : text}\n`;
    }
    case 'dirname': {
      const text = args.at(-1) ?? '';
      const cut = text.replace(/\/+$/, '').replace(/\/?[^/]*$/, '');
      return () => `${cut || (text.startsWith('/') ? '/' : '.')}\n`;
    }
    case 'realpath':
    case 'readlink': {
      const file = args.filter(arg => !arg.startsWith('-')).at(-1);
      return () => (file === undefined ? UNKNOWN : `${path(m, scope, file)}\n`);
    }
    case 'ls':
      return once(() => {
        const plain = args.filter(arg => !arg.startsWith('-'));
        const long = args.some(arg => /^-[a-zA-Z]*[lRs]/.test(arg));
        if (long) return UNKNOWN;
        const out: string[] = [];
        for (const operand of plain.length > 0 ? plain : ['.']) {
          const at = path(m, scope, operand);
          const dir = isKnown(at) && m.tree.isDirectory(at) && !args.includes('-d');
          out.push(...(dir ? m.tree.list(at).filter(entry => !entry.startsWith('.')) : [operand]));
        }
        return lines(out);
      });
    case 'grep':
    case 'egrep':
    case 'rg':
    case 'fgrep': {
      const listing = args.some(arg => /^-[a-zA-Z]*[lL]/.test(arg) || arg === '--files-with-matches');
      if (!listing) return once(() => filter(stdin(), args));
      const more = name === 'rg' ? ['-r', '-E'] : name === 'egrep' ? ['-E'] : name === 'fgrep' ? ['-F'] : [];
      return once(() => m.parts.far().grepFiles(m, [...more, ...args], call, name === 'rg'));
    }
    case 'head':
    case 'tail':
      // Which lines come through does not matter as much as which could.
      return args.some(arg => !/^-/.test(arg) && !/^\d+$/.test(arg)) ? unknown : once(() => pick(stdin(), name, args));
    case 'sort':
    case 'uniq':
    case 'shuf':
      return args.some(arg => !arg.startsWith('-')) ? unknown : stdin;
    case 'base64':
      return args.some(arg => /^(-d|-D|--decode)$/.test(arg))
        ? once(() => (isKnown(stdin()) ? Buffer.from(stdin(), 'base64').toString('utf8') : UNKNOWN))
        : unknown;
    case 'rev':
      return once(() =>
        isKnown(stdin()) ? stdin().replace(/[^\n]+/g, line => [...line].reverse().join('')) : UNKNOWN,
      );
    case 'tr':
      return once(() => translate(stdin(), args));
    case 'xxd':
      return /^-[a-z]*r/.test(args[0] ?? '') && args.length <= 2
        ? once(() => (isKnown(stdin()) ? Buffer.from(stdin().replace(/\s+/g, ''), 'hex').toString('utf8') : UNKNOWN))
        : unknown;
    case 'seq': {
      const numbers = args.map(Number);
      if (numbers.some(Number.isNaN) || numbers.length === 0) return unknown;
      const [from, step, to] =
        numbers.length === 1
          ? [1, 1, numbers[0]!]
          : numbers.length === 2
            ? [numbers[0]!, 1, numbers[1]!]
            : (numbers as [number, number, number]);
      const out: string[] = [];
      for (let i = from; step > 0 ? i <= to : step < 0 && i >= to; i += step) if (out.push(String(i)) > 256) break;
      return () => lines(out);
    }
    case 'mktemp': {
      const dir =
        parseArgs(args, { val: 'p tmpdir suffix' }).flags.get('p')?.[0] ??
        scope.vars.get('TMPDIR')?.[0] ??
        m.env.TMPDIR ??
        '/tmp';
      const template = args.find((arg, i) => /X{3}/.test(arg) && !arg.startsWith('-') && args[i - 1] !== '-p');
      // A name that nothing has yet is as good as the one it will get.
      const name = template ? template.replace(/X{3,}/, FRESH) : `tmp.${FRESH}`;
      const made = `${template?.includes('/') ? '' : `${dir}/`}${name}`;
      if (args.some(arg => /^-[a-z]*d|^--directory/.test(arg))) m.made.add(`${path(m, scope, made)}/`);
      return () => `${made}\n`;
    }
    case 'jq':
    case 'date':
    case 'git':
      return undefined;
    default:
      return undefined;
  }
}

function filter(text: string, args: string[]): string {
  const plain = args.filter(arg => !arg.startsWith('-'));
  if (plain.length !== 1 || text === UNKNOWN || args.some(arg => /^-[a-zA-Z]*[oc]/.test(arg))) return UNKNOWN;
  try {
    const regex = new RegExp(plain[0]!);
    const inverse = args.some(arg => /^-[a-zA-Z]*v/.test(arg));
    return lines(text.split('\n').filter(line => line !== '' && (!isKnown(line) || regex.test(line) !== inverse)));
  } catch {
    return text;
  }
}

function pick(text: string, name: string, args: string[]): string {
  const count = Number(/\d+/.exec(args.join(' '))?.[0] ?? 10);
  if (!isKnown(text)) return text;
  const all = text.replace(/\n$/, '').split('\n');
  return lines(name === 'head' ? all.slice(0, count) : all.slice(-count));
}

function translate(text: string, args: string[]): string {
  const span = (set: string): string =>
    unbackslash(set).replace(/(.)-(.)/g, (_, a: string, b: string) => {
      let out = '';
      for (let i = a.charCodeAt(0); i <= b.charCodeAt(0) && out.length < 256; i++) out += String.fromCharCode(i);
      return out;
    });
  if (!isKnown(text)) return UNKNOWN;
  if (args[0] === '-d' && args.length === 2) {
    const drop = span(args[1]!);
    return [...text].filter(c => !drop.includes(c)).join('');
  }
  if (args.length !== 2 || args[0]!.startsWith('-')) return UNKNOWN;
  const [from, to] = [span(args[0]!), span(args[1]!)];
  return [...text].map(c => (from.includes(c) ? (to[Math.min(from.indexOf(c), to.length - 1)] ?? c) : c)).join('');
}
