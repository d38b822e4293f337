/** Stamping: statefile first, then its sidecar, both by rename under one lock. A crash between leaves a PASS unattested. */
import { rmSync } from 'node:fs';
import { setAside, writeAtomic, writeJson } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { statePath } from '../state/paths.ts';
import { recordGreen } from './green.ts';
import { readSidecar, SIDECAR, type Sidecar, sha256 } from './sidecar.ts';
import { formatStamp, STATEFILE } from './statefile.ts';

export type Finding = Omit<Sidecar, 'schema' | 'statefile' | 'streak'>;

/** Returns the sidecar as written, with the streak counted against the verdict before it. `moved`: the run changed files. */
export async function stamp(root: string, finding: Finding, moved = false): Promise<Sidecar> {
  return withLock(root, 'verdict', () => writeVerdict(root, finding, moved));
}

/** For the hook processes, which are one process long and write without waiting. */
export function writeVerdict(root: string, finding: Finding, moved = false): Sidecar {
  const before = readSidecar(root);
  if (before.kind === 'corrupt') setAside(statePath(root, SIDECAR));
  const text = formatStamp({
    verdict: finding.verdict,
    at: finding.stampedAt,
    command: finding.command,
    exitCode: finding.exitCode,
  });
  const repeats = before.kind === 'value' && before.value.verdict === 'FAIL' && before.value.slug === finding.slug;
  const streak = finding.verdict === 'PASS' ? 0 : repeats ? before.value.streak + 1 : 1;
  const sidecar: Sidecar = { schema: 1, ...finding, statefile: sha256(text), streak };
  const path = statePath(root, STATEFILE);
  replaceable(path);
  writeAtomic(path, text);
  writeJson(statePath(root, SIDECAR), sidecar);
  recordGreen(root, sidecar, moved);
  return sidecar;
}

/** A folder in the statefile's place would make every stamp fail; an empty one is removed, a full one kept aside. */
function replaceable(path: string): void {
  const { lstatSync, rmdirSync } = process.getBuiltinModule('node:fs');
  try {
    if (!lstatSync(path).isDirectory()) return;
    rmdirSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') setAside(path);
    else if (code !== 'ENOENT') rmSync(path, { force: true });
  }
}
