/** Writes that a reader sees whole or not at all, and reads that tell missing from unreadable. */
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { noteWrite } from './ledger.ts';

let serial = 0;

/**
 * Temp file beside the target, fsync, rename. Small and synchronous because hooks use it too: the library for
 * this is asynchronous at heart and needs a signal handler (decision 0002).
 */
export function writeAtomic(path: string, data: string | Uint8Array, options: { sync?: boolean } = {}): void {
  mkdirSync(dirname(path), { recursive: true });
  const temp = `${path}.${process.pid}.${Date.now().toString(36)}.${serial++}.tmp`;
  const fd = openSync(temp, 'wx', 0o644);
  try {
    try {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      for (let off = 0; off < bytes.length; ) off += writeSync(fd, bytes, off);
      // What is computed anew each time need not outlive a power cut.
      if (options.sync !== false) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    noteWrite(path, data);
    renameSync(temp, path);
  } catch (error) {
    unlinkSync(temp);
    throw error;
  }
}

export function writeJson(path: string, value: unknown, options: { sync?: boolean } = {}): void {
  writeAtomic(path, JSON.stringify(value, null, 2) + '\n', options);
}

/** One line, one write call: O_APPEND keeps concurrent lines whole. Creates the folder on need. */
export function appendLine(path: string, line: string): void {
  const data = line.replace(/[\r\n]+/g, ' ') + '\n';
  try {
    appendFileSync(path, data);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, data);
  }
  noteWrite(path);
}

/** Takes a state file away, as an act of ours. */
export function removeState(path: string): void {
  noteWrite(path, null);
  unlinkSync(path);
}

export type FileRead =
  | { kind: 'text'; text: string }
  | { kind: 'missing' }
  /** Not a regular file, unreadable, too large: there, but no evidence. */
  | { kind: 'unusable'; why: string };

const MAX_STATE_BYTES = 64 * 1024 * 1024;

export function readState(path: string): FileRead {
  try {
    // Most of what is asked for is not there, and an error costs more than the look.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return { kind: 'missing' };
    if (!stat.isFile())
      return { kind: 'unusable', why: stat.isSymbolicLink() ? 'is a symlink' : 'is not a regular file' };
    if (stat.size > MAX_STATE_BYTES) return { kind: 'unusable', why: 'is too large' };
    return { kind: 'text', text: readFileSync(path, 'utf8') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'missing' }
      : { kind: 'unusable', why: `cannot be read (${code})` };
  }
}

/** For files in whatever encoding. */
export function readBytes(path: string): { kind: 'bytes'; bytes: Buffer } | Exclude<FileRead, { kind: 'text' }> {
  const read = readState(path);
  if (read.kind !== 'text') return read;
  try {
    return { kind: 'bytes', bytes: readFileSync(path) };
  } catch {
    return { kind: 'missing' };
  }
}

export type JsonRead<T> = { kind: 'value'; value: T } | { kind: 'missing' } | { kind: 'corrupt'; why: string };

/** `check` says what is wrong with the shape, or null. */
export function readJson<T>(path: string, check: (value: unknown) => string | null): JsonRead<T> {
  const read = readState(path);
  if (read.kind === 'missing') return read;
  if (read.kind === 'unusable') return { kind: 'corrupt', why: read.why };
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    return { kind: 'corrupt', why: 'is not JSON' };
  }
  const wrong = check(value);
  return wrong === null ? { kind: 'value', value: value as T } : { kind: 'corrupt', why: wrong };
}

/** Keeps a corrupt file byte for byte as `<file>.corrupt-<time>` and clears its place (design, section 6). */
export function setAside(path: string): string | null {
  const aside = `${path}.corrupt-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  try {
    noteWrite(path, null);
    renameSync(path, aside);
    return aside;
  } catch {
    return null;
  }
}
