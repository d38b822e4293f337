/** `.claude/state/broken.json`: breaches that stand open now. While it exists no PASS counts (design, sections 1 and 6). */
import { isRecord } from '../config/project.ts';
import { readJson, removeState, writeJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';

export const BROKEN_FILE = 'broken.json';

export type Broken = { schema: 1; since: string; breaches: string[] };

/** In words; null where nothing is broken. An unreadable record counts as broken. */
export function readBroken(root: string): string | null {
  const read = readJson<Broken>(statePath(root, BROKEN_FILE), v =>
    isRecord(v) && Array.isArray(v.breaches) ? null : 'is malformed',
  );
  if (read.kind === 'missing') return null;
  if (read.kind === 'corrupt') return `broken.json ${read.why}`;
  const { breaches } = read.value;
  return breaches.slice(0, 3).join(', ') + (breaches.length > 3 ? ` and ${breaches.length - 3} more` : '');
}

/** Returns the breaches that were not open before. */
export function setBroken(root: string, breaches: string[]): string[] {
  const path = statePath(root, BROKEN_FILE);
  const read = readJson<Broken>(path, v => (isRecord(v) && Array.isArray(v.breaches) ? null : 'is malformed'));
  const open = read.kind === 'value' ? read.value.breaches : [];
  if (breaches.length === 0) {
    if (read.kind !== 'missing') removeState(path);
    return [];
  }
  const fresh = breaches.filter(b => !open.includes(b));
  if (fresh.length > 0 || breaches.length !== open.length) {
    writeJson(path, {
      schema: 1,
      since: read.kind === 'value' ? read.value.since : new Date().toISOString(),
      breaches,
    } satisfies Broken);
  }
  return fresh;
}
