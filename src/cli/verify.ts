import type { Command } from 'commander';
import { runSuite } from '../checks/suite.ts';
import { readProject } from '../config/project.ts';
import { isAccepted } from '../config/trust.ts';
import { PROJECT_FILE } from '../state/paths.ts';
import type { Sidecar } from '../verdict/sidecar.ts';
import { stamp } from '../verdict/stamp.ts';
import { type CliCommand, interruption, print, printJson, projectRoot, seconds, UsageError } from './command.ts';
import { inlineReport } from './inline-report.ts';
import { progress } from './progress.ts';

type Options = { slug: string; timeout?: string; cmd?: string; json?: boolean };

/** The four mechanical operations of seed 003: read the command, run it once, judge, stamp. */
export const verify: CliCommand = {
  define(command: Command) {
    command
      .option('--slug <slug>', 'what this verdict is about; FAILs in a row are counted per slug', 'suite')
      .option('--timeout <seconds>', 'deadline of the run')
      .option('--cmd <command>', 'try another command and print its verdict; never stamps a PASS')
      .option('--json', 'print the verdict as JSON')
      .action(act);
  },
};

async function act(options: Options): Promise<void> {
  if (options.cmd?.trim() === '') throw new UsageError('bad-option', '--cmd: give a command');
  if (options.slug.trim() === '') throw new UsageError('bad-option', '--slug: give a name');
  const root = projectRoot();
  const { project } = readProject(root);
  const line = progress(process.stderr, 'verify');
  const cancel = interruption();
  const suite = await runSuite(root, project, {
    slug: options.slug,
    by: 'verify',
    command: options.cmd,
    timeoutMs: options.timeout === undefined ? undefined : seconds(options.timeout, '--timeout') * 1000,
    onLine: line.show,
    cancel,
  });
  line.end();
  const { finding, moved } = suite;
  // Another command than the project's own proves nothing about the suite; nor does one a human broke off.
  const trial = (options.cmd !== undefined && options.cmd !== project.test.cmd) || finding.class === 'cancelled';
  const stamped: Sidecar = trial
    ? { schema: 1, ...finding, statefile: '', streak: 0 }
    : await stamp(root, finding, moved);
  const notes = remarks(root, stamped, { trial, moved });
  if (finding.class === 'unconfigured') notes.push(...(await faultsOfRules(root)));
  if (options.json) printJson({ ...stamped, stamped: !trial, moved, notes });
  else print(inlineReport(stamped, notes));
  process.exitCode = stamped.verdict === 'PASS' ? 0 : 1;
}

/** "Run init" is no help where a file is there and cannot be used: init never touches it. */
async function faultsOfRules(root: string): Promise<string[]> {
  if (readProject(root).kind === 'missing') return [];
  const [{ faultLine }, { validateRules }] = await Promise.all([
    import('../checks/contract.ts'),
    import('../checks/validate.ts'),
  ]);
  const first = validateRules(root).find(fault => !fault.warning);
  return first ? [`${faultLine(PROJECT_FILE, first)}: \`touchstone config validate\` lists what is wrong.`] : [];
}

function remarks(root: string, stamped: Sidecar, at: { trial: boolean; moved: boolean }): string[] {
  const notes: string[] = [];
  if (at.trial) notes.push('Not stamped: this was not a whole run of the command in .claude/project.json.');
  if (at.moved) {
    notes.push(
      'The tree changed while the suite ran, so this verdict is about the tree before it. Ignore what the suite writes (.gitignore) and run again.',
    );
  }
  if (stamped.fingerprint === null && stamped.class !== 'unconfigured') {
    notes.push('No fingerprint of the tree could be taken: a PASS cannot be shown to be fresh.');
  }
  if (stamped.verdict === 'PASS' && !at.trial && !isAccepted(root, stamped.rules)) {
    notes.push(
      'Nobody accepted the rules in .claude/project.json: this PASS is unattested until a human runs `touchstone config accept`.',
    );
  }
  if (stamped.streak >= 3) {
    notes.push(
      `FAIL ${stamped.streak} times in a row for "${stamped.slug}": stop patching and do a root-cause analysis.`,
    );
  }
  return notes;
}
