/** Records of a check's runs, newest first, as far as a gate reads them. */
import { readdirSync } from 'node:fs';
import { isRecord } from '../config/project.ts';
import { readJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import type { GateCheck, Recorded } from './gate.ts';

/** How far back a tree that came again is looked for. */
const MOST = 40;
const FOLDER = 'evidence/checks';

export function recordNames(root: string): string[] {
  try {
    return readdirSync(statePath(root, FOLDER)).filter(name => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** Unreadable records are no evidence and hide none. */
export function* recordsOf(root: string, names: readonly string[], asked: GateCheck): Generator<Recorded> {
  const numbered = names
    .flatMap(name => {
      const match = /^(.+)-(\d{4,})\.json$/.exec(name);
      return match && match[1] === asked.id ? [{ name, number: Number(match[2]) }] : [];
    })
    .sort((a, b) => b.number - a.number);
  let seen = 0;
  for (const { name } of numbered) {
    const record = readRecord(root, name, asked);
    if (record === null) continue;
    yield record;
    if (++seen === MOST) return;
  }
}

function readRecord(root: string, name: string, asked: GateCheck): Recorded | null {
  const read = readJson<Record<string, unknown>>(statePath(root, FOLDER, name), value =>
    isRecord(value) && Array.isArray(value.checks) && value.checks.length === 1 && isRecord(value.checks[0])
      ? null
      : 'is not a record of one check',
  );
  if (read.kind !== 'value') return null;
  const record = read.value;
  const entry = (record.checks as Record<string, unknown>[])[0]!;
  const at = Date.parse(String(entry.started_at));
  if (entry.id !== asked.id || entry.phase !== asked.phase || Number.isNaN(at)) return null;
  const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  return {
    name: name.slice(0, -'.json'.length),
    path: `${FOLDER}/${name}`,
    passed: record.passed === true && entry.passed === true,
    class: String(entry.class),
    problems: strings(entry.problems),
    failed: strings(entry.failed_identities),
    at,
    tree:
      typeof record.fingerprint === 'string'
        ? { value: record.fingerprint, raw: typeof record.raw === 'string' ? record.raw : null }
        : null,
    head: typeof record.head === 'string' ? record.head : null,
    rules: String(record.contract),
    red: record.red,
  };
}
