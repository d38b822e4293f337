import { lookAt } from '../runs/look.ts';
import { beginStaged, exitCodeOf, finishStaged, Refused, readReportFile } from '../runs/staged.ts';
import { listRuns, readRunJson } from '../runs/store.ts';
import { OUTCOMES, type RunRecord } from '../runs/types.ts';
import { interruption, print, printJson, UsageError } from './command.ts';
import { progress } from './progress.ts';
import { closing, found, show } from './run-looks.ts';
import { promptOf } from './run-prompt.ts';
import { resultOf } from './run-text.ts';

type BeginOptions = {
  task?: string;
  prompt?: string;
  promptFile?: string;
  session?: string;
  id?: string;
  allowDirty?: boolean;
  json?: boolean;
};

export function begin(root: string, options: BeginOptions): void {
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

export async function finish(root: string, wanted: string | undefined, options: FinishOptions): Promise<void> {
  const outcome = OUTCOMES.find(word => word === options.outcome);
  if (outcome === undefined)
    throw new UsageError('bad-option', `--outcome ${options.outcome}: one of ${OUTCOMES.join(', ')}`);
  const run = awaiting(root, wanted);
  if (run.finishedAt !== undefined) {
    process.stderr.write(`touchstone: run ${run.runId} is finished already: ${resultOf(run)}\n`);
    // A harness that asks twice gets the answer it got, or missed, the first time.
    const look = lookAt(root, run, false);
    show(look, options.json);
    process.exitCode = exitCodeOf(run, look.evidence?.violations ?? []);
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
      cancel: interruption(),
    },
  });
  line.end();
  closing(root, closed, options.json);
  process.exitCode = exitCodeOf(closed.run, closed.evidence.violations);
}

export async function abort(
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
