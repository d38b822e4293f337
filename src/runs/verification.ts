/** Runs what project.json names as proof: `verification`, else the declared checks, else the suite. */
import { runCheck } from '../checks/check.ts';
import { readContract } from '../checks/contract.ts';
import { judge } from '../checks/judge.ts';
import { runSuite } from '../checks/suite.ts';
import type { Project } from '../config/project.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import { redact } from '../redact/redact.ts';
import { isAncestor } from '../repo/ancestor.ts';
import { read } from '../runners/read.ts';
import { runPath } from '../state/run-files.ts';
import { stamp } from '../verdict/stamp.ts';
import { measureTree, sameTree } from '../verdict/tree.ts';
import { SUITE, verdictAtTree } from './at-tree.ts';
import { runCommand } from './command.ts';
import { contextNow } from './context.ts';
import { listEvidence } from './evidence.ts';
import { type Now, reusable } from './freshness.ts';
import { readRunSettings, type VerificationCommand } from './settings.ts';
import { readRunText, writeRunFile } from './store.ts';
import type { CommandResult, RunRecord, Verification } from './types.ts';

export type VerifyOptions = {
  onLine?: (line: string) => void;
  /** Called with the name of each command that starts. */
  onStart?: (name: string) => void;
  cancel?: AbortSignal;
  /** Told of a log that was not kept whole. */
  onCut?: (what: string) => void;
};

const TAIL = 8192;

type Result = Verification['commands'][number];

export async function runVerification(
  root: string,
  project: Project,
  run: RunRecord,
  options: VerifyOptions = {},
): Promise<Verification> {
  const claims = project.claims.paths;
  const settings = readRunSettings(project.raw);
  const tree = measureTree(root, claims);
  const checks = readContract(project.raw).checks.filter(check => check.phases.includes('green'));
  const results: Result[] = [];
  if (settings.verification.length > 0) {
    const at = nowOf(root, run, settings.tasks);
    const { records } = listEvidence(root, run.specName, run.taskId);
    for (const command of settings.verification) {
      const again = { name: command.name, argv: command.argv, tree: tree?.value ?? null, contract: trustHash(root) };
      const before = reusable(records, again, at);
      if (before) results.push(reuse(command, before.verificationCommands));
      else {
        options.onStart?.(command.name);
        results.push(await runOne(root, run, command, settings.maximumOutputBytes, options));
      }
    }
  } else if (checks.length > 0) {
    for (const check of checks) {
      options.onStart?.(check.id);
      const { entry } = await runCheck(root, project, check, 'green', { cancel: options.cancel });
      writeLog(root, run, check.id, entry.output);
      results.push({
        name: check.id,
        argv: check.argv,
        required: true,
        exitCode: entry.exit_code,
        durationMs: Math.round(entry.duration_seconds * 1000),
        passed: entry.passed,
        stdoutTail: entry.output.slice(-TAIL),
        ...(entry.problems[0] === undefined ? {} : { why: entry.problems[0] }),
      });
    }
  } else {
    const before = verdictAtTree(root, project, tree);
    // A FAIL may be cured by what lies outside the tree: only a pass spares the run.
    if (!before.configured) return before;
    if (before.passed) return { ...before, commands: before.commands.map(c => ({ ...c, reused: 'reused-evidence' })) };
    options.onStart?.(SUITE);
    results.push(await suiteOnce(root, project, run, options));
  }
  const after = measureTree(root, claims);
  const failed = (required: boolean) => results.filter(c => c.required === required && !c.passed).map(c => c.name);
  const done: Verification = {
    ran: true,
    skipped: null,
    configured: true,
    commands: results,
    requiredFailed: failed(true),
    optionalFailed: failed(false),
    passed: failed(true).length === 0,
    fingerprint: tree?.value ?? null,
  };
  const why = doubt(root, tree !== null && !sameTree(tree, after));
  return why === null ? done : { ...done, ran: false, passed: false, skipped: why };
}

function doubt(root: string, moved: boolean): string | null {
  if (moved) return 'the tree changed while it was verified: ignore what the commands write (.gitignore)';
  if (isAccepted(root, trustHash(root))) return null;
  return 'nobody accepted the rules in .claude/project.json: a human runs `touchstone config accept`';
}

export function nowOf(root: string, run: Pick<RunRecord, 'specName' | 'taskId'>, tasks: string | null): Now {
  return {
    specName: run.specName,
    taskId: run.taskId ?? '',
    context: run.taskId === undefined ? null : (contextNow(root, tasks, run.taskId)?.context ?? null),
    inHistory: commit => isAncestor(root, commit),
    now: Date.now(),
  };
}

function reuse(command: VerificationCommand, recorded: readonly CommandResult[]): Result {
  const { exitCode, durationMs } = recorded.find(c => c.name === command.name)!;
  const { name, argv, required } = command;
  return { name, argv, required, exitCode, durationMs, passed: true, reused: 'reused-evidence' };
}

async function runOne(
  root: string,
  run: RunRecord,
  command: VerificationCommand,
  limit: number,
  options: VerifyOptions,
): Promise<Result> {
  const log = (stream: string) => `verification-${command.name}.${stream}.log`;
  const end = await runCommand({
    argv: command.argv,
    cwd: root,
    env: { CI: '1' },
    input: '',
    timeoutMs: command.timeoutMs,
    stdoutPath: runPath(root, run.runId, log('stdout')),
    stderrPath: runPath(root, run.runId, log('stderr')),
    limit,
    onLine: options.onLine,
    cancel: options.cancel,
  });
  const { report } = read(
    [log('stdout'), log('stderr')].map(name => readRunText(root, run.runId, name) ?? '').join('\n'),
    { argv: command.argv },
  );
  const reason = end.reason === 'unlaunchable' ? null : end.reason;
  // A known runner's own words count beside the exit code: a run of no tests proves nothing.
  const known = report.runner !== 'none';
  const judged = known ? judge(report, { exitCode: end.exitCode, signal: end.signal, reason }) : null;
  const passed = end.exitCode === 0 && end.reason === null && (judged === null || judged.suite === 'PASS');
  for (const name of ['stdout', 'stderr'] as const) {
    const { bytes, kept } = end[name];
    if (kept < bytes) options.onCut?.(`${log(name)}: ${kept} of ${bytes} bytes were kept`);
  }
  const why = end.why ?? end.reason ?? (passed ? undefined : (judged?.reason ?? `exit ${end.exitCode ?? end.signal}`));
  return {
    name: command.name,
    argv: command.argv,
    required: command.required,
    exitCode: end.exitCode,
    durationMs: end.durationMs,
    passed,
    ...(why === undefined || passed ? {} : { why: redact(why) }),
    stdoutTail: redact(end.stdout.tail),
    stderrTail: redact(end.stderr.tail),
  };
}

async function suiteOnce(root: string, project: Project, run: RunRecord, options: VerifyOptions): Promise<Result> {
  const suite = await runSuite(root, project, {
    slug: SUITE,
    by: 'verify',
    onLine: options.onLine,
    cancel: options.cancel,
  });
  const { finding } = suite;
  if (finding.class !== 'cancelled') await stamp(root, finding);
  if (suite.result) writeLog(root, run, SUITE, suite.result.output);
  return {
    name: SUITE,
    argv: ['sh', '-c', project.test.cmd],
    required: true,
    exitCode: finding.exitCode,
    durationMs: finding.durationMs,
    passed: finding.verdict === 'PASS',
    ...(finding.reason === null ? {} : { why: finding.reason }),
    stdoutTail: finding.tail,
  };
}

/** One stream came of both. */
function writeLog(root: string, run: RunRecord, name: string, output: string): void {
  try {
    writeRunFile(root, run.runId, `verification-${name}.stdout.log`, output);
  } catch {
    // The result counts without its log; a full disk is told by the record's other files.
  }
}
