import { relative } from 'node:path';
import type { Command } from 'commander';
import { acceptRules } from '../config/accept.ts';
import { insideAgent } from '../install/agent-env.ts';
import { keepCompiled } from '../install/compiled.ts';
import { type InitReport, init as install } from '../install/init.ts';
import { builtDist, SCOPES, type Scope } from '../install/places.ts';
import { announce } from '../state/token.ts';
import { WIRING_TOKEN } from '../wiring.ts';
import { settleBaseline } from './baseline.ts';
import { type CliCommand, print, printJson, UsageError } from './command.ts';

type Options = { scope: string; gitHooks?: boolean; dryRun?: boolean; json?: boolean };

export const init: CliCommand = {
  define(command: Command) {
    command
      .argument('[dir]', "the project's own folder", '.')
      .option('--scope <scope>', 'which settings file: project, local or user', 'project')
      .option('--git-hooks', "pre-push and commit-msg too, so that a human's push needs the same evidence")
      .option('--dry-run', 'show what would be written and write nothing')
      .option('--json', 'print the report as JSON')
      .action(act);
  },
};

async function act(dir: string, options: Options): Promise<void> {
  const agent = insideAgent();
  const report = await install({
    dir,
    scope: scopeOf(options.scope),
    dryRun: options.dryRun ?? false,
    gitHooks: options.gitHooks,
    insideAgent: agent.inside ? agent.why : undefined,
    recordAccepted: root => acceptRules(root, 'init'),
    announce: root => announce(root, WIRING_TOKEN),
  });
  if (!report.dryRun) {
    settleBaseline(report.root);
    if (!keepCompiled(builtDist()))
      report.notes.push('hooks start slower: touchstone doctor says where their compiled form cannot be kept');
  }
  if (options.json) printJson(report);
  else print(initLines(report).join('\n'));
}

export function scopeOf(word: string): Scope {
  const scope = SCOPES.find(s => s === word);
  if (!scope) throw new UsageError('bad-option', `--scope ${word}: give project, local or user`);
  return scope;
}

function initLines(report: InitReport): string[] {
  const name = (path: string) => {
    const inside = relative(report.root, path);
    return inside.startsWith('..') ? path : inside;
  };
  const lines = [`${report.dryRun ? 'Would wire' : 'Wired'} ${report.root} (${report.scope} settings)`];
  for (const { path, existed, added } of report.written) {
    lines.push(`${existed ? '~' : '+'} ${name(path)}`);
    if (report.dryRun)
      lines.push(
        ...added
          .trimEnd()
          .split('\n')
          .filter(Boolean)
          .map(line => `    + ${line}`),
      );
  }
  for (const { path, why } of report.left) lines.push(`= ${name(path)} (${why})`);
  // Over a project.json that is there, what was detected does not count.
  if (report.test && report.written.some(w => w.kind === 'project')) {
    lines.push(`suite: ${report.test.cmd} (from ${report.test.why})`);
  }
  for (const note of report.notes) lines.push(`note: ${note}`);
  if (!report.dryRun) lines.push('next: touchstone verify, then touchstone doctor');
  return lines;
}
