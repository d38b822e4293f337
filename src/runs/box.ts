/** Ticks the one box of a task: one byte of the list, if nobody else wrote there. */
import { accessSync, constants, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBytes } from '../state/atomic.ts';
import { placeFile, writeWhole } from '../state/run-files.ts';
import { codeOf } from './error.ts';
import { type Task, tick } from './tasks.ts';

export type BoxEdit = {
  /** The line before and after. */
  before: string;
  after: string;
  /** Null when done; else why not. The file must still be what the edit was made from. */
  put(): string | null;
};

/** What can be known to fail beforehand is said before anything is recorded. */
export function prepareBox(
  root: string,
  file: string,
  bytes: Buffer,
  task: Pick<Task, 'line' | 'text'>,
): BoxEdit | { why: string } {
  const edit = tick(bytes, task);
  if (edit.kind === 'refused') return { why: edit.why };
  const path = join(root, file);
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    return { why: `${file} cannot be written (${codeOf(error)})` };
  }
  return { before: edit.before, after: edit.after, put: () => put(root, file, bytes, edit.bytes) };
}

function put(root: string, file: string, before: Buffer, after: Buffer): string | null {
  const path = join(root, file);
  const read = readBytes(path);
  if (read.kind !== 'bytes' || !read.bytes.equals(before)) return `${file} changed in the meantime`;
  try {
    const mode = statSync(path).mode & 0o777;
    try {
      placeFile(root, path, after, { mode });
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error;
      beside(path, after, mode);
    }
    return null;
  } catch (error) {
    return `${file} cannot be written (${codeOf(error)})`;
  }
}

/** The list lies on another disk than the state: a rename works only within one. */
function beside(path: string, bytes: Buffer, mode: number): void {
  const temp = `${path}.${process.pid}.tmp`;
  try {
    writeWhole(temp, bytes, mode);
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}
