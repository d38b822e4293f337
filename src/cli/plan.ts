import type { Command } from 'commander';
import { PLAN_FILE } from '../config/trust.ts';
import { planFaultLine, validatePlan } from '../stages/plan.ts';
import { rebindPlan } from '../stages/rebind.ts';
import { bindPlan } from '../stages/stage.ts';
import { readTask } from '../stages/task-state.ts';
import { type CliCommand, print, printJson, projectRoot } from './command.ts';
import { humanOnly } from './human.ts';

const UNACCEPTED = 'Nobody accepted these rules yet: a human runs `touchstone config accept`.';

export const planCommand: CliCommand = {
  define(command: Command) {
    command.command('validate').description(`every fault of ${PLAN_FILE} at once`).option('--json').action(validate);
    command.command('bind').description('bind the plan: what a task stands on, hashed').option('--json').action(bind);
    command
      .command('rebind')
      .description("a human's act: adopt a revised plan; archives the old binding, drops what it carried")
      .option('--json')
      .action(rebind);
  },
};

function validate(options: { json?: boolean }): void {
  const faults = validatePlan(projectRoot());
  const wrong = faults.filter(fault => !fault.warning);
  if (options.json) printJson({ valid: wrong.length === 0, faults });
  else for (const fault of faults) print(planFaultLine(fault));
  if (!options.json && wrong.length === 0) print(`${PLAN_FILE}: valid`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

async function bind(options: { json?: boolean }): Promise<void> {
  const root = projectRoot();
  // A new task ID leaves the old task's proofs and limits behind.
  if (readTask(root) !== null) humanOnly('plan bind over a bound task');
  const bound = await bindPlan(root);
  if (options.json) return printJson(bound);
  print(`Bound ${bound.task} (${bound.binding.slice(0, 12)}): ${bound.stages.join(', ')}.`);
  if (bound.dirty.length > 0)
    print(`Changes that are yours and that no stage may touch:\n${bound.dirty.map(path => `  ${path}`).join('\n')}`);
  if (!bound.accepted) print(UNACCEPTED);
}

async function rebind(options: { json?: boolean }): Promise<void> {
  humanOnly('plan rebind');
  const done = await rebindPlan(projectRoot());
  if (options.json) return printJson(done);
  if (done.changed.length === 0) return print('Nothing changed since the plan was bound.');
  print(`Rebound over ${done.changed.join(', ')}; the old binding is kept in ${done.archived}.`);
  if (done.dropped.length > 0) print(`To be done again: ${done.dropped.join(', ')}.`);
  if (done.redDropped) print('The red evidence was dropped and its tests are open until it is renewed.');
  if (!done.accepted) print(UNACCEPTED);
}
