import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { commitMsg, type HookAnswer, prePush } from '../delivery/git-hook.ts';
import { type CliCommand, projectRoot, UsageError } from './command.ts';

/** What the hooks that `init --git-hooks` installs call. Not for hands. */
export const hookCommand: CliCommand = {
  define(command: Command) {
    command
      .argument('<name>', 'pre-push or commit-msg')
      .argument('[args...]', 'as git gives them')
      .option('--project <folder>', "the project's folder, from the top of the checkout")
      .action(act);
  },
};

function act(name: string, args: string[], options: { project?: string }): void {
  const root = options.project === undefined ? projectRoot() : resolve(options.project);
  const found = ask(name, root, args);
  if (found === null) return;
  process.stderr.write(`${found.text}${found.policy === 'warn' ? ' (policy: warn)' : ''}\n`);
  if (found.policy === 'require') process.exitCode = 1;
}

function ask(name: string, root: string, args: readonly string[]): HookAnswer {
  if (name === 'pre-push') return prePush(root, args[0] ?? '', standardInput().split('\n'));
  if (name === 'commit-msg') return commitMsg(root, process.env.GIT_INDEX_FILE);
  throw new UsageError('unknown-hook', `hook ${name}: give pre-push or commit-msg`);
}

function standardInput(): string {
  try {
    return readFileSync(0, 'utf8');
  } catch {
    return '';
  }
}
