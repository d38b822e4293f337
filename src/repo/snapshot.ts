/** What the repository shows at one instant: HEAD, and every file that differs from it with the hash of its bytes. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backdate, type Cache, discard, keep, signature, temporary, withCache } from './cache.ts';
import { settings } from './config-text.ts';
import { contentOf } from './content.ts';
import { STATE_FOLDER } from './exclude.ts';
import { fingerprint } from './fingerprint.ts';
import { git, TRUSTLESS } from './git.ts';
import { disbelieve } from './index-file.ts';
import { locate, type Repository, readHead } from './locate.ts';
import { openable, splitNul } from './names.ts';
import { protectedHashes } from './protected.ts';

export type SnapshotEntry = {
  /** From the top of the repository. */
  path: string;
  /** The two letters of `git status`, index and work tree. */
  status: string;
  /** SHA-256 of a regular file's bytes; for a nested repository, the fingerprint of its tree. */
  contentHash?: string;
  /** The id git would give these bytes without content filters. */
  blob?: string;
  mode?: string;
  linkTarget?: string;
  headBlob?: string;
  headMode?: string;
  /** A repository inside this one: recorded by git as a commit, or not at all. */
  repository?: 'submodule' | 'nested';
};

export type Diagnostic = { severity: 'error' | 'warning'; code: string; message: string };

export type Snapshot = {
  schemaVersion: '1.0.0';
  capturedAt: string;
  gitAvailable: boolean;
  head?: string;
  branch?: string;
  detached: boolean;
  clean: boolean;
  entries: SnapshotEntry[];
  excludedPrefixes: string[];
  protectedHashes: Record<string, string>;
  diagnostics: Diagnostic[];
};

/** Whether it says anything of the tree: a status that failed shows no file as clean. */
export const captured = (taken: Snapshot): boolean =>
  taken.gitAvailable && !taken.diagnostics.some(d => d.code === 'GIT_STATUS_FAILED');

export type SnapshotOptions = {
  /** Globs, from `root`, of files whose bytes are recorded even where git ignores them. */
  protect?: readonly string[];
  /** More prefixes, from `root`, that are not the agent's work. */
  excludePrefixes?: readonly string[];
  timeoutMs?: number;
  cacheDir?: string;
};

export function snapshot(root: string, options: SnapshotOptions = {}): Snapshot {
  const taken: Snapshot = {
    schemaVersion: '1.0.0',
    capturedAt: new Date().toISOString(),
    gitAvailable: false,
    detached: false,
    clean: false,
    entries: [],
    excludedPrefixes: [STATE_FOLDER, ...(options.excludePrefixes ?? [])],
    protectedHashes: protectedHashes(root, options.protect ?? []),
    diagnostics: [],
  };
  const complain = (severity: Diagnostic['severity'], code: string, message: string): Snapshot => {
    taken.diagnostics.push({ severity, code, message });
    return taken;
  };
  const repo = locate(root);
  if (repo.kind !== 'worktree') {
    const what = repo.kind === 'bare' ? 'a bare repository' : 'not in a git repository';
    return complain('error', 'GIT_UNAVAILABLE', `${root} is ${what}; no repository state was captured`);
  }
  taken.excludedPrefixes = taken.excludedPrefixes.map(prefix => repo.prefix + prefix);
  taken.protectedHashes = Object.fromEntries(
    Object.entries(taken.protectedHashes).map(([path, hash]) => [repo.prefix + path, hash]),
  );
  const head = readHead(repo);
  const status = readStatus(root, repo, options, head === null);
  if (!status.ok) {
    if (status.code === 'git-missing') {
      return complain('error', 'GIT_UNAVAILABLE', 'git is not installed; no repository state was captured');
    }
    taken.gitAvailable = true;
    return complain('error', 'GIT_STATUS_FAILED', status.message);
  }
  taken.gitAvailable = true;
  const read = parseStatus(status.stdout);
  const commit = head ? head.commit : read.head;
  if (commit) taken.head = commit;
  else complain('warning', 'GIT_NO_HEAD', 'the repository has no commit yet');
  const branch = head ? head.branch : read.branch;
  if (branch !== null) taken.branch = branch;
  taken.detached = branch === null;
  for (const entry of read.entries) {
    if (taken.excludedPrefixes.some(prefix => entry.path.startsWith(prefix))) continue;
    taken.entries.push(complete(repo, entry, options));
  }
  taken.entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  taken.clean = taken.entries.length === 0;
  return taken;
}

/** Through a copy of the index where the user's own says not to look at some files. */
function readStatus(root: string, repo: Repository, options: SnapshotOptions, withHead: boolean) {
  const args = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames'];
  if (withHead) args.push('--branch', '--no-ahead-behind');
  const ask = (env?: Record<string, string>) =>
    git([...TRUSTLESS, ...args, '--ignore-submodules=none'], {
      cwd: repo.top,
      env,
      timeoutMs: options.timeoutMs ?? 30_000,
    });
  const own = join(repo.gitDir, 'index');
  const stat = statSync(own, { throwIfNoEntry: false });
  if (!stat) return ask();
  const { sparse, idLength } = settings(repo);
  // Looking through a large index for such files costs as much as git's own work: once per index is enough.
  const second = Math.floor(stat.mtimeMs / 1000);
  const cacheDir = options.cacheDir ?? join(root, STATE_FOLDER, 'cache', 'index');
  const honest = `honest-${signature(own, idLength)}-${second}`;
  if (!sparse && existsSync(join(cacheDir, honest))) return ask();
  let bytes: Buffer;
  try {
    bytes = readFileSync(own);
  } catch {
    return ask();
  }
  const absent = sparse ? (path: string) => !existsSync(join(repo.top, path)) : null;
  const believed = disbelieve(bytes, idLength, second, absent);
  // Version 4, split and sparse indexes are git's alone to read.
  if (!believed) return ask();
  const asked = (cache: Cache) => {
    const index = temporary(cache);
    try {
      writeFileSync(index, believed.touched ? bytes : '');
      if (!believed.touched) {
        keep(cache, index, honest, 'honest-');
        return ask();
      }
      backdate(index, stat.mtimeMs);
      return ask({ GIT_INDEX_FILE: index });
    } finally {
      discard(index);
    }
  };
  return withCache(cacheDir, asked, status => (status.ok ? null : status.message));
}

type Status = { head: string | null; branch: string | null; entries: SnapshotEntry[] };

function parseStatus(stdout: Buffer): Status {
  const found: Status = { head: null, branch: null, entries: [] };
  for (const line of splitNul(stdout)) {
    const kind = line[0];
    if (kind === '#') {
      const oid = /^# branch\.oid ([0-9a-f]+)$/.exec(line)?.[1];
      const branch = /^# branch\.head (.+)$/.exec(line)?.[1];
      if (oid) found.head = oid;
      if (branch && branch !== '(detached)') found.branch = branch;
    } else if (kind === '?') {
      const path = line.slice(2);
      found.entries.push({ path, status: '??', ...(path.endsWith('/') ? { repository: 'nested' as const } : {}) });
    } else if (kind === '1') {
      // 1 XY sub mH mI mW hH hI path
      const field = fields(line, 8);
      found.entries.push({ path: field.rest, status: field.at(1).replaceAll('.', ' '), ...sides(field.at) });
    } else if (kind === 'u') {
      // u XY sub m1 m2 m3 mW h1 h2 h3 path: "ours" stands for HEAD
      const field = fields(line, 10);
      found.entries.push({ path: field.rest, status: field.at(1).replaceAll('.', ' ') });
    }
  }
  return found;
}

function fields(line: string, count: number): { at(i: number): string; rest: string } {
  const parts = line.split(' ');
  return { at: i => parts[i] ?? '', rest: parts.slice(count).join(' ') };
}

function sides(at: (i: number) => string): Partial<SnapshotEntry> {
  const side: Partial<SnapshotEntry> = {};
  if (at(2).startsWith('S')) side.repository = 'submodule';
  if (/[1-9]/.test(at(3))) {
    side.headMode = at(3);
    side.headBlob = at(6);
  }
  return side;
}

function complete(repo: Repository, entry: SnapshotEntry, options: SnapshotOptions): SnapshotEntry {
  const path = join(repo.top, entry.path);
  if (entry.repository !== undefined) {
    // Two dirty states of one nested repository look alike to status.
    const cacheDir = options.cacheDir ?? join(repo.top, repo.prefix, STATE_FOLDER, 'cache', 'index');
    const inner = fingerprint(path, { of: 'worktree', cacheDir: join(cacheDir, 'nested') });
    return inner.ok ? { ...entry, contentHash: inner.value } : entry;
  }
  return { ...entry, ...contentOf(openable(repo.top, entry.path), entry.headBlob?.length === 64 ? 'sha256' : 'sha1') };
}
