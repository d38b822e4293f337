import { ARCHIVE } from './archive.ts';
import { config, type State } from './git-config.ts';
import { listFiles, tracked } from './git-files.ts';
import { patchFrom, prints } from './git-patch.ts';
import { plumbing, pushed } from './git-refs.ts';
import { type Call, copyScope, git, type Machine, nothing, path, type Text, touch, unknown } from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { land, parseArgs } from './operands.ts';
import { HOOKED, ORACLE, VALUES } from './table/git-verbs.ts';

export function perform(m: Machine, verb: string, args: string[], call: Call, state: State): Text {
  const { scope } = state;
  const inner: Call = { ...call, scope };
  const via = `git ${verb}`;
  const parsed = parseArgs(args, {
    val: VALUES[verb] ?? 'output',
    glued: verb === 'commit' ? 'u S gpg-sign' : verb === 'rebase' ? 'S' : '',
  });
  const { flags, operands } = parsed;
  const has = (names: string): boolean => names.split(' ').some(flag => flags.has(flag));
  const span = m.span ? { span: m.span } : {};
  const cwd = scope.cwd[0]!;

  const noVerify =
    has('no-verify') ||
    [...flags.keys()].some(flag => /^no-ver/.test(flag)) ||
    (verb === 'commit' && flags.has('n')) ||
    state.skip !== undefined;
  const dryRun = has('dry-run') || (verb === 'push' && flags.has('n'));
  if (noVerify && HOOKED.test(verb) && !dryRun) m.hookSkips.push({ verb, how: state.skip ?? '--no-verify', ...span });
  if (verb === 'commit' || verb === 'push')
    m.deliveries.push({ verb, argv: ['git', verb, ...args], cwd, noVerify, dryRun, ...span });
  if (verb === 'push' && !dryRun) pushed(m, operands, state);

  const dashes = args.indexOf('--');
  const spec = dashes >= 0 ? args.slice(dashes + 1) : [];
  const pathspecs = (list: string[]): string[] =>
    list
      .filter(word => !/^:(?:!|\^|\(exclude\))/.test(word))
      .map(word =>
        /^:(?:\/|\(top\))/.test(word)
          ? path(m, { ...scope, cwd: [m.root] }, word.replace(/^:(?:\/|\(top\))/, '') || '.')
          : path(m, scope, word.replace(/^:\([^)]*\)/, '')),
      );
  const from = fetches.get(m);
  if (verb === 'fetch' && !dryRun) fetches.set(m, operands[0] ?? '');
  const oracle = (list: string[]): void => {
    const { workTree } = state;
    if (workTree && workTree !== m.root && isKnown(workTree)) {
      for (const word of list.length > 0 ? list : ['.'])
        touch(m, { ...scope, cwd: [workTree] }, 'write', word, via, { deep: true });
      return;
    }
    git(
      m,
      {
        verb,
        argv: [...(verb !== 'pull' && from !== undefined ? ['fetched', from] : []), verb, ...args],
        cwd,
        paths: pathspecs(list).filter(isKnown),
        ...(state.workTree ? { workTree: state.workTree } : {}),
      },
      via,
    );
  };
  const each = (list: string[], op: Parameters<typeof touch>[2], how = via): void => {
    for (const word of list) for (const file of tracked(m, scope, word)) touch(m, scope, op, file, how, { deep: true });
  };

  for (const text of started(verb, dashes < 0 ? args : args.slice(0, dashes)))
    m.script(text, { ...inner, scope: copyScope(scope), stdin: nothing });
  // Whatever prints a history or a difference prints it where it is told.
  if (verb !== 'archive') for (const file of flags.get('output') ?? []) touch(m, scope, 'write', file, via);

  switch (verb) {
    case 'rm':
      if (!has('n dry-run')) each(operands, 'delete');
      return nothing;
    case 'mv': {
      if (has('n dry-run')) return nothing;
      const dest = operands.at(-1);
      for (const source of operands.slice(0, -1)) {
        touch(m, scope, 'rename', source, via, { deep: true });
        if (dest !== undefined) land(m, inner, source, dest, operands.length > 2, via);
      }
      return nothing;
    }
    case 'update-index':
      if (
        has(
          'skip-worktree no-skip-worktree assume-unchanged no-assume-unchanged force-remove remove add cacheinfo chmod index-info',
        )
      ) {
        const listed =
          has('stdin') && isKnown(call.stdin())
            ? call
                .stdin()
                .split(/[\n\0]/)
                .filter(Boolean)
            : [];
        each([...operands, ...listed], 'mode');
      }
      return nothing;
    case 'apply':
      if (has('check stat numstat summary') && !has('apply')) return nothing;
      if (has('cached') && !has('index')) return nothing;
      return patchFrom(m, inner, state, parsed, oracle, via);
    case 'am':
      if (!has('abort quit skip continue resolved r show-current-patch'))
        patchFrom(m, inner, state, parsed, () => undefined, via);
      oracle([]);
      return nothing;
    case 'archive': {
      for (const file of [...(flags.get('o') ?? []), ...(flags.get('output') ?? [])])
        touch(m, scope, 'write', file, via);
      const prefix = flags.get('prefix')?.[0] ?? '';
      const names = operands.slice(1);
      return () => {
        if (has('o output')) return '';
        // The tree that is named is not read; what is here now will do for it.
        const all = names.length > 0 ? names : listFiles(m, scope, [])().split('\n').filter(Boolean);
        return all.every(isKnown) ? ARCHIVE + all.map(name => prefix + name).join('\n') : UNKNOWN;
      };
    }
    case 'format-patch': {
      const dir = [...(flags.get('o') ?? []), ...(flags.get('output-directory') ?? [])][0];
      if (dir) touch(m, scope, 'create', `${dir}/${UNKNOWN}.patch`, via);
      else if (!has('stdout')) touch(m, scope, 'create', `0001-${UNKNOWN}.patch`, via);
      return prints(verb, args, cwd);
    }
    case 'merge-file':
      if (!has('p stdout object-id')) touch(m, scope, 'write', operands[0] ?? '', via);
      return nothing;
    case 'config':
      return config(m, operands, flags, scope, via);
    case 'init':
      if (operands[0] !== undefined) m.made.add(path(m, scope, operands[0]));
      return nothing;
    case 'bundle':
      if (operands[0] === 'create') touch(m, scope, 'write', operands[1] ?? '', via);
      return nothing;
    case 'clone':
      if (verb === 'clone' && operands.length > 0) {
        const dest =
          operands[1] ??
          operands[0]!
            .replace(/\/$/, '')
            .replace(/\.git$/, '')
            .replace(/^.*[/:]/, '');
        touch(m, scope, 'create', dest, via, { deep: true });
      }
      return nothing;
    case 'submodule':
      if (operands[0] === 'foreach')
        return m.script(operands.slice(1).join(' '), { ...inner, scope: copyScope(scope), stdin: nothing });
      if (/^(?:update|deinit|add|absorbgitdirs)$/.test(operands[0] ?? '')) oracle(operands.slice(1));
      return nothing;
    case 'bisect': {
      if (operands[0] === 'run') {
        const at = args.indexOf('run');
        m.start(args.slice(at + 1), { ...inner, scope: copyScope(scope) });
        oracle([]);
      } else if (/^(?:start|good|bad|new|old|skip|reset|replay)$/.test(operands[0] ?? '')) oracle([]);
      return nothing;
    }
    case 'filter-branch':
      for (const flag of ['tree-filter', 'index-filter', 'env-filter', 'msg-filter', 'commit-filter', 'setup'])
        for (const text of flags.get(flag) ?? [])
          m.script(text, { ...inner, scope: { ...copyScope(scope), cwd: [m.root] }, stdin: nothing });
      return nothing;
    case 'rebase':
      for (const text of [...(flags.get('x') ?? []), ...(flags.get('exec') ?? [])])
        m.script(text, { ...inner, scope: { ...copyScope(scope), cwd: [m.root] }, stdin: nothing });
      if (!has('show-current-patch edit-todo')) oracle([]);
      return nothing;
    case 'difftool':
    case 'mergetool':
      for (const text of [...(flags.get('x') ?? []), ...(flags.get('extcmd') ?? [])])
        m.script(text, { ...inner, scope: copyScope(scope), stdin: nothing });
      if (verb === 'mergetool') oracle(operands);
      return nothing;
    case 'stash': {
      const sub = operands[0] ?? 'push';
      if (/^(?:list|show|drop|clear|create|store)$/.test(sub)) return prints(verb, args, cwd);
      // What this very command has put away comes back as it was.
      const put = stashed.get(m);
      const entry = Number(/^(?:stash@\{)?(\d+)\}?$/.exec(operands[1] ?? '0')?.[1]);
      if (put && /^(?:pop|apply)$/.test(sub) && entry >= 0) {
        // Older entries have moved down by one.
        const argv = entry === 0 ? ['stash-back', ...put] : [verb, sub, `stash@{${entry - 1}}`];
        git(m, { verb, argv, cwd, paths: [] }, via);
        return nothing;
      }
      if (/^(?:push|save)$/.test(sub)) stashed.set(m, args);
      oracle(spec.length > 0 ? spec : sub === 'push' ? operands.slice(1) : []);
      return nothing;
    }
    case 'worktree':
      if (operands[0] === 'remove' || operands[0] === 'move') {
        for (const dir of operands.slice(1, 2))
          touch(m, scope, operands[0] === 'move' ? 'rename' : 'delete', dir, via, { deep: true });
        if (operands[0] === 'move') touch(m, scope, 'write', operands[2] ?? '', via, { deep: true });
      } else if (operands[0] === 'add') touch(m, scope, 'create', operands[1] ?? '', via, { deep: true });
      return nothing;
    case 'restore':
      if (has('S staged stage') && !has('W worktree')) return nothing;
      if (dashes < 0 && [...flags.keys()].some(flag => flag.startsWith('sta')) && !has('W worktree')) return nothing;
      oracle(operands);
      return nothing;
    case 'reset':
      // Only these forms move the work tree; the mixed one touches the index alone.
      if (has('hard merge keep')) oracle([]);
      return nothing;
    case 'checkout': {
      const named = dashes >= 0 ? spec : operands.slice(1);
      if (dashes < 0 && operands.length === 1 && m.tree.exists(path(m, scope, operands[0]!))) oracle(operands);
      else if (has('b B orphan') && operands.length === 0) return nothing;
      else oracle(named);
      return nothing;
    }
    case 'switch':
      if (has('c C create force-create') && operands.length === 0) return nothing;
      oracle([]);
      return nothing;
    case 'checkout-index': {
      const prefix = flags.get('prefix')?.[0];
      if (prefix === undefined) oracle(operands);
      else
        for (const file of operands.length > 0 ? operands : [UNKNOWN])
          touch(m, scope, 'write', `${prefix}${file}`, via);
      return nothing;
    }
    case 'sparse-checkout':
      if (/^(?:set|add|reapply|disable|init)$/.test(operands[0] ?? '')) oracle([]);
      return nothing;
    case 'rev-parse':
      return has('show-toplevel')
        ? () => `${m.root}\n`
        : has('git-dir absolute-git-dir git-common-dir')
          ? () => `${m.root}/.git\n`
          : has('show-prefix')
            ? () => `${cwd.slice(m.root.length + 1)}\n`
            : unknown;
    case 'ls-files':
      return has('s stage v t u unmerged d deleted m modified o others') ? unknown : listFiles(m, scope, operands);
    case 'diff':
    case 'diff-tree':
    case 'log':
    case 'show':
      return prints(verb, args, cwd);
    case 'clean':
      if (!has('n dry-run')) oracle(operands);
      return nothing;
    case 'worktree-add':
      return nothing;
    case 'update-ref':
    case 'symbolic-ref':
    case 'replace':
      plumbing(m, verb, operands, has, has('stdin') ? call.stdin() : '', state);
      return unknown;
    default:
      if (Object.hasOwn(ORACLE, verb) && !args.some(arg => ORACLE[verb]!.test(arg))) oracle(spec);
      return unknown;
  }
}

/** Programs named by a flag, which git takes by any beginning, and short ones in clusters. */
function started(verb: string, args: string[]): string[] {
  const names =
    verb === 'grep'
      ? /^(?:-\w*?O|--op[\w-]*=)(.+)/
      : /^(?:fetch|pull|clone|ls-remote|push|archive)$/.test(verb) && /^--(?:u|upl[\w-]*|rece[\w-]*|exe\w*)(?:=(.*)|$)/;
  if (!names) return [];
  return args.flatMap((arg, i) => {
    const found = names.exec(arg);
    return found ? [found[1] ?? args[i + 1] ?? ''] : [];
  });
}

/** The remote that was fetched from. */
const fetches = new WeakMap<Machine, string>();
/** The words of the last `git stash push`. */
const stashed = new WeakMap<Machine, string[]>();
