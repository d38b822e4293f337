/** What the same command line does before it delivers: whether the tree that leaves can be looked at now. */
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
};

/** Read-only, or without effect on what HEAD and the index hold. */
const QUIET =
  /^(?:status|log|show|diff|diff-\S+|blame|shortlog|describe|rev-parse|rev-list|ls-\S+|cat-file|name-rev|merge-base|grep|count-objects|fetch|remote|reflog|cherry|range-diff|check-\S+|var|version|help|for-each-ref|show-ref|fsck|gc|config|notes|maintenance|push|whatchanged|bundle|archive|format-patch|worktree|update-index)$/;

/** Changes files or the index, and leaves HEAD alone. */
const FILES = /^(?:stash|mv|clean|restore|apply|checkout-index|sparse-checkout|submodule)$/;

export function before(reading: Reading, delivery: Delivery): Before {
  const found: Before = { steps: [], commit: null, names: [], unclear: null, unstaged: null };
  for (const { argv, cwd } of earlier(reading, delivery)) {
    if (program(argv) !== 'git') continue;
    const call = verbOf(argv, cwd);
    if (call === null || QUIET.test(call.verb)) continue;
    const { verb, args } = call;
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
      if (name !== null) found.names.push(name);
      else found.unclear ??= `git ${verb}`;
    }
  }
  return found;
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

/** `checkout -b x`, `switch -c x`, `branch x`, `tag x`: a new name for HEAD, or for nothing that matters here. */
function namesHead(verb: string, args: readonly string[]): string | null {
  const words = args.filter(arg => !arg.startsWith('-'));
  const makes = args.some(arg => /^-(?:[bBcC]|-create|-force-create)$/.test(arg));
  if ((verb === 'checkout' || verb === 'switch') && makes) return words.length === 1 ? words[0]! : null;
  if (verb === 'branch')
    return words.length === 1 && !args.some(a => /^-(?:[dDmMcC]|-delete)/.test(a))
      ? words[0]!
      : args.some(a => /^-(?:[mM]|-move)$/.test(a))
        ? null
        : '';
  if (verb === 'tag') return words[0] ?? '';
  return null;
}
