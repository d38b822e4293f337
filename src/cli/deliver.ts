import type { Command } from 'commander';
import { deliver } from '../delivery/deliver.ts';
import type { Delivered } from '../delivery/report.ts';
import { type CliCommand, print, printJson, projectRoot } from './command.ts';
import { progress } from './progress.ts';

type Options = { dryRun?: boolean; json?: boolean };

/** Everything that could keep a task from leaving, in one go. It pushes nothing itself. */
export const deliverCommand: CliCommand = {
  define(command: Command) {
    command
      .option('--dry-run', 'run nothing and stamp nothing: name what is stale')
      .option('--json', 'print the report as JSON')
      .action(act);
  },
};

async function act(options: Options): Promise<void> {
  const line = progress(process.stderr, 'deliver');
  const cancel = new AbortController();
  const interrupted = () => cancel.abort();
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  const report = await deliver(projectRoot(), {
    dryRun: options.dryRun ?? false,
    onLine: line.show,
    cancel: cancel.signal,
  }).finally(line.end);
  if (options.json) printJson(report);
  else print(lines(report).join('\n'));
  process.exitCode = report.ok ? 0 : 1;
}

const SIGN = { added: '+', changed: '~', deleted: '-' } as const;
const MOST = 40;

function lines(report: Delivered): string[] {
  const { branch, tree, base, commits, files, proof, reasons, notes } = report;
  const row = (name: string, value: string) => `${name.padEnd(9)} ${value}`;
  const said: string[] = [];
  if (tree) said.push(row('tree', `${tree.name}${base ? `, since ${base.ref}` : ''}`));
  if (tree) said.push(row('commits', String(commits.length)), ...some(commits.map(c => `  ${c}`)));
  if (tree) said.push(row('files', String(files.length)), ...some(files.map(f => `  ${SIGN[f.kind]} ${f.path}`)));
  for (const { what, how } of proof)
    said.push(
      row(
        'proof',
        `${what}: ${how === 'fresh' ? 'green at this tree' : how === 're-run' ? 'green, run now' : 'stale'}`,
      ),
    );
  for (const note of notes) said.push(row('note', note));
  for (const reason of reasons) said.push(row('refused', reason));
  said.push(
    report.ok
      ? `Ready to leave: git push${branch ? ` (${branch})` : ''}, gh pr create`
      : `Not delivered: ${reasons.length} ${reasons.length === 1 ? 'reason' : 'reasons'}`,
  );
  return said;
}

function some(all: string[]): string[] {
  return all.length <= MOST ? all : [...all.slice(0, MOST), `  and ${all.length - MOST} more`];
}
