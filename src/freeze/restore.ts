/** Puts the frozen bytes back, and removes what was added under the patterns. */
import { rmSync } from 'node:fs';
import { openable } from '../repo/names.ts';
import { putBack } from '../repo/vault.ts';
import type { Breach } from './check.ts';

/** Settings are left alone: only their deciding keys are frozen, and their other edits are somebody's work. */
export function restoreFrozen(root: string, breaches: readonly Breach[]): { restored: string[]; left: string[] } {
  const files = breaches.filter(b => b.how !== 'settings');
  for (const b of files)
    if (b.how === 'added' || b.how === 'renamed') rmSync(openable(root, b.path), { force: true, recursive: true });
  const back = files.filter(b => b.how !== 'added').map(b => b.from ?? b.path);
  putBack(root, back);
  return {
    restored: [...new Set([...back, ...files.map(b => b.path)])],
    left: breaches.filter(b => b.how === 'settings').map(b => b.path),
  };
}
