/** Starts a program whose two outputs go to files of their own, each up to a limit, and says how it ended. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { family, killGroup } from '../checks/family.ts';

export type CommandSpec = {
  argv: readonly string[];
  cwd: string;
  env?: Record<string, string>;
  /** Written to its standard input, which is then closed; null leaves ours to it. */
  input: string | null;
  timeoutMs: number;
  stdoutPath: string;
  stderrPath: string;
  limit: number;
  onLine?: (line: string) => void;
  /** Gets every chunk as it came. */
  onChunk?: (chunk: Buffer, stream: 'stdout' | 'stderr') => void;
  cancel?: AbortSignal;
};

export type Kept = { bytes: number; kept: number; tail: string };

export type CommandEnd = {
  exitCode: number | null;
  signal: string | null;
  reason: 'timeout' | 'cancelled' | 'unlaunchable' | null;
  why: string | null;
  stdout: Kept;
  stderr: Kept;
  startedAt: string;
  durationMs: number;
};

const TAIL_BYTES = 8192;
const KILL_AFTER_MS = 3000;
/** A grandchild may hold the pipes open: after the program's own end its last words have this long. */
const DRAIN_MS = 2000;

export function runCommand(spec: CommandSpec): Promise<CommandEnd> {
  const started = new Date();
  const out = sink(spec.stdoutPath, spec.limit);
  const err = sink(spec.stderrPath, spec.limit);
  const [file = '', ...args] = spec.argv;
  return new Promise(done => {
    let reason: CommandEnd['reason'] = null;
    let finished = false;
    let drain: NodeJS.Timeout | undefined;
    const kin = family();
    const child = spawn(file, args, {
      cwd: spec.cwd,
      env: { ...process.env, ...spec.env, ...kin.env },
      stdio: [spec.input === null ? 'inherit' : 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    const end = (why: 'timeout' | 'cancelled'): void => {
      if (reason !== null || finished) return;
      reason = why;
      kin.signal(child.pid, 'SIGTERM');
      setTimeout(() => kin.signal(child.pid, 'SIGKILL'), KILL_AFTER_MS).unref();
    };
    const deadline = setTimeout(() => end('timeout'), spec.timeoutMs);
    const cancel = (): void => end('cancelled');
    spec.cancel?.addEventListener('abort', cancel);
    if (spec.cancel?.aborted) cancel();
    const finish = (exitCode: number | null, signal: string | null, why: string | null): void => {
      if (finished) return;
      finished = true;
      clearTimeout(deadline);
      clearTimeout(drain);
      spec.cancel?.removeEventListener('abort', cancel);
      // What it left running has no run to belong to any more; what it sent away on purpose is let be.
      if (reason === null) killGroup(child.pid);
      else kin.signal(child.pid, 'SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
      done({
        exitCode,
        signal,
        reason: why === null ? reason : 'unlaunchable',
        why,
        stdout: out.close(),
        stderr: err.close(),
        startedAt: started.toISOString(),
        durationMs: Date.now() - started.getTime(),
      });
    };
    for (const [name, stream, kept] of [
      ['stdout', child.stdout, out],
      ['stderr', child.stderr, err],
    ] as const) {
      stream?.on('data', (chunk: Buffer) => {
        kept.add(chunk);
        spec.onChunk?.(chunk, name);
        const line = spec.onLine ? lastLine(chunk) : '';
        if (line !== '') spec.onLine?.(line);
      });
    }
    child.on('error', error => finish(null, null, error.message));
    child.on('exit', (code, signal) => {
      drain = setTimeout(() => finish(code, signal, null), DRAIN_MS);
    });
    child.on('close', (code, signal) => finish(code, signal, null));
    // The program may not read what it is given.
    child.stdin?.on('error', () => {});
    if (spec.input !== null) child.stdin?.end(spec.input);
  });
}

function lastLine(chunk: Buffer): string {
  return (
    chunk
      .subarray(-400)
      .toString('utf8')
      .trimEnd()
      .split(/\r?\n|\r/)
      .at(-1) ?? ''
  );
}

/** A disk that is full ends what is kept, not the program. */
function sink(path: string, limit: number): { add(chunk: Buffer): void; close(): Kept } {
  let fd: number | null = null;
  try {
    fd = openSync(path, 'w', 0o600);
  } catch {
    fd = null;
  }
  let bytes = 0;
  let kept = 0;
  let tail = Buffer.alloc(0);
  return {
    add(chunk) {
      bytes += chunk.length;
      tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
      const room = limit - kept;
      if (fd === null || room <= 0) return;
      try {
        kept += writeSync(fd, chunk, 0, Math.min(room, chunk.length));
      } catch {
        closeSync(fd);
        fd = null;
      }
    },
    close() {
      if (fd !== null) closeSync(fd);
      return { bytes, kept, tail: tail.toString('utf8') };
    },
  };
}
