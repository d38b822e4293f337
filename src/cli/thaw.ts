import type { Command } from 'commander';
import { readProject } from '../config/project.ts';
import { thaw } from '../freeze/thaw.ts';
import { type CliCommand, print, projectRoot, UsageError } from './command.ts';
import { humanOnly } from './human.ts';

export const thawCommand: CliCommand = {
  define(command: Command) {
    command
      .argument('<paths...>', 'globs to open')
      .requiredOption('--reason <text>', 'why the tests are wrong')
      .action(async (paths: string[], options: { reason: string }) => {
        humanOnly('thaw');
        if (!process.stdin.isTTY)
          throw new UsageError(
            'no-terminal',
            'thaw: needs an interactive terminal outside any agent, or `/touchstone thaw <paths> <reason>` typed to it',
          );
        const root = projectRoot();
        if (options.reason.trim() === '')
          throw new UsageError('no-reason', 'thaw --reason: say why the tests are wrong');
        const open = await thaw(
          root,
          readProject(root).project.frozen.paths,
          { paths, reason: options.reason },
          { who: 'terminal', session: null },
        );
        print(open === null ? 'Nothing is frozen.' : `Open until new red evidence: ${open.join(', ')}`);
      });
  },
};
