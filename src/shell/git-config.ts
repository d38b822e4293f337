/** What settings of git change: those of the environment, aliases, and what `git config` writes. */
import {
  type Call,
  copyScope,
  fileText,
  type Machine,
  path,
  type Scope,
  type Text,
  touch,
  unknown,
} from './machine.ts';

export type State = {
  scope: Scope;
  workTree: string | undefined;
  config: Map<string, string>;
  skip: string | undefined;
};

/** Where hooks live, so that a guard over that folder also sees a setting that moves it. */
const hooksDir = (m: Machine): string => `${m.root}/.git/hooks`;

export const isHookKey = (key: string): boolean => /^core\.hookspath$/i.test(key);
export const isInclude = (key: string): boolean => /^include(?:if\..*)?\.path$/i.test(key);

export function environment(m: Machine, call: Call, state: State): void {
  const env: Record<string, string> = { ...call.env };
  for (const name of [
    'HUSKY',
    'HUSKY_SKIP_HOOKS',
    'SKIP',
    'LEFTHOOK',
    'PRE_COMMIT_ALLOW_NO_CONFIG',
    'GIT_CONFIG_PARAMETERS',
    'GIT_CONFIG_GLOBAL',
    'GIT_CONFIG',
    'GIT_WORK_TREE',
    'GIT_CONFIG_COUNT',
    'OVERCOMMIT_DISABLE',
  ])
    if (env[name] === undefined && call.scope.vars.has(name)) env[name] = call.scope.vars.get(name)![0] ?? '';
  for (const [name, value] of Object.entries(env)) {
    if ((name === 'HUSKY' || name === 'LEFTHOOK') && /^(?:0|false)$/.test(value)) state.skip = `${name}=${value}`;
    if (/^(?:HUSKY_SKIP_HOOKS|OVERCOMMIT_DISABLE|SKIP)$/.test(name) && value !== '' && value !== '0')
      state.skip = `${name}=${value}`;
    if (name === 'GIT_CONFIG_PARAMETERS' && /hookspath|include/i.test(value)) state.skip = name;
    if (/^GIT_CONFIG_KEY_\d+$/.test(name) && (isHookKey(value) || isInclude(value))) state.skip = name;
    if (/^GIT_CONFIG_(?:GLOBAL|SYSTEM)$/.test(name)) {
      const text = fileText(m, path(m, call.scope, value));
      if (text && /hookspath/i.test(text)) state.skip = name;
    }
    if (name === 'GIT_WORK_TREE') state.workTree = path(m, state.scope, value);
  }
  for (const [name, value] of call.scope.vars)
    if (/^GIT_CONFIG_KEY_\d+$/.test(name) && isHookKey(value[0] ?? '')) state.skip = name;
}

/** A `!` alias is a shell command, another one stands for git words. */
export function runAlias(m: Machine, text: string, args: string[], call: Call, scope: Scope): Text {
  if (text.startsWith('!')) {
    const inner = { ...copyScope(scope), args };
    return m.script(`${text.slice(1)} ${args.map(arg => `'${arg.replaceAll("'", `'\\''`)}'`).join(' ')}`, {
      ...call,
      scope: { ...inner, cwd: [m.root] },
    });
  }
  return m.start(['git', ...text.split(/\s+/), ...args], { ...call, scope });
}

/** Aliases of the repository's own configuration, read once. */
export function repositoryAlias(m: Machine, name: string): string | undefined {
  if (!m.gitAliases.has('\0read')) {
    m.gitAliases.set('\0read', '');
    for (const file of [`${m.home}/.gitconfig`, `${m.root}/.git/config`]) {
      let section = '';
      for (const line of (m.tree.readText(file) ?? '').split('\n')) {
        const head = /^\s*\[([^\]]+)\]/.exec(line);
        if (head) section = head[1]!.toLowerCase();
        const set = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line);
        if (set && section === 'alias' && !m.gitAliases.has(set[1]!))
          m.gitAliases.set(set[1]!, set[2]!.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1'));
      }
    }
  }
  return m.gitAliases.get(name);
}

export function config(m: Machine, operands: string[], flags: Map<string, string[]>, scope: Scope, via: string): Text {
  const reading = [
    'get',
    'get-all',
    'get-regexp',
    'get-urlmatch',
    'l',
    'list',
    'get-color',
    'get-colorbool',
    'show-origin',
  ].some(flag => flags.has(flag));
  let list = operands;
  if (/^(?:list|get)$/.test(list[0] ?? '') || reading) return unknown;
  const verb = /^(?:set|unset|edit|rename-section|remove-section)$/.test(list[0] ?? '') ? list[0] : undefined;
  if (verb) list = list.slice(1);
  const [key, value] = list;
  const unsetting = verb === 'unset' || flags.has('unset') || flags.has('unset-all');
  if (key !== undefined && (value !== undefined || unsetting)) {
    const file = [...(flags.get('f') ?? []), ...(flags.get('file') ?? [])][0];
    const elsewhere =
      file !== undefined && !/(?:^|\/)(?:\.gitconfig|config|config\.worktree|etc\/gitconfig)$/.test(file);
    if (elsewhere && isHookKey(key)) {
      const at = path(m, scope, file);
      const before = m.files.get(at);
      m.files.set(at, () => `${before?.() ?? m.tree.readText(at) ?? ''}[core]\n\thooksPath = ${value ?? ''}\n`);
    }
    if (!elsewhere && (isHookKey(key) || isInclude(key)))
      touch(m, scope, 'write', hooksDir(m), `${via} ${key}`, { deep: true });
    const alias = /^alias\.(.+)$/.exec(key);
    if (alias && value !== undefined) m.gitAliases.set(alias[1]!, value);
  }
  if (key !== undefined && (value !== undefined || unsetting || verb)) {
    const file = [...(flags.get('f') ?? []), ...(flags.get('file') ?? [])][0];
    const target = file ?? (flags.has('global') ? `${m.home}/.gitconfig` : `${m.root}/.git/config`);
    if (!flags.has('system')) touch(m, scope, 'write', target, via);
  }
  return unknown;
}
