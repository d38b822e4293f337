/** One file's content as evidence: hash, mode, link target. Links are recorded and never followed. */
import { closeSync, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { nameOf } from './names.ts';

export type Content = { contentHash?: string; blob?: string; mode?: string; linkTarget?: string };

/** Empty where there is nothing to hash: a missing file, a folder, a pipe, a file we may not read. */
export function contentOf(path: string | Buffer, blobHash: 'sha1' | 'sha256'): Content {
  const { stat, link } = look(path);
  if (link !== undefined) {
    const { createHash } = process.getBuiltinModule('node:crypto');
    const blob = createHash(blobHash).update(`blob ${link.length}\0`).update(link).digest('hex');
    return { linkTarget: nameOf(link), blob, mode: '120000' };
  }
  if (!stat?.isFile()) return {};
  const mode = (stat.mode & 0o111) !== 0 ? '100755' : '100644';
  return { mode, ...hashFile(path, blobHash) };
}

function look(path: string | Buffer): { stat?: Stats; link?: Buffer } {
  try {
    const stat = lstatSync(path);
    return stat.isSymbolicLink() ? { stat, link: readlinkSync(path, { encoding: 'buffer' }) } : { stat };
  } catch {
    return {};
  }
}

const CHUNK = 1 << 20;

function hashFile(path: string | Buffer, blobHash: 'sha1' | 'sha256'): Content {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return {};
  }
  try {
    const { createHash } = process.getBuiltinModule('node:crypto');
    const { size } = fstatSync(fd);
    const content = createHash('sha256');
    const blob = createHash(blobHash).update(`blob ${size}\0`);
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size + 1));
    for (;;) {
      const read = readSync(fd, buffer, 0, buffer.length, null);
      if (read === 0) return { contentHash: content.digest('hex'), blob: blob.digest('hex') };
      content.update(buffer.subarray(0, read));
      blob.update(buffer.subarray(0, read));
    }
  } catch {
    return {};
  } finally {
    closeSync(fd);
  }
}
