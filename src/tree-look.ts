/** The few looks into the tree that guards need beyond the path they were given. Bounded, never following links. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from './freeze/manifest.ts';

const MOST = 50_000;
const SKIPPED = new Set(['.git', 'node_modules']);

/** The first file below a folder that the test holds for. Beyond the bound the answer is the folder itself. */
export function firstBelow(root: string, rel: string, test: (rel: string) => boolean): string | null {
  const queue = [rel];
  let seen = 0;
  for (let dir = queue.shift(); dir !== undefined; dir = queue.shift()) {
    let entries: import('node:fs').Dirent[];
    try {
      entries = readdirSync(join(root, dir), { withFileTypes: true });
    } catch {
      continue;
    }
    for (const entry of entries) {
      if (++seen > MOST) return rel;
      const path = dir === '' ? entry.name : `${dir}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) queue.push(path);
      } else if (test(path)) return path;
    }
  }
  return null;
}

/** Only a file with a second name is looked up, and only then is the manifest read. */
export function linkedFile(root: string, path: string, test: (rel: string) => boolean): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.nlink < 2) return null;
  const read = readManifest(root);
  const files = read.kind === 'value' ? Object.keys(read.value.files) : [];
  for (const rel of files) {
    const other = lstatSync(join(root, rel), { throwIfNoEntry: false });
    if (other && other.ino === stat.ino && other.dev === stat.dev && test(rel)) return rel;
  }
  return null;
}
