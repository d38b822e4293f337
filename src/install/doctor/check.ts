import { spawnSync } from 'node:child_process';
import type { Env, Scope } from '../places.ts';

export type Status = 'ok' | 'warn' | 'fail';

export type Result = {
  status: Status;
  /** One line: what is so, where. */
  line: string;
  fix?: {
    /** What to do, as an order. */
    say: string;
    /** Done by `--fix`. Only what is safe: nothing a user wrote is lost by it. */
    apply?(): unknown;
  };
};

export type SettingsFile = { scope: Scope | 'managed'; path: string; text: string };

export type Context = {
  root: string;
  /** Where the client would be started. */
  start: string;
  env: Env;
  node: string;
  nodeVersion: string;
  insideAgent: boolean;
  /** Every settings file that is there, highest precedence first. */
  settings: SettingsFile[];
  /** Wires the project anew; for `--fix`. */
  rewire(): unknown;
};

export type Check = { name: string; run(ctx: Context): Result[] };

export function ok(line: string): Result {
  return { status: 'ok', line };
}

export function warn(line: string, say?: string, apply?: () => unknown): Result {
  return { status: 'warn', line, fix: say === undefined ? undefined : { say, apply } };
}

export function fail(line: string, say?: string, apply?: () => unknown): Result {
  return { status: 'fail', line, fix: say === undefined ? undefined : { say, apply } };
}

export type Ran = { code: number | null; signal: string | null; stdout: string; stderr: string; error?: string };

export function runCommand(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Env; input?: string; seconds: number },
): Ran {
  const ran = spawnSync(command, args, {
    cwd: options.cwd,
    env: options.env,
    input: options.input ?? '',
    timeout: options.seconds * 1000,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    maxBuffer: 1 << 20,
  });
  const error = (ran.error as NodeJS.ErrnoException | undefined)?.code;
  return { code: ran.status, signal: ran.signal, stdout: ran.stdout ?? '', stderr: ran.stderr ?? '', error };
}

export function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, 200) ?? '';
}
