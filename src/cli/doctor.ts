import type { Command } from 'commander';
import { insideAgent } from '../install/agent-env.ts';
import { CHECKS, doctor as examine, type Finding } from '../install/doctor.ts';
import { init } from '../install/init.ts';
import { announce } from '../state/token.ts';
import { WIRING_TOKEN } from '../wiring.ts';
import { type CliCommand, print, printJson, UsageError } from './command.ts';

type Options = { fix?: boolean; json?: boolean; only?: string[] };

/** Exit 0 when nothing fails; a warning is not a failure. */
export const doctor: CliCommand = {
  define(command: Command) {
    command
      .option('--fix', 'repair what is safe: the state folder, the .gitignore line, missing wiring')
      .option('--only <check...>', `run some checks alone: ${CHECKS.map(c => c.name).join(', ')}`)
      .option('--json', 'print the findings as JSON')
      .action(act);
  },
};

async function act(options: Options): Promise<void> {
  const unknown = options.only?.find(name => !CHECKS.some(c => c.name === name));
  if (unknown) throw new UsageError('bad-option', `--only ${unknown}: no such check; see touchstone doctor --help`);
  const agent = insideAgent();
  const { root, findings } = await examine({
    start: process.cwd(),
    insideAgent: agent.inside,
    fix: options.fix,
    only: options.only,
    rewire: dir =>
      init({
        dir,
        scope: 'project',
        dryRun: false,
        insideAgent: agent.inside ? agent.why : undefined,
        // A repair of the wiring is no reading of the rules.
        recordAccepted: () => {},
        announce: at => announce(at, WIRING_TOKEN),
      }),
  });
  if (options.json) printJson({ root, findings });
  else print(doctorLines(root, findings).join('\n'));
  process.exitCode = findings.some(f => f.status === 'fail') ? 1 : 0;
}

function doctorLines(root: string, findings: readonly Finding[]): string[] {
  const lines = [`Touchstone in ${root}`];
  for (const { check, status, line, next, fixed } of findings) {
    lines.push(`${status.padEnd(4)}  ${check.padEnd(12)}  ${line}${fixed ? ' (repaired)' : ''}`);
    if (next && status !== 'ok') lines.push(`${' '.repeat(20)}-> ${next}`);
  }
  const count = (status: string) => findings.filter(f => f.status === status).length;
  lines.push(`${count('fail')} failed, ${count('warn')} warned, ${count('ok')} well`);
  return lines;
}
