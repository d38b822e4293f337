import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readProject } from '../config/project.ts';
import type { ChangedFile } from '../repo/attribution.ts';
import { taskOf } from '../runs/close.ts';
import type { Closed } from '../runs/closing.ts';
import { readEvidence } from '../runs/evidence.ts';
import { freshnessOf } from '../runs/freshness.ts';
import { resolveRunId } from '../runs/ids.ts';
import { recover } from '../runs/recover.ts';
import { mayResume } from '../runs/resume.ts';
import { readRunSettings } from '../runs/settings.ts';
import {
  beginStaged,
  exitCodeOf,
  finishStaged,
  Refused,
  readReportFile,
  type StagedOptions,
  wrapAgent,
} from '../runs/staged.ts';
import { listRuns, readRun, readRunJson, readRunText, runIds } from '../runs/store.ts';
import type { EvidenceRecord, Outcome, RunRecord, Verification } from '../runs/types.ts';
import { nowOf } from '../runs/verification.ts';
import { type CliCommand, print, printJson, projectRoot, seconds, UsageError } from './command.ts';
import { progress } from './progress.ts';
import { listText, resultOf, type Shown, safe, showText } from './run-text.ts';

const VERBS = ['list', 'show', 'diff', 'resume', 'begin', 'finish', 'abort'];

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
      .action(guard(show));
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
      .option('--outcome <word>', 'completed, blocked, failed or cancelled', 'completed')
      .option('--no-verify', 'leave verification out')
      .action(guard(finish));
    json(command.command('abort').description('give a run up; nothing is reset').argument('[run]'))
      .option('--reason <text>', 'why')
      .action(guard(abort));
    command.addHelpText('after', '\n  touchstone run [options] -- <agent command ...>   wraps a headless agent\n');
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
      process.stderr.write(`touchstone: run: ${error.message}\n`);
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
  const cancel = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cancel.abort());
  let line = progress(process.stderr, 'run');
  const claimsFile = options.claims;
  const done = await wrapAgent(root, run, staged, {
    onLine: text => line.show(text),
    onChunk: options.verbose ? (chunk, stream) => process[stream].write(chunk) : undefined,
    cancel: cancel.signal,
    claims: claimsFile === undefined ? undefined : () => readReportFile(claimsFile),
    verify: {
      onLine: text => line.show(text),
      onStart: name => {
        line.end();
        line = progress(process.stderr, `verify ${name}`);
      },
      cancel: cancel.signal,
    },
  });
  line.end();
  closing(root, done, options.json);
  process.exitCode = exitCodeOf(done, done.end.reason === 'unlaunchable');
  if (done.end.why !== null)
    process.stderr.write(`touchstone: run: ${argv[0]} could not be started (${done.end.why})\n`);
}

function promptOf(options: { prompt?: string; promptFile?: string }): string {
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

function closing(root: string, closed: Closed, json: boolean | undefined): void {
  const { run, note } = closed;
  if (note) process.stderr.write(`touchstone: ${safe(note)}\n`);
  if (json) printJson({ schema: 'touchstone.run-show/1', ...shownOf(root, run, false) });
  else print(showText(shownOf(root, run, false)));
}

function list(root: string, options: { json?: boolean }): void {
  const { runs, diagnostics } = listRuns(root);
  if (options.json) return printJson({ schema: 'touchstone.run-list/1', runs, diagnostics });
  print(listText(runs));
  for (const d of diagnostics) process.stderr.write(`touchstone: ${d.code} ${safe(d.path)}: ${safe(d.message)}\n`);
}

function found(root: string, wanted: string): RunRecord {
  const read = readRun(root, resolveRunId(runIds(root), wanted));
  if (read.kind === 'run') return read.run;
  const { code, path, message } = read.diagnostic;
  throw new UsageError('unreadable-run', `${code} ${path}: ${message}`);
}

function shownOf(root: string, run: RunRecord, verbose: boolean): Shown {
  const { runId } = run;
  const evidence =
    readEvidence(root, run.specName, run.taskId ?? taskOf(run), runId) ??
    readRunJson<EvidenceRecord>(root, runId, 'evidence.json');
  const { tasks } = readRunSettings(readProject(root).project.raw);
  return {
    run,
    evidence,
    changedFiles: readRunJson<{ changedFiles: ChangedFile[] }>(root, runId, 'changed-files.json')?.changedFiles ?? [],
    verification: readRunJson<Verification>(root, runId, 'verification.json'),
    freshness: evidence && run.taskId !== undefined ? freshnessOf(evidence, nowOf(root, run, tasks)) : null,
    diagnostics: [],
    ...(verbose
      ? {
          prompt: readRunText(root, runId, 'prompt.md'),
          stdout: readRunText(root, runId, 'raw-stdout.log'),
          stderr: readRunText(root, runId, 'raw-stderr.log'),
        }
      : {}),
  };
}

function show(root: string, wanted: string, options: { json?: boolean; verbose?: boolean }): void {
  const shown = shownOf(root, found(root, wanted), options.verbose === true);
  if (options.json) printJson({ schema: 'touchstone.run-show/1', ...shown });
  else print(showText(shown));
}

function diff(root: string, wanted: string): void {
  const run = found(root, wanted);
  const patch = readRunText(root, run.runId, 'diff.patch');
  const shown = shownOf(root, run, false);
  if (patch !== null) print(patch === '' ? 'No tracked file differs from HEAD.' : patch);
  else {
    const why = run.warnings.find(w => w.includes('patch')) ?? 'the run kept no patch';
    process.stderr.write(`touchstone: run diff: ${safe(why)}\n`);
    process.exitCode = 1;
  }
  const mine = shown.changedFiles.filter(f => f.modifiedDuringRun);
  const outside = mine.filter(f => patch === null || !patch.includes(f.path)).map(f => `${f.changeType} ${f.path}`);
  if (outside.length > 0) process.stderr.write(`not in the patch: ${safe(outside.join(', '))}\n`);
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

type BeginOptions = {
  task?: string;
  prompt?: string;
  promptFile?: string;
  session?: string;
  id?: string;
  allowDirty?: boolean;
  json?: boolean;
};

function begin(root: string, options: BeginOptions): void {
  const run = beginStaged(root, 'interactive-execution', {
    taskId: options.task,
    prompt: promptOf(options),
    argv: [],
    runId: options.id,
    session: options.session,
    allowDirty: options.allowDirty,
  });
  if (options.json) printJson({ schema: 'touchstone.run-begin/1', run });
  else print(run.runId);
}

function awaiting(root: string, wanted: string | undefined): RunRecord {
  if (wanted !== undefined) {
    const run = found(root, wanted);
    if (run.kind === 'interactive-execution') return run;
    throw new UsageError('not-begun', `run ${run.runId} was not opened by \`touchstone run begin\``);
  }
  const open = listRuns(root).runs.filter(run => run.lifecycleStatus === 'AWAITING_AGENT_CHANGES');
  if (open.length === 1) return open[0]!;
  const which = open.length === 0 ? 'no run was begun' : `${open.length} runs were begun: name one`;
  throw new UsageError('which-run', `run: ${which} (touchstone run list)`);
}

type FinishOptions = { claims?: string; message?: string; outcome: string; verify: boolean; json?: boolean };

const OUTCOMES: readonly Outcome[] = ['completed', 'blocked', 'failed', 'cancelled', 'timed-out', 'no-change'];

async function finish(root: string, wanted: string | undefined, options: FinishOptions): Promise<void> {
  const outcome = OUTCOMES.find(word => word === options.outcome);
  if (outcome === undefined)
    throw new UsageError('bad-option', `--outcome ${options.outcome}: one of ${OUTCOMES.join(', ')}`);
  const run = awaiting(root, wanted);
  if (run.finishedAt !== undefined) {
    process.stderr.write(`touchstone: run ${run.runId} is finished already: ${resultOf(run)}\n`);
    process.exitCode = run.evidenceStatus === 'verified' ? 0 : 1;
    return;
  }
  const request = readRunJson<{ allowDirty?: boolean }>(root, run.runId, 'runner-request.json');
  let line = progress(process.stderr, 'verify');
  const closed = await finishStaged(root, run, {
    outcome,
    message: options.message ?? '',
    report: options.claims === undefined ? null : readReportFile(options.claims),
    noVerify: !options.verify,
    allowDirty: request?.allowDirty,
    sessionId: run.sessionId,
    verify: {
      onLine: text => line.show(text),
      onStart: name => {
        line.end();
        line = progress(process.stderr, `verify ${name}`);
      },
    },
  });
  line.end();
  closing(root, closed, options.json);
  process.exitCode = exitCodeOf(closed);
}

async function abort(
  root: string,
  wanted: string | undefined,
  options: { reason?: string; json?: boolean },
): Promise<void> {
  const reason = options.reason?.trim() ?? '';
  if (reason === '') throw new UsageError('no-reason', 'run abort --reason: say why it is given up');
  const run = awaiting(root, wanted);
  if (run.finishedAt !== undefined) throw new Refused(`${run.runId} is finished already: ${resultOf(run)}`);
  const closed = await finishStaged(root, run, {
    outcome: 'cancelled',
    message: '',
    report: null,
    noVerify: true,
    abortReason: reason,
  });
  closing(root, closed, options.json);
}
