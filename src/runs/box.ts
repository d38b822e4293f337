/** Writes the one edited line of the task list back, if nobody else wrote there. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readState } from '../state/atomic.ts';
import { placeFile } from '../state/run-files.ts';
import { codeOf } from './error.ts';

/** Null when done; else why not. The file must still be what the edit was made from. */
export function tickBox(root: string, file: string, before: string, after: string): string | null {
  const path = join(root, file);
  const read = readState(path);
  if (read.kind !== 'text' || read.text !== before) return `${file} changed in the meantime`;
  try {
    placeFile(root, path, after, { mode: statSync(path).mode & 0o777 });
    return null;
  } catch (error) {
    return `${file} cannot be written (${codeOf(error)})`;
  }
}
