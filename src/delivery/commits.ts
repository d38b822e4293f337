/** `.claude/state/cache/commits.json`: fingerprints of commits. A commit never changes, and reading its tree is the dear part. */
import { isRecord } from '../config/project.ts';
import { readJson, writeJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';

const FILE = 'cache/commits.json';
const KEPT = 200;
/** Raised when the fingerprint means something else than before. */
const FORM = 1;

function read(root: string): Record<string, string> {
  const found = readJson<Record<string, string>>(statePath(root, FILE), value =>
    isRecord(value) && Object.values(value).every(v => typeof v === 'string') ? null : 'is no map',
  );
  return found.kind === 'value' ? found.value : {};
}

const keyOf = (commit: string, claims: readonly string[]): string => JSON.stringify([FORM, commit, claims]);

export function knownCommit(root: string, commit: string, claims: readonly string[]): string | null {
  return read(root)[keyOf(commit, claims)] ?? null;
}

export function keepCommit(root: string, commit: string, claims: readonly string[], fingerprint: string): void {
  try {
    const kept = Object.entries(read(root)).slice(-KEPT + 1);
    writeJson(statePath(root, FILE), Object.fromEntries([...kept, [keyOf(commit, claims), fingerprint]]));
  } catch {
    // Measured again next time.
  }
}
