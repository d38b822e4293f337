/**
 * What a fingerprint leaves out: our own state, and documents that lie in the claim globs. Writing the report must not
 * stale the verdict it reports, but `verify.ts` is code even where a claim glob such as `*verify*` matches it.
 */

import { isClaimDocument } from '../config/claims.ts';

export const STATE_FOLDER = '.claude/state/';

const DOT = 0x2e;
/** Last letters of the extensions that `config/claims.ts` calls documents; a test holds the two together. */
const MAYBE_LAST = new Set(Buffer.from('dDnNxXtTcCgGbBlLmMfFvV'));

export type Exclusion = {
  /** Same text, same exclusion: part of a cache's name. */
  id: string;
  /** A cheap look at the bytes of a path, false only when `excludes` would be: 100,000 paths pass here. */
  maybe(bytes: Buffer, from: number, to: number): boolean;
  /** `path` from the top of the repository, forward slashes. */
  excludes(path: string): boolean;
};

export function exclusion(globs: readonly string[], prefix: string): Exclusion {
  const state = prefix + STATE_FOLDER;
  const first = state.charCodeAt(0);
  return {
    maybe(bytes, from, to) {
      if (bytes[from] === first) return true;
      if (globs.length === 0) return false;
      for (let at = to - 1; at > from && at > to - 10; at--)
        if (bytes[at] === DOT) return MAYBE_LAST.has(bytes[to - 1]!);
      return false;
    },
    id: JSON.stringify([prefix, globs]),
    excludes(path) {
      if (path.startsWith(state)) return true;
      return path.startsWith(prefix) && isClaimDocument(globs, path.slice(prefix.length));
    },
  };
}
