/** Which paths differ between two trees that were fingerprinted, and between such a tree and HEAD. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { closeCache, openCache } from './cache.ts';
import { exclusion } from './exclude.ts';
import { locate } from './locate.ts';
import { nameOf, openable } from './names.ts';
import { filesOf } from './trees.ts';

const NAME = /^(?:HEAD|[0-9a-f]{40,64})$/;

/**
 * Paths from the top of the repository, sorted; null where they cannot be compared (no repository, a dirty submodule, a
 * tree measured too long ago). `from` and `to` are values of `fingerprint`, commits, or 'HEAD'.
 */
export function changedPaths(root: string, from: string, to: string, exclude: readonly string[]): string[] | null {
  const repo = locate(root);
  if (repo.kind !== 'worktree' || !NAME.test(from) || !NAME.test(to)) return null;
  const cache = openCache(join(root, '.claude', 'state', 'cache', 'index'));
  try {
    const before = filesOf(repo, cache, from);
    const after = before && filesOf(repo, cache, to);
    if (!after) return null;
    // A tree of ours lacks what it excludes, HEAD has it: that is no difference.
    const left = exclusion(exclude, repo.prefix);
    return differing(before, after).filter(path => !left.excludes(path));
  } finally {
    closeCache(cache);
  }
}

/** The stat of every file outside of git, for folders whose files no tree object describes. */
export function listing(root: string, exclude: readonly string[]): Map<string, string> {
  const left = exclusion(exclude, '');
  const found = new Map<string, string>();
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(openable(root, folder), { withFileTypes: true, encoding: 'buffer' })) {
      const name = nameOf(entry.name);
      const path = folder + name;
      if (name === '.git' || name === 'node_modules') continue;
      if (left.excludes(path) || left.excludes(`${path}/`)) continue;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else {
        const stat = lstatSync(openable(root, path), { throwIfNoEntry: false });
        if (stat) found.set(path, `${stat.size} ${stat.mtimeMs} ${stat.mode} ${stat.ino}`);
      }
    }
  }
  return found;
}

export function differing(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(name => before.get(name) !== after.get(name)).sort();
}
