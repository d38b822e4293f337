/**
 * A 64-bit name for a cached file. Not for proof: loading node's crypto costs a tenth of a whole fingerprint, and a name
 * only has to tell apart a handful of settings in one folder.
 */
export function shortHash(parts: Iterable<string | Uint8Array>): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    for (let i = 0; i < bytes.length; i++) {
      a = Math.imul(a ^ bytes[i]!, 0x01000193);
      b = Math.imul(b ^ bytes[i]!, 0x85ebca6b);
      b ^= b >>> 15;
    }
    a = Math.imul(a ^ 0xff, 0x01000193);
    b = Math.imul(b ^ 0xff, 0x85ebca6b);
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}
