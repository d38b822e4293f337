/**
 * Which files of the work tree a git command would change, asked of git without doing it. The answer may name a file too
 * many (a merge that brings what is there already), never silently one too few: what git cannot tell is `unknown`.
 */
import { type Ask, asker, union } from './ask.ts';
import { type GitWords, gitWords, has, value } from './git-args.ts';
import { fetchedWords, localRemote } from './local-remote.ts';
import { locate } from './locate.ts';
import { checkout, restore, switchTo } from './oracle-checkout.ts';
import { apply, clean, move, printed, remove, stash, submodule, worktree } from './oracle-files.ts';

export type WouldChange = { kind: 'paths'; paths: string[] } | { kind: 'unknown'; reason: string };

/** `argv`: the verb and what follows it, global options already taken off. */
export function wouldChange(argv: readonly string[], cwd: string): WouldChange {
  const verb = argv[0] ?? '';
  if (HARMLESS.has(verb)) return { kind: 'paths', paths: [] };
  const answer = VERBS[verb];
  if (!answer) return { kind: 'unknown', reason: `git ${verb} is not a command whose effect is known` };
  const repo = locate(cwd);
  if (repo.kind !== 'worktree') return { kind: 'unknown', reason: `${cwd} is in no git work tree` };
  const paths = answer(asker(repo, cwd), argv.slice(1));
  if (paths === null) return { kind: 'unknown', reason: `git cannot tell what \`git ${argv.join(' ')}\` would change` };
  return { kind: 'paths', paths: [...new Set(paths)].sort() };
}

type Answer = (ask: Ask, args: readonly string[]) => string[] | null;

const HARMLESS = new Set(
  (
    'add annotate archive blame branch bundle cat-file check-attr check-ignore commit commit-tree config count-objects ' +
    'describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep hash-object help log ' +
    'ls-files ls-remote ls-tree maintenance merge-base merge-tree name-rev notes pack-refs prune push range-diff reflog ' +
    'remote rerere rev-list rev-parse shortlog show show-branch show-ref status symbolic-ref tag update-index update-ref ' +
    'var verify-commit verify-tag version whatchanged write-tree'
  ).split(' '),
);

const last = (words: GitWords): string | undefined => words.words[words.words.length - 1];

function reset(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '--pathspec-from-file');
  const rev = words.words[0] ?? 'HEAD';
  if (has(words, '--hard')) return ask.diff(rev, '--');
  if (has(words, '--keep')) return ask.diff('HEAD', rev, '--');
  if (has(words, '--merge')) return union(ask.diff('HEAD', rev, '--'), ask.diff('--cached', rev, '--'));
  return [];
}

function merge(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '-m -F -s -X --strategy --strategy-option --into-name --file --cleanup');
  if (has(words, '--continue', '--quit')) return [];
  if (has(words, '--abort')) return ask.note('MERGE_HEAD') === null ? [] : ask.diff('--cached', 'HEAD', '--');
  const revs = words.words.length > 0 ? words.words : ['@{upstream}'];
  return union(...revs.map(rev => ask.diff(`HEAD...${rev}`, '--')));
}

function pull(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '-s -X -j --strategy --strategy-option --depth --jobs');
  if (has(words, '--dry-run', '--help', '-h')) return [];
  const [remote, branch] = words.words;
  const near = remote === '.' ? null : localRemote(ask, remote);
  const tip = near?.tip(branch?.split(':')[0]);
  if (near && tip) return asker(ask.repo, ask.cwd, near.objects).diff(`HEAD...${tip}`, '--');
  // What a remote elsewhere holds by now nobody here knows; what was last fetched is the best there is.
  const name = branch?.split(':')[0];
  const rev = remote === undefined || name === undefined ? '@{upstream}' : remote === '.' ? name : `${remote}/${name}`;
  return ask.diff(`HEAD...${rev}`, '--');
}

/** `git fetch && git reset --hard @{u}`: the words after the fetch name what it will bring. */
function fetched(ask: Ask, [from = '', verb = '', ...args]: readonly string[]): string[] | null {
  const answer = VERBS[verb];
  if (!answer) return null;
  const name = from === '' ? 'origin' : from;
  const remote = localRemote(ask, from === '' ? undefined : from);
  if (remote === null) return answer(ask, args);
  return answer(asker(ask.repo, ask.cwd, remote.objects), fetchedWords(args, remote, name));
}

function rebase(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '-s -X -x -C --onto --exec --strategy --strategy-option --whitespace --empty');
  if (has(words, '--quit', '--edit-todo', '--show-current-patch')) return [];
  if (has(words, '--abort')) {
    const start = ask.note('rebase-merge', 'orig-head') ?? ask.note('rebase-apply', 'orig-head');
    return start === null ? [] : ask.diff(start, '--');
  }
  if (has(words, '--continue', '--skip', '--root')) return null;
  const [upstream = '@{upstream}', branch = 'HEAD'] = words.words;
  const onto = value(words, '--onto') ?? upstream;
  // An interactive one may drop any of the branch's own commits.
  const between = has(words, '-i', '--interactive') || branch !== 'HEAD' ? ['HEAD', onto] : [`${branch}...${onto}`];
  const moved = ask.diff(...between, '--');
  return branch === 'HEAD' ? moved : union(moved, ask.diff(`${onto}...${branch}`, '--'));
}

function pick(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '-m -X --mainline --strategy --strategy-option --cleanup');
  if (has(words, '--quit')) return [];
  if (has(words, '--abort')) {
    const going = ask.note('CHERRY_PICK_HEAD') ?? ask.note('REVERT_HEAD');
    const start = ask.note('sequencer', 'head') ?? (going === null ? null : 'HEAD');
    return start === null ? [] : union(ask.diff('--cached', start, '--'), ask.diff('HEAD', start, '--'));
  }
  if (has(words, '--continue', '--skip')) return null;
  const revs = [...words.words, ...(words.paths ?? [])];
  if (revs.length === 0) return null;
  return ask.list('log', '--no-walk', '-m', '--format=', '--name-only', '-z', '--no-renames', ...revs, '--');
}

function readTree(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '--prefix --index-output --exclude-per-directory');
  if (!has(words, '-u') || has(words, '-n', '--dry-run')) return [];
  return ask.diff(last(words) ?? 'HEAD', '--');
}

function checkoutIndex(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '--prefix --stage');
  if (has(words, '--prefix', '--stdin')) return null;
  return ask.diff('--', ...words.words, ...(words.paths ?? []));
}

function bisect(ask: Ask, args: readonly string[]): string[] | null {
  const [verb, rev] = args;
  if (['log', 'view', 'visualize', 'terms', 'help'].includes(verb ?? '')) return [];
  if (verb !== 'reset') return null;
  const start = rev ?? ask.note('BISECT_START');
  return start === null ? [] : ask.diff('HEAD', start, '--');
}

/** Any tracked file may come or go: patterns are not followed. */
function sparse(ask: Ask, args: readonly string[]): string[] | null {
  if (args[0] === 'list' || args[0] === 'check-rules') return [];
  return ask.list('ls-files', '-z', '--full-name', ':(top)');
}

function mergeRecursive(ask: Ask, args: readonly string[]): string[] | null {
  const theirs = args[args.length - 1];
  return theirs === undefined ? null : ask.diff('HEAD', theirs, '--');
}

/** What the work tree itself holds beyond the index is there already. */
function isOwnDiff([verb, ...args]: readonly string[]): boolean {
  const words = gitWords(args, '-O -U -S -G -l');
  return verb === 'diff' && words.words.length === 0 && !has(words, '--cached', '--staged', '-R');
}

const VERBS: Record<string, Answer | undefined> = {
  checkout,
  switch: switchTo,
  restore,
  reset,
  merge,
  pull,
  /** No verb of git's own: what another does after a fetch from the remote that is named first. */
  fetched,
  rebase,
  'cherry-pick': pick,
  revert: pick,
  stash,
  apply,
  am: apply,
  /** No verb of git's own: a patch applied as another git command prints it. */
  'apply-printed': (ask, args) => (isOwnDiff(args) ? [] : printed(ask, args)),
  'reverse-printed': printed,
  /** A pop of what `git stash` with these words puts away just before. */
  'stash-back': (ask, args) =>
    (args.some(arg => /^(?:-S|--staged)$/.test(arg)) ? ask.diff('HEAD', '--') : stash(ask, args))?.length
      ? []
      : stash(ask, ['pop']),
  clean,
  rm: remove,
  mv: move,
  worktree,
  submodule,
  'read-tree': readTree,
  'checkout-index': checkoutIndex,
  bisect,
  'sparse-checkout': sparse,
  'merge-recursive': mergeRecursive,
  'merge-ort': mergeRecursive,
};
