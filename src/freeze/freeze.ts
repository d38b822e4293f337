/** Freezing: hash what the patterns cover, keep the bytes, write the manifest and its trace. */
import { readFileSync, readlinkSync } from 'node:fs';
import { openable } from '../repo/names.ts';
import { fillVault, sealVault } from '../repo/vault.ts';
import { setAside, writeJson } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { commonGitDir, statePath } from '../state/paths.ts';
import { FREEZE_FILE, type Manifest, readManifest } from './manifest.ts';
import { settingsHashes } from './settings.ts';
import { writeTrace } from './trace.ts';

export type FreezeOptions = { patterns: string[]; record: string | null; now?: Date };

/** Adds nothing to an older freeze: the set is what the patterns cover now. */
export async function freeze(root: string, options: FreezeOptions): Promise<Manifest> {
  return withLock(root, 'freeze', () => {
    if (readManifest(root).kind === 'corrupt') setAside(statePath(root, FREEZE_FILE));
    const settings = settingsHashes(root);
    const { entries, left } = fillVault(root, options.patterns, []);
    const at = (options.now ?? new Date()).toISOString();
    const commit = sealVault(root, `frozen ${at}`, keptRef(root));
    const manifest: Manifest = {
      schema: 1,
      frozenAt: at,
      patterns: options.patterns,
      record: options.record,
      files: Object.fromEntries(
        entries.map(e => [e.path, { sha256: sha256Of(openable(root, e.path), e.mode), mode: e.mode }]),
      ),
      settings,
      left,
      commit,
    };
    writeJson(statePath(root, FREEZE_FILE), manifest);
    writeTrace(root, { patterns: options.patterns, thawed: [] });
    return manifest;
  });
}

/** Where the kept bytes outlive a lost state folder: a ref of the common repository, one per worktree. */
export function keptRef(root: string): { gitDir: string; ref: string } | null {
  const gitDir = commonGitDir(root);
  if (gitDir === null) return null;
  const { createHash } = process.getBuiltinModule('node:crypto');
  const name = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return { gitDir, ref: `refs/touchstone/frozen/${name}` };
}

/** Of the bytes, or of a link's target. */
function sha256Of(path: string | Buffer, mode: string): string {
  const bytes = mode === '120000' ? readlinkSync(path, { encoding: 'buffer' }) : readFileSync(path);
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
}
