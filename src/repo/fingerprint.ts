/**
 * The content hash of a tree, in one form for a work tree, an index and a revision, so that they can be compared.
 *
 * It covers the whole git work tree that holds `root`, not `root` alone: a suite in a sub-folder reads what lies beside
 * it, and a commit takes all of it. Only the exclusions are relative to `root`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Cache, withCache } from './cache.ts';
import { hidesByExclude, lookedAtElsewhere, settings } from './config-text.ts';
import { type Exclusion, exclusion } from './exclude.ts';
import { git, TRUSTLESS } from './git.ts';
import { locate, type Repository, readHead } from './locate.ts';
import { type NotRecorded, type Recorded, recordIndex, recordRevision, recordWorktree } from './private-index.ts';
import { rawContent } from './raw.ts';

export type FingerprintOf = 'worktree' | 'index' | { rev: string };

export type FingerprintOptions = {
  of: FingerprintOf;
  /** Claim globs relative to `root`; only documents in them are left out. */
  exclude?: readonly string[];
  /** The index a commit in progress would use, where it is not the repository's own. */
  indexFile?: string;
  timeoutMs?: number;
  /** Default: `.claude/state/cache/index` under `root`. */
  cacheDir?: string;
};

export type Submodule = {
  path: string;
  /** Its own content differs from its own commit. */
  dirty: boolean;
};

export type Fingerprint = {
  ok: true;
  of: 'worktree' | 'index' | 'rev';
  /** SHA-256, hex. */
  value: string;
  /** Bytes on disk where a content filter stands between them and `value`; compared on one machine only. */
  raw: string | null;
  head: string | null;
  /** `info/exclude`, or an ignore file that the repository's settings name, has patterns: new files may exist that no listing shows. */
  hiddenByExclude: boolean;
  /** Files a sparse checkout left out; they count as recorded. */
  sparseAbsent: number;
  unreadable: string[];
  submodules: Submodule[];
};
export type NoFingerprint = {
  ok: false;
  /** `no-git`: no repository or no git program; `plainFingerprint` answers instead. */
  reason: string;
  message: string;
};

export function fingerprint(root: string, options: FingerprintOptions): Fingerprint | NoFingerprint {
  const repo = locate(root);
  if (repo.kind === 'none') return { ok: false, reason: 'no-git', message: `${root} is in no git repository` };
  if (repo.kind === 'bare') {
    return { ok: false, reason: 'bare', message: `${root} is a bare repository: there is no work tree to judge` };
  }
  const elsewhere = lookedAtElsewhere(repo);
  if (elsewhere !== null) {
    const message = `core.worktree of ${repo.top} makes git look at ${elsewhere}: take it out (git config --unset core.worktree)`;
    return { ok: false, reason: 'elsewhere', message };
  }
  return withCache(
    options.cacheDir ?? join(root, '.claude', 'state', 'cache', 'index'),
    cache => inRepository(repo, cache, exclusion(options.exclude ?? [], repo.prefix), options),
    result => (result.ok ? null : result.message),
  );
}

function inRepository(
  repo: Repository,
  cache: Cache,
  exclude: Exclusion,
  options: FingerprintOptions,
): Fingerprint | NoFingerprint {
  const setting = { repo, settings: settings(repo), cache, exclude, timeoutMs: options.timeoutMs ?? 120_000 };
  const head = readHead(repo);
  const common = {
    ok: true as const,
    raw: null,
    head: head ? head.commit : resolved(repo, 'HEAD'),
    hiddenByExclude: hidesByExclude(repo),
    sparseAbsent: 0,
    unreadable: [],
    submodules: [],
  };
  if (options.of === 'worktree') {
    return recordWorktree(setting, recorded => {
      const nested = nestedTrees(repo, cache, recorded, options);
      if (!Array.isArray(nested)) return nested;
      const raw = rawContent(setting, recorded);
      if (raw !== null && typeof raw !== 'string') return raw;
      const dirty = nested.filter(tree => tree.mark !== null);
      const raws = nested.filter(tree => tree.raw !== null).map(tree => `${tree.path}\0${tree.raw}`);
      return {
        ...common,
        of: 'worktree' as const,
        value:
          dirty.length === 0
            ? recorded.value
            : combine(
                recorded.value,
                dirty.map(t => `${t.path}\0${t.mark}`),
              ),
        raw: raws.length === 0 ? raw : combine(raw ?? '', raws),
        sparseAbsent: recorded.absent,
        unreadable: recorded.unreadable,
        submodules: nested.map(tree => ({ path: tree.path, dirty: tree.mark !== null })),
      };
    });
  }
  if (options.of === 'index') {
    const tree = recordIndex(setting, options.indexFile ?? join(repo.gitDir, 'index'));
    return typeof tree === 'string' ? { ...common, of: 'index', value: tree } : tree;
  }
  const tree = recordRevision(setting, options.of.rev);
  return typeof tree === 'string' ? { ...common, of: 'rev', value: tree } : tree;
}

function resolved(repo: Repository, rev: string): string | null {
  const result = git([...TRUSTLESS, 'rev-parse', '--verify', '--quiet', rev], { cwd: repo.top });
  return result.ok ? result.stdout.toString('latin1').trim() : null;
}

type Nested = { path: string; mark: string | null; raw: string | null };

/** Repositories inside the tree: git records their commit, we add their content where it is not that commit's. */
function nestedTrees(
  repo: Repository,
  cache: Cache,
  recorded: Recorded,
  options: FingerprintOptions,
): Nested[] | NotRecorded {
  const found: Nested[] = [];
  for (const path of [...recorded.links, ...recorded.unborn].sort()) {
    const folder = join(repo.top, path);
    if (!existsSync(join(folder, '.git'))) continue;
    const inner = { exclude: [], timeoutMs: options.timeoutMs, cacheDir: join(cache.dir, 'nested') };
    const now = fingerprint(folder, { ...inner, of: 'worktree' });
    if (!now.ok) return { ...now, message: `${path}: ${now.message}` };
    const committed = now.head === null ? null : fingerprint(folder, { ...inner, of: { rev: 'HEAD' } });
    const clean = committed?.ok === true && committed.value === now.value;
    found.push({ path, mark: clean ? null : now.value, raw: now.raw });
  }
  return found;
}

function combine(first: string, lines: string[]): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256')
    .update([first, ...lines].join('\n'))
    .digest('hex');
}
