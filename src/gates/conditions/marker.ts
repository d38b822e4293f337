/** A file the step writes after it passed. Its existence and its time are the signal; its contents are never read. */
import { posix } from 'node:path';
import { STATE } from '../../state/paths.ts';
import type { Condition, Finding, Gate, Look } from '../gate.ts';
import { judgeMarker, lookAt, signature } from '../markers.ts';

const FOLDER = `${STATE}/markers/`;

export const marker: Condition = {
  key: 'marker',
  read(value, gate, _names, fault) {
    if (value === true) gate.marker = markerPath(gate.step);
    else {
      const wrong = refusal(value);
      if (wrong !== null) return fault('marker', wrong, `write true, or "${markerPath(gate.step)}"`);
      gate.marker = value as string;
    }
  },
  judge: (gate, look) => (gate.marker === null ? [] : [find(gate, gate.marker, look)]),
};

export function markerPath(step: string): string {
  return `${FOLDER}${step}.pass`;
}

function refusal(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return 'is not a non-empty string';
  if (posix.isAbsolute(value) || /^(?:[A-Za-z]:|\\|~)/.test(value)) return 'is not relative to the project root';
  if (!value.startsWith(`${STATE}/`)) return `does not start with ${STATE}/`;
  if (value.split(/[/\\]/).includes('..')) return 'leaves the state folder by ".."';
  if (/[*?[\]{}]/.test(value)) return 'is a pattern, not a path';
  if (value.endsWith('/')) return 'is a folder';
  if (posix.normalize(value) !== value || value.includes('\\'))
    return `is not in its shortest form (${posix.normalize(value)})`;
  // What an agent may write of the state is this and nothing else.
  if (!/^[^/]+\.pass$/.test(value.slice(FOLDER.length)) || !value.startsWith(FOLDER))
    return `is not a .pass file directly in ${FOLDER.slice(0, -1)}`;
  return null;
}

function find(gate: Gate, artifact: string, look: Look): Finding {
  const { step } = gate;
  const rewrite = `touchstone gate pass ${step}`;
  const found = lookAt(look.root, artifact);
  const floor = look.floorOf(step);
  const now = judgeMarker(found, floor, look.now);
  switch (now.outcome) {
    case 'no-floor':
      return {
        truth: 'unknown',
        why: `${step} cannot be verified without an attempt or session freshness floor`,
        next: `touchstone attempt start ${step}`,
      };
    case 'missing':
      return {
        truth: 'unknown',
        why: `${artifact} is missing: ${step} must write it after a passing review`,
        next: rewrite,
      };
    case 'not-regular':
      return {
        truth: 'false',
        why: `${artifact} is ${now.is}, not a regular file: ${step} must replace it with a file written after a passing review`,
        next: `remove it, then ${rewrite}`,
      };
    case 'unreadable':
      return { truth: 'unknown', why: `${artifact} cannot be looked at (${now.code})`, next: 'touchstone doctor' };
  }
  const { mtimeMs } = now;
  const compared = { artifact, mtimeMs, floorMs: floor!.ms, floorSource: floor!.source };
  if (now.outcome === 'future') {
    return {
      truth: 'false',
      why: `${artifact} is dated ${Math.ceil(mtimeMs - look.now)} ms in the future: not fresh, ${step} must rewrite it`,
      next: rewrite,
      comparison: { ...compared, outcome: 'stale_invalidated' },
    };
  }
  const written = signature(found);
  const earlier = look.prev(step)?.stamp;
  const own = earlier?.marker === written ? earlier : null;
  const kept = own === null ? null : look.holds(gate, own);
  if (now.outcome === 'stale') {
    if (own && kept?.holds) {
      return {
        truth: 'true',
        why: `${artifact} is of an earlier run and still speaks: ${kept.why}`,
        at: mtimeMs,
        comparison: { ...compared, outcome: 'preserved_surface_miss' },
        stamp: own,
      };
    }
    return {
      truth: 'false',
      why: `${artifact} is stale (${now.why}): ${step} must rewrite it during this attempt${kept ? `; ${kept.why}` : ''}`,
      next: rewrite,
      comparison: { ...compared, outcome: 'stale_invalidated' },
    };
  }
  // The same writing, and the code it was about has moved: it is fresh by its time only.
  if (own && gate.surface !== null && kept && !kept.holds && !kept.withheld) {
    return {
      truth: 'false',
      why: `${artifact} speaks of an earlier tree: ${kept.why}; ${step} must judge again and rewrite it`,
      next: rewrite,
      comparison: { ...compared, outcome: 'stale_invalidated' },
    };
  }
  const tree = look.stampTree();
  const stamp = own ?? (tree === null ? undefined : { ...tree, marker: written });
  return {
    truth: 'true',
    why: `${artifact} was written in this ${floor!.source}`,
    at: mtimeMs,
    comparison: { ...compared, outcome: 'rewritten' },
    ...(stamp ? { stamp } : {}),
  };
}
