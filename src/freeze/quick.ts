/**
 * The answer for the quiet case: no manifest of thousands of files is parsed and nothing hashed while the manifest and the
 * settings files are, by their stat data, the very ones that were compared before. The frozen files themselves are git's
 * to compare. Anything else is left to the full check.
 */
import { type BigIntStats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../config/project.ts';
import { hasVault, type Moved, movedSince } from '../repo/vault.ts';
import { readJson, writeJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import { FREEZE_FILE, type Manifest } from './manifest.ts';
import { settingsNames } from './settings.ts';

const QUICK_FILE = 'freeze.stat.json';
/** A file changed this recently may change again without its stat data telling. */
const FRESH_NS = 2_100_000_000n;

export type Quiet = { manifest: string; patterns: string[]; left: string[]; settings: Record<string, string> };

/** What moved under the patterns, less what was never held; null where only the full check can say. */
export function quickLook(root: string): Moved[] | null {
  const read = readJson<Quiet>(statePath(root, QUICK_FILE), shape);
  if (read.kind !== 'value' || !hasVault(root)) return null;
  const known = read.value;
  if (signature(statePath(root, FREEZE_FILE)) !== known.manifest) return null;
  const names = settingsNames(root);
  if (Object.keys(known.settings).length !== names.length) return null;
  if (names.some(name => signature(join(root, name)) !== known.settings[name])) return null;
  const left = new Set(known.left);
  return movedSince(root, known.patterns, [])?.filter(m => !left.has(m.path)) ?? null;
}

/** Said where a full comparison found settings and manifest to be as they were frozen; `since` is when it began. */
export function rememberQuiet(root: string, manifest: Manifest, since: bigint): void {
  const at = (path: string): string => signature(path, since);
  const known: Quiet = {
    manifest: at(statePath(root, FREEZE_FILE)),
    patterns: manifest.patterns,
    left: manifest.left.map(path => path.replace(/\/$/, '')),
    settings: Object.fromEntries(settingsNames(root).map(name => [name, at(join(root, name))])),
  };
  if (known.manifest === '' || Object.values(known.settings).includes('')) return;
  try {
    writeJson(statePath(root, QUICK_FILE), known, { sync: false });
  } catch {
    // Without it the next check takes longer.
  }
}

/** Nanoseconds on the clock that files are stamped by. */
export const fileClock = (): bigint => BigInt(Date.now()) * 1_000_000n;

/** Empty for what is no file, or was touched too shortly before `since` to be told from a later touch. */
function signature(path: string, since?: bigint): string {
  let stat: BigIntStats | undefined;
  try {
    stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return '';
  }
  if (!stat) return 'none';
  if (!stat.isFile()) return '';
  if (since !== undefined && since - stat.ctimeNs < FRESH_NS) return '';
  return `${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}.${stat.ino}.${stat.mode}`;
}

function shape(value: unknown): string | null {
  return isRecord(value) &&
    Array.isArray(value.patterns) &&
    Array.isArray(value.left) &&
    isRecord(value.settings) &&
    typeof value.manifest === 'string' &&
    value.manifest !== ''
    ? null
    : 'is malformed';
}
