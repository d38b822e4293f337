import type { Command } from 'commander';
import { readProject } from '../config/project.ts';
import { fingerprint } from '../repo/fingerprint.ts';
import { plainFingerprint } from '../repo/plain.ts';
import { type CliCommand, print, printJson, projectRoot, UsageError } from './command.ts';

type Options = { index?: boolean; rev?: string; json?: boolean };

export const fingerprintCommand: CliCommand = {
  define(command: Command) {
    command
      .option('--index', 'of what is staged')
      .option('--rev <revision>', 'of a revision')
      .option('--json', 'print all that is known of it')
      .action(act);
  },
};

function act(options: Options): void {
  if (options.index && options.rev !== undefined) {
    throw new UsageError('bad-option', 'fingerprint: give --index or --rev, not both');
  }
  const root = projectRoot();
  const { project } = readProject(root);
  const of = options.rev !== undefined ? { rev: options.rev } : options.index ? 'index' : 'worktree';
  const result = fingerprint(root, { of, exclude: project.claims.paths });
  if (!result.ok && result.reason === 'no-git' && of === 'worktree') {
    const files = plainFingerprint(root, project.claims.paths);
    if (files.ok) return options.json ? printJson(files) : print(files.value);
  }
  if (!result.ok) throw new UsageError('no-fingerprint', `fingerprint of ${root}: ${result.message}`);
  if (options.json) printJson(result);
  else print(result.value);
}
