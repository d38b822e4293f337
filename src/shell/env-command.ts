import { type Call, copyScope, type Machine, path, type Scope, type Text, unknown } from './machine.ts';
import { plain } from './marks.ts';

/** The same shell without one function or alias; variables stay shared. */
export function bare(scope: Scope, name: string): Scope {
  if (!scope.functions.has(name) && !scope.aliases.has(name)) return scope;
  const copy = { ...scope, functions: new Map(scope.functions), aliases: new Map(scope.aliases) };
  copy.functions.delete(name);
  copy.aliases.delete(name);
  return copy;
}

export function envCommand(m: Machine, args: string[], call: Call): Text {
  const env: Record<string, string> = { ...call.env };
  let { scope } = call;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const split = /^(?:-\w*S|--split-string=?)(.*)$/s.exec(arg);
    if (split && !/^--(?!split)/.test(arg)) {
      const text = split[1] || (args[++i] ?? '');
      return envCommand(m, [...words(plain(text)), ...args.slice(i + 1)], { ...call, env, scope });
    }
    if (/^(?:-C|--chdir)/.test(arg)) {
      const dir = arg.includes('=')
        ? arg.slice(arg.indexOf('=') + 1)
        : arg.length > 2 && arg[1] === 'C'
          ? arg.slice(2)
          : (args[++i] ?? '');
      scope = { ...copyScope(scope), cwd: [path(m, scope, dir)] };
    } else if (/^(?:-u|--unset)$/.test(arg)) i++;
    else if (arg === '--' || (arg.startsWith('-') && !arg.includes('/'))) continue;
    else if (/^\w+=/.test(arg)) env[arg.slice(0, arg.indexOf('='))] = arg.slice(arg.indexOf('=') + 1);
    else {
      const next = scope.functions.size + scope.aliases.size > 0 ? bare(scope, arg) : scope;
      return m.start(args.slice(i), { ...call, scope: next, ...(Object.keys(env).length > 0 ? { env } : {}) });
    }
  }
  return unknown;
}

/** Blank-separated words with quotes, as `env -S` and xargs split them. */
export function words(text: string): string[] {
  const out: string[] = [];
  for (const found of text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs))
    out.push(
      found[0].replace(
        /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
        (_, c, d, s) => c ?? (d !== undefined ? d.replace(/\\(.)/gs, '$1') : s),
      ),
    );
  return out;
}
