/** `touchstone`: every command is loaded only when it is called. */
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { COMMANDS } from './registry.ts';

const program = new Command('touchstone')
  .description('Makes a coding agent\'s "done" a matter of evidence.')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'touchstone: ')) })
  .showHelpAfterError('(touchstone --help lists the commands)');

const CURES: Record<string, string> = {
  ENOSPC: 'make room on that disk',
  EDQUOT: 'make room in that quota',
  EROFS: 'make that folder writable',
};

/** Names of files and of others' records must not drive the terminal. */
const printable = (text: string): string => text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '?');

async function main(argv: string[]): Promise<void> {
  const [first, second] = argv.filter(word => !word.startsWith('-'));
  const asked = COMMANDS.find(({ name }) => name === (first === 'help' ? second : first));
  // The command in question is loaded, and alone set up where it comes first; the rest are known by their summaries.
  for (const entry of asked && argv[0] === first && first !== 'help' ? [asked] : COMMANDS) {
    const command = program.command(entry.name).description(entry.summary).exitOverride();
    if (entry === asked) (await entry.load()).define(command);
  }
  await program.parseAsync(argv, { from: 'user' });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    return;
  }
  if (error instanceof Error && typeof (error as { code?: unknown }).code === 'string' && !('syscall' in error)) {
    process.stderr.write(`touchstone: ${printable(error.message)}\n`);
    process.exitCode = 2;
    return;
  }
  if (error instanceof Error && 'syscall' in error) {
    const cure = CURES[String((error as NodeJS.ErrnoException).code)];
    // A write that fails names no file.
    const where = (error as NodeJS.ErrnoException).path === undefined ? ' (most likely under .claude/state)' : '';
    const next = cure === undefined ? ' (run `touchstone doctor`)' : `${where}: ${cure}, then run it again`;
    process.stderr.write(`touchstone: ${printable(error.message)}${next}\n`);
    process.exitCode = 2;
    return;
  }
  throw error;
});
