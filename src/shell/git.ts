import { environment, isHookKey, isInclude, repositoryAlias, runAlias, type State } from './git-config.ts';
import { perform } from './git-subcommand.ts';
import { type Call, copyScope, type Machine, nothing, path, type Text, touch } from './machine.ts';
import { isKnown } from './marks.ts';
import { names } from './names.ts';
import { GLOBAL } from './table/git-verbs.ts';

const READS = names(
  'log show diff status ls-files ls-tree cat-file rev-parse rev-list for-each-ref show-ref fsck count-objects',
);

export function gitCommand(m: Machine, args: string[], call: Call): Text {
  const state: State = { scope: call.scope, workTree: undefined, config: new Map(), skip: undefined };
  environment(m, call, state);
  let gitDir: string | undefined;
  let i = 0;
  for (; i < args.length && args[i]!.startsWith('-'); i++) {
    const arg = args[i]!;
    const at = arg.startsWith('--') ? arg.indexOf('=') : -1;
    let name = at > 0 ? arg.slice(0, at) : arg;
    let value = at > 0 ? arg.slice(at + 1) : '';
    if (at < 0 && /^-[cC]./.test(arg)) {
      name = arg.slice(0, 2);
      value = arg.slice(2);
    } else if (at < 0 && GLOBAL.test(arg)) value = args[++i] ?? '';
    if (name === '-C') state.scope = { ...copyScope(state.scope), cwd: [path(m, state.scope, value)] };
    if (name === '--work-tree') state.workTree = path(m, state.scope, value);
    if (name === '--git-dir') gitDir = value;
    if (name === '-c' || name === '--config-env') {
      const [key = '', ...rest] = value.split('=');
      state.config.set(key.toLowerCase(), rest.join('='));
      if (isHookKey(key) || isInclude(key)) state.skip = `${name} ${key}`;
      const alias = /^alias\.(.+)$/.exec(key);
      if (alias) m.gitAliases.set(alias[1]!, rest.join('='));
      if (
        /^(?:core\.(?:editor|pager|sshcommand|fsmonitor)|sequence\.editor|diff\.external|pager\..*|.*\.(?:textconv|clean|smudge|process|cmd|driver))$/i.test(
          key,
        ) &&
        isKnown(rest.join('='))
      )
        m.script(rest.join('='), { ...call, scope: copyScope(state.scope), stdin: nothing });
    }
  }
  const verb = args[i];
  if (verb === undefined) return nothing;
  const rest = args.slice(i + 1);
  // A repository named by hand is a folder that is written, unless it is the project's own.
  const env = (key: string): string | undefined => call.env?.[key] ?? call.scope.vars.get(key)?.[0];
  for (const word of [gitDir ?? env('GIT_DIR') ?? state.scope.cwd[0]!, env('GIT_INDEX_FILE')]) {
    const named = word === undefined ? '' : path(m, state.scope, word);
    const below = named.startsWith(`${m.root}/`) ? named.slice(m.root.length) : '';
    if (/[^/]\.git(?:\/|$)/.test(below) && !READS.has(verb))
      touch(m, state.scope, 'write', named, `git ${verb}`, { deep: true });
  }
  const alias = m.gitAliases.get(verb) ?? (isBuiltinVerb(verb) ? undefined : repositoryAlias(m, verb));
  if (alias !== undefined && !isBuiltinVerb(verb)) return runAlias(m, alias, rest, call, state.scope);
  return perform(m, verb, rest, call, state);
}

const isBuiltinVerb = (verb: string): boolean =>
  /^(?:add|am|apply|archive|bisect|blame|branch|bundle|cat-file|check-\S+|checkout|checkout-index|cherry|cherry-pick|clean|clone|commit|commit-tree|config|count-objects|describe|diff|diff-\S+|difftool|fetch|filter-branch|for-each-ref|format-patch|fsck|gc|grep|hash-object|init|interpret-trailers|log|ls-\S+|maintenance|merge|merge-\S+|mergetool|mktree|mv|name-rev|notes|pack-\S+|prune|pull|push|range-diff|read-tree|rebase|reflog|remote|repack|replace|rerere|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-\S+|sparse-checkout|stash|status|submodule|switch|symbolic-ref|tag|update-\S+|verify-\S+|version|whatchanged|worktree|write-tree|help)$/.test(
    verb,
  );
