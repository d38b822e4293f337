import { builtin } from './builtins.ts';
import { type Call, copyScope, deeper, type Machine, nothing, path, type Text, touch, unknown } from './machine.ts';
import { isKnown, plain, UNKNOWN } from './marks.ts';
import { names } from './names.ts';
import { applyRow } from './operands.ts';
import { output } from './output.ts';
import type { Row } from './row.ts';
import { ROWS, WRAPPERS, type Wrapper } from './table/rows.ts';
import { callFunction } from './walk.ts';

const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function record(m: Machine, argv: string[], call: Call): void {
  if (m.invocations.length >= 4096) return;
  m.invocations.push({
    argv,
    cwd: call.scope.cwd[0]!,
    ...(m.span ? { span: m.span } : {}),
    ...(m.mask ? { masked: m.mask } : {}),
    ...(call.env ? { env: call.env } : {}),
  });
}

/** Variables whose value a shell, git or another program runs as a command. */
const COMMAND_VARS = names(
  'PROMPT_COMMAND BASH_ENV ENV EDITOR VISUAL PAGER GIT_EDITOR GIT_PAGER GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_SSH_COMMAND ' +
    'GIT_ASKPASS SSH_ASKPASS LESSOPEN MANPAGER',
);

function commandVars(m: Machine, call: Call): void {
  for (const [name, value] of Object.entries(call.env ?? {})) {
    if (!COMMAND_VARS.has(name) || !isKnown(value) || value === '') continue;
    if (name === 'BASH_ENV' || name === 'ENV')
      m.parts.interpreters().scriptFile(m, 'bash', path(m, call.scope, value), [], call);
    else m.script(value, { scope: copyScope(call.scope), stdin: nothing });
  }
}

/** Starts a program: aliases and functions of this very command first, then wrappers, then the table. */
export function start(m: Machine, argv: string[], call: Call): Text {
  const [head, ...args] = argv;
  if (head === undefined) return nothing;
  return deeper(m, argv.join(' '), unknown, () => {
    const { scope } = call;
    const alias = scope.aliases.get(head);
    if (alias !== undefined) {
      const inner = {
        ...call,
        scope: { ...scope, aliases: new Map([...scope.aliases].filter(([name]) => name !== head)), args },
      };
      return m.script(`${alias} ${args.map(quoteWord).join(' ')}`, inner);
    }
    const body = scope.functions.get(head);
    if (body) return callFunction(m, body, args, call);
    if (!isKnown(head) && head.replaceAll(UNKNOWN, '') === '') {
      // An unknown word in front: what follows may be the command.
      return args.length > 0 && isKnown(args[0]!) && !args[0]!.startsWith('-') ? start(m, args, call) : unknown;
    }
    commandVars(m, call);
    return program(m, head, args, call);
  });
}

/** Read by `far.ts`. */
const FAR = names(
  'find gfind awk gawk nawk mawk original-awk xargs gxargs parallel sem watch hyperfine concurrently cross-env-shell nodemon entr at ' +
    'batch crontab pee tmux install dd ln zip rsync sqlite3 gzip bzip2 xz zstd mktemp split csplit curl wget tsc cpio pax tar gtar ' +
    'bsdtar unzip 7z 7zz 7za unrar patch gpatch',
);

/** Read by `interpreters.ts`. */
const INTERPRETERS = names(
  'sh bash dash zsh ksh ash mksh pdksh yash rbash python pypy perl ruby jruby php lua luajit tclsh node nodejs bun deno tsx ts-node ' +
    'esr babel-node expect wish Rscript R',
);

/** Read by `packages.ts`. */
const PACKAGES = names(
  'npm pnpm yarn npx bunx pnpx make gmake just jest vitest ava tap pytest py.test phpunit playwright ruff cargo go dotnet mix next ng ' +
    'dart pre-commit husky lefthook bun',
);

/** It starts programs and manages packages: `bun x.ts`, `bun run build`. */
const managesPackages = (name: string, args: string[]): boolean =>
  name === 'bun' && !/[./]/.test(args.find(arg => !arg.startsWith('-')) ?? './');

function elsewhere(m: Machine, name: string, args: string[], call: Call): Text | undefined {
  if (FAR.has(name)) return m.parts.far().farCommand(m, name, args, call);
  return PACKAGES.has(name) ? m.parts.packages().packageCommand(m, name, args, call) : undefined;
}

/** Builtins that take the name of a variable, and evaluate the subscript in it. */
const NAMING = names('[ test printf read unset declare typeset local readonly export let');

function subscripts(m: Machine, name: string, args: string[], call: Call): void {
  const always = !/^(?:\[|test|printf)$/.test(name);
  for (const [i, arg] of args.entries()) {
    const inner = /^(?:-v)?[a-zA-Z_]\w*\[(.*[$`].*)\]/s.exec(arg)?.[1];
    if (inner && (always || arg.startsWith('-v') || /^-[vR]$/.test(args[i - 1] ?? '')))
      m.script(`: ${plain(inner)}`, { ...call, scope: copyScope(call.scope) });
  }
}

const EDITORS = names('ed ex vi vim nvim');

function program(m: Machine, head: string, args: string[], call: Call): Text {
  // Patterns that fold case are the dearest: a name without a dot needs none.
  const base = head.slice(head.lastIndexOf('/') + 1);
  const name = base.includes('.') ? base.replace(/\.(?:exe|cmd)$/i, '') : base;
  if (NAMING.has(name)) subscripts(m, name, args, call);
  if (name === '[' || name === 'test' || name === ':' || name === 'true') return nothing;
  const done = builtin(m, name, args, call);
  if (done) return done;
  const wrapper = WRAPPERS[name];
  if (wrapper) {
    const inner = unwrap(m, name, args, wrapper, call);
    if (inner) return inner;
  }
  record(m, [head, ...args], call);
  if (name === 'git') return m.parts.git().gitCommand(m, args, call);
  if (!managesPackages(name, args) && (INTERPRETERS.has(name) || INTERPRETERS.has(name.replace(/[\d.]+$/, ''))))
    return m.parts.interpreters().interpreter(m, name, args, call);
  const special = elsewhere(m, name, args, call);
  if (special) return special;
  const row: Row | undefined = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
  if (row) {
    if (name === 'sed' || name === 'gsed') return m.parts.edit().sed(m, name, args, call);
    if (EDITORS.has(name) && m.parts.edit().onlyLooks(m, name, args, call)) return unknown;
    applyRow(m, name, args, row, call);
  } else if (head.includes('/')) m.parts.interpreters().scriptFile(m, undefined, path(m, call.scope, head), args, call);
  if (name === 'tee') {
    const text = call.stdin;
    for (const file of args) if (!file.startsWith('-')) m.files.set(path(m, call.scope, file), text);
    for (const effect of m.effects.slice(-args.length))
      if (effect.via === 'tee') {
        effect.content = () => (isKnown(text()) ? text() : undefined);
        if (args.some(arg => /^(?:-\w*a|--append)/.test(arg))) effect.append = true;
      }
  }
  return output(m, name, args, call) ?? unknown;
}

/** Peels one wrapper; undefined when it wraps nothing here. */
function unwrap(m: Machine, name: string, args: string[], row: Wrapper, call: Call): Text | undefined {
  const valued = new Set([row.val, row.code, row.out].filter(Boolean).join(' ').split(' '));
  let i = 0;
  let { scope } = call;
  const env: Record<string, string> = { ...call.env };
  for (; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') {
      i++;
      break;
    }
    if (arg.startsWith('-') && arg.length > 1) {
      const long = /^--([^=]+)(=)?/.exec(arg);
      const letter = long ? long[1]! : [...arg.slice(1)].find(c => valued.has(c));
      if (letter === undefined || !valued.has(letter)) continue;
      const glued = long
        ? long[2]
          ? arg.slice(long[0].length)
          : undefined
        : arg.slice(arg.indexOf(letter) + 1) || undefined;
      const value = glued ?? args[++i] ?? '';
      if (row.code?.split(' ').includes(letter)) {
        record(m, [name, ...args], call);
        for (const rest of name === 'script' ? args.slice(i + 1) : [])
          if (!rest.startsWith('-')) touch(m, scope, 'write', rest, name);
        return m.script(value, { ...call, scope: copyScope(scope) });
      }
      if (row.out?.split(' ').includes(letter)) touch(m, scope, 'write', value, name);
      if ((letter === 'D' || letter === 'chdir') && name === 'sudo')
        scope = { ...copyScope(scope), cwd: [path(m, scope, value)] };
      continue;
    }
    const set = row.assigns && /^(\w+)=(.*)$/s.exec(arg);
    if (!set) break;
    env[set[1]!] = set[2]!;
  }
  if (row.verb) {
    if (!row.verb.split(' ').includes(args[i] ?? '')) return;
    i++;
    while (args[i]?.startsWith('-') && args[i] !== '--') i += valued.has(args[i]!.replace(/^--?/, '')) ? 2 : 1;
    if (args[i] === '--') i++;
  }
  if (row.code) {
    // `flock FILE -c ..`, `su USER -c ..`: the command string may come after the operand.
    const at = args.findIndex(
      (arg, k) => k >= i && row.code!.split(' ').some(flag => arg === (flag.length > 1 ? `--${flag}` : `-${flag}`)),
    );
    if (at >= 0 && (name === 'su' || at === i + 1)) {
      record(m, [name, ...args], call);
      return m.script(args[at + 1] ?? '', { ...call, scope: copyScope(scope) });
    }
  }
  i += row.skip ?? 0;
  const rest = args.slice(i);
  if (rest.length === 0) return;
  const next: Call = { ...call, scope, ...(Object.keys(env).length > 0 ? { env } : {}) };
  return m.start(row.as ? [row.as, ...rest] : rest, next);
}
