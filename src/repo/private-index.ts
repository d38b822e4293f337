/** The content of a work tree as git would record it, by a private index that trusts nothing the user's index says. */
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backdate, type Cache, discard, keep, kept, objectsOf, signature, sweep, temporary, twin } from './cache.ts';
import type { Settings } from './config-text.ts';
import type { Exclusion } from './exclude.ts';
import { type GitFailure, type GitResult, git, splitNul, TRUSTLESS } from './git.ts';
import { disbelieve, type IndexFacts, readIndex } from './index-file.ts';
import type { Repository } from './locate.ts';
import { shortHash } from './short-hash.ts';

export type Recorded = {
  ok: true;
  /** Tree id without what is excluded. */
  tree: string;
  links: string[];
  attributes: string[];
  /** Files a sparse checkout leaves out: taken as recorded. */
  absent: number;
  /** Untracked repositories without a commit, which git cannot record. */
  unborn: string[];
  /** Folders git could not look into. */
  unreadable: string[];
  /** The index just measured: alive until the callback returns. */
  indexFile: string;
};
export type NotRecorded = { ok: false; reason: string; message: string };

export type Setting = {
  repo: Repository;
  settings: Settings;
  cache: Cache;
  exclude: Exclusion;
  timeoutMs: number;
};

function run(s: Setting, index: string, args: string[], input?: Buffer | string): GitResult {
  return git([...TRUSTLESS, ...args], {
    cwd: s.repo.top,
    env: { ...objectsOf(s.cache, s.repo.commonDir), GIT_INDEX_FILE: index },
    input,
    timeoutMs: s.timeoutMs,
  });
}

export function refused(result: GitFailure): NotRecorded {
  if (result.code !== 'git-failed') {
    return { ok: false, reason: result.code === 'git-missing' ? 'no-git' : result.code, message: result.message };
  }
  const unreadable = /open\("(.*?)"\): Permission denied/.exec(result.stderr)?.[1];
  if (unreadable !== undefined) {
    const message = `${unreadable} cannot be read: make it readable, or ignore it if it is not part of the work`;
    return { ok: false, reason: 'unreadable', message };
  }
  if (/dubious ownership/.test(result.stderr)) return { ok: false, reason: 'untrusted-owner', message: result.message };
  if (/unmerged/.test(result.stderr)) return { ok: false, reason: 'unmerged', message: result.message };
  return { ok: false, reason: 'git-failed', message: result.message };
}

/** Kept under `<family><user's index>.<ignore files>.<flags>.<tree>`: one name, so that parts never belong to two runs. */
type Name = { source: string; ignores: string; links: boolean; attributes: boolean; absent: number; tree: string };

function nameOf(family: string, n: Name): string {
  const flags = (n.links ? 'l' : '') + (n.attributes ? 'a' : '') + `s${n.absent}`;
  return `${family}${n.source}.${n.ignores}.${flags}.${n.tree}`;
}

function parseName(family: string, name: string): Name | null {
  const match = /^([^.]+)\.([^.]+)\.(l?)(a?)s(\d+)\.([0-9a-f]+)$/.exec(name.slice(family.length));
  if (!match) return null;
  const [, source, ignores, links, attributes, absent, tree] = match;
  return {
    source: source!,
    ignores: ignores!,
    links: links !== '',
    attributes: attributes !== '',
    absent: Number(absent),
    tree: tree!,
  };
}

export function recordWorktree<T>(s: Setting, use: (recorded: Recorded) => T): T | NotRecorded {
  const index = temporary(s.cache);
  try {
    const recorded = measure(s, index, true);
    return recorded.ok ? use(recorded) : recorded;
  } finally {
    discard(index);
  }
}

function measure(s: Setting, index: string, mayReuse: boolean): Recorded | NotRecorded {
  const family = `wt-${shortHash([s.repo.gitDir, s.exclude.id])}-`;
  const userIndex = join(s.repo.gitDir, 'index');
  const user = signature(userIndex, s.settings.idLength);
  const found = mayReuse ? kept(s.cache, `${family}${user}.`) : null;
  const before = found !== null && twin(join(s.cache.dir, found), index) ? parseName(family, found) : null;
  let absent = before?.absent ?? 0;
  if (!before) {
    sweep(s.cache);
    // A link to a kept file would be written through.
    discard(index);
    const seeded = seed(s, userIndex, index);
    if (typeof seeded !== 'number') return seeded;
    absent = seeded;
  }

  const start = statSync(index, { throwIfNoEntry: false });
  const takenAt = Math.floor(Date.now() / 1000);
  const added = addAll(s, index);
  if (!added.ok) return added;
  const after = statSync(index, { throwIfNoEntry: false });
  const common = { ok: true as const, absent, unborn: added.unborn, unreadable: added.unreadable, indexFile: index };

  const unchanged = before !== null && start?.ino === after?.ino && start?.mtimeMs === after?.mtimeMs;
  if (unchanged && !before.links && !before.attributes) {
    return { ...common, tree: before.tree, links: [], attributes: [] };
  }
  const bytes = after ? readFileSync(index) : null;
  const writtenAt = Math.floor((after?.mtimeMs ?? 0) / 1000);
  const facts = bytes ? readIndex(bytes, s.settings.idLength, s.exclude, takenAt, writtenAt) : NOTHING;
  if (!facts)
    return { ok: false, reason: 'index-unread', message: `git wrote an index we cannot read in ${s.cache.dir}` };
  const { links, attributes } = facts;
  if (unchanged) return { ...common, tree: before.tree, links, attributes };
  // What earlier runs added may be ignored by now; git keeps what an index already has.
  if (before && before.ignores !== facts.ignores) {
    discard(index);
    return measure(s, index, false);
  }
  const tree = writeTree(s, index, facts.excluded);
  if (typeof tree !== 'string') return tree;
  if (after && facts.unsafe === 0) {
    const name: Name = {
      source: user,
      ignores: facts.ignores,
      links: links.length > 0,
      attributes: attributes.length > 0,
      absent,
      tree,
    };
    const copy = temporary(s.cache);
    // The caller may still read `index`, so what is kept gets a second name.
    if (twin(index, copy)) keep(s.cache, copy, nameOf(family, name), family);
  }
  return { ...common, tree, links, attributes };
}

const NOTHING: IndexFacts = { links: [], attributes: [], ignores: '0', excluded: [], unsafe: 0 };

/** Copies the user's index without its beliefs; gives the number of files a sparse checkout leaves out. */
function seed(s: Setting, userIndex: string, index: string): number | NotRecorded {
  let bytes: Buffer;
  let mtimeMs: number;
  try {
    // Stat first: a rewrite in between leaves a time that is too early, which only makes git look again.
    mtimeMs = statSync(userIndex).mtimeMs;
    bytes = readFileSync(userIndex);
  } catch {
    return 0;
  }
  const isAbsent = s.settings.sparse
    ? (path: string) => !lstatSync(join(s.repo.top, path), { throwIfNoEntry: false })
    : null;
  const believed = disbelieve(bytes, s.settings.idLength, Math.floor(mtimeMs / 1000), isAbsent);
  if (believed) {
    writeFileSync(index, bytes);
    backdate(index, mtimeMs);
    return believed.skipped;
  }
  return seedByListing(s, bytes, index, isAbsent);
}

/** Index forms only git reads (version 4, split, sparse): slower once, since stat data is lost. */
function seedByListing(
  s: Setting,
  bytes: Buffer,
  index: string,
  isAbsent: ((path: string) => boolean) | null,
): number | NotRecorded {
  const copy = temporary(s.cache);
  try {
    writeFileSync(copy, bytes);
    const listed = run(s, copy, ['ls-files', '-z', '--stage']);
    if (!listed.ok) return refused(listed);
    const filled = run(s, index, ['-c', 'index.version=2', 'update-index', '-z', '--index-info'], listed.stdout);
    if (!filled.ok) return refused(filled);
    if (!isAbsent) return 0;
    const tagged = run(s, copy, ['ls-files', '-z', '-t']);
    if (!tagged.ok) return refused(tagged);
    const skip = splitNul(tagged.stdout)
      .filter(line => line.startsWith('S '))
      .map(line => line.slice(2))
      .filter(isAbsent);
    if (skip.length === 0) return 0;
    const marked = run(s, index, ['update-index', '-z', '--skip-worktree', '--stdin'], skip.join('\0') + '\0');
    return marked.ok ? skip.length : refused(marked);
  } finally {
    discard(copy);
  }
}

type Added = { ok: true; unborn: string[]; unreadable: string[] };

function addAll(s: Setting, index: string): Added | NotRecorded {
  const unborn: string[] = [];
  const options = ['-c', 'index.version=2', 'add', '-A', ...(s.settings.sparse ? ['--sparse'] : []), '--', ':(top)'];
  for (;;) {
    const added = run(s, index, [...options, ...unborn.map(path => `:(top,exclude,literal)${path}`)]);
    const unreadable = [...added.stderr.matchAll(/could not open directory '(.*)': Permission denied/g)].map(
      m => m[1]!,
    );
    if (added.ok) return { ok: true, unborn, unreadable };
    const more = /'(.+?)\/?' does not have a commit checked out/.exec(added.stderr)?.[1];
    if (more === undefined || unborn.includes(more)) return refused(added);
    unborn.push(more);
  }
}

function writeTree(s: Setting, index: string, excluded: Buffer[]): string | NotRecorded {
  if (excluded.length === 0 || !existsSync(index)) return treeOf(s, index);
  const without = temporary(s.cache);
  try {
    if (!twin(index, without))
      return { ok: false, reason: 'cache-unwritable', message: `${s.cache.dir} cannot be written` };
    const removed = run(s, without, ['update-index', '--force-remove', '-z', '--stdin'], Buffer.concat(excluded));
    return removed.ok ? treeOf(s, without) : refused(removed);
  } finally {
    discard(without);
  }
}

function treeOf(s: Setting, index: string): string | NotRecorded {
  const written = run(s, index, ['write-tree', '--missing-ok']);
  return written.ok ? written.stdout.toString('latin1').trim() : refused(written);
}

/** The tree that the next commit would record. */
export function recordIndex(s: Setting, indexFile: string): string | NotRecorded {
  const index = temporary(s.cache);
  try {
    let bytes: Buffer | null = null;
    try {
      bytes = readFileSync(indexFile);
    } catch {
      return treeOf(s, index);
    }
    writeFileSync(index, bytes);
    return withoutExcluded(s, index, bytes);
  } finally {
    discard(index);
  }
}

/** The tree of a revision, which `rev-parse` has already resolved. */
export function recordTree(s: Setting, tree: string): string | NotRecorded {
  const index = temporary(s.cache);
  try {
    const loaded = run(s, index, ['-c', 'index.version=2', 'read-tree', tree]);
    if (!loaded.ok) return refused(loaded);
    return withoutExcluded(s, index, existsSync(index) ? readFileSync(index) : null) ?? tree;
  } finally {
    discard(index);
  }
}

function withoutExcluded(s: Setting, index: string, bytes: Buffer | null): string | NotRecorded {
  if (bytes === null) return treeOf(s, index);
  const facts = readIndex(bytes, s.settings.idLength, s.exclude, 0, 0);
  if (facts) return writeTree(s, index, facts.excluded);
  const listed = run(s, index, ['ls-files', '-z']);
  if (!listed.ok) return refused(listed);
  const excluded = splitNul(listed.stdout).filter(path => s.exclude.excludes(path));
  return writeTree(
    s,
    index,
    excluded.map(path => Buffer.from(path + '\0')),
  );
}
