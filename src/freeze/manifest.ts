/** `.claude/state/freeze.json`: what red evidence has proven and nobody may change until it is thawed. */
import { isRecord } from '../config/project.ts';
import { type JsonRead, readJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';

export const FREEZE_FILE = 'freeze.json';

export type FrozenFile = { sha256: string; mode: string };
export type FrozenSetting = { sha256: string };

export type Manifest = {
  schema: 1;
  frozenAt: string;
  patterns: string[];
  /** The red record that proved them, relative to the state folder; null for a freeze by hand. */
  record: string | null;
  files: Record<string, FrozenFile>;
  /** Runner settings: hash of the keys that decide which tests run and how. */
  settings: Record<string, FrozenSetting>;
  /** Paths under the patterns that could not be taken in (nested repositories, unreadable files): named, not held. */
  left: string[];
  /** Commit of the kept bytes in the vault. */
  commit: string;
};

export function readManifest(root: string): JsonRead<Manifest> {
  return readJson<Manifest>(statePath(root, FREEZE_FILE), shape);
}

function shape(value: unknown): string | null {
  if (!isRecord(value)) return 'is not a JSON object';
  if (value.schema !== 1) return `has schema ${String(value.schema)}, this version reads 1`;
  if (!Array.isArray(value.patterns) || value.patterns.some(p => typeof p !== 'string')) return 'has no patterns';
  if (!isRecord(value.files) || !isRecord(value.settings)) return 'has no files';
  for (const file of Object.values(value.files)) {
    if (!isRecord(file) || typeof file.sha256 !== 'string' || typeof file.mode !== 'string')
      return 'holds a malformed file';
  }
  if (!Array.isArray(value.left) || [value.commit, value.frozenAt].some(v => typeof v !== 'string'))
    return 'is not whole';
  return null;
}
