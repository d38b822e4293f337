/** The compiled form of what hooks load, which dist/pack.cjs keeps for one node (docs/decisions/0007). */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Files of a built folder that start without a compiled form under this node. None where the folder keeps none. */
export function notCompiled(dist: string): string[] {
  const pack = join(dist, 'pack.cjs');
  if (!existsSync(pack)) return [];
  return (createRequire(pack)(pack) as { stale(): string[] }).stale();
}

/** False where the folder takes no files: hooks then compile themselves at each start. */
export function keepCompiled(dist: string): boolean {
  if (notCompiled(dist).length === 0) return true;
  if (!writable(dist)) return false;
  return spawnSync(process.execPath, [join(dist, 'pack.cjs')], { stdio: 'ignore' }).status === 0;
}

export function writable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
