/** A fresh session begins without the pass markers of earlier ones, but for those whose code stamp still holds. */
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../config/project.ts';
import type { Tree } from '../verdict/tree.ts';
import { readGates, refusals } from './contract.ts';
import { stampStands } from './eval.ts';
import { lookAt, signature } from './markers.ts';

export type Swept = {
  removed: string[];
  /** Signatures of what was left lying, by step: nothing of it was written in the session that begins. */
  seen: Record<string, string>;
};

export function sweepMarkers(root: string, project: Project, tree: Tree | null): Swept {
  const swept: Swept = { removed: [], seen: {} };
  const contract = readGates(project.raw);
  if (refusals(contract).length > 0) return swept;
  for (const gate of contract.gates) {
    if (gate.marker === null) continue;
    const found = lookAt(root, gate.marker);
    if (found.kind === 'missing') continue;
    // A folder or a device was put there by somebody for something: it never passes, and it is not ours to remove.
    const ours = found.kind === 'file' || (found.kind === 'other' && found.is === 'a symlink');
    if (ours && !stampStands(root, project, contract, gate, signature(found), tree)) {
      try {
        unlinkSync(join(root, gate.marker));
        swept.removed.push(gate.marker);
        continue;
      } catch {
        // It stays, and its signature says that it is old.
      }
    }
    swept.seen[gate.step] = signature(found);
  }
  return swept;
}
