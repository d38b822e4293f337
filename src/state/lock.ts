/** One lock per state folder for every read-modify-write. CLI and engine only: hooks that merely read never wait. */
import { mkdirSync } from 'node:fs';
import { statePath } from './paths.ts';

export async function withLock<T>(root: string, name: string, work: () => Promise<T> | T): Promise<T> {
  const dir = statePath(root, 'locks');
  mkdirSync(dir, { recursive: true });
  // Most commands and hooks take no lock: they do not load it.
  const { default: lockfile } = await import('proper-lockfile');
  const options = { lockfilePath: `${dir}/${name}.lock`, stale: 15_000, update: 5_000 };
  let release: () => Promise<void>;
  for (let left = 200, wait = 5; ; left--, wait = Math.min(250, wait * 1.2)) {
    try {
      release = await lockfile.lock(dir, options);
      break;
    } catch (error) {
      // Another's lock goes away; a disk that takes no lock is none to wait for.
      const code = (error as NodeJS.ErrnoException).code;
      if (left === 0 || (code !== 'ELOCKED' && code !== 'EBUSY')) throw error;
      await new Promise(done => setTimeout(done, wait * (1 + Math.random())));
    }
  }
  try {
    return await work();
  } finally {
    await release().catch(() => {});
  }
}
