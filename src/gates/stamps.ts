/** Does evidence formed at one tree still speak of another? Only while nothing changed in the gate's surface. */
import { isAncestor } from '../repo/ancestor.ts';
import { changedPaths } from '../repo/changed.ts';
import { featurePaths } from '../repo/feature.ts';
import { fingerprint } from '../repo/fingerprint.ts';
import { locate } from '../repo/locate.ts';
import type { Tree } from '../verdict/tree.ts';
import type { Holds, Stamp } from './gate.ts';
import { inSurface, type Surfaces } from './surfaces.ts';

export type Stamped = {
  root: string;
  surfaces: Surfaces;
  claims: readonly string[];
  rules: string;
  tree: Tree | null;
};

const SHOWN = 3;

/** Whatever cannot be told means: judge again. */
export function stampHolds(at: Stamped, stamp: Stamp, surface: string): Holds {
  const no = (why: string): Holds => ({ holds: false, why });
  const { tree, root } = at;
  if (tree === null) return no('the tree cannot be compared');
  if (stamp.rules !== at.rules) return no('the rules changed since');
  if (stamp.head === null) return no('it was formed against no commit');
  if (stamp.head !== tree.head && isAncestor(root, stamp.head) !== true)
    return no(`its commit ${stamp.head.slice(0, 10)} is not in the history of HEAD`);
  const same = stamp.fingerprint === tree.value;
  if (same && stamp.raw !== tree.raw) return no('bytes changed that git does not record');
  const repo = locate(root);
  const prefix = repo.kind === 'worktree' ? repo.prefix : '';
  const changed = same ? [] : changedSince(at, stamp, tree);
  if (changed === null) return no('what changed since cannot be told');
  const hit = inSurface(surface, fromRoot(changed, prefix), at.surfaces, () => {
    const own = featurePaths(root, tree.value, at.claims);
    return own === null ? null : fromRoot(own, prefix);
  });
  if (hit.length > 0) {
    const more = hit.length > SHOWN ? ` and ${hit.length - SHOWN} more` : '';
    return no(`${hit.slice(0, SHOWN).join(', ')}${more} changed since`);
  }
  return { holds: true, why: `nothing in ${surface} changed since ${stamp.head.slice(0, 10)}` };
}

/** The files of a tree measured long ago are not kept; those of its commit are, where it was that commit's tree. */
function changedSince({ root, claims }: Stamped, stamp: Stamp, tree: Tree): string[] | null {
  const known = changedPaths(root, stamp.fingerprint, tree.value, claims);
  if (known !== null || stamp.head === null) return known;
  const committed = fingerprint(root, { of: { rev: stamp.head }, exclude: claims });
  if (!committed.ok || committed.value !== stamp.fingerprint) return null;
  return changedPaths(root, stamp.head, tree.value, claims);
}

/** What lies beside the project in its repository is named so that no glob takes it for docs or tests of ours. */
function fromRoot(paths: readonly string[], prefix: string): string[] {
  return paths.map(path => (path.startsWith(prefix) ? path.slice(prefix.length) : `/${path}`));
}
