import type { Command } from 'commander';
import { deliver } from '../delivery/deliver.ts';
import type { Delivered } from '../delivery/report.ts';
import { type CliCommand, interruption, print, printJson, projectRoot } from './command.ts';
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
  const cancel = interruption();
  const report = await deliver(projectRoot(), {
    dryRun: options.dryRun ?? false,
    onLine: line.show,
    cancel,
  }).finally(line.end);
  if (options.json) printJson(report);
  else print(lines(report).join('\n'));
  process.exitCode = report.ok ? 0 : 1;
}

const SIGN = { added: '+', changed: '~', deleted: '-' } as const;
const MOST = 40;
const HOW = { fresh: 'green at this tree', 're-run': 'green, run now', stale: 'stale', left: 'has left' } as const;

function lines(report: Delivered): string[] {
  const { branch, tree, base, commits, files, proof, repositories, reasons, notes } = report;
  const row = (name: string, value: string) => `${name.padEnd(9)} ${value}`;
  const said: string[] = [];
  if (tree) said.push(row('tree', `${tree.name}${base ? `, since ${base.ref}` : ''}`));
  if (tree) said.push(row('commits', String(commits.length)), ...some(commits.map(c => `  ${c}`)));
  if (tree) said.push(row('files', String(files.length)), ...some(files.map(f => `  ${SIGN[f.kind]} ${f.path}`)));
  for (const { what, how } of proof) said.push(row('proof', `${what}: ${HOW[how]}`));
  for (const { id, path, state, commit, commits } of repositories)
    said.push(row('part', `${id} (${path}): ${state}, ${commits} commits, at ${commit?.slice(0, 7) ?? 'no commit'}`));
  for (const note of notes) said.push(row('note', note));
  for (const reason of reasons) said.push(row('refused', reason));
  const out = repositories.filter(part => part.state === 'ready' && part.path !== '.');
  const pushes = [...out.map(part => `git -C ${part.path} push`), `git push${branch ? ` (${branch})` : ''}`];
  said.push(
    report.ok
      ? `Ready to leave: ${pushes.join(', ')}, gh pr create`
      : `Not delivered: ${reasons.length} ${reasons.length === 1 ? 'reason' : 'reasons'}`,
  );
  if (!report.ok && out.length > 0) said.push(`Ready on their own: ${out.map(part => part.id).join(', ')}`);
  return said;
}

function some(all: string[]): string[] {
  return all.length <= MOST ? all : [...all.slice(0, MOST), `  and ${all.length - MOST} more`];
}
