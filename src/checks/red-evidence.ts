/** Accepted red evidence: a red check that the engine ran, whose record carries the tree it was seen at. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isRecord } from '../config/project.ts';
import { readJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';

/**
 * Path of an accepted red record at exactly this tree, or null. Of each check only its newest red run at the tree counts:
 * a test that was red once and is no longer is not red.
 */
export function acceptedRed(root: string, fingerprint: string): string | null {
  const dir = statePath(root, 'evidence', 'checks');
  let names: string[];
  try {
    names = readdirSync(dir).filter(name => name.endsWith('.json'));
  } catch {
    return null;
  }
  const judged = new Set<string>();
  for (const name of names.sort(byNumber)) {
    const read = readJson<Record<string, unknown>>(join(dir, name), value =>
      isRecord(value) ? null : 'is not a JSON object',
    );
    if (read.kind !== 'value') continue;
    const { passed, fingerprint: seen, checks } = read.value;
    if (seen !== fingerprint || !isRedOnly(checks)) continue;
    const check = name.replace(/-\d+\.json$/, '');
    if (judged.has(check)) continue;
    judged.add(check);
    if (passed === true && (checks as { passed: unknown }[]).every(c => c.passed === true)) return join(dir, name);
  }
  return null;
}

/** An accepted red record by its name (`api-0003`, `evidence/checks/api-0003.json`), at any tree, relative to the state folder. */
export function acceptedRedRecord(root: string, name: string): string | null {
  const file = `evidence/checks/${basename(name, '.json')}.json`;
  const read = readJson<Record<string, unknown>>(statePath(root, file), value =>
    isRecord(value) ? null : 'is not a JSON object',
  );
  return read.kind === 'value' && read.value.passed === true && isRedOnly(read.value.checks) ? file : null;
}

/** Highest number first; names of one check compare by it, whatever its digits. */
function byNumber(a: string, b: string): number {
  const number = (name: string): number => Number(/-(\d+)\.json$/.exec(name)?.[1] ?? 0);
  return number(b) - number(a);
}

function isRedOnly(checks: unknown): boolean {
  return Array.isArray(checks) && checks.length > 0 && checks.every(c => isRecord(c) && c.phase === 'red');
}
