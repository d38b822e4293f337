import type { Command } from 'commander';
import { recover } from '../runs/recover.ts';
import { mayResume } from '../runs/resume.ts';
import { beginStaged, exitCodeOf, Refused, readReportFile, type StagedOptions, wrapAgent } from '../runs/staged.ts';
import type { RunRecord } from '../runs/types.ts';
import { type CliCommand, interruption, projectRoot, seconds, UsageError } from './command.ts';
import { progress } from './progress.ts';
import { abort, begin, finish } from './run-harness.ts';
import { closing, diff, found, list, showRun } from './run-looks.ts';
import { promptOf } from './run-prompt.ts';
import { safe } from './run-text.ts';

const VERBS = ['list', 'show', 'diff', 'resume', 'begin', 'finish', 'abort'];

const HELP = `
  touchstone run [options] -- <agent command ...>   wraps a headless agent

Exit: 0 verified, or nothing to prove; 1 not verified, blocked, refused; 2 usage or settings; 3 the agent could not be
started; 4 it failed; 5 it was out of time or cancelled; 6 it was denied something, or did what no run may do.
`;

/** Everything behind `--` is the agent's: its first word may well be one of our verbs. */
function agentWords(argv: readonly string[]): string[] | null {
  const at = argv.indexOf('--');
  return at < 0 ? null : argv.slice(at + 1);
}

export const runCommandLine: CliCommand = {
  define(command: Command) {
    const argv = process.argv.slice(2);
    const own = argv.slice(0, argv.indexOf('--') < 0 ? argv.length : argv.indexOf('--'));
    const verb = own.slice(own.indexOf('run') + 1).find(word => VERBS.includes(word));
    if (verb === undefined && agentWords(argv) !== null) {
      agentOptions(command.argument('<command...>', 'the agent and its arguments, behind --')).action(wrap);
      return;
    }
    const json = (sub: Command) => sub.option('--json', 'print it as JSON');
    json(command.command('list').description('every run, newest first')).action(guard(list));
    json(
      command
        .command('show')
        .description('what a run did and what was said of it')
        .argument('<run>', 'id, or the beginning of one'),
    )
      .option('--verbose', 'with the prompt and the raw output')
      .action(guard(showRun));
    command.command('diff').description('the patch of a run').argument('<run>').action(guard(diff));
    agentOptions(
      command
        .command('resume')
        .description('take a run up again from the state it left')
        .argument('<run>')
        .argument('[command...]', 'the agent, behind --'),
    ).action(guard(resume));
    json(command.command('begin').description('open a run for another harness'))
      .option('--task <id>', 'the task of the task list it is about')
      .option('--prompt <text>', 'what the agent is asked')
      .option('--prompt-file <file>', 'the same, from a file')
      .option('--session <id>', "the agent's own session id")
      .option('--id <id>', 'an id of your own')
      .option('--allow-dirty', 'a task may begin on a dirty tree')
      .action(guard(begin));
    json(command.command('finish').description('close a run that was begun').argument('[run]'))
      .option('--claims <file>', "the agent's structured report, as JSON")
      .option('--message <text>', "the agent's last message")
      .option('--outcome <word>', 'completed, blocked, failed, cancelled, timed-out, ...', 'completed')
      .option('--no-verify', 'leave verification out')
      .action(guard(finish));
    json(command.command('abort').description('give a run up; nothing is reset').argument('[run]'))
      .option('--reason <text>', 'why')
      .action(guard(abort));
    command.addHelpText('after', HELP);
    command.action(() => command.help({ error: true }));
  },
};

function agentOptions(command: Command): Command {
  return command
    .option('--prompt <text>', 'given to the agent on its standard input')
    .option('--prompt-file <file>', 'the same, from a file')
    .option('--task <id>', 'the task of the task list it is about')
    .option('--claims <file>', 'the file into which the agent was asked to write its structured report')
    .option('--timeout <seconds>', 'deadline of the agent')
    .option('--no-verify', 'leave verification out')
    .option('--allow-dirty', 'a task may begin on a dirty tree')
    .option('--verbose', "the agent's output as it comes")
    .option('--json', 'print the record as JSON');
}

type AgentOptions = {
  prompt?: string;
  promptFile?: string;
  task?: string;
  claims?: string;
  timeout?: string;
  verify: boolean;
  allowDirty?: boolean;
  verbose?: boolean;
  json?: boolean;
};

/** Recovers what was left open, says so, and turns a closed gate into exit 1. */
function guard<A extends unknown[]>(
  act: (root: string, ...args: A) => Promise<void> | void,
): (...args: A) => Promise<void> {
  return async (...args) => {
    const root = projectRoot();
    for (const note of await recover(root)) process.stderr.write(`touchstone: ${safe(note)}\n`);
    try {
      await act(root, ...args);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      process.stderr.write(`touchstone: run: ${safe(error.message)}\n`);
      process.exitCode = 1;
    }
  };
}

const wrap = guard((root: string, words: string[], options: AgentOptions) => start(root, words, options));

async function start(
  root: string,
  argv: string[],
  options: AgentOptions,
  resumed?: { of: RunRecord; baseline: NonNullable<StagedOptions['resume']>['baseline'] },
): Promise<void> {
  const staged: StagedOptions = {
    taskId: resumed ? resumed.of.taskId : options.task,
    prompt: promptOf(options),
    argv,
    noVerify: !options.verify,
    allowDirty: options.allowDirty,
    timeoutMs: options.timeout === undefined ? undefined : seconds(options.timeout, '--timeout') * 1000,
    claims: options.claims !== undefined,
    resume: resumed,
  };
  const run = beginStaged(root, resumed ? 'task-resume' : 'task-execution', staged);
  const cancel = interruption();
  let line = progress(process.stderr, 'run');
  const claimsFile = options.claims;
  const done = await wrapAgent(root, run, staged, {
    onLine: text => line.show(text),
    onChunk: options.verbose ? (chunk, stream) => process[stream].write(chunk) : undefined,
    cancel,
    claims: claimsFile === undefined ? undefined : () => readReportFile(claimsFile),
    verify: {
      onLine: text => line.show(text),
      onStart: name => {
        line.end();
        line = progress(process.stderr, `verify ${name}`);
      },
      cancel,
    },
  });
  line.end();
  closing(root, done, options.json);
  process.exitCode = exitCodeOf(done.run, done.evidence.violations, done.end.reason === 'unlaunchable');
  if (done.end.why !== null)
    process.stderr.write(`touchstone: run: ${argv[0]} could not be started (${done.end.why})\n`);
}

async function resume(root: string, wanted: string, words: string[], options: AgentOptions): Promise<void> {
  const run = found(root, wanted);
  const answer = mayResume(root, run);
  if (answer.kind === 'refused') throw new Refused(`${run.runId} cannot be resumed: ${answer.why}`);
  const argv = words.length > 0 ? words : continued(run, answer.argv);
  await start(root, argv, options, { of: run, baseline: answer.baseline });
}

/** Only the agent whose own flag for it is known goes on by itself. */
function continued(run: RunRecord, argv: readonly string[]): string[] {
  if (run.runner === 'claude' && argv.length > 0 && run.sessionId) return [...argv, '--resume', run.sessionId];
  throw new UsageError(
    'no-command',
    `run resume: say how ${run.runner} takes session ${run.sessionId} up again, behind --`,
  );
}
