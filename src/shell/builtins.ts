import { bare, envCommand } from './env-command.ts';
import {
  type Call,
  copyScope,
  fileText,
  type Machine,
  nothing,
  path,
  type Scope,
  type Text,
  unknown,
} from './machine.ts';
import { alternatives, either, isKnown, UNKNOWN } from './marks.ts';

const STDIN = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

/** Moves the shell; where the folder is not there the old one stays possible. */
function enter(m: Machine, scope: Scope, word: string): void {
  const next: string[] = [];
  for (const option of alternatives(word))
    for (const cwd of scope.cwd) {
      const one = { ...scope, cwd: [cwd] };
      const at = option === '' ? cwd : path(m, one, option);
      if (!isKnown(at)) {
        next.push(option.startsWith(UNKNOWN) ? UNKNOWN : at);
        continue;
      }
      const there =
        m.tree.isDirectory(at) ||
        m.made.has(at) ||
        [...m.made].some(made => made.startsWith(`${at}/`)) ||
        m.links.has(at);
      const relative = !/^(?:\/|\.\.?(?:\/|$))/.test(option);
      let found = there;
      if (!there && relative)
        for (const base of (scope.vars.get('CDPATH')?.[0] ?? m.env.CDPATH ?? '').split(':')) {
          const via = base && path(m, one, `${base}/${option}`);
          if (via && isKnown(via) && m.tree.isDirectory(via)) {
            next.push(via);
            found = true;
          }
        }
      if (there) next.push(at);
      else if (!found) next.push(at, cwd);
    }
  scope.cwd = [...new Set(next)].slice(0, 4);
}

function assignments(args: string[], scope: Scope, exported: boolean): void {
  for (const arg of args) {
    const set = /^(\w+)=(.*)$/s.exec(arg);
    if (set && !scope.vars.has(set[1]!)) scope.vars.set(set[1]!, [set[2]!]);
    if (set && scope.vars.get(set[1]!)?.length === 1) scope.vars.set(set[1]!, [set[2]!]);
    if (exported && /^\w+/.test(arg)) scope.exported.add(/^\w+/.exec(arg)![0]);
  }
}

function read(args: string[], call: Call): void {
  const names: string[] = [];
  let array = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (/^-\w*[adinNptu]$/.test(arg)) {
      if (arg.endsWith('a')) {
        array = true;
        names.push(args[i + 1] ?? '');
      }
      i++;
    } else if (!arg.startsWith('-')) names.push(arg);
  }
  const text = call.stdin();
  if (text === UNKNOWN || !isKnown(text) || text === '') {
    for (const name of names.length > 0 ? names : ['REPLY'])
      call.scope.vars.set(name, [text === '' ? UNKNOWN : text.replace(/\n[\s\S]*$/, '')]);
    return;
  }
  const line = text.replace(/\n[\s\S]*$/, '');
  if (names.length === 0) {
    call.scope.vars.set('REPLY', [line]);
    return;
  }
  const ifs = call.env?.IFS ?? call.scope.vars.get('IFS')?.[0] ?? ' \t\n';
  const parts =
    ifs === ''
      ? [line]
      : line.trim().split(ifs === ' \t\n' ? /[ \t]+/ : new RegExp(`[${ifs.replace(/[\\\]^-]/g, '\\$&')}]`));
  if (array) call.scope.vars.set(names[0]!, parts);
  else
    names.forEach((name, i) => {
      const last = i === names.length - 1;
      call.scope.vars.set(name, [last ? (ifs === '' ? line : parts.slice(i).join(' ')) : (parts[i] ?? '')]);
    });
}

function setOptions(args: string[], scope: Scope): void {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') {
      scope.args = args.slice(i + 1);
      return;
    }
    if (!/^[-+]/.test(arg)) {
      scope.args = args.slice(i);
      return;
    }
    const on = arg[0] === '-';
    if (arg.includes('e')) scope.errexit = on;
    if (arg.endsWith('o')) {
      if (args[i + 1] === 'pipefail') scope.pipefail = on;
      if (args[i + 1] === 'errexit') scope.errexit = on;
      i++;
    }
  }
}

/** Shell builtins; undefined for everything else. */
export function builtin(m: Machine, name: string, args: string[], call: Call): Text | undefined {
  const { scope } = call;
  switch (name) {
    case 'cd':
    case 'chdir':
    case 'pushd': {
      const words = args.filter((arg, i) => !(/^-[LPe@n]+$/.test(arg) || (arg === '--' && i < 2)));
      if (name === 'pushd') scope.stack = [...scope.stack, scope.cwd];
      const before = scope.cwd;
      const word = words[0];
      if (name === 'pushd' && (word === undefined || /^[+-]\d$/.test(word))) return nothing;
      if (word === '-') {
        const old = scope.vars.get('OLDPWD')?.[0];
        scope.cwd = old ? alternatives(old) : scope.cwd;
      } else enter(m, scope, word ?? m.home);
      scope.vars.set('OLDPWD', [either(before)]);
      return nothing;
    }
    case 'popd': {
      const back = scope.stack.at(-1);
      if (back) {
        scope.cwd = back;
        scope.stack = scope.stack.slice(0, -1);
      }
      return nothing;
    }
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      assignments(args, scope, name === 'export');
      return nothing;
    case 'unset':
      for (const arg of args) {
        scope.vars.delete(arg);
        scope.functions.delete(arg);
      }
      return nothing;
    case 'let':
      for (const arg of args) {
        const target = /^\w+/.exec(arg)?.[0];
        if (target) scope.vars.set(target, [UNKNOWN]);
      }
      return nothing;
    case 'read':
      read(args, call);
      return nothing;
    case 'mapfile':
    case 'readarray': {
      const text = call.stdin();
      const target = args.filter(arg => !arg.startsWith('-')).at(-1) ?? 'MAPFILE';
      scope.vars.set(target, text === UNKNOWN ? [UNKNOWN] : text.replace(/\n$/, '').split('\n').slice(0, 512));
      return nothing;
    }
    case 'getopts':
      scope.vars.set(args[1] ?? '', [UNKNOWN]);
      return nothing;
    case 'set':
      setOptions(args, scope);
      return nothing;
    case 'shopt':
      if (args.includes('globstar')) scope.globstar = args.includes('-s');
      return nothing;
    case 'shift': {
      scope.args = scope.args.slice(Number(args[0] ?? 1) || 1);
      return nothing;
    }
    case 'alias':
      for (const arg of args) {
        const at = arg.indexOf('=');
        if (at > 0) scope.aliases.set(arg.slice(0, at), arg.slice(at + 1));
      }
      return nothing;
    case 'unalias':
      for (const arg of args) scope.aliases.delete(arg);
      return nothing;
    case 'eval':
      return m.script(args.join(' '), call);
    case 'trap': {
      const [code, ...rest] = args[0] === '--' ? args.slice(1) : args;
      if (code && code !== '-' && rest.length > 0 && !code.startsWith('-'))
        m.script(code, { ...call, scope: copyScope(scope) });
      return nothing;
    }
    case 'source':
    case '.': {
      const file = path(m, scope, args[0] ?? '');
      const text = STDIN.test(args[0] ?? '') ? call.stdin() : isKnown(file) ? fileText(m, file) : null;
      if (isKnown(file)) m.scripts.add(file);
      if (text === null || text === UNKNOWN) scope.loose = true;
      else {
        const before = scope.args;
        if (args.length > 1) scope.args = args.slice(1);
        m.script(text, call);
        scope.args = before;
        scope.dead = false;
      }
      return unknown;
    }
    case 'exit':
    case 'return':
    case 'logout':
      scope.dead = true;
      return nothing;
    case 'exec': {
      let i = 0;
      while (args[i]?.startsWith('-')) i += args[i] === '-a' ? 2 : 1;
      if (i >= args.length) return nothing;
      const out = m.start(args.slice(i), call);
      scope.dead = true;
      return out;
    }
    case 'command': {
      if (args.some((arg, i) => /^-[pvV]*[vV]/.test(arg) && i < 2))
        return () => `${args.filter(arg => !arg.startsWith('-')).join('\n')}\n`;
      const i = args.findIndex(arg => !/^-p$|^--$/.test(arg));
      // `command` skips functions and aliases.
      return i < 0 ? nothing : m.start(args.slice(i), { ...call, scope: bare(scope, args[i]!) });
    }
    case 'type':
      return /^-[pP]$/.test(args[0] ?? '') ? () => `${args.slice(1).join('\n')}\n` : unknown;
    case 'env':
      return envCommand(m, args, call);
    case 'jobs':
      return args[0] === '-x' ? m.start(args.slice(1), call) : nothing;
    case 'hash':
    case 'ulimit':
    case 'umask':
    case 'wait':
    case 'disown':
    case 'bg':
    case 'fg':
    case 'break':
    case 'continue':
    case 'false':
    case 'sleep':
    case 'kill':
    case 'enable':
    case 'complete':
    case 'bind':
    case 'history':
    case 'times':
      return nothing;
    default:
      return undefined;
  }
}
