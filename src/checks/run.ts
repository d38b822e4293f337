/** Starts one command ourselves and says how it ended: the only observation that may raise a verdict (design, section 1). */
import { execa } from 'execa';
import { OUTPUT_LIMIT } from '../runners/read.ts';
import { decode } from '../runners/text.ts';
import { type Family, family, killGroup } from './family.ts';
import type { RunReason } from './judge.ts';
import { waitsForChanges } from './watch.ts';

export type RunSpec = {
  /** A shell line, run verbatim, or a program with its arguments. */
  command: string | readonly string[];
  cwd: string;
  timeoutMs: number;
  /** Ends a run that prints nothing for this long. */
  inactivityMs?: number;
  env?: Record<string, string>;
  /** Variables of our own environment that the command does not get. */
  withhold?: (name: string) => boolean;
  onLine?: (line: string) => void;
  onText?: (text: string) => void;
  cancel?: AbortSignal;
};

export type RunResult = {
  exitCode: number | null;
  signal: string | null;
  reason: RunReason | 'unlaunchable' | null;
  /** stdout and stderr as they came; the middle is left out beyond 16 MB. */
  output: string;
  bytes: number;
  durationMs: number;
  startedAt: string;
};

/** Beyond it a timer goes off at once. */
const MOST_MS = 2 ** 31 - 1;
const KILL_AFTER_MS = 3000;
/** After the program's end its last words may still be in the pipe: read on until it is quiet, but not for ever. */
const DRAIN_QUIET_MS = 300;
const DRAIN_MS = 3000;
/** Nobody waits for a program that never stops printing: far beyond what is kept, it is ended. */
const RUNAWAY_BYTES = 16 * OUTPUT_LIMIT;

export async function run(spec: RunSpec): Promise<RunResult> {
  const startedAt = new Date();
  const kept = new Kept();
  let reason: RunReason | null = null;
  let endedAt = 0;
  let last = Date.now();
  const kin = family();
  const shell = typeof spec.command === 'string';
  const [file, ...args] = shell ? ['/bin/sh', '-c', spec.command as string] : (spec.command as readonly string[]);
  const child = execa(file ?? '', args, {
    cwd: spec.cwd,
    env: { ...environment(spec), ...kin.env },
    extendEnv: false,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    detached: process.platform !== 'win32',
    cleanup: true,
  });
  const end = (why: RunReason) => {
    if (reason !== null || child.exitCode !== null || child.signalCode !== null) return;
    reason = why;
    endedAt = Date.now();
    kin.signal(child.pid, 'SIGTERM');
    setTimeout(() => kin.signal(child.pid, 'SIGKILL'), KILL_AFTER_MS).unref();
  };
  const take = (chunk: Buffer) => {
    last = Date.now();
    kept.add(chunk);
    if (kept.bytes > RUNAWAY_BYTES) end('output-limit');
    const line = spec.onLine ? kept.lastLine() : '';
    if (line) spec.onLine?.(line);
    spec.onText?.(chunk.toString('utf8'));
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  const deadline = setTimeout(() => end('timeout'), Math.min(spec.timeoutMs, MOST_MS));
  const idle = setInterval(() => {
    const quiet = Date.now() - last;
    if (spec.inactivityMs !== undefined && quiet > spec.inactivityMs) end('inactive');
    else if (quiet > 1500 && waitsForChanges(kept.tail())) end('watch');
  }, 250);
  const cancel = () => end('cancelled');
  spec.cancel?.addEventListener('abort', cancel);
  try {
    // A grandchild may hold the pipes open for ever: the program's own end decides, not the end of its output.
    const exited = new Promise<void>(done => child.once('exit', () => drained(() => last, done)));
    const result = await Promise.race([child, exited.then(() => null)]);
    // A program that could not be started has no process id; node gives it a negative exit code.
    const failed = result !== null && child.pid === undefined;
    return {
      exitCode: failed ? null : (child.exitCode ?? null),
      signal: child.signalCode ?? null,
      reason: reason ?? (failed ? 'unlaunchable' : kept.overflowed ? 'output-limit' : null),
      output: failed && kept.bytes === 0 ? String(result.shortMessage ?? '') : kept.text(),
      bytes: kept.bytes,
      durationMs: Date.now() - startedAt.getTime(),
      startedAt: startedAt.toISOString(),
    };
  } finally {
    clearTimeout(deadline);
    clearInterval(idle);
    spec.cancel?.removeEventListener('abort', cancel);
    // What the program started has the same time to end as the program itself.
    if (endedAt > 0) {
      await gone(kin, child.pid, endedAt + KILL_AFTER_MS);
      kin.signal(child.pid, 'SIGKILL');
    } else killGroup(child.pid);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

async function gone(kin: Family, pid: number | undefined, until: number): Promise<void> {
  while (Date.now() < until && kin.lives(pid)) await new Promise(done => setTimeout(done, 50));
}

function drained(last: () => number, done: () => void): void {
  const ended = Date.now();
  const look = setInterval(() => {
    const now = Date.now();
    if (now - Math.max(last(), ended) < DRAIN_QUIET_MS && now - ended < DRAIN_MS) return;
    clearInterval(look);
    done();
  }, 50);
}

/** No terminal, CI set, and none of the marks that would make a nested test runner report to ours. */
function environment(spec: RunSpec): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (value === undefined || key === 'NODE_TEST_CONTEXT' || key === 'NODE_V8_COVERAGE') continue;
    if (spec.withhold?.(key) !== true) env[key] = value;
  }
  return { ...env, CI: '1', SHLVL: env.SHLVL ?? '1', ...spec.env };
}

/** Head and tail of an output, by bytes; cut on line ends so that no character is torn. */
class Kept {
  bytes = 0;
  overflowed = false;
  private head: Buffer[] = [];
  private headBytes = 0;
  private last: Buffer[] = [];
  private lastBytes = 0;

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    const half = OUTPUT_LIMIT / 2;
    if (this.headBytes + chunk.length <= half && !this.overflowed && this.lastBytes === 0) {
      this.head.push(chunk);
      this.headBytes += chunk.length;
      return;
    }
    this.last.push(chunk);
    this.lastBytes += chunk.length;
    while (this.lastBytes - this.last[0]!.length > half) {
      this.lastBytes -= this.last.shift()!.length;
      this.overflowed = true;
    }
  }

  tail(): string {
    const parts = this.last.length > 0 ? this.last : this.head;
    return Buffer.concat(parts.slice(-2)).subarray(-4096).toString('utf8');
  }

  lastLine(): string {
    return (
      this.tail()
        .trimEnd()
        .split(/\r?\n|\r/)
        .at(-1) ?? ''
    );
  }

  text(): string {
    // One buffer: a character may lie across two chunks.
    if (!this.overflowed) return decode(Buffer.concat([...this.head, ...this.last]));
    const head = Buffer.concat(this.head);
    const last = Buffer.concat(this.last);
    const end = head.lastIndexOf(0x0a);
    const cut = last.indexOf(0x0a);
    const missing = this.bytes - this.headBytes - this.lastBytes;
    const [first, rest] = [head.subarray(0, end < 0 ? head.length : end), last.subarray(cut + 1)];
    return `${first.toString('utf8')}\n[... ${missing} bytes left out ...]\n${rest.toString('utf8')}`;
  }
}
