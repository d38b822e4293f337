import type { Segment } from './sentence.ts';

export const words = (list: string) =>
  new Set(
    list
      .split(/\s+/)
      .filter(Boolean)
      .map(w => w.replaceAll('_', ' ')),
  );

/** To begin a clause with one of these is to tell of work, not of a result. */
export const WORK = words(
  `added moved wrote renamed removed updated changed fixed replaced implemented refactored extracted deleted dropped switched
  set made put left kept get getting make making keep keeping turn turning mark marked split ported converted rewrote adjusted
  raised pinned bumped see use add fix create created introduced moving running writing`,
);

export const DOES = words(
  `arrives arrive restores restore rejects accepts reject accept survives survive exits ends finishes terminates quits exit finish forwards submits works runs loads renders starts installs imports builds compiles opens boots connects syncs exports plays prints responds answers
  copes deals behaves performs handles resolves parses converts deploys upgrades migrates restarts reloads saves logs scrolls streams
  work run load render start install import build compile open boot connect sync export play print respond answer cope deal behave
  perform handle resolve parse convert ran loaded rendered started installed imported opened booted connected arrived synced exported`,
);

/** No hedge, no negation, no failure, no condition, nobody else. */
const BAD = new Set('FnHILxX2?'.split(''));
export const calm = (segment: Segment, from = 0, to = segment.tokens.length, less = '') => {
  for (let i = from; i < to; i++) if (BAD.has(segment.tags[i]!) && !less.includes(segment.tags[i]!)) return false;
  return true;
};
