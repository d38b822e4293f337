import type { Language } from './code.ts';
import { type Call, copyScope, fileText, type Machine, path, readBy, type Text, touch, unknown } from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { SMALL_FILE } from './port.ts';

type Kind = { language: Language | 'shell'; code: string; val?: string; load?: string };

const SHELL: Kind = { language: 'shell', code: 'c', val: 'O o rcfile init-file' };
const KINDS: [RegExp, Kind][] = [
  [/^(?:ba|da|z|k|a|mk|pdk|ya)?sh$|^rbash$/, SHELL],
  [/^(?:python|pypy)[\d.]*$/, { language: 'python', code: 'c', val: 'W X m' }],
  [
    /^(?:node|nodejs|bun|deno|tsx|ts-node|esr|babel-node)$/,
    {
      language: 'js',
      code: 'e p eval print pe',
      val: 'r require import loader C conditions input-type experimental-loader env-file',
      load: 'r require import loader experimental-loader',
    },
  ],
  [/^perl[\d.]*$/, { language: 'perl', code: 'e E', val: 'I M m' }],
  [/^j?ruby[\d.]*$/, { language: 'ruby', code: 'e', val: 'I r C E', load: 'r' }],
  [/^php[\d.]*$/, { language: 'php', code: 'r B R E', val: 'd c z S t' }],
  [/^lua(?:jit)?[\d.]*$/, { language: 'lua', code: 'e', val: 'l' }],
  [/^(?:tclsh[\d.]*|expect|wish)$/, { language: 'tcl', code: 'c', val: 'f' }],
  [/^(?:Rscript|R)$/, { language: 'python', code: 'e' }],
];

const kindOf = (name: string): Kind | undefined => KINDS.find(([test]) => test.test(name))?.[1];

/** Code handed to an interpreter by flag, operand or standard input. */
export function interpreter(m: Machine, name: string, args: string[], call: Call): Text {
  const kind = kindOf(name)!;
  const { scope } = call;
  const codes = new Set(kind.code.split(' '));
  const valued = new Set((kind.val ?? '').split(' '));
  const loads = new Set((kind.load ?? '').split(' '));
  const given: string[] = [];
  let inplace = false;
  let stdin = false;
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i]!;
    if (/^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(arg)) {
      stdin = true;
      i++;
      break;
    }
    if (arg === '--') {
      i++;
      break;
    }
    if (!arg.startsWith('-') && !(kind === SHELL && /^\+[a-zA-Z]/.test(arg))) break;
    const long = /^--([\w-]+)(?:=(.*))?$/s.exec(arg);
    if (long) {
      const value = long[2];
      if (codes.has(long[1]!)) given.push(value ?? args[++i] ?? '');
      else if (valued.has(long[1]!)) {
        const loaded = value ?? args[++i] ?? '';
        if (loads.has(long[1]!)) load(m, loaded, call);
      } else if (long[1] === 'run' || long[1] === 'test') continue;
      continue;
    }
    if (kind === SHELL) {
      // In a cluster like `-lc` the string is the next operand, after all options.
      if (/^-\w*o$/.test(arg) || /^[-+]O$/.test(arg)) i++;
      if (arg.startsWith('-') && arg.includes('c')) given.push('\0');
      if (arg.includes('s')) stdin = true;
      continue;
    }
    if (name === 'deno') continue;
    for (let k = 1; k < arg.length; k++) {
      const letter = arg[k]!;
      if (kind.language === 'python' && letter === 'm')
        return module(m, name, arg.slice(k + 1) || (args[++i] ?? ''), args.slice(i + 1), call);
      if (letter === 'i' && (kind.language === 'perl' || kind.language === 'ruby')) {
        inplace = true;
        // What follows `i` in a cluster is the backup suffix.
        break;
      }
      if ((letter === '0' || letter === 'l') && kind.language === 'perl') {
        while (/[0-9a-fA-Fx]/.test(arg[k + 1] ?? '') && /\d/.test(arg[k + 1] ?? '')) k++;
        continue;
      }
      if (codes.has(letter)) {
        const rest = arg.slice(k + 1);
        given.push(rest !== '' && kind.language !== 'js' ? rest : (args[++i] ?? ''));
        break;
      }
      if (valued.has(letter)) {
        const value = arg.slice(k + 1) || (args[++i] ?? '');
        if (loads.has(letter)) load(m, value, call);
        break;
      }
    }
  }
  let rest = args.slice(i);
  if (kind === SHELL && given.length > 0) {
    const [text = '', zero = name, ...positional] = rest;
    return isKnown(text) || text.replaceAll(UNKNOWN, '').length > 0
      ? m.script(text, {
          ...call,
          scope: {
            ...copyScope(scope),
            args: positional,
            functions: exportedOnly(call),
            aliases: new Map(),
            vars: withOwn(call, ['0', [zero]]),
          },
        })
      : unknown;
  }
  const via = `${name} -${kind.code[0]}`;
  if (given.length > 0) {
    const before = m.effects.length;
    if (inplace) for (const file of rest) touch(m, scope, 'write', file, `${name} -i`);
    if (inplace && kind.language === 'perl' && args.some(arg => /^-[^-i]*p/.test(arg)))
      m.parts.edit().perl(m, before, `${name} -i`, given.join(';'), args.includes('-0777'));
    if (kind.language !== 'shell') m.parts.code().readCode(m, given.join('\n'), kind.language, rest, via, call);
    return printed(m, kind.language, given.join('\n'));
  }
  if ((name === 'deno' || name === 'bun') && /^(?:run|test|eval|task|x|install|add|fmt)$/.test(rest[0] ?? '')) {
    if (rest[0] === 'eval') {
      m.parts.code().readCode(m, rest[1] ?? '', 'js', rest.slice(2), via, call);
      return unknown;
    }
    rest = rest.slice(1);
    while (rest[0]?.startsWith('-')) rest = rest.slice(1);
  }
  const file = stdin ? undefined : rest[0];
  // A syntax check runs nothing.
  if (args.includes('--check') || (name === 'node' && args.includes('-c')) || (kind === SHELL && args[0] === '-n'))
    return unknown;
  if (file === undefined) {
    const text = call.stdin();
    if (text === UNKNOWN || text === '') return unknown;
    const positional = kind === SHELL || stdin ? rest : rest.slice(1);
    if (kind.language === 'shell')
      return m.script(text, {
        scope: {
          ...copyScope(scope),
          args: positional,
          functions: exportedOnly(call),
          aliases: new Map(),
          vars: withOwn(call),
        },
        stdin: unknown,
        ...(call.env ? { env: call.env } : {}),
      });
    readBy(m, text);
    m.parts.code().readCode(m, text, kind.language, positional, `${name} -`, call);
    return unknown;
  }
  return scriptFile(m, name, path(m, scope, file), rest.slice(1), call);
}

/** A new shell knows the functions of the old one only when they were exported. */
const exportedOnly = (call: Call): Call['scope']['functions'] =>
  new Map([...call.scope.functions].filter(([name]) => call.scope.exported.has(name)));

/** `F=x bash -c ...`: what is set for the call is known to the shell it starts. */
const withOwn = (call: Call, ...more: [string, string[]][]): Map<string, string[]> =>
  new Map([
    ...call.scope.vars,
    ...Object.entries(call.env ?? {}).map(([name, value]): [string, string[]] => [name, [value]]),
    ...more,
  ]);

function load(m: Machine, word: string, call: Call): void {
  if (/^[./]/.test(word)) scriptFile(m, 'node', path(m, call.scope, word), [], call);
}

/** Simple `print("...")` programs, so that `$(python -c ...)` keeps its value. */
function printed(_m: Machine, language: string, code: string): Text {
  const found =
    /^\s*(?:print|puts|console\.log|echo|process\.stdout\.write)\s*\(?\s*(["'])((?:(?!\1)[^\\$#{])*)\1\s*\)?\s*;?\s*$/.exec(
      code,
    );
  return found && language !== 'shell' ? () => `${found[2]!}\n` : unknown;
}

const EXTENSION: Record<string, string> = {
  sh: 'bash',
  bash: 'bash',
  zsh: 'zsh',
  py: 'python3',
  js: 'node',
  cjs: 'node',
  mjs: 'node',
  ts: 'node',
  mts: 'node',
  pl: 'perl',
  rb: 'ruby',
  php: 'php',
  lua: 'lua',
};

/** Reads a script file that is about to run, when it is small. */
export function scriptFile(m: Machine, name: string | undefined, file: string, args: string[], call: Call): Text {
  if (!isKnown(file)) return unknown;
  const real =
    m.files.has(file) || m.tree.exists(file)
      ? file
      : (['.js', '.cjs', '.mjs', '.ts', '/index.js'].map(end => file + end).find(one => m.tree.exists(one)) ?? file);
  if (!file.startsWith('/dev/fd/')) m.scripts.add(real);
  const text = /\/node_modules\//.test(real) ? null : fileText(m, real);
  if (text === null || !isKnown(text) || text.length > SMALL_FILE || /^\x7fELF/.test(text)) return unknown;
  const shebang = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+)*)?([\w.+-]+)/.exec(text)?.[1];
  const by = name ?? shebang ?? EXTENSION[/\.(\w+)$/.exec(real)?.[1] ?? ''] ?? (m.files.has(real) ? 'bash' : undefined);
  const kind = by === undefined ? undefined : kindOf(by);
  if (!kind) return unknown;
  const scope = { ...copyScope(call.scope), args, functions: exportedOnly(call), aliases: new Map<string, string>() };
  if (kind.language === 'shell') return m.script(text, { ...call, scope });
  m.parts.code().readCode(m, text, kind.language, args, `${by} ${real.replace(/^.*\//, '')}`, call);
  return unknown;
}

function module(m: Machine, name: string, module: string, args: string[], call: Call): Text {
  if (module === 'zipfile' || module === 'tarfile') {
    m.parts.far().pythonArchive(m, module, args, call);
    return unknown;
  }
  if (/^(?:pytest|black|isort|ruff|autopep8|yapf|coverage|pyupgrade|autoflake|docformatter)$/.test(module))
    return m.start([module, ...args], call);
  if (module === 'json.tool' || module === 'gzip' || module === 'base64') {
    const operands = args.filter(arg => !arg.startsWith('-'));
    if (module === 'json.tool' && operands[1]) touch(m, call.scope, 'write', operands[1], `${name} -m json.tool`);
    return unknown;
  }
  if (module === 'venv' || module === 'virtualenv')
    for (const dir of args.filter(arg => !arg.startsWith('-')))
      touch(m, call.scope, 'create', `${dir}/pyvenv.cfg`, `${name} -m ${module}`);
  const file = path(m, call.scope, module.replaceAll('.', '/'));
  for (const one of [`${file}.py`, `${file}/__main__.py`])
    if (isKnown(one) && m.tree.exists(one)) return scriptFile(m, name, one, args, call);
  return unknown;
}
