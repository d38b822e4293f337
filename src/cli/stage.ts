import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { answerStage } from '../stages/answer.ts';
import { type Finished, finishStage } from '../stages/finish.ts';
import { type StageStatus, stageStatus, startStage } from '../stages/stage.ts';
import { type CliCommand, interruption, print, printJson, projectRoot, UsageError } from './command.ts';
import { humanOnly } from './human.ts';
import { elapsed, progress } from './progress.ts';

type FinishFlags = { summary?: string; summaryFile?: string; json?: boolean };

export const stageCommand: CliCommand = {
  define(command: Command) {
    command
      .command('start')
      .description('open a stage of the bound plan')
      .argument('<stage>', 'its id')
      .option('--json')
      .action(start);
    command
      .command('finish')
      .description('judge what the open stage changed, run its checks, record what they showed')
      .option('--summary <text>', 'what the agent says; kept, and counted for nothing')
      .option('--summary-file <path>', 'the same from a file')
      .option('--json', 'print the record')
      .action(finish);
    command
      .command('answer')
      .description("a human's act: answer what the open stage asked")
      .argument('[text]', 'the answer')
      .option('--file <path>', 'the answer from a file')
      .action(answer);
    command.command('status').description('where the task stands').option('--json').action(status);
  },
};

async function start(id: string, options: { json?: boolean }): Promise<void> {
  const started = await startStage(projectRoot(), id);
  if (options.json) return printJson(started);
  print(`Stage ${id} is ${started.resumed ? 'open still, with what it saw when it began' : 'open'}. It may write:`);
  for (const [repository, patterns] of Object.entries(started.allow))
    if (patterns.length > 0) print(`  ${repository}: ${patterns.join(', ')}`);
  if (started.frozen.length > 0)
    print(`Frozen from before: ${started.frozen.join(', ')}. A human opens what is to change: \`touchstone thaw\`.`);
  if (started.between.length > 0)
    print(
      `Files changed since the last stage was accepted, in ${started.between.join(', ')}: no stage answers for them yet.`,
    );
}

async function finish(options: FinishFlags): Promise<void> {
  const cancel = interruption();
  const finished = await finishStage(projectRoot(), {
    summary: options.summaryFile === undefined ? (options.summary ?? null) : fileText(options.summaryFile),
    cancel,
    onCheck: label => {
      const line = progress(process.stderr, label);
      return { text: line.show, end: line.end };
    },
  });
  if (options.json) printJson({ ...finished.record, record: finished.path, reused: finished.reused });
  else print(finishedText(finished));
  process.exitCode = finished.record.passed ? 0 : 1;
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new UsageError('unreadable', `stage: ${path} cannot be read (${code}); name a file that can`);
  }
}

async function answer(text: string | undefined, options: { file?: string }): Promise<void> {
  humanOnly('stage answer');
  const done = await answerStage(projectRoot(), options.file === undefined ? (text ?? '') : fileText(options.file));
  print(`Answered what ${done.stage} asked: ${done.question}`);
}

function finishedText({ record, path, reused, frozen }: Finished): string {
  const out = [
    `Stage ${record.stage} is ${record.passed ? 'accepted' : `NOT accepted (${record.failures[0]?.step})`}.`,
  ];
  for (const failure of record.failures) {
    out.push(failure.heading, ...failure.lines.map(line => ` - ${line}`));
  }
  for (const entry of record.checks) {
    const kept = reused.includes(entry.id) ? ', proven before the interruption and not run again' : '';
    out.push(
      `  ${entry.passed ? 'passed' : 'failed'}  ${entry.id} (${entry.phase}), ${elapsed(entry.duration_seconds * 1000)}${kept}`,
    );
  }
  for (const finding of record.rules)
    if (finding.enforcement === 'advisory') out.push(`  note: ${finding.rule}: ${finding.path}: ${finding.why}`);
  if (frozen > 0) out.push(`Frozen by this red evidence: ${frozen} test files.`);
  if (!record.accepted) out.push('Nobody accepted these rules yet: a human runs `touchstone config accept`.');
  return [...out, path].join('\n');
}

function status(options: { json?: boolean }): void {
  const now = stageStatus(projectRoot());
  if (options.json) return printJson(now);
  print(statusLines(now).join('\n'));
}

function statusLines(now: StageStatus): string[] {
  const row = (name: string, value: string) => `${name.padEnd(9)} ${value}`;
  if (now.task === null) return ['No plan is bound: run `touchstone plan bind`.'];
  const out = [row('task', `${now.task}, bound as ${now.binding?.slice(0, 12) ?? 'unknown'}`)];
  if (now.drift.length > 0) {
    out.push(row('drift', `${now.drift.join(', ')}: a human runs \`touchstone plan rebind\``));
  }
  for (const stage of now.stages)
    out.push(row('stage', `${stage.id}: ${stage.state}${stage.record ? ` (${stage.record})` : ''}`));
  if (now.open) {
    out.push(row('open', `${now.open.id} since ${now.open.since}, ${now.open.attempts} attempts`));
    for (const path of now.open.changed) out.push(row('changed', path));
  }
  if (now.frozen > 0) out.push(row('frozen', `${now.frozen} test files`));
  if (now.green !== 'none')
    out.push(row('green', now.green === 'fresh' ? 'fresh: of the tree as it is' : 'stale: the tree moved since'));
  if (now.pending !== null) out.push(row('asks', `${now.pending} (touchstone stage answer)`));
  const last = now.attempts.at(-1);
  if (last)
    out.push(
      row(
        'last',
        `${last.stage} ${last.passed ? 'accepted' : `refused: ${last.failure}`}${last.record ? ` (${last.record})` : ''}`,
      ),
    );
  return out;
}
