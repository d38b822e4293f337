import type { Command } from 'commander';
import { faultLine } from '../checks/contract.ts';
import { validateRules } from '../checks/validate.ts';
import { acceptRules } from '../config/accept.ts';
import { readProject } from '../config/project.ts';
import type { Fault } from '../config/schema.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import { readRules } from '../delivery/rules.ts';
import { readRunSettings } from '../runs/settings.ts';
import { PROJECT_FILE } from '../state/paths.ts';
import { settleBaseline } from './baseline.ts';
import { type CliCommand, print, printJson, projectRoot, UsageError } from './command.ts';
import { humanOnly } from './human.ts';

export const config: CliCommand = {
  define(command: Command) {
    command
      .command('show')
      .description('the rules in force, defaults filled in')
      .action(() => {
        const { raw: _, ...project } = readProject(projectRoot()).project;
        printJson(project);
      });
    command.command('validate').description('check .claude/project.json in full').action(validate);
    command.command('accept').description("a human's act: accept the rules as they are now").action(accept);
  },
};

function faultsOf(root: string): Fault[] {
  const { raw } = readProject(root).project;
  return [...validateRules(root), ...readRules(raw).faults, ...readRunSettings(raw).faults];
}

function validate(): void {
  const root = projectRoot();
  const found = faultsOf(root);
  const faults = found.filter(fault => !fault.warning);
  for (const fault of found) print(faultLine(PROJECT_FILE, fault));
  if (faults.length === 0) print('.claude/project.json: valid');
  print(
    isAccepted(root, trustHash(root))
      ? 'rules: accepted'
      : 'rules: changed since a human last accepted them (touchstone config accept)',
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}

async function accept(): Promise<void> {
  humanOnly('config accept');
  const root = projectRoot();
  const faults = faultsOf(root).filter(fault => !fault.warning);
  if (faults.length > 0) {
    throw new UsageError(
      'invalid-config',
      `.claude/project.json at ${faults[0]!.path || 'its top'}: ${faults[0]!.message}; run \`touchstone config validate\``,
    );
  }
  const sha = await acceptRules(root, 'config accept');
  settleBaseline(root);
  print(
    `Accepted the rules of .claude/project.json (${sha.slice(0, 12)}). A verdict stamped under other rules needs a new run: touchstone verify`,
  );
}
