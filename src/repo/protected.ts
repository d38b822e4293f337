/** Byte hashes of files that a run must leave alone, read from the disk: git may ignore them. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { matchAny } from '../config/glob.ts';
import { contentOf } from './content.ts';
import { nameOf, openable } from './names.ts';

const SKIPPED = new Set(['.git', 'node_modules']);

export function protectedHashes(root: string, globs: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const matches = (path: string): boolean => matchAny(globs, path) !== null;
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    if (path !== '' && matches(path)) {
      const { contentHash, linkTarget } = contentOf(openable(root, path), 'sha1');
      if (contentHash !== undefined) found[path] = contentHash;
      else if (linkTarget !== undefined) found[path] = `link:${linkTarget}`;
    }
    let inside: Dirent<Buffer>[];
    try {
      // A link is a target, not a folder: what lies behind it may be anything, itself included.
      if (path !== '' && !lstatSync(openable(root, path)).isDirectory()) return;
      inside = readdirSync(openable(root, path), { withFileTypes: true, encoding: 'buffer' });
    } catch {
      return;
    }
    for (const item of inside) {
      const name = nameOf(item.name);
      const below = path === '' ? name : `${path}/${name}`;
      if (item.isDirectory() ? !SKIPPED.has(name) : matches(below)) visit(below);
    }
  };
  // Walking only below what each glob names in full keeps this away from the rest of a large tree.
  for (const glob of globs) visit(literalFolder(glob));
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function literalFolder(glob: string): string {
  const parts = glob.replace(/^\.?\//, '').split('/');
  const wild = parts.findIndex(part => /[*?[\]{}]/.test(part));
  return (wild < 0 ? parts : parts.slice(0, wild)).filter(part => part !== '').join('/');
}
