/** The shape of one command of the command line, and how commands fail. */
import { writeSync } from 'node:fs';
import type { Command } from 'commander';
import { findRoot } from '../state/paths.ts';

/** Name and summary stand in the registry, so that help loads no command. */
export type CliCommand = {
  /** Adds operands, options, subcommands and the action. */
  define(command: Command): void;
};

/** A fault of use or of the surroundings: one line that says what, where, and what to do. Exit 2. */
export class UsageError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function projectRoot(cwd = process.cwd()): string {
  return findRoot(cwd, process.env.CLAUDE_PROJECT_DIR);
}

/** To the descriptor itself where that takes all at once: node's stream for it takes longer to make than most answers. */
export function print(text: string): void {
  const bytes = Buffer.from(text.endsWith('\n') ? text : `${text}\n`);
  let written = 0;
  try {
    written = writeSync(1, bytes);
  } catch {
    // Full, closed, or not there: the stream knows what to do.
  }
  if (written < bytes.length) process.stdout.write(bytes.subarray(written));
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** A whole number of seconds above zero, or a usage error naming the option. */
export function seconds(value: string, option: string): number {
  const n = Number(value);
  if (!Number.isFinite(n) || n <= 0)
    throw new UsageError('bad-option', `${option} ${value}: give a number of seconds above 0`);
  if (n > DAY) throw new UsageError('bad-option', `${option} ${value}: give ${DAY} seconds (a day) at most`);
  return n;
}

const DAY = 86_400;

/** Whoever asks us to end, or closes the terminal, ends what we started too: it has a process group of its own. */
export function interruption(): AbortSignal {
  const cancel = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cancel.abort());
  return cancel.signal;
}
