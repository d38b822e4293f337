/** Paths refused in the running turn of each session: `.claude/state/refused.json`. Cleared when the human speaks. */
import { readJson, writeJson } from './atomic.ts';
import { statePath } from './paths.ts';

export type Refused = { schema: 1; session: string; paths: string[] };

const FILE = 'refused.json';

export function readRefused(root: string, session: string): string[] {
  const read = readJson<Refused>(statePath(root, FILE), shape);
  return read.kind === 'value' && read.value.session === session ? read.value.paths : [];
}

/** Lost updates of two refusals at once cost one entry of a convenience, never a refusal: no lock. */
export function addRefused(root: string, session: string, paths: readonly string[]): void {
  const all = new Set([...readRefused(root, session), ...paths]);
  writeJson(statePath(root, FILE), { schema: 1, session, paths: [...all].slice(-200) } satisfies Refused);
}

export function clearRefused(root: string, session: string): void {
  if (readRefused(root, session).length > 0)
    writeJson(statePath(root, FILE), { schema: 1, session, paths: [] } satisfies Refused);
}

function shape(value: unknown): string | null {
  const v = value as Partial<Refused> | null;
  return v !== null && typeof v === 'object' && typeof v.session === 'string' && Array.isArray(v.paths)
    ? null
    : 'is malformed';
}
