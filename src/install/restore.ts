import { dropHookBlocks } from './git-hooks.ts';
import { dropIgnoreLine } from './gitignore.ts';
import { place, removeFile } from './place.ts';
import { readText } from './places.ts';
import { before } from './plan.ts';
import type { FileRecord } from './record.ts';
import { stripHooks } from './settings.ts';

export type Restored = 'removed' | 'restored' | 'ours taken out' | 'left as edited' | 'absent';

/** Puts one file back: to the byte where it still is as `init` left it, else only what is ours comes out. */
export function restore(path: string, file: FileRecord): Restored {
  const current = readText(path);
  if (current === null) return 'absent';
  const original = before(current, file);
  if (original === null) {
    removeFile(path);
    return 'removed';
  }
  if (original !== undefined) {
    place(path, original);
    return 'restored';
  }
  const rest =
    file.kind === 'settings'
      ? stripHooks(current)
      : file.kind === 'gitignore'
        ? dropIgnoreLine(current)
        : file.kind === 'git-hook'
          ? dropHookBlocks(current)
          : current;
  if (rest === current) return 'left as edited';
  if (!file.existed && /^\uFEFF?\s*(?:\{\s*\}|#!\S*(?:\/| )(?:sh|bash))?\s*$/.test(rest)) {
    removeFile(path);
    return 'removed';
  }
  place(path, rest);
  return 'ours taken out';
}
