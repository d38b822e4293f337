/** Which paths differ between two trees that were fingerprinted, and between such a tree and HEAD. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { closeCache, objectsOf, openCache } from './cache.ts';
import { exclusion } from './exclude.ts';
import { git, splitNul, TRUSTLESS } from './git.ts';
import { locate } from './locate.ts';

const TREE = /^[0-9a-f]{40,64}$/;

/**
 * Paths from the top of the repository, sorted; null where git cannot compare (no repository, a dirty submodule, objects
 * swept away). `from` and `to` are values of `fingerprint`, or 'HEAD'.
 */
export function changedPaths(root: string, from: string, to: string, exclude: readonly string[]): string[] | null {
  const repo = locate(root);
  if (repo.kind !== 'worktree' || ![from, to].every(name => name === 'HEAD' || TREE.test(name))) return null;
  const cache = openCache(join(root, '.claude', 'state', 'cache', 'index'));
  try {
    const compared = git([...TRUSTLESS, 'diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to], {
      cwd: repo.top,
      env: objectsOf(cache, repo.commonDir),
    });
    if (!compared.ok) return null;
    // A tree of ours lacks what it excludes, HEAD has it: that is no difference.
    const left = exclusion(exclude, repo.prefix);
    return splitNul(compared.stdout)
      .filter(path => !left.excludes(path))
      .sort();
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
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder + entry.name;
      if (entry.name === '.git' || entry.name === 'node_modules') continue;
      if (left.excludes(path) || left.excludes(`${path}/`)) continue;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else {
        const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
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
