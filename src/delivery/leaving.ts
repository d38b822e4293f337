/** The tree that would leave: the index for a commit, the pushed revisions for a push, HEAD for a pull request. */
import { fingerprint } from '../repo/fingerprint.ts';
import { locate, readHead } from '../repo/locate.ts';
import { stagedFingerprint } from '../repo/staging.ts';
import { commitOf, configured, isOnRemote, pushRemote, refsUnder, type Tip } from '../repo/tips.ts';
import type { Delivery } from '../shell/effect.ts';
import type { Before } from './before.ts';
import { keepCommit, knownCommit } from './commits.ts';
import { commitWords, pushWords, type Source, sourcesOf } from './words.ts';

export type Leaving =
  | { kind: 'nothing' }
  /** No look at the tree is possible: said, and judged as unproven. */
  | { kind: 'unclear'; why: string }
  | { kind: 'trees'; trees: Tree[] };

export type Tree = {
  /** For a reader: `the index`, `main (1a2b3c4)`. */
  name: string;
  fingerprint: string;
  /** Null for what no commit holds yet. */
  commit: string | null;
};

const NOTHING: Leaving = { kind: 'nothing' };
const MOST_TIPS = 40;

/** `root`: the project whose evidence counts; `at`: the folder the command runs in. */
export function leaving(root: string, delivery: Delivery, before: Before, claims: readonly string[]): Leaving {
  if (delivery.dryRun) return NOTHING;
  const at = delivery.cwd;
  const args = delivery.argv.slice(2);
  // A push that takes nothing along is not asked what came before it.
  if (delivery.verb === 'push' && sourcesEmpty(args)) return NOTHING;
  const staged = delivery.verb === 'commit' || before.commit !== null ? before.unstaged : null;
  const unclear = before.unclear ?? staged;
  if (unclear !== null) return { kind: 'unclear', why: `${unclear} in the same command decides what leaves` };
  if (delivery.verb === 'commit') return committed(root, delivery, before, claims);
  if (delivery.verb === 'pr') {
    const rev = headOption(args);
    if (rev === null && before.commit) return committed(root, before.commit, before, claims);
    return revisions(root, [{ kind: 'rev', rev: rev ?? 'HEAD' }], null, claims);
  }
  const words = pushWords(args);
  if (words === null) return NOTHING;
  const remote = words.remote ?? pushRemote(at);
  const sources = words.sources === 'default' ? defaultSources(at, remote, before) : words.sources;
  const [now, later] = split(at, sources, before);
  const parts: Leaving[] = [];
  if (later)
    parts.push(
      before.commit ? committed(root, before.commit, before, claims) : revisions(root, [HEAD], remote, claims),
    );
  if (now.length > 0) parts.push(revisions(root, now, remote, claims));
  return joined(parts);
}

const HEAD: Source = { kind: 'rev', rev: 'HEAD' };

function sourcesEmpty(args: readonly string[]): boolean {
  const words = pushWords(args);
  return words === null || (words.sources !== 'default' && words.sources.length === 0);
}

function headOption(args: readonly string[]): string | null {
  for (const [i, arg] of args.entries()) {
    const value = /^(?:--head|-H|--source-branch|-s)(?:=(.*))?$/.exec(arg);
    if (value) return (value[1] ?? args[i + 1] ?? '').replace(/^[^:]*:/, '');
  }
  return null;
}

/** What can be looked at as it is named, and whether what HEAD will be leaves too. */
function split(at: string, sources: Source[], before: Before): [Source[], boolean] {
  const repo = locate(at);
  const branch = repo.kind === 'worktree' ? readHead(repo)?.branch : null;
  const own = ['HEAD', '@', ...(branch ? [branch, `refs/heads/${branch}`] : [])];
  // Names given on the way do not exist yet; a commit on the way moves what HEAD names now.
  const aliases = new Set(before.commit === null ? before.names : [...before.names, ...own]);
  const many = before.commit !== null || before.names.length > 0;
  const isHead = (s: Source) =>
    s.kind === 'rev' && (aliases.has(s.rev) || aliases.has(s.rev.replace(/^refs\/(?:heads|tags)\//, '')));
  return [sources.filter(s => !isHead(s)), sources.some(s => isHead(s) || (s.kind === 'refs' && many))];
}

function joined(parts: Leaving[]): Leaving {
  const unclear = parts.find(part => part.kind === 'unclear');
  if (unclear) return unclear;
  const trees = parts.flatMap(part => (part.kind === 'trees' ? part.trees : []));
  return trees.length === 0 ? NOTHING : { kind: 'trees', trees };
}

function committed(root: string, delivery: Delivery, before: Before, claims: readonly string[]): Leaving {
  const words = commitWords(delivery.argv.slice(2), delivery.cwd, commitOf(delivery.cwd, 'HEAD') !== null);
  if (words.kind === 'nothing') return NOTHING;
  if (words.kind === 'unknown') return { kind: 'unclear', why: `${words.why}, so what leaves cannot be told` };
  const steps = [...before.steps, ...words.steps];
  if (steps.length > 0 && before.writes !== null)
    return { kind: 'unclear', why: `${before.writes} in the same command changes what is committed` };
  const print = stagedFingerprint(root, steps, { exclude: claims });
  if (!print.ok) {
    // git itself refuses a commit in the middle of a conflict, or of paths it does not know.
    return print.reason === 'unmerged' || print.reason === 'git-failed'
      ? NOTHING
      : { kind: 'unclear', why: print.message };
  }
  const how = steps.length > 0 ? 'what it stages' : 'the index';
  return { kind: 'trees', trees: [{ name: how, fingerprint: print.value, commit: null }] };
}

function revisions(
  root: string,
  sources: readonly Source[],
  remote: string | null,
  claims: readonly string[],
): Leaving {
  const tips = new Map<string, Tip>();
  for (const source of sources) {
    for (const tip of tipsOf(root, source)) if (!tips.has(tip.commit)) tips.set(tip.commit, tip);
  }
  const fresh = [...tips.values()].filter(tip => !isOnRemote(root, tip.commit, remote));
  if (fresh.length > MOST_TIPS)
    return { kind: 'unclear', why: `${fresh.length} revisions would leave at once: name the one you mean` };
  const trees: Tree[] = [];
  for (const tip of fresh) {
    const tree = treeOf(root, tip, claims);
    if ('why' in tree) return { kind: 'unclear', why: tree.why };
    trees.push(tree);
  }
  return trees.length === 0 ? NOTHING : { kind: 'trees', trees };
}

export function treeOf(root: string, tip: Tip, claims: readonly string[]): Tree | { why: string } {
  const known = knownCommit(root, tip.commit, claims);
  const print = known ?? fingerprint(root, { of: { rev: tip.commit }, exclude: claims });
  if (typeof print !== 'string' && !print.ok) return { why: print.message };
  const value = typeof print === 'string' ? print : print.value;
  if (known === null) keepCommit(root, tip.commit, claims, value);
  const short = tip.commit.slice(0, 7);
  const name = tip.name.replace(/^refs\/(?:heads|tags)\//, '');
  return { name: name === tip.commit ? short : `${name} (${short})`, fingerprint: value, commit: tip.commit };
}

/** A name that git does not know makes the push fail, and nothing leaves. */
export function tipsOf(root: string, source: Source): Tip[] {
  if (source.kind === 'refs') return refsUnder(root, source.pattern);
  const commit = commitOf(root, source.rev);
  return commit === null ? [] : [{ name: source.rev, commit }];
}

function defaultSources(at: string, remote: string | null, before: Before): Source[] {
  const heads: Source = { kind: 'refs', pattern: 'refs/heads/' };
  if (before.configures) return [HEAD, heads];
  const set = remote === null ? [] : configured(at, `remote.${remote}.push`);
  if (set.length > 0) return sourcesOf(set);
  const mode = configured(at, 'push.default').at(-1);
  if (mode === 'nothing') return [];
  return mode === 'matching' ? [heads] : [HEAD];
}
