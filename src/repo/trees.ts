/** Which files a fingerprinted tree had: the index it was measured by stays under its value, so that two trees compare. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Cache, discard, temporary, twin } from './cache.ts';
import { settings } from './config-text.ts';
import { git, TRUSTLESS } from './git.ts';
import { eachEntry } from './index-file.ts';
import type { Repository } from './locate.ts';
import { nameOf, splitNul } from './names.ts';

const PREFIX = 'at-';
const MOST = 48;
const MOST_BYTES = 64 << 20;

/** What is lost of this is a comparison that says "cannot be told". */
export function remember(cache: Cache, index: string, value: string): void {
  try {
    const path = join(cache.dir, PREFIX + value);
    // What lies there already may be another name of a kept index: it is never written to.
    if (existsSync(path)) return;
    const own = temporary(cache);
    if (!twin(index, own)) return;
    renameSync(own, path);
    // Two names of one file: the rename did nothing.
    discard(own);
    const kept = readdirSync(cache.dir)
      .filter(name => name.startsWith(PREFIX))
      .map(name => ({ name, ...sizeAndTime(join(cache.dir, name)) }))
      .sort((a, b) => b.time - a.time);
    let bytes = 0;
    for (const [rank, { name, size }] of kept.entries()) {
      bytes += size;
      if (rank > 0 && (rank >= MOST || bytes > MOST_BYTES)) rmSync(join(cache.dir, name), { force: true });
    }
  } catch {
    // Another process prunes at the same time, or the disk is full.
  }
}

function sizeAndTime(path: string): { size: number; time: number } {
  const stat = statSync(path, { throwIfNoEntry: false });
  return { size: stat?.size ?? 0, time: stat?.mtimeMs ?? 0 };
}

/** Path to mode and content, of a fingerprint's value or of a revision; null where neither is known. */
export function filesOf(repo: Repository, cache: Cache, name: string): Map<string, string> | null {
  return remembered(repo, cache, name) ?? listed(repo, name);
}

function remembered(repo: Repository, cache: Cache, value: string): Map<string, string> | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(cache.dir, PREFIX + value));
  } catch {
    return null;
  }
  const files = new Map<string, string>();
  const whole = eachEntry(bytes, settings(repo).idLength, (path, mode, content) => {
    files.set(nameOf(path), `${mode.toString(8)} ${content.toString('hex')}`);
  });
  return whole ? files : null;
}

function listed(repo: Repository, rev: string): Map<string, string> | null {
  const asked = git([...TRUSTLESS, 'ls-tree', '-r', '-z', '--full-tree', rev], { cwd: repo.top, timeoutMs: 20_000 });
  if (!asked.ok) return null;
  const files = new Map<string, string>();
  for (const line of splitNul(asked.stdout)) {
    const tab = line.indexOf('\t');
    const [mode, , id] = line.slice(0, tab).split(' ');
    files.set(line.slice(tab + 1), `${mode} ${id}`);
  }
  return files;
}
