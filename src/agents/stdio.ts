/** A hook process's ends: stdin read once and whole, the answer written whole, then exit (performance.md, section 4). */
import { readvSync, writeSync } from 'node:fs';

export const MAX_PAYLOAD = 8 * 1024 * 1024;

export type Input = { kind: 'text'; text: string } | { kind: 'unusable'; why: string };

/** A blocking read in a loop that survives EAGAIN: some clients hand over a non-blocking pipe and write late. */
export function readInput(deadlineMs: number): Input {
  const until = Date.now() + deadlineMs;
  let bytes = new Uint8Array(65536);
  let size = 0;
  for (;;) {
    let got: number;
    try {
      // Half the cost of `readSync`, which looks at its position argument first.
      got = readvSync(0, [bytes.subarray(size)]);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EOF') break;
      if (code !== 'EAGAIN') return { kind: 'unusable', why: `stdin cannot be read (${code ?? 'error'})` };
      if (Date.now() > until) return { kind: 'unusable', why: 'the payload did not arrive in time' };
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      continue;
    }
    if (got === 0) break;
    size += got;
    if (size > MAX_PAYLOAD) return { kind: 'unusable', why: 'the payload is larger than 8 MiB' };
    if (size === bytes.length) {
      const more = new Uint8Array(4 * size);
      more.set(bytes);
      bytes = more;
    }
  }
  return { kind: 'text', text: Buffer.from(bytes.buffer, 0, size).toString('utf8') };
}

export type Reply = { exit: 0 | 2; stdout?: string; stderr?: string };

export function send(reply: Reply): never {
  try {
    if (reply.stdout) writeAll(1, reply.stdout);
    if (reply.stderr) writeAll(2, reply.stderr.endsWith('\n') ? reply.stderr : reply.stderr + '\n');
  } catch {
    // The reader is gone; the exit code still speaks.
  }
  process.exit(reply.exit);
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let off = 0; off < bytes.length; ) {
    try {
      off += writeSync(fd, bytes, off);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
