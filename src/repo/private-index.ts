/** The content of a work tree as git would record it, by a private index that trusts nothing the user's index says. */
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backdate, type Cache, discard, keep, kept, objectsOf, signature, sweep, temporary, twin } from './cache.ts';
import type { Settings } from './config-text.ts';
import type { Exclusion } from './exclude.ts';
import { type GitFailure, type GitResult, git, TRUSTLESS } from './git.ts';
import { digestIndex, disbelieve, type IndexDigest, isPlain } from './index-file.ts';
import type { Repository } from './locate.ts';
import { joinNul, splitNul } from './names.ts';
import { shortHash } from './short-hash.ts';
import { remember } from './trees.ts';

export type Recorded = {
  ok: true;
  value: string;
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
  return { ok: false, reason: 'git-failed', message: result.message };
}

/** Kept under `<family><user's index>.<ignore files>.<flags>.<value>`: one name, so that parts never belong to two runs. */
type Name = { source: string; ignores: string; links: boolean; attributes: boolean; absent: number; value: string };

function nameOf(family: string, n: Name): string {
  const flags = (n.links ? 'l' : '') + (n.attributes ? 'a' : '') + `s${n.absent}`;
  return `${family}${n.source}.${n.ignores}.${flags}.${n.value}`;
}

function parseName(family: string, name: string): Name | null {
  const match = /^([^.]+)\.([^.]+)\.(l?)(a?)s(\d+)\.([0-9a-f]+)$/.exec(name.slice(family.length));
  if (!match) return null;
  const [, source, ignores, links, attributes, absent, value] = match;
  return {
    source: source!,
    ignores: ignores!,
    links: links !== '',
    attributes: attributes !== '',
    absent: Number(absent),
    value: value!,
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
    return { ...common, value: before.value, links: [], attributes: [] };
  }
  const digest = after
    ? digestIndex(readFileSync(index), s.settings.idLength, s.exclude, takenAt, Math.floor(after.mtimeMs / 1000))
    : emptyDigest();
  if (!digest) return unread(s);
  const { links, attributes, value } = digest;
  if (after) remember(s.cache, index, value);
  if (unchanged) return { ...common, value, links, attributes };
  // What earlier runs added may be ignored by now; git keeps what an index already has.
  if (before && before.ignores !== digest.ignores) {
    discard(index);
    return measure(s, index, false);
  }
  if (after && digest.unsafe === 0) {
    const flags = { links: links.length > 0, attributes: attributes.length > 0, absent };
    const name = nameOf(family, { source: user, ignores: digest.ignores, ...flags, value });
    // The caller may still read `index`, so what is kept gets a name of its own.
    const copy = temporary(s.cache);
    if (twin(index, copy)) keep(s.cache, copy, name, family);
  }
  return { ...common, value, links, attributes };
}

function emptyDigest(): IndexDigest {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const value = createHash('sha256').digest('hex');
  return { value, links: [], attributes: [], ignores: '0', unsafe: 0, unmerged: false };
}

function unread(s: Setting): NotRecorded {
  return {
    ok: false,
    reason: 'index-unread',
    message: `the index of ${s.repo.top} cannot be read; run git status there`,
  };
}

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
    const marked = run(s, index, ['update-index', '-z', '--skip-worktree', '--stdin'], joinNul(skip));
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

/** What the next commit would record. */
export function recordIndex(s: Setting, indexFile: string): string | NotRecorded {
  let bytes: Buffer;
  try {
    bytes = readFileSync(indexFile);
  } catch {
    return emptyDigest().value;
  }
  const listed = temporary(s.cache);
  try {
    // Reading destroys the bytes, and the second way needs them whole.
    const direct = isPlain(bytes, s.settings.idLength)
      ? digestIndex(bytes, s.settings.idLength, s.exclude, 0, 0)
      : null;
    if (direct) return settled(s, direct);
    const seeded = seedByListing(s, bytes, listed, null);
    if (typeof seeded !== 'number') return seeded;
    return ofFile(s, listed);
  } finally {
    discard(listed);
  }
}

export function recordRevision(s: Setting, rev: string): string | NotRecorded {
  const unknown: NotRecorded = { ok: false, reason: 'bad-revision', message: `git knows no revision ${rev}` };
  if (rev.startsWith('-')) return unknown;
  const index = temporary(s.cache);
  try {
    const loaded = run(s, index, ['-c', 'index.version=2', 'read-tree', `${rev}^{tree}`]);
    if (loaded.ok) return ofFile(s, index);
    return /[Nn]ot a valid object name/.test(loaded.stderr) ? unknown : refused(loaded);
  } finally {
    discard(index);
  }
}

function ofFile(s: Setting, index: string): string | NotRecorded {
  if (!existsSync(index)) return emptyDigest().value;
  const digest = digestIndex(readFileSync(index), s.settings.idLength, s.exclude, 0, 0);
  return digest ? settled(s, digest) : unread(s);
}

function settled(s: Setting, digest: IndexDigest): string | NotRecorded {
  if (!digest.unmerged) return digest.value;
  return { ok: false, reason: 'unmerged', message: `a merge in ${s.repo.top} is unfinished: solve it and git add` };
}
