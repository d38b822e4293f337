import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repo = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The folder of one shared corpus, or null where it is not laid beside the checkout.
 * `TOUCHSTONE_CORPORA_REQUIRED=1` (the gate sets it) turns a missing folder into a failure.
 */
export function corpus(name: string): string | null {
  const root = resolve(repo, process.env.TOUCHSTONE_CORPORA ?? '../shared/corpora');
  const dir = join(root, name);
  if (existsSync(dir)) return dir;
  if (process.env.TOUCHSTONE_CORPORA_REQUIRED === '1') throw new Error(`corpus ${name} is required and not at ${dir}`);
  return null;
}

export const NO_CORPUS = 'the shared corpora are not beside this checkout';
