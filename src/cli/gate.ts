import type { Command } from 'commander';
import { type Project, readProject } from '../config/project.ts';
import { type GateContract, readGates, refusals } from '../gates/contract.ts';
import { evaluate } from '../gates/eval.ts';
import type { Gate, GateFile } from '../gates/gate.ts';
import { CAPS, kickBack } from '../gates/kickback.ts';
import { oneLine } from '../gates/signals.ts';
import { writeAtomic } from '../state/atomic.ts';
import { PROJECT_FILE, statePath } from '../state/paths.ts';
import { measureTree } from '../verdict/tree.ts';
import { type CliCommand, print, printJson, projectRoot, UsageError } from './command.ts';
import { compared, conditions, explained, gateList, symbol, time } from './gate-table.ts';

type Options = { json?: boolean; session?: string };
type Show = (rows: readonly { file: GateFile; gate: Gate }[]) => string[];

const each =
  (show: (file: GateFile, gate: Gate) => string[]): Show =>
  rows =>
    rows.flatMap(({ file, gate }) => show(file, gate));

/** Exit codes of a verdict: 0 satisfied, 1 not, 3 nothing was observed. */
export const gateCommand: CliCommand = {
  define(command: Command) {
    const asks = (name: string, what: string, show: Show) =>
      command
        .command(name)
        .description(what)
        .argument('[step...]', 'default: every gate')
        .option('--session <id>', 'whose floors count; default: the newest open session')
        .option('--json', 'print the verdicts')
        .action((steps: string[], options: Options) => ask(steps, options, show));
    asks('list', 'the gates, recomputed, a line each', gateList);
    asks('eval', 'recompute, and say what is missing and what would move it', each(causes));
    asks('show', 'the verdict as it is kept in .claude/state/gates', rows =>
      rows
        .map(row => shown(row.file).join('\n'))
        .join('\n\n')
        .split('\n'),
    );
    asks('explain', 'every condition, what it found and what it compared', each(explained));
    command
      .command('pass')
      .description("write a step's pass marker: it passed in this attempt")
      .argument('<step>')
      .option('--session <id>')
      .option('--json')
      .action(pass);
    command
      .command('kickback')
      .description('re-open a gate: the one verdict a step may write, with provenance')
      .argument('<step>', 'the gate to re-open')
      .requiredOption('--from <step>', 'the step that found it wanting')
      .requiredOption('--evidence <text>', 'what was found, and where')
      .option('--mechanical', 'a fault of the machinery, not a judgement')
      .option('--json')
      .action(kickback);
  },
};

/** The gates of project.json, or every fault of theirs at once. */
export function gateContract(root: string): GateContract {
  return configured(root).contract;
}

function configured(root: string): { project: Project; contract: GateContract } {
  const read = readProject(root);
  if (read.kind !== 'ok') {
    const why = read.kind === 'missing' ? 'there is none; run `touchstone init`' : `${read.why}; correct it by hand`;
    throw new UsageError('no-project', `${PROJECT_FILE}: ${why}`);
  }
  const contract = readGates(read.project.raw);
  const faults = refusals(contract);
  if (faults.length > 0) {
    const lines = faults.map(f => `${PROJECT_FILE} at ${f.path}: ${f.message}${f.cure ? `; ${f.cure}` : ''}`);
    throw new UsageError('invalid-gates', lines.join('\n'));
  }
  return { project: read.project, contract };
}

export function gateNamed(contract: GateContract, step: string, verb: string): Gate {
  const gate = contract.gates.find(g => g.step === step);
  if (gate) return gate;
  const there = contract.gates.map(g => g.step).join(', ') || 'none';
  throw new UsageError('unknown-step', `${verb} ${step}: no such gate in ${PROJECT_FILE} (there: ${there})`);
}

export function sessionAsked(options: { session?: string }): string | undefined {
  return options.session ?? process.env.CLAUDE_CODE_SESSION_ID;
}

async function ask(steps: string[], options: Options, show: Show): Promise<void> {
  const root = projectRoot();
  const given = configured(root);
  const { contract } = given;
  for (const step of steps) gateNamed(contract, step, 'gate');
  if (contract.gates.length === 0) {
    return options.json ? printJson([]) : print(`No gates are declared in ${PROJECT_FILE}.`);
  }
  const { gates } = await evaluate(root, {
    given,
    session: sessionAsked(options),
    ...(steps.length > 0 ? { steps } : {}),
  });
  const asked = steps.length > 0 ? gates.filter(file => steps.includes(file.step)) : gates;
  if (options.json) printJson(steps.length === 1 ? asked[0] : asked);
  else print(show(asked.map(file => ({ file, gate: gateNamed(contract, file.step, 'gate') }))).join('\n'));
  process.exitCode = exitCode(asked);
}

function exitCode(files: readonly GateFile[]): number {
  if (files.some(file => file.satisfied === false)) return 1;
  return files.some(file => file.satisfied === null) ? 3 : 0;
}

function causes(file: GateFile): string[] {
  const open = file.causes.filter(cause => cause.truth !== 'true');
  if (file.satisfied === true || open.length === 0) return [`${symbol(file)} ${file.step}: ${file.reason}`];
  return open.map(({ truth, condition, why, next }) => {
    const mark = truth === 'false' ? '✗' : '?';
    return `${mark} ${file.step}: ${condition}: ${why}${nextWords(next)}`;
  });
}

function nextWords(next: string | undefined): string {
  if (next === undefined) return '';
  return /^touchstone /.test(next) ? `. Run: ${next}` : `. Next: ${next}`;
}

function shown(file: GateFile): string[] {
  const row = (name: string, value: string | undefined) => (value === undefined ? [] : [`${name.padEnd(12)} ${value}`]);
  const { stamp, failure, comparison, kickback: back } = file;
  return [
    ...row('step', file.step),
    ...row('satisfied', String(file.satisfied)),
    ...row('reason', file.reason),
    ...row('checked', time(file.checkedAt)),
    ...row('since', time(file.since)),
    ...row('marker', comparison && `${comparison.artifact}, ${compared(comparison)}`),
    ...row('fingerprint', file.fingerprint),
    ...row('stamp', stamp && `${stamp.head ?? 'no commit'}, tree ${stamp.fingerprint}`),
    ...row(
      'failure',
      failure && `${time(failure.observedAt)} at ${failure.headSha ?? 'no commit'}: ${failure.failRows.join('; ')}`,
    ),
    ...row('kickback', back && `${time(back.at)} from ${back.from}: ${back.evidence}`),
  ];
}

async function pass(step: string, options: Options): Promise<void> {
  const root = projectRoot();
  const contract = gateContract(root);
  const gate = gateNamed(contract, step, 'gate pass');
  if (gate.marker === null) {
    throw new UsageError('no-marker', `gate pass ${step}: the gate has no marker; it is met by ${conditions(gate)}`);
  }
  writeAtomic(
    statePath(root, ...gate.marker.split('/').slice(2)),
    `step: ${step}\nwritten: ${new Date().toISOString()}\n`,
  );
  return ask([step], options, each(causes));
}

type KickbackOptions = { from: string; evidence: string; mechanical?: boolean; json?: boolean };

async function kickback(step: string, options: KickbackOptions): Promise<void> {
  const root = projectRoot();
  const contract = gateContract(root);
  gateNamed(contract, step, 'gate kickback');
  gateNamed(contract, options.from, 'gate kickback --from');
  const evidence = oneLine(options.evidence);
  if (evidence === '') throw new UsageError('no-evidence', 'gate kickback --evidence: say what was found, and where');
  const tree = measureTree(root, readProject(root).project.claims.paths);
  const wanted = { step, from: options.from, evidence, mechanical: options.mechanical };
  const done = await kickBack(root, wanted, tree).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    const why = `not recorded, .claude/state/gates cannot be written (${error.code})`;
    throw new UsageError('state-unwritable', `gate kickback ${step}: ${why}. Run: touchstone doctor`);
  });
  const steps = [...new Set([step, options.from])];
  const { gates } = await evaluate(root, { session: sessionAsked({}), steps });
  const { count, cumulative, mechanicalFaults } = done.budget;
  if (options.json) printJson({ ...done, gate: gates.find(file => file.step === step) });
  else if (done.halted !== null)
    print(`HALT: ${done.halted}. A human looks at it and runs: touchstone marker clear halt`);
  else {
    print(
      options.mechanical
        ? `${step}: mechanical fault ${mechanicalFaults} of ${CAPS.mechanical}: ${evidence}`
        : `${step} is open again (from ${options.from}): ${evidence}. At this tree ${count} of ${CAPS.perTree}, in all ${cumulative} of ${CAPS.cumulative}.`,
    );
  }
  process.exitCode = done.halted === null ? 0 : 1;
}
