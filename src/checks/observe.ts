/**
 * A run of the suite or of a check that the agent started, seen after the fact. Somebody else's run: it is written down,
 * and a failure of the suite lowers the verdict. Nothing seen here ever raises one (design, section 1).
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../config/project.ts';
import { trustHash } from '../config/trust.ts';
import type { Event, ToolCall, ToolResult } from '../event.ts';
import { TAIL_LINES, tail } from '../redact/cut.ts';
import { redact } from '../redact/redact.ts';
import { OUTPUT_LIMIT, read } from '../runners/read.ts';
import type { Report } from '../runners/report.ts';
import { decode, plain } from '../runners/text.ts';
import type { Invocation, Reading } from '../shell/effect.ts';
import { writeVerdict } from '../verdict/stamp.ts';
import { standing } from '../verdict/standing.ts';
import { stampTime } from '../verdict/statefile.ts';
import { measureTree } from '../verdict/tree.ts';
import { type Check, readContract } from './contract.ts';
import { type Judgement, judge } from './judge.ts';
import { appendObservation, type Observation } from './observation.ts';
import { spellings } from './spelling.ts';

/** `suite` is how the project's own command reads, by the same reader. */
export function observeCall(
  event: Event,
  root: string,
  reading: Reading,
  suite: Reading | null,
  project: Project,
): Observation | null {
  const { call, result } = event;
  if (call?.command === undefined || result === undefined) return null;
  const suiteRun = suite === null ? null : runOf(reading, suite.invocations);
  const checks = readContract(project.raw).checks.filter(
    check => runOf(reading, [{ argv: check.argv, cwd: join(root, check.cwd) }]) !== null,
  );
  const seen = suiteRun ?? (checks[0] && runOf(reading, [{ argv: checks[0].argv, cwd: join(root, checks[0].cwd) }]));
  if (!seen) return null;

  const output = wholeOutput(result);
  const masked = maskOf(seen, call, result, output.cut);
  const exit = exitOf(event.agent, result);
  // A cut output takes nothing from a failing exit code, but a pass that was not seen whole says nothing.
  const code = masked === null || (masked === CUT_OUTPUT && exit !== 0) ? exit : null;
  const own = alone(reading, seen) ? code : null;
  const { report, judgement } = assess(output.text, own, suiteRun ? null : checks[0]!, project);
  const lowered = suiteRun !== null && isFailure(report, judgement, own);
  const observation: Observation = {
    schema: 1,
    at: new Date().toISOString(),
    session: event.session,
    subject: { suite: suiteRun !== null, checks: checks.map(check => check.id) },
    command: redact(call.command),
    masked,
    exit,
    // Cut or unfinished, it does not say how the run ended.
    class: masked !== null && !report.complete ? null : judgement.class,
    runner: report.runner === 'none' ? null : report.runner,
    counts: report.runner === 'none' ? null : { ...report.counts },
    complete: report.complete,
    failed_identities: report.identities.failed.slice(0, 50).map(redact),
    lowered,
  };
  appendObservation(root, observation);
  if (lowered) lower(root, project, observation, judgement, output.text);
  return observation;
}

type Run = { invocations: Invocation[] };

/** The calls of the command that make up all of `wanted`, in its order; null where the command is no such run. */
function runOf(reading: Reading, wanted: readonly Invocation[]): Run | null {
  const groups = topLevel(wanted).filter(one => one.argv[0] !== 'cd');
  if (groups.length === 0) return null;
  const found: Invocation[] = [];
  let from = 0;
  for (const part of groups) {
    const forms = spellings(part.argv, part.cwd);
    const at = reading.invocations.findIndex((one, i) => i >= from && shares(spellings(one.argv, one.cwd), forms));
    if (at < 0) return null;
    found.push(reading.invocations[at]!);
    from = at + 1;
  }
  return { invocations: found };
}

/** What the text itself starts; programs started by its scripts carry the span of their starter. */
function topLevel(invocations: readonly Invocation[]): Invocation[] {
  return invocations.filter((one, i) => i === 0 || !sameSpan(one, invocations[i - 1]!));
}

function sameSpan(a: Invocation, b: Invocation): boolean {
  return a.span !== undefined && b.span !== undefined && a.span[0] === b.span[0] && a.span[1] === b.span[1];
}

function shares(a: Set<string>, b: Set<string>): boolean {
  for (const form of a) if (b.has(form)) return true;
  return false;
}

/** Programs whose own failure nobody takes for the suite's. */
const QUIET =
  /^(?:cd|pushd|popd|export|set|unset|echo|printf|true|:|source|\.|test|\[|date|clear|sleep|ulimit|umask|alias|shopt|nvm|trap|local|readonly|declare|timeout|time|env|nice|nohup|cat|tee|head|tail)$/;

/** The exit code of the whole command can only be this run's: nothing else in it could have failed. */
function alone(reading: Reading, run: Run): boolean {
  return reading.invocations.every(one => {
    const name = (one.argv[0] ?? '').replace(/^.*\//, '');
    return QUIET.test(name) || run.invocations.some(own => own === one || sameSpan(own, one));
  });
}

/** The reader follows `set -e` for us; that the caller turned it off by hand is worth saying. */
const NO_ERREXIT = /(?:^|[;&|(\n])\s*set\s+(?:\+\w*e|\+o\s+errexit)/;

function maskOf(run: Run, call: ToolCall, result: ToolResult, cut: boolean): string | null {
  if (result.background) return call.background === true ? 'background' : 'timed-out-to-background';
  const masked = run.invocations.find(one => one.masked !== undefined)?.masked;
  if (masked !== undefined) return masked;
  const text = call.command ?? '';
  if (NO_ERREXIT.test(text.slice(0, run.invocations[0]?.span?.[0] ?? 0))) return 'set +e';
  if (TIMED_OUT.test(result.text.slice(0, 200))) return 'timeout';
  return cut ? CUT_OUTPUT : null;
}

const CUT_OUTPUT = 'output-cut';
const TIMED_OUT = /^Command timed out after /m;

/** A failed call says its code in words. That one which came back as done ended with 0 is known of one client only. */
function exitOf(agent: string, result: ToolResult): number | null {
  if (result.background) return null;
  if (TIMED_OUT.test(result.text.slice(0, 200))) return null;
  return result.exitCode ?? (!result.failed && agent === 'claude-code' ? 0 : null);
}

const CUT = /\.\.\. \[\d+ characters truncated\] \.\.\./;
/** Beyond this length the client keeps the rest to itself. */
const SHOWN = 29_900;

/** What the run printed, from the client's own copy where it cut what it shows. */
function wholeOutput(result: ToolResult): { text: string; cut: boolean } {
  if (result.outputPath !== undefined) {
    const text = headOf(result.outputPath);
    if (text !== null) return { text, cut: false };
    return { text: result.text, cut: true };
  }
  return { text: result.text, cut: CUT.test(result.text) || result.text.length >= SHOWN };
}

function headOf(path: string): string | null {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= OUTPUT_LIMIT; ) {
      const chunk = Buffer.allocUnsafe(1 << 20);
      const got = readSync(fd, chunk, 0, chunk.length, null);
      if (got === 0) break;
      chunks.push(chunk.subarray(0, got));
      size += got;
    }
    return decode(Buffer.concat(chunks));
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

function assess(
  text: string,
  exitCode: number | null,
  check: Check | null,
  project: Project,
): { report: Report; judgement: Judgement } {
  const { test } = project;
  const successPattern = check === null ? test.success_pattern : check.successPattern;
  const runner = check === null ? (test.runner ?? (successPattern ? 'generic' : undefined)) : check.runner;
  const failurePattern = check === null ? test.failure_pattern : check.failurePattern;
  const { report } = read(text, { runner, successPattern, failurePattern, argv: check?.argv });
  return { report, judgement: judge(report, { exitCode }) };
}

/** Ended from outside, by a deadline or a human: that says nothing of the tests. */
const STOPPED = new Set([124, 130, 137, 143]);

/** `exitCode` is null where the command's is not the run's: then only failed tests in plain sight count. */
function isFailure(report: Report, judgement: Judgement, exitCode: number | null): boolean {
  const known = report.runner !== 'none';
  if (known && report.counts.failed + report.counts.errored > 0) return true;
  if (exitCode === null) return false;
  if (exitCode !== 0) return !STOPPED.has(exitCode);
  return known && report.complete && judgement.suite === 'FAIL';
}

function lower(root: string, project: Project, seen: Observation, judgement: Judgement, output: string): void {
  const tree = measureTree(root, project.claims.paths);
  const now = standing(root, project);
  // Told already: a second look at the same failing tree is no second failure in a row.
  if (now.kind === 'fail' && tree !== null && now.sidecar?.fingerprint === tree.value) return;
  writeVerdict(root, {
    verdict: 'FAIL',
    class: judgement.class === 'green' || judgement.class === 'skipped' ? 'ambiguous' : judgement.class,
    reason: `observed in the session${seen.masked ? ` (masked: ${seen.masked})` : ''}: ${redact(judgement.reason)}`,
    command: project.test.cmd,
    // Line 4 of a FAIL is never 0, whatever hid the code.
    exitCode: seen.exit !== null && seen.exit !== 0 ? seen.exit : 1,
    signal: null,
    stampedAt: stampTime(new Date(seen.at)),
    stampedMs: Number(new Date(seen.at)),
    durationMs: 0,
    fingerprint: tree?.value ?? null,
    raw: tree?.raw ?? null,
    head: tree?.head ?? null,
    rules: trustHash(root),
    counts: seen.counts,
    runner: seen.runner,
    slug: 'suite',
    tail: redact(tail(plain(output), TAIL_LINES)),
    by: 'observation',
  });
}
