/** What the same command line does before it delivers: whether the tree that leaves can be looked at now. */
import { gitWords } from '../repo/git-args.ts';
import type { Step } from '../repo/staging.ts';
import type { Delivery, Invocation, Reading } from '../shell/effect.ts';

export type Before = {
  /** Staged on the way. */
  steps: Step[];
  /** The commit that is made on the way, and then leaves. */
  commit: Delivery | null;
  /** Names given to HEAD as it is. */
  names: string[];
  /** A command that moves HEAD in a way its words do not tell. */
  unclear: string | null;
  /** The same for the index or the files alone: no matter to a push. */
  unstaged: string | null;
  /** A command that writes files before they are staged. */
  writes: string | null;
  /** Settings are given on the way: what a bare push takes is not what the files say. */
  configures: boolean;
};

/** Read-only, or without effect on what HEAD and the index hold. */
const QUIET =
  /^(?:status|log|show|diff|diff-\S+|blame|shortlog|describe|rev-parse|rev-list|ls-\S+|cat-file|name-rev|merge-base|grep|count-objects|fetch|remote|reflog|cherry|range-diff|check-\S+|var|version|help|for-each-ref|show-ref|fsck|gc|config|notes|maintenance|push|whatchanged|bundle|archive|format-patch|worktree|update-index)$/;

/** Changes files or the index, and leaves HEAD alone. */
const FILES = /^(?:stash|mv|clean|restore|apply|checkout-index|sparse-checkout|submodule)$/;

/** `root`: what is written outside of it is not staged in it. */
export function before(reading: Reading, delivery: Delivery, root: string): Before {
  const found: Before = {
    steps: [],
    commit: null,
    names: [],
    unclear: null,
    unstaged: null,
    writes: null,
    configures: configures(reading),
  };
  for (const { argv, cwd } of earlier(reading, delivery)) {
    if (program(argv) !== 'git') continue;
    const call = verbOf(argv, cwd);
    if (call === null || QUIET.test(call.verb)) continue;
    const { verb, args } = call;
    // What is staged after the commit waits for the next one.
    if (found.commit !== null && /^(?:add|stage|rm)$/.test(verb)) continue;
    if (verb === 'add' || verb === 'stage') {
      if (args.some(arg => /^-(?:[a-zA-Z]*[ipne]|-(?:interactive|patch|edit|dry-run|pathspec-from-file))/.test(arg)))
        found.unstaged ??= `git ${verb}`;
      else found.steps.push({ args: ['add', ...args], cwd: call.cwd });
    } else if (verb === 'rm') found.steps.push({ args: ['rm', '-q', '--cached', ...args], cwd: call.cwd });
    else if (FILES.test(verb)) found.unstaged ??= `git ${verb}`;
    else if (verb === 'commit') {
      const made = reading.deliveries.find(d => d.verb === 'commit' && tailOf(argv, d.argv));
      if (made && found.commit === null) found.commit = made;
      else found.unclear ??= 'a second git commit';
    } else {
      const name = namesHead(verb, args);
      if (name === null) found.unclear ??= `git ${verb}`;
      else if (name !== '') found.names.push(name);
    }
  }
  const commit = delivery.verb === 'commit' ? delivery : found.commit;
  if (commit) found.writes = writer(reading, commit, root);
  return found;
}

function configures(reading: Reading): boolean {
  return reading.invocations.some(
    ({ argv, env }) =>
      (program(argv) === 'git' && argv.some(word => /^(?:push|remote|branch)\.\S/i.test(word))) ||
      Object.keys(env ?? {}).some(name => name.startsWith('GIT_CONFIG')),
  );
}

function writer(reading: Reading, commit: Delivery, root: string): string | null {
  const start = commit.span?.[0] ?? Number.POSITIVE_INFINITY;
  const effect = reading.effects.find(
    ({ span, target, via }) =>
      !via.startsWith('git ') &&
      (span?.[0] ?? 0) < start &&
      !(target.kind === 'path' && !`${target.path}/`.startsWith(`${root}/`)),
  );
  return effect?.via ?? null;
}

/** Calls before the one that delivers; all of them where it cannot be found. */
function earlier(reading: Reading, delivery: Delivery): Invocation[] {
  const at = reading.invocations.findIndex(
    i => i.span?.[0] === delivery.span?.[0] && i.span?.[1] === delivery.span?.[1] && tailOf(i.argv, delivery.argv),
  );
  return at < 0 ? reading.invocations : reading.invocations.slice(0, at);
}

function tailOf(argv: readonly string[], delivered: readonly string[]): boolean {
  const tail = delivered.slice(1);
  return argv.slice(argv.length - tail.length).every((word, i) => word === tail[i]);
}

function program(argv: readonly string[]): string {
  return (argv[0] ?? '').replace(/^.*[/\\]/, '');
}

function verbOf(argv: readonly string[], cwd: string): { verb: string; args: string[]; cwd: string } | null {
  let dir = cwd;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '-C' || word === '-c') {
      const path = process.getBuiltinModule('node:path');
      if (word === '-C') dir = path.resolve(dir, argv[i + 1] ?? '');
      i++;
    } else if (!word.startsWith('-')) return { verb: word, args: argv.slice(i + 1), cwd: dir };
  }
  return null;
}

/** `checkout -b x`, `switch -c x`, `branch x`, `tag x`: a new name for HEAD; '' where nothing is named, null where it is unclear. */
function namesHead(verb: string, args: readonly string[]): string | null {
  const flag = (pattern: RegExp) => args.some(arg => pattern.test(arg));
  if (verb === 'tag') {
    const { words } = gitWords(args, '-m -F -u --message --file --local-user --sort --contains --points-at --format');
    if (flag(/^(?:-[dlvn]|--(?:delete|list|verify)$)/)) return '';
    return words.length > 1 ? null : (words[0] ?? '');
  }
  const words = args.filter(arg => !arg.startsWith('-'));
  if (verb === 'checkout' || verb === 'switch')
    return flag(/^-(?:[bBcC]|-create|-force-create)$/) && words.length === 1 ? words[0]! : null;
  if (verb !== 'branch') return null;
  if (
    flag(/^(?:-[dDarv]+|--(?:delete|list|all|remotes|show-current|set-upstream-to.*|unset-upstream|edit-description))$/)
  )
    return '';
  if (flag(/^(?:-[mMcC]|--(?:move|copy))$/)) return null;
  return words.length > 1 ? null : (words[0] ?? '');
}
