/** One lock per state folder for every read-modify-write. CLI and engine only: hooks that merely read never wait. */
import { mkdirSync } from 'node:fs';
import { statePath } from './paths.ts';

export async function withLock<T>(root: string, name: string, work: () => Promise<T> | T): Promise<T> {
  const dir = statePath(root, 'locks');
  mkdirSync(dir, { recursive: true });
  // Most commands and hooks take no lock: they do not load it.
  const { default: lockfile } = await import('proper-lockfile');
  const release = await lockfile.lock(dir, {
    lockfilePath: `${dir}/${name}.lock`,
    stale: 15_000,
    update: 5_000,
    retries: { retries: 200, factor: 1.2, minTimeout: 5, maxTimeout: 250, randomize: true },
  });
  try {
    return await work();
  } finally {
    await release().catch(() => {});
  }
}
