/** The project's whole suite, run once and judged (seed 003): what `verify` and the stop gate stamp. */
import type { Project } from '../config/project.ts';
import { trustHash } from '../config/trust.ts';
import { afterFreeze } from '../freeze/after.ts';
import { TAIL_LINES, tail } from '../redact/cut.ts';
import { redact } from '../redact/redact.ts';
import { read } from '../runners/read.ts';
import { plain } from '../runners/text.ts';
import type { Finding } from '../verdict/stamp.ts';
import { stampTime } from '../verdict/statefile.ts';
import { measureTree, sameTree } from '../verdict/tree.ts';
import { judge } from './judge.ts';
import { type RunResult, run } from './run.ts';
import { isRunner, unknownRunner } from './runner-names.ts';

export const UNCONFIGURED = 'project.json not configured — run `touchstone init`';
export const DEFAULT_TIMEOUT_S = 1800;

export type SuiteOptions = {
  slug: string;
  by: 'verify' | 'stop';
  timeoutMs?: number;
  command?: string;
  onLine?: (line: string) => void;
  cancel?: AbortSignal;
};

export type SuiteRun = {
  finding: Finding;
  /** The tree was not the same after the run: a PASS is stale at birth. */
  moved: boolean;
  result: RunResult | null;
};

export async function runSuite(root: string, project: Project, options: SuiteOptions): Promise<SuiteRun> {
  const command = options.command ?? project.test.cmd;
  if (command.trim() === '') return { finding: unconfigured(root, options), moved: false, result: null };
  const rules = trustHash(root);
  // A frozen test changed behind the guards must show before the run, and one changed by the run after it.
  const cause = { session: '', tool: null, command };
  afterFreeze(root, project, cause);
  const before = measureTree(root, project.claims.paths);
  const timeoutMs = options.timeoutMs ?? (project.test.timeout_seconds ?? DEFAULT_TIMEOUT_S) * 1000;
  const result = await run({ command, cwd: root, timeoutMs, onLine: options.onLine, cancel: options.cancel });
  afterFreeze(root, project, cause);
  const after = measureTree(root, project.claims.paths);
  const finding: Finding = {
    ...judged(result, project),
    command,
    exitCode: exitNumber(result),
    signal: result.signal,
    ...stampedNow(),
    durationMs: result.durationMs,
    fingerprint: before?.value ?? null,
    raw: before?.raw ?? null,
    head: before?.head ?? null,
    rules,
    slug: options.slug,
    tail: redact(tail(plain(result.output), TAIL_LINES)),
    by: options.by,
  };
  return { finding, moved: before !== null && !sameTree(before, after), result };
}

function judged(
  result: RunResult,
  project: Project,
): Pick<Finding, 'verdict' | 'class' | 'reason' | 'counts' | 'runner'> {
  const refused = (kind: string, reason: string) =>
    ({ verdict: 'FAIL', class: kind, reason: redact(reason), counts: null, runner: null }) as const;
  if (result.reason === 'unlaunchable') {
    return refused('unlaunchable', `the command could not be started: ${result.output.split('\n')[0]}`);
  }
  const named = project.test.runner;
  if (named !== undefined && !isRunner(named)) {
    return refused('unconfigured', `${unknownRunner(named)}: correct test.runner in .claude/project.json`);
  }
  const { report } = read(result.output, {
    runner: project.test.runner ?? (project.test.success_pattern ? 'generic' : undefined),
    successPattern: project.test.success_pattern,
    failurePattern: project.test.failure_pattern,
  });
  const verdict = judge(report, { exitCode: result.exitCode, signal: result.signal, reason: result.reason });
  // The shell's own codes for a program it did not find or may not run, and no runner that has said a word.
  const unstarted = result.exitCode === 126 || result.exitCode === 127;
  if (unstarted && report.runner === 'none' && verdict.class === 'setup-error') {
    const said = plain(result.output).trim().split('\n').at(-1);
    return refused('unlaunchable', `the command could not be started: ${said || `exit ${result.exitCode}`}`);
  }
  const kind = result.reason === 'watch' ? 'watch' : result.signal && result.reason === null ? 'signal' : verdict.class;
  return {
    verdict: verdict.suite,
    class: kind,
    reason: verdict.suite === 'PASS' ? null : redact(verdict.reason),
    counts: { ...report.counts },
    runner: report.runner,
  };
}

/** Line 4 is one number whatever happened: 124 for our own deadline, 128 + N for a signal, as shells report them. */
function exitNumber(result: RunResult): number {
  if (result.reason === 'timeout' || result.reason === 'inactive' || result.reason === 'watch') return 124;
  if (result.reason === 'unlaunchable') return 127;
  if (result.exitCode !== null) return result.exitCode;
  const { constants } = process.getBuiltinModule('node:os');
  return 128 + (result.signal ? (constants.signals[result.signal as NodeJS.Signals] ?? 0) : 0);
}

function unconfigured(root: string, options: SuiteOptions): Finding {
  return {
    verdict: 'FAIL',
    class: 'unconfigured',
    reason: UNCONFIGURED,
    command: '',
    exitCode: 1,
    signal: null,
    ...stampedNow(),
    durationMs: 0,
    fingerprint: null,
    raw: null,
    head: null,
    rules: trustHash(root),
    counts: null,
    runner: null,
    slug: options.slug,
    tail: '',
    by: options.by,
  };
}

function stampedNow(): { stampedAt: string; stampedMs: number } {
  const now = new Date();
  return { stampedAt: stampTime(now), stampedMs: now.getTime() };
}
