import type { Command } from 'commander';
import { type CheckRun, runCheck } from '../checks/check.ts';
import { type Check, faultLine, type Phase, readContract } from '../checks/contract.ts';
import { Tally } from '../checks/tally.ts';
import { validateRules } from '../checks/validate.ts';
import { type Project, readProject } from '../config/project.ts';
import { checkFrozen } from '../freeze/check.ts';
import { freeze } from '../freeze/freeze.ts';
import { readTrace } from '../freeze/trace.ts';
import { PROJECT_FILE } from '../state/paths.ts';
import { type CliCommand, interruption, print, printJson, projectRoot, UsageError } from './command.ts';
import { elapsed, progress } from './progress.ts';

type RunOptions = { phase?: string; json?: boolean };

export const checkCommand: CliCommand = {
  define(command: Command) {
    command.command('list').description('the declared checks').option('--json').action(list);
    command
      .command('run')
      .description('run checks ourselves and record what they showed')
      .argument('<id...>', 'ids of checks in .claude/project.json')
      .option('--phase <phase>', 'red or green; default: green, or the only phase a check has')
      .option('--json', 'print the records')
      .action(run);
  },
};

function list(options: { json?: boolean }): void {
  const root = projectRoot();
  const { checks } = contractOf(root);
  if (options.json) return printJson(checks);
  if (checks.length === 0) return print(`No checks are declared in ${PROJECT_FILE}.`);
  const width = Math.max(...checks.map(check => check.id.length));
  print(checks.map(check => `${check.id.padEnd(width)}  ${describe(check)}`).join('\n'));
}

function describe(check: Check): string {
  const where = check.cwd === '.' ? '' : ` in ${check.cwd}`;
  const named = check.identities.length === 0 ? '' : `, ${check.identities.length} identities`;
  return `${check.phases.join('+')}  ${check.argv.join(' ')}${where} (${check.runner ?? 'runner recognised'}${named})`;
}

function contractOf(root: string): ReturnType<typeof readContract> & { project: Project } {
  const read = readProject(root);
  if (read.kind !== 'ok') {
    const why = read.kind === 'missing' ? 'there is none; run `touchstone init`' : `${read.why}; correct it by hand`;
    throw new UsageError('no-project', `${PROJECT_FILE}: ${why}`);
  }
  const faults = validateRules(root);
  for (const fault of faults.filter(f => f.warning))
    process.stderr.write(`touchstone: ${faultLine(PROJECT_FILE, fault)}\n`);
  const refused = faults.filter(fault => !fault.warning);
  if (refused.length > 0) {
    throw new UsageError('invalid-config', refused.map(fault => faultLine(PROJECT_FILE, fault)).join('\n'));
  }
  return { ...readContract(read.project.raw), project: read.project };
}

async function run(ids: string[], options: RunOptions): Promise<void> {
  const root = projectRoot();
  const { checks, project } = contractOf(root);
  const wanted = [...new Set(ids)].map(id => {
    const check = checks.find(c => c.id === id);
    if (check) return { check, phase: phaseOf(check, options.phase) };
    const known = checks.map(c => c.id).join(', ') || 'none';
    throw new UsageError('unknown-check', `check run ${id}: no such check in ${PROJECT_FILE} (there: ${known})`);
  });
  const cancel = interruption();
  const done: CheckRun[] = [];
  for (const { check, phase } of wanted) {
    if (cancel.aborted) break;
    const line = progress(process.stderr, `${check.id} (${phase})`);
    const tally = new Tally();
    const onText = (text: string) => {
      tally.add(text);
      line.show(String(tally));
    };
    const ran = await runCheck(root, project, check, phase, { onText, cancel }).finally(line.end);
    done.push(ran);
    if (!options.json) print(summary(ran));
  }
  const red = done.filter(ran => ran.record.passed && ran.entry.phase === 'red').at(-1);
  const note = red && (await hold(root, project, red));
  if (options.json) printJson(done.map(ran => ({ ...ran.record, record: ran.path })));
  if (note) process.stderr.write(`touchstone: ${note}\n`);
  process.exitCode = done.length === wanted.length && done.every(ran => ran.record.passed) ? 0 : 1;
}

function phaseOf(check: Check, asked: string | undefined): Phase {
  if (asked !== undefined && asked !== 'red' && asked !== 'green') {
    throw new UsageError('bad-option', `--phase ${asked}: give red or green`);
  }
  const phase = asked ?? (check.phases.includes('green') ? 'green' : 'red');
  if (check.phases.includes(phase)) return phase;
  throw new UsageError(
    'no-phase',
    `check run ${check.id} --phase ${phase}: the check has no ${phase} phase; add it to its "phases" in ${PROJECT_FILE}`,
  );
}

function summary({ entry, path }: CheckRun): string {
  const { counts } = entry;
  const counted = Object.entries(counts)
    .filter(([name, n]) => n > 0 || name === 'passed' || name === 'failed')
    .map(([name, n]) => `${n} ${name}`)
    .join(', ');
  const head = `${entry.passed ? 'satisfied' : 'NOT satisfied'}  ${entry.id} (${entry.phase}): ${counted}; ${ended(entry)}; ${entry.class}, ${entry.parser}, ${elapsed(entry.duration_seconds * 1000)}`;
  return [head, ...entry.problems.map(p => `  - ${p}`), ...entry.notes.map(n => `  note: ${n}`), `  ${path}`].join(
    '\n',
  );
}

function ended(entry: CheckRun['entry']): string {
  if (entry.reason !== null) return `ended: ${entry.reason}`;
  return entry.signal === null ? `exit ${entry.exit_code}` : `ended by ${entry.signal}`;
}

/** Accepted red evidence freezes the tests it proved. What broke an older freeze is not blessed by a new one. */
async function hold(root: string, project: Project, red: CheckRun): Promise<string | null> {
  if (project.frozen.paths.length === 0) return null;
  const trace = readTrace(root, project.frozen.paths);
  if (trace !== null && checkFrozen(root, trace).kind !== 'intact') {
    return 'tests changed since they were frozen: the new red evidence does not freeze them again (touchstone freeze verify)';
  }
  const patterns = [...new Set([...(trace?.patterns ?? []), ...project.frozen.paths])];
  const manifest = await freeze(root, { patterns, record: red.path.replace(/^\.claude\/state\//, '') });
  return `frozen by this red evidence: ${Object.keys(manifest.files).length} files under ${patterns.join(', ')}`;
}
