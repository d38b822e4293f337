/** What a run leaves to read: the patch of its changes, and what its commits changed. */
import { lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommittedChange } from './attribution.ts';
import { backdate, discard, temporary, withCache } from './cache.ts';
import { settings } from './config-text.ts';
import { STATE_FOLDER } from './exclude.ts';
import { EMPTY_TREE, type GitResult, git, TRUSTLESS } from './git.ts';
import { disbelieve } from './index-file.ts';
import { locate, type Repository } from './locate.ts';
import { bytesOf, openable, splitNul } from './names.ts';

export type Patch =
  | { kind: 'patch'; bytes: Buffer; warning?: string }
  | { kind: 'too-large'; limit: number; warning: string }
  | { kind: 'none'; reason: string };

export type PatchOptions = {
  /** The commit that the patch begins at, null before the first one; left out, the present HEAD. */
  from?: string | null;
  /** Untracked files that belong in it, from the top of the repository. */
  untracked?: readonly string[];
};

/** A record is a file like another: its words are no options for git. */
const COMMIT = /^[0-9a-f]{40,64}$/;

/** Whatever the user's own settings make of a diff, this one is read and applied by others. */
const READABLE = ['--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '--ignore-submodules=none'];

/** `git diff` from a commit to the files as they lie, binary changes included so that it applies. */
export function diffPatch(root: string, maxBytes: number, options: PatchOptions = {}): Patch {
  const repo = locate(root);
  if (repo.kind !== 'worktree') return { kind: 'none', reason: `${root} is in no git work tree` };
  const from = options.from == null || COMMIT.test(options.from) ? options.from : undefined;
  const untracked = options.untracked ?? [];
  const empty = EMPTY_TREE[settings(repo).idLength];
  const warnings: string[] = [];
  const made = (files: readonly string[]): GitResult => {
    const ask = (base: string) => diff(root, repo, base, files, maxBytes);
    const first = ask(from === null ? empty : (from ?? 'HEAD'));
    if (first.ok || !/bad revision|bad object|ambiguous argument/.test(first.stderr)) return first;
    if (from !== undefined && warnings.length === 0) {
      warnings.push(`git no longer knows ${from}, where the run began: the patch begins at the present HEAD.`);
    }
    const second = from === undefined ? first : ask('HEAD');
    return second.ok || !/bad revision|ambiguous argument/.test(second.stderr) ? second : ask(empty);
  };
  const large = (result: GitResult) => (result.ok ? result.stdout.length > maxBytes : isTooMuch(result));
  let patch = tooLarge(repo, untracked, maxBytes) ? null : made(untracked);
  if (untracked.length > 0 && (patch === null || large(patch))) {
    patch = made([]);
    warnings.push(
      `untracked files were left out of the patch: with them it exceeds the configured limit of ${maxBytes} bytes`,
    );
  }
  if (patch === null || large(patch)) {
    const warning = `patch exceeded the configured limit of ${maxBytes} bytes and was not retained; the changed-file list is complete`;
    return { kind: 'too-large', limit: maxBytes, warning };
  }
  if (!patch.ok) return { kind: 'none', reason: patch.message };
  return { kind: 'patch', bytes: patch.stdout, ...(warnings.length > 0 ? { warning: warnings.join('; ') } : {}) };
}

const isTooMuch = (result: GitResult): boolean => !result.ok && result.code === 'git-too-much-output';

/** Known before git reads and packs them. */
function tooLarge(repo: Repository, files: readonly string[], most: number): boolean {
  let bytes = 0;
  for (const path of files) {
    bytes += lstatSync(openable(repo.top, path), { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > most) return true;
  }
  return false;
}

function diff(root: string, repo: Repository, base: string, files: readonly string[], maxBytes: number): GitResult {
  const state = `:(top,exclude)${repo.prefix}${STATE_FOLDER}`;
  const args = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-relative', '--binary', ...READABLE];
  const ask = (env?: Record<string, string>) =>
    git([...TRUSTLESS, ...args, base, '--', ':(top)', state], {
      cwd: root,
      env,
      maxBytes: maxBytes + 1,
      timeoutMs: 60_000,
    });
  try {
    return throughCopy(root, repo, files, ask);
  } catch {
    // No room for a copy of the index: what the user's own shows is better than nothing.
    return ask();
  }
}

/** A copy of the index that believes nothing of a file, and has the untracked ones as empty: git looks into each of them. */
function throughCopy(
  root: string,
  repo: Repository,
  files: readonly string[],
  ask: (env: Record<string, string>) => GitResult,
): GitResult {
  const own = join(repo.gitDir, 'index');
  const { idLength, sparse } = settings(repo);
  const absent = sparse
    ? (path: string) => lstatSync(join(repo.top, path), { throwIfNoEntry: false }) === undefined
    : null;
  return withCache(
    join(root, STATE_FOLDER, 'cache', 'index'),
    cache => {
      const index = temporary(cache);
      const env = { GIT_INDEX_FILE: index };
      try {
        const stat = statSync(own, { throwIfNoEntry: false });
        if (stat) {
          const bytes = readFileSync(own);
          const plain = disbelieve(bytes, idLength, Math.floor(stat.mtimeMs / 1000), absent) !== null;
          // What only git can read may have been changed halfway.
          writeFileSync(index, plain ? bytes : readFileSync(own));
          backdate(index, stat.mtimeMs);
        }
        if (files.length > 0) {
          const line = `100644 ${EMPTY_BLOB[idLength]} 0\t`;
          const added = git([...TRUSTLESS, 'update-index', '-z', '--index-info'], {
            cwd: repo.top,
            env,
            input: bytesOf(files.map(path => `${line}${path}\0`).join('')),
          });
          if (!added.ok) return added;
        }
        return ask(env);
      } finally {
        discard(index);
      }
    },
    result => (result.ok ? null : result.message),
  );
}

const EMPTY_BLOB = {
  20: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  32: '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
};

/** What lies between two commits; null where git does not know one of them. `from` null: before the first commit. */
export function committedChanges(root: string, from: string | null, to: string): CommittedChange[] | null {
  if (![from ?? to, to].every(name => COMMIT.test(name))) return null;
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', '--no-abbrev'];
  const listed = git([...TRUSTLESS, ...args, from ?? EMPTY_TREE[to.length === 64 ? 32 : 20], to], { cwd: root });
  if (!listed.ok) return null;
  const parts = splitNul(listed.stdout);
  const found: CommittedChange[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const match = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /.exec(parts[i]!);
    if (!match) continue;
    const side = (mode: string, blob: string) => (/^0+$/.test(mode) ? null : { blob, mode });
    found.push({ path: parts[i + 1]!, before: side(match[1]!, match[3]!), after: side(match[2]!, match[4]!) });
  }
  return found;
}
