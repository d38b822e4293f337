import { readFileSync } from 'node:fs';
import { UsageError } from './command.ts';

export function promptOf(options: { prompt?: string; promptFile?: string }): string {
  if (options.prompt !== undefined && options.promptFile !== undefined)
    throw new UsageError('bad-option', 'run: give --prompt or --prompt-file, not both');
  if (options.promptFile === undefined) return options.prompt ?? '';
  try {
    return readFileSync(options.promptFile, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new UsageError('unreadable', `run --prompt-file ${options.promptFile}: cannot be read (${code})`);
  }
}
