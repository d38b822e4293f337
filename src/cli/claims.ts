import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { decode } from '../runners/text.ts';
import { readClaims } from '../runs/claims/index.ts';
import { type CliCommand, print, printJson, UsageError } from './command.ts';

/** What a final message claims, read without regard to evidence. */
export const claimsCommand: CliCommand = {
  define(command: Command) {
    command
      .argument('[file]', 'the message; - or nothing reads standard input', '-')
      .option('--json', 'print it as JSON')
      .action(act);
  },
};

function act(file: string, options: { json?: boolean }): void {
  const { asserts, claims } = readClaims(decode(bytesOf(file)));
  if (options.json) return printJson({ asserts, claims: claims.map(({ kind, text }) => ({ kind, text })) });
  const lines = claims.map(({ kind, text }) => `  ${kind}: ${text.replace(/\s+/g, ' ')}`);
  print([asserts ? 'asserts verified success' : 'asserts no verified success', ...lines].join('\n'));
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new UsageError(
      'unreadable',
      `claims ${file}: cannot be read (${code}); name a file, or - for standard input`,
    );
  }
}
