/** Is the tree still the one a PASS was measured on? The only part of the verdict that asks git. */
import { newestChange } from '../repo/newest.ts';
import { statePath } from '../state/paths.ts';
import type { Standing } from './standing.ts';
import { STATEFILE } from './statefile.ts';
import { measureTree, sameTree, type Tree } from './tree.ts';

export type Freshness = 'fresh' | 'moved' | 'unknown';

/** `measured` saves measuring the tree twice. A PASS stamped by hand is as old as its file. */
export function freshness(root: string, claims: readonly string[], now: Standing, measured?: Tree | null): Freshness {
  if (now.kind !== 'pass') return 'unknown';
  const { sidecar } = now;
  if (sidecar === null) {
    const newest = newestChange(root, claims);
    const { statSync } = process.getBuiltinModule('node:fs');
    const stamped = statSync(statePath(root, STATEFILE), { throwIfNoEntry: false })?.mtimeMs;
    if (newest === null || stamped === undefined) return 'unknown';
    return newest > stamped ? 'moved' : 'fresh';
  }
  if (sidecar.fingerprint === null) return 'unknown';
  const tree = measured === undefined ? measureTree(root, claims) : measured;
  if (tree === null) return 'unknown';
  return sameTree(tree, { value: sidecar.fingerprint, raw: sidecar.raw }) ? 'fresh' : 'moved';
}
