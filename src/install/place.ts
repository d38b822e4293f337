import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { realOf } from '../state/paths.ts';
import { InstallError } from './error.ts';

/** Writes a user's file: through a symlink to what it points at, by rename, with the mode it had. */
export function place(path: string, text: string): void {
  const real = realOf(path);
  try {
    mkdirSync(dirname(real), { recursive: true });
    const mode = existsSync(real) ? statSync(real).mode & 0o7777 : 0o644;
    const temp = `${real}.${process.pid}.touchstone`;
    // A settings file may hold secrets: never readable for more people than before, not even for a moment.
    const fd = openSync(temp, 'wx', mode);
    try {
      const bytes = Buffer.from(text);
      for (let off = 0; off < bytes.length; ) off += writeSync(fd, bytes, off);
      fsyncSync(fd);
      closeSync(fd);
      renameSync(temp, real);
    } catch (error) {
      rmSync(temp, { force: true });
      throw error;
    }
  } catch (error) {
    throw writeError(path, error);
  }
}

export function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw writeError(path, error);
  }
}

export function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch {
    // Something is in it, or it is gone.
  }
}

export function writeError(path: string, error: unknown): InstallError {
  if (error instanceof InstallError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return new InstallError('not-writable', `${path}: cannot be written (${code}). Make it writable and run again.`);
}

/** The folders above `path` that are not there yet, outermost first. */
export function missingDirs(path: string): string[] {
  const missing: string[] = [];
  for (let dir = dirname(path); !existsSync(dir) && dirname(dir) !== dir; dir = dirname(dir)) missing.unshift(dir);
  return missing;
}
