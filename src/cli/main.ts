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

async function main(argv: string[]): Promise<void> {
  const wanted = argv.find(word => !word.startsWith('-'));
  for (const { name, summary, load } of COMMANDS) {
    const command = program.command(name).description(summary).exitOverride();
    // Only the command in question is loaded; the rest are known by their summaries alone.
    if (name === wanted) (await load()).define(command);
  }
  await program.parseAsync(argv, { from: 'user' });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    return;
  }
  if (error instanceof Error && typeof (error as { code?: unknown }).code === 'string' && !('syscall' in error)) {
    process.stderr.write(`touchstone: ${error.message}\n`);
    process.exitCode = 2;
    return;
  }
  if (error instanceof Error && 'syscall' in error) {
    process.stderr.write(`touchstone: ${error.message} (run \`touchstone doctor\`)\n`);
    process.exitCode = 2;
    return;
  }
  throw error;
});
