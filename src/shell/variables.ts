import type { Machine, Scope } from './machine.ts';
import { either, UNKNOWN } from './marks.ts';

export function lookup(m: Machine, scope: Scope, name: string): string[] | undefined {
  const set = scope.vars.get(name);
  if (set) return set;
  if (/^\d+$/.test(name)) {
    if (name === '0') return ['bash'];
    const value = scope.args[Number(name) - 1];
    return value === undefined ? undefined : [value];
  }
  if (name === '@' || name === '*') return scope.args;
  if (name === '#') return [String(scope.args.length)];
  if (name === 'PWD') return [either(scope.cwd)];
  if (name === 'IFS') return [' \t\n'];
  if (name === 'HOME') return [m.home];
  if (name === 'SHELL' || name === 'BASH') return ['/bin/bash'];
  if (name === 'CLAUDE_PROJECT_DIR') return [m.root];
  if (
    /^(?:[?$!_-]|RANDOM|SRANDOM|SECONDS|EPOCH\w*|LINENO|HOSTNAME|HOSTTYPE|OSTYPE|UID|EUID|PPID|BASHPID|OLDPWD|REPLY|BASH\w+)$/.test(
      name,
    )
  )
    return [UNKNOWN];
  const inherited = m.env[name];
  if (inherited !== undefined) return [inherited];
  return scope.loose ? [UNKNOWN] : undefined;
}
