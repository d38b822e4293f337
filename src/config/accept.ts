/** Recording a human's acceptance of the rules: in this worktree, and for its sisters in the common git folder. */
import { dirname } from 'node:path';
import { readState, writeAtomic, writeJson } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { statePath } from '../state/paths.ts';
import { ACCEPTED_FILE, type Acceptance, sharedAcceptance, trustHash } from './trust.ts';

const KEPT = 50;

export async function acceptRules(root: string, by: string): Promise<string> {
  return withLock(root, 'rules', () => {
    const sha256 = trustHash(root);
    const accepted: Acceptance = { sha256, at: new Date().toISOString(), by };
    writeJson(statePath(root, ACCEPTED_FILE), accepted);
    const shared = sharedAcceptance(root);
    if (shared) share(shared, sha256);
    return sha256;
  });
}

function share(path: string, sha256: string): void {
  const read = readState(path);
  const before = read.kind === 'text' ? read.text.split('\n').filter(line => line !== '' && line !== sha256) : [];
  try {
    const { mkdirSync } = process.getBuiltinModule('node:fs');
    mkdirSync(dirname(path), { recursive: true });
    writeAtomic(path, [...before.slice(-KEPT), sha256].join('\n') + '\n');
  } catch {
    // A read-only git folder costs the sisters their acceptance, not this worktree its own.
  }
}
