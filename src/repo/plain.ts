/** The fingerprint of a folder that is in no git repository: every file's bytes, read by ourselves. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { exclusion } from './exclude.ts';
import { nameOf, openable } from './names.ts';

const SKIPPED = new Set(['.git', 'node_modules']);

export type PlainFingerprint = { ok: true; of: 'plain'; value: string; raw: null; head: null };
export type NoPlainFingerprint = { ok: false; reason: 'unreadable'; message: string };

export function plainFingerprint(root: string, exclude: readonly string[]): PlainFingerprint | NoPlainFingerprint {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const left = exclusion(exclude, '');
  const lines: string[] = [];
  const folders = [''];
  let current = '.';
  try {
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const bytes of readdirSync(openable(root, folder), { encoding: 'buffer' })) {
        const name = nameOf(bytes);
        const path = folder + name;
        if (left.excludes(path) || left.excludes(path + '/')) continue;
        current = path;
        const at = openable(root, path);
        const stat = lstatSync(at);
        if (stat.isDirectory()) {
          if (!SKIPPED.has(name)) folders.push(path + '/');
        } else if (stat.isSymbolicLink()) {
          lines.push(
            `${JSON.stringify(path)} link ${JSON.stringify(nameOf(readlinkSync(at, { encoding: 'buffer' })))}`,
          );
        } else if (stat.isFile()) {
          const sum = createHash('sha256').update(readFileSync(at)).digest('hex');
          lines.push(`${JSON.stringify(path)} ${(stat.mode & 0o111) !== 0 ? 'exec' : 'file'} ${sum}`);
        }
      }
    }
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    return { ok: false, reason: 'unreadable', message: `${join(root, current)} cannot be read (${why})` };
  }
  const value = createHash('sha256').update(lines.sort().join('\n')).digest('hex');
  return { ok: true, of: 'plain', value, raw: null, head: null };
}
