/**
 * Reads git's index file (versions 2 and 3), because asking git for the same facts costs a process and a
 * 100,000-line listing. Anything else reads as null and the caller lets git list it.
 */
import type { Exclusion } from './exclude.ts';
import { shortHash } from './short-hash.ts';

export type IndexDigest = {
  /** SHA-256 of every path with its mode and content id, without what is excluded. */
  value: string;
  /** Paths recorded as commits: submodules and embedded repositories. */
  links: string[];
  /** `.gitattributes` files. */
  attributes: string[];
  /** Digest of every `.gitignore` path and content id: when it moves, what counts as unignored moved. */
  ignores: string;
  /** Entries whose content could change without its recorded stat data changing. */
  unsafe: number;
  /** A merge is unfinished: the index has no single content. */
  unmerged: boolean;
};

/** Length of an object id in bytes: 20 for SHA-1, 32 for SHA-256. */
export type IdLength = 20 | 32;

const EXTENDED = 0x40;

/** Cold code runs interpreted: at 100,000 entries node's checked reader would cost more than git does. */
function u32(bytes: Buffer, at: number): number {
  return bytes[at]! * 0x1000000 + ((bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!);
}

/**
 * Calls `visit(entry, flags, path start, path end)` with offsets; gives where the entries end, or null when the bytes
 * do not read as an index of version 2 or 3.
 */
function walk(
  index: Buffer,
  id: IdLength,
  visit: (at: number, flags: number, from: number, to: number) => void,
): number | null {
  if (index.length < 12 + id || index.readUInt32BE(0) !== 0x44495243) return null;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return null;
  const end = index.length - id;
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flags = at + 40 + id;
    if (flags + 2 > end) return null;
    const from = flags + ((index[flags]! & EXTENDED) !== 0 ? 4 : 2);
    const length = ((index[flags]! & 0x0f) << 8) | index[flags + 1]!;
    const to = length < 0xfff ? from + length : index.indexOf(0, from);
    if (to < from || to >= end || index[to] !== 0) return null;
    visit(at, flags, from, to);
    at += (to - at + 8) & ~7;
  }
  return at;
}

const CTIME = 0;
const MTIME = 8;
const MODE = 24;
const ID = 40;
const GITLINK = 0xe0;
const IGNORE = Buffer.from('.gitignore');
const ATTRIBUTES = Buffer.from('.gitattributes');

function named(index: Buffer, from: number, to: number, name: Buffer): boolean {
  // The last letter first: a call into native code for each of 100,000 paths costs more than all the rest.
  if (index[to - 1] !== name[name.length - 1]) return false;
  const start = to - name.length;
  if (start < from || (start > from && index[start - 1] !== 0x2f)) return false;
  return index.compare(name, 0, name.length, start, to) === 0;
}

const STAGE = 0x30;
const INTENT_TO_ADD = 0x20;
const NAME_LENGTH = 0x0f;

/**
 * Destroys the bytes it is given: the digest's input is laid out in them, since 100,000 small updates of a hash cost more
 * than git's own work.
 *
 * `takenAt` and `writtenAt`: the seconds in which the stat data was taken and the index written. An edit later in the
 * same second that puts the old mtime back leaves size, mtime and ctime (git compares whole seconds) as they were.
 */
export function digestIndex(
  index: Buffer,
  id: IdLength,
  exclude: Exclusion,
  takenAt: number,
  writtenAt: number,
): IndexDigest | null {
  const facts: IndexDigest = { value: '', links: [], attributes: [], ignores: '', unsafe: 0, unmerged: false };
  const ignores: Uint8Array[] = [];
  let out = 0;
  const end = walk(index, id, (at, flags, from, to) => {
    if (u32(index, at + CTIME) >= takenAt && u32(index, at + MTIME) < writtenAt) facts.unsafe++;
    if (index[at + MODE + 2] === GITLINK) facts.links.push(index.toString('utf8', from, to));
    if (named(index, from, to, IGNORE)) ignores.push(Buffer.from(index.subarray(at + ID, to + 1)));
    else if (named(index, from, to, ATTRIBUTES)) facts.attributes.push(index.toString('utf8', from, to));
    if ((index[flags]! & STAGE) !== 0) facts.unmerged = true;
    // Announced and not added: no commit would hold it.
    if (from - flags === 4 && (index[flags + 2]! & INTENT_TO_ADD) !== 0) return;
    if (exclude.maybe(index, from, to) && exclude.excludes(index.toString('utf8', from, to))) return;
    // The mode takes the place of the size, so that mode, id, name length and path move in one call.
    for (let i = 0; i < 4; i++) index[at + ID - 4 + i] = index[at + MODE + i]!;
    index[flags]! &= NAME_LENGTH;
    if (from - flags === 2) index.copyWithin(out, at + ID - 4, to + 1);
    else {
      index.copyWithin(out, at + ID - 4, flags + 2);
      index.copyWithin(out + id + 6, from, to + 1);
    }
    out += id + 6 + (to + 1 - from);
  });
  if (end === null) return null;
  const { createHash } = process.getBuiltinModule('node:crypto');
  facts.value = createHash('sha256').update(index.subarray(0, out)).digest('hex');
  facts.ignores = shortHash(ignores);
  return facts;
}

/** Every path with its mode, content id and times in seconds, in index order. */
export function eachEntry(
  index: Buffer,
  id: IdLength,
  visit: (path: Buffer, mode: number, content: Buffer, ctime: number, mtime: number) => void,
): boolean {
  const end = walk(index, id, (at, _flags, from, to) => {
    visit(
      index.subarray(from, to),
      u32(index, at + MODE),
      index.subarray(at + ID, at + ID + id),
      u32(index, at + CTIME),
      u32(index, at + MTIME),
    );
  });
  return end !== null;
}

const ASSUME_UNCHANGED = 0x80;
const SKIP_WORKTREE = 0x40;

/**
 * Makes a copy of the user's index believe nothing: assume-unchanged and skip-worktree dropped (except where `absent`
 * says a sparse checkout rightly left the file out), and stat data that could hide an edit made unusable. Changes the
 * bytes it is given; null when only git can read them.
 */
export function disbelieve(
  index: Buffer,
  id: IdLength,
  writtenAt: number,
  absent: ((path: string) => boolean) | null,
): { touched: boolean; skipped: number } | null {
  let skipped = 0;
  let touched = false;
  const end = walk(index, id, (at, flags, from, to) => {
    if ((index[flags]! & ASSUME_UNCHANGED) !== 0) {
      index[flags]! &= ~ASSUME_UNCHANGED;
      touched = true;
    }
    if (from - flags === 4 && (index[flags + 2]! & SKIP_WORKTREE) !== 0) {
      if (absent?.(index.toString('utf8', from, to))) skipped++;
      else {
        index[flags + 2]! &= ~SKIP_WORKTREE;
        touched = true;
      }
    }
    if (u32(index, at + CTIME) >= writtenAt && u32(index, at + MTIME) < writtenAt) {
      index.writeUInt32BE(0, at + CTIME);
      touched = true;
    }
  });
  if (end === null) return null;
  if (!plainAfter(index, id, end)) return null;
  if (touched) {
    const { createHash } = process.getBuiltinModule('node:crypto');
    createHash(id === 20 ? 'sha1' : 'sha256')
      .update(index.subarray(0, -id))
      .digest()
      .copy(index, index.length - id);
  }
  return { touched, skipped };
}

/** Paths of an unfinished merge; null when only git can read the index. */
export function unmergedPaths(index: Buffer, id: IdLength): string[] | null {
  const found = new Set<string>();
  const end = walk(index, id, (_at, flags, from, to) => {
    if ((index[flags]! & STAGE) !== 0) found.add(index.toString('utf8', from, to));
  });
  return end !== null && plainAfter(index, id, end) ? [...found] : null;
}

/** Lower-case extensions change what the entries mean (split and sparse index). */
function plainAfter(index: Buffer, id: IdLength, end: number): boolean {
  for (let at = end; at + 8 <= index.length - id; at += 8 + index.readUInt32BE(at + 4)) {
    if (index[at]! >= 0x61) return false;
  }
  return true;
}

/** Can we read it whole, or is it a form that only git reads? */
export function isPlain(index: Buffer, id: IdLength): boolean {
  const end = walk(index, id, () => {});
  return end !== null && plainAfter(index, id, end);
}
