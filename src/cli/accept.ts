import type { Command } from 'commander';
import { readProject } from '../config/project.ts';
import { acceptTask } from '../runs/accept.ts';
import { recover } from '../runs/recover.ts';
import { type CliCommand, print, printJson, projectRoot, UsageError } from './command.ts';
import { humanOnly } from './human.ts';
import { safe } from './run-text.ts';

type Options = { task?: string; reason?: string; run?: string; json?: boolean };

export const acceptCommand: CliCommand = {
  define(command: Command) {
    command
      .option('--task <id>', 'the task of the task list')
      .option('--reason <text>', 'why it counts as done without proof')
      .option('--run <run>', 'the run it is about')
      .option('--json', 'print the record as JSON')
      .action(act);
  },
};

async function act(options: Options): Promise<void> {
  humanOnly('accept');
  const task = options.task?.trim() ?? '';
  const reason = options.reason?.trim() ?? '';
  if (task === '') throw new UsageError('no-task', 'accept --task: name the task');
  if (reason === '') throw new UsageError('no-reason', 'accept --reason: say why it counts as done without proof');
  const root = projectRoot();
  for (const note of await recover(root)) process.stderr.write(`touchstone: ${safe(note)}\n`);
  const done = acceptTask(root, readProject(root).project.raw, { task, reason, run: options.run });
  if (done.kind === 'done') {
    process.stderr.write(`touchstone: accept: task ${task} is ticked already (${done.file}, line ${done.line + 1})\n`);
    process.exitCode = 1;
    return;
  }
  if (options.json)
    printJson({ schema: 'touchstone.accept/1', run: done.run, evidence: done.evidence, path: done.path });
  else {
    print(`MANUALLY ACCEPTED: task ${task} of ${done.run.specName}. Nothing was verified.`);
    print(`Run ${done.run.runId}, record .claude/state/${done.path}`);
  }
  if (done.box !== null) {
    process.stderr.write(`touchstone: accept: the record is kept, the box is not ticked: ${done.box}\n`);
    process.exitCode = 1;
  }
}
