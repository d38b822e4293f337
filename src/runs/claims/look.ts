import type { ClaimKind } from './types.ts';

/**
 * Sights told in sentences whose grammar no narrower rule follows: where the trial was, what the second run changed,
 * what can be done again. Each look knows the words that it needs and the roles that speak against it.
 */
export type Look = { kind: ClaimKind; pattern: RegExp; needs: string; not: RegExp };

export const look = (kind: ClaimKind, needs: string, not: RegExp, pattern: RegExp): Look => ({
  kind,
  pattern,
  needs,
  not,
});
