/**
 * Where private indexes live: `.claude/state/cache/index`, or a throw-away folder when that cannot be written. Readers
 * take a hard link under a name of their own and put results back by rename, so parallel runs never meet a lock and a
 * kill leaves the kept file whole.
 */
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { shortHash } from './short-hash.ts';

export type Cache = {
  dir: string;
  objects: string;
  /** Remove this folder when done: it was made for one run only. */
  throwaway: boolean;
};

const ABANDONED_MS = 15 * 60_000;

export function openCache(dir: string): Cache {
  try {
    mkdirSync(join(dir, 'objects'), { recursive: true });
    accessSync(dir, constants.W_OK);
    // Keeps the folder out of `git status` in a project that was never wired.
    const own = join(dir, '.gitignore');
    if (!existsSync(own)) writeFileSync(own, '*\n');
    return { dir, objects: join(dir, 'objects'), throwaway: false };
  } catch {
    return throwaway();
  }
}

function throwaway(): Cache {
  const { tmpdir } = process.getBuiltinModule('node:os');
  const made = mkdtempSync(join(tmpdir(), 'touchstone-index-'));
  mkdirSync(join(made, 'objects'));
  return { dir: made, objects: join(made, 'objects'), throwaway: true };
}

const FULL = /ENOSPC|EDQUOT|EROFS|No space left on device|Disk quota exceeded|Read-only file system/;

/** What is asked of a disk that is full there is asked once more in a throw-away folder. `why`: what a result failed of. */
export function withCache<T>(dir: string, ask: (cache: Cache) => T, why: (result: T) => string | null): T {
  const cache = openCache(dir);
  try {
    const answer = ask(cache);
    if (cache.throwaway || !FULL.test(why(answer) ?? '')) return answer;
  } catch (error) {
    if (cache.throwaway || !FULL.test(String(error))) throw error;
  } finally {
    closeCache(cache);
  }
  const spare = throwaway();
  try {
    return ask(spare);
  } finally {
    closeCache(spare);
  }
}

export function closeCache(cache: Cache): void {
  if (cache.throwaway) rmSync(cache.dir, { recursive: true, force: true });
}

export function temporary(cache: Cache): string {
  return join(cache.dir, `tmp-${process.pid}-${process.hrtime.bigint().toString(36)}`);
}

export function discard(path: string): void {
  for (const file of [path, path + '.lock']) {
    try {
      unlinkSync(file);
    } catch {
      // Never made, or renamed into place.
    }
  }
}

/** The newest kept file whose name starts with `prefix`. */
export function kept(cache: Cache, prefix: string): string | null {
  let best: string | null = null;
  let newest = -1;
  for (const name of readdirSync(cache.dir)) {
    if (!name.startsWith(prefix)) continue;
    const stat = statSync(join(cache.dir, name), { throwIfNoEntry: false });
    if (stat && stat.mtimeMs > newest) [best, newest] = [name, stat.mtimeMs];
  }
  return best;
}

/** Gives `path` the content of `source` under the same mtime; false when that went away meanwhile. */
export function twin(source: string, path: string): boolean {
  try {
    linkSync(source, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
  }
  try {
    copyFileSync(source, path);
    backdate(path, statSync(source).mtimeMs);
    return true;
  } catch {
    return false;
  }
}

/** A later mtime than the original's would make git trust entries that it should look at again. */
export function backdate(path: string, mtimeMs: number): void {
  const second = Math.floor(mtimeMs / 1000);
  utimesSync(path, second, second);
}

/** Keeps `path` under `name` and drops the others of the same family. */
export function keep(cache: Cache, path: string, name: string, family: string): void {
  renameSync(path, join(cache.dir, name));
  for (const other of readdirSync(cache.dir)) {
    if (other !== name && other.startsWith(family)) rmSync(join(cache.dir, other), { force: true });
  }
}

/** Leftovers of killed runs, and objects once there are many: nothing but speed depends on them. */
export function sweep(cache: Cache): void {
  const now = Date.now();
  for (const name of readdirSync(cache.dir)) {
    if (!name.startsWith('tmp-')) continue;
    const path = join(cache.dir, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && now - stat.ctimeMs > ABANDONED_MS) rmSync(path, { force: true, recursive: true });
  }
  let sample = 0;
  try {
    sample = readdirSync(join(cache.objects, '17')).length;
  } catch {
    return;
  }
  if (sample < 64) return;
  const aside = temporary(cache);
  renameSync(cache.objects, aside);
  mkdirSync(cache.objects, { recursive: true });
  rmSync(aside, { recursive: true, force: true });
}

/** Lets git read the repository's objects and write new ones to ours. */
export function objectsOf(cache: Cache, commonDir: string): Record<string, string> {
  const theirs = join(commonDir, 'objects');
  const plain = !theirs.includes(delimiter) && !theirs.startsWith('"');
  const quoted = plain ? theirs : `"${theirs.replace(/["\\]/g, '\\$&')}"`;
  return { GIT_OBJECT_DIRECTORY: cache.objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted };
}

/** The index's own checksum, or its stat where git was told not to write one. */
export function signature(file: string, idLength: number): string {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return 'none';
  }
  try {
    const stat = fstatSync(fd, { bigint: true });
    const tail = Buffer.alloc(idLength);
    if (stat.size > idLength) readSync(fd, tail, 0, idLength, Number(stat.size) - idLength);
    if (tail.some(byte => byte !== 0)) return tail.toString('hex', 0, 12);
    return shortHash([`${stat.size} ${stat.mtimeNs} ${stat.ino}`]);
  } finally {
    closeSync(fd);
  }
}
