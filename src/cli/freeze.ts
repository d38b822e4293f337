import type { Command } from 'commander';
import { acceptedRedRecord } from '../checks/red-evidence.ts';
import { readProject } from '../config/project.ts';
import { afterFreeze } from '../freeze/after.ts';
import { setBroken } from '../freeze/broken.ts';
import { checkFrozen, sayBreach } from '../freeze/check.ts';
import { freeze } from '../freeze/freeze.ts';
import { restoreFrozen } from '../freeze/restore.ts';
import { fileOf } from '../freeze/settings.ts';
import { readTrace } from '../freeze/trace.ts';
import { readViolations } from '../freeze/violations.ts';
import { insideAgent } from '../install/agent-env.ts';
import { settleBaseline } from './baseline.ts';
import { type CliCommand, print, printJson, projectRoot, UsageError } from './command.ts';

export const freezeCommand: CliCommand = {
  define(command: Command) {
    command
      .option('--paths <glob...>', 'what to freeze; default: frozen.paths of .claude/project.json')
      .option('--from <record>', 'the accepted red record that proves the tests')
      .action(create);
    command.command('status').description('what is frozen and since when').option('--json').action(status);
    command
      .command('verify')
      .description('compare with the frozen bytes; exit 1 naming what moved')
      .option('--json')
      .action(verify);
    command.command('restore').description('put the frozen bytes back').action(restore);
  },
};

async function create(options: { paths?: string[]; from?: string }): Promise<void> {
  const root = projectRoot();
  const { project } = readProject(root);
  const patterns = options.paths ?? project.frozen.paths;
  if (patterns.length === 0) {
    throw new UsageError(
      'no-patterns',
      'freeze: nothing to freeze; give --paths or set frozen.paths in .claude/project.json',
    );
  }
  const outside = patterns.find(p => p.startsWith('/') || p.split('/').includes('..'));
  if (outside !== undefined)
    throw new UsageError('bad-pattern', `freeze --paths ${outside}: give a pattern inside the project`);
  const record = options.from === undefined ? null : acceptedRedRecord(root, options.from);
  if (options.from !== undefined && record === null) {
    throw new UsageError(
      'no-red-record',
      `freeze --from ${options.from}: no accepted red record of that name; run \`touchstone check run ID --phase red\``,
    );
  }
  refuseLoosening(root, project.frozen.paths, patterns);
  const manifest = await freeze(root, { patterns, record });
  setBroken(root, []);
  settleBaseline(root);
  print(
    `Frozen: ${Object.keys(manifest.files).length} files under ${patterns.join(', ')}, settings of ${[...new Set(Object.keys(manifest.settings).map(fileOf))].join(', ') || 'no runner'}.`,
  );
  for (const path of manifest.left) print(`Not held: ${path} (a nested repository, or unreadable)`);
}

/** Through an agent a freeze may grow, never shrink, and never bless bytes that broke an older one. */
function refuseLoosening(root: string, configured: string[], patterns: string[]): void {
  const agent = insideAgent();
  const trace = readTrace(root, configured);
  if (!agent.inside || trace === null) return;
  if (!trace.patterns.every(p => patterns.includes(p)) || checkFrozen(root, trace).kind !== 'intact') {
    throw new UsageError(
      'human-only',
      `freeze: replacing a freeze with a smaller or a changed one is a human's act (${agent.why})`,
    );
  }
}

function status(options: { json?: boolean }): void {
  const root = projectRoot();
  const trace = readTrace(root, readProject(root).project.frozen.paths);
  if (trace === null) return options.json ? printJson({ frozen: false }) : print('Nothing is frozen.');
  const state = checkFrozen(root, trace);
  const violations = readViolations(root).length;
  if (options.json) return printJson({ frozen: true, ...trace, state: state.kind, violations });
  print(`patterns   ${trace.patterns.join(', ')}`);
  if (trace.thawed.length > 0) print(`thawed     ${trace.thawed.join(', ')} (until new red evidence)`);
  if (state.kind !== 'unproven') {
    print(
      `frozen     ${state.manifest.frozenAt}, ${Object.keys(state.manifest.files).length} files${state.manifest.record ? `, proven by ${state.manifest.record}` : ', by hand'}`,
    );
  }
  print(`state      ${state.kind === 'unproven' ? `unproven: ${state.why} (touchstone doctor)` : state.kind}`);
  if (violations > 0) print(`violations ${violations} on record in .claude/state/violations.jsonl`);
}

function verify(options: { json?: boolean }): void {
  const root = projectRoot();
  const { project } = readProject(root);
  const trace = readTrace(root, project.frozen.paths);
  if (trace === null)
    return options.json ? printJson({ frozen: false, intact: true, breaches: [] }) : print('Nothing is frozen.');
  const state = checkFrozen(root, trace);
  setBroken(
    root,
    state.kind === 'broken' ? state.breaches.map(sayBreach) : state.kind === 'unproven' ? [state.why] : [],
  );
  if (options.json)
    printJson({
      frozen: true,
      intact: state.kind === 'intact',
      ...(state.kind === 'broken' ? { breaches: state.breaches } : state.kind === 'unproven' ? { why: state.why } : {}),
    });
  else if (state.kind === 'intact') print('Intact.');
  else if (state.kind === 'unproven') print(`Unproven: ${state.why}. Run: touchstone doctor`);
  else print([...state.breaches.map(sayBreach), 'Run: touchstone freeze restore'].join('\n'));
  process.exitCode = state.kind === 'intact' ? 0 : 1;
}

function restore(): void {
  const root = projectRoot();
  const { project } = readProject(root);
  const trace = readTrace(root, project.frozen.paths);
  if (trace === null) return print('Nothing is frozen.');
  const state = checkFrozen(root, trace);
  if (state.kind === 'unproven')
    throw new UsageError('unproven', `freeze restore: ${state.why}; a human freezes again with \`touchstone freeze\``);
  if (state.kind === 'intact') return print('Intact: nothing to restore.');
  const done = restoreFrozen(root, state.breaches);
  for (const path of done.restored) print(`restored ${path}`);
  for (const path of done.left) print(`left ${path}: only its deciding keys are frozen; set them back by hand`);
  const after = afterFreeze(root, project, { session: '', tool: null, command: 'touchstone freeze restore' });
  process.exitCode = after.kind === 'quiet' ? 0 : 1;
}
