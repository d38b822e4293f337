import { readFileSync, readSync } from 'node:fs';
import type { Command } from 'commander';
import { type ParsedReport, parseReport } from '../checks/parse-report.ts';
import { isRunner, runnerNames } from '../checks/runner-names.ts';
import { decode } from '../runners/text.ts';
import { type CliCommand, print, printJson, UsageError } from './command.ts';

type Options = {
  runner?: string;
  exit?: string;
  phase: string;
  identity: string[];
  approvedSkip?: string;
  successPattern?: string;
  failurePattern?: string;
  json?: boolean;
};

/** The judge of checks, on a saved output. */
export const parseCommand: CliCommand = {
  define(command: Command) {
    command
      .argument('[file]', 'the output; - or nothing reads standard input', '-')
      .option('--runner <name>', 'read it as the output of this runner')
      .option('--exit <code>', 'the exit code of the run, where known')
      .option('--phase <phase>', 'green or red', 'green')
      .option('--identity <name>', 'a test that must be seen; may be repeated', collect, [])
      .option('--approved-skip <why>', 'skipped tests are accepted, for this reason')
      .option('--success-pattern <regex>', 'for the runner generic')
      .option('--failure-pattern <regex>', 'for the runner generic')
      .option('--json', 'print it as JSON')
      .action(act);
  },
};

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

function act(file: string, options: Options): void {
  const { phase, runner } = options;
  if (phase !== 'green' && phase !== 'red') throw new UsageError('bad-option', `--phase ${phase}: give red or green`);
  if (runner !== undefined && !isRunner(runner)) {
    throw new UsageError('bad-option', `--runner ${runner}: no such runner; one of ${runnerNames().join(', ')}`);
  }
  const report = parseReport(decode(bytesOf(file)), {
    runner,
    exit: exitCode(options.exit),
    phase,
    identities: options.identity,
    approvedSkip: options.approvedSkip,
    successPattern: options.successPattern,
    failurePattern: options.failurePattern,
  });
  if (options.json) printJson(report);
  else print(text(report));
  process.exitCode = (phase === 'red' ? report.red : report.green) ? 0 : 1;
}

function bytesOf(file: string): Buffer {
  try {
    return file === '-' ? standardInput() : readFileSync(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new UsageError('unreadable', `parse ${file}: cannot be read (${code}); name a file, or - for standard input`);
  }
}

/** A pipe that its writer set non-blocking has nothing yet, which is not its end. */
function standardInput(): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 16);
    try {
      const got = readSync(0, chunk, 0, chunk.length, null);
      if (got === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, got));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return Buffer.concat(chunks);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function exitCode(value: string | undefined): number | null {
  if (value === undefined) return null;
  const n = Number(value);
  if (/^-?\d+$/.test(value) && Number.isSafeInteger(n)) return n;
  throw new UsageError('bad-option', `--exit ${value}: give the exit code as a whole number`);
}

function text(report: ParsedReport): string {
  const row = (name: string, value: string) => `${name.padEnd(9)} ${value}`;
  const { passed, failed, errored, skipped, todo } = report;
  return [
    row('runner', report.runner),
    row('verdict', `${report.verdict} (green ${yes(report.green)}, red ${yes(report.red)})`),
    row('class', report.class + (report.complete ? '' : ', the closing summary was not seen')),
    row('counts', `${passed} passed, ${failed} failed, ${errored} errored, ${skipped} skipped, ${todo} todo`),
    ...report.failedIdentities.map(name => row('failed', name)),
    ...report.passedIdentities.map(name => row('passed', name)),
    ...report.problems.map(problem => row('problem', problem)),
  ].join('\n');
}

const yes = (value: boolean): string => (value ? 'yes' : 'no');
