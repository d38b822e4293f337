/**
 * File names as git gives them: bytes. A byte that is no UTF-8 is written `\xE9`, so that each file keeps a name of its
 * own, which any record takes and which leads back to the file. A name that holds such letters itself has its backslash
 * written `\x5C`.
 */
import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';

const WRITTEN = /\\(?=x(?:5C|[89A-F][0-9A-F]))/g;

export function nameOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text.includes('\\x') ? text.replace(WRITTEN, '\\x5C') : text;
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find(n => at + n <= bytes.length && isUtf8(bytes.subarray(at, at + n)));
    if (length !== undefined) {
      at += length;
      continue;
    }
    parts.push(nameOf(bytes.subarray(from, at)), `\\x${bytes[at]!.toString(16).toUpperCase()}`);
    from = ++at;
  }
  return parts.join('') + nameOf(bytes.subarray(from));
}

const CODED = /\\x(5C|[89A-F][0-9A-F])/;

export function bytesOf(name: string): Buffer {
  const parts = name.split(CODED);
  return Buffer.concat(parts.map((part, i) => (i % 2 === 1 ? Buffer.from(part, 'hex') : Buffer.from(part))));
}

/** What opens the file: a string wherever one can. */
export function openable(folder: string, name: string): string | Buffer {
  return CODED.test(name) ? Buffer.concat([Buffer.from(join(folder, '/')), bytesOf(name)]) : join(folder, name);
}

/** NUL-terminated, for git to read. */
export const joinNul = (names: readonly string[]): Buffer => bytesOf(names.map(name => `${name}\0`).join(''));

export function splitNul(bytes: Buffer): string[] {
  if (bytes.length === 0) return [];
  const text = bytes.toString('utf8');
  const plain = !text.includes('\ufffd') && !text.includes('\\x');
  const parts = plain ? text.split('\0') : namesIn(bytes);
  if (parts[parts.length - 1] === '') parts.pop();
  return parts;
}

function namesIn(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const end = bytes.indexOf(0, from);
    names.push(nameOf(bytes.subarray(from, end < 0 ? bytes.length : end)));
    from = end < 0 ? bytes.length + 1 : end + 1;
  }
  return names;
}
