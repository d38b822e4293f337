/** Runs one check ourselves, in one phase, and says what it showed of which tree. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../config/project.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import { headTail } from '../redact/cut.ts';
import { redact } from '../redact/redact.ts';
import { redactDeep } from '../redact/secretlint.ts';
import { changedPaths, differing, listing } from '../repo/changed.ts';
import { read } from '../runners/read.ts';
import type { Report } from '../runners/report.ts';
import { plain } from '../runners/text.ts';
import { measureTree, sameTree, type Tree } from '../verdict/tree.ts';
import type { Check, Phase } from './contract.ts';
import { hideValues, missingRefs, withheld } from './environment.ts';
import { type CheckEntry, type CheckRecord, REPOSITORY, redProof, writeRecord } from './evidence.ts';
import { type Judgement, judge, REFUSAL } from './judge.ts';
import { preferred, reportsAfter, reportsBefore } from './reports.ts';
import { type RunResult, run } from './run.ts';

/** What a record shows of the output; the log beside it has all of it. */
const SHOWN_BYTES = 20_000;
const SHOWN_PATHS = 20;
/** Beyond this the rule set costs minutes; our own forms still hold. */
const DEEP_BYTES = 2_000_000;

export const CHANGED_FILES = 'Verification commands changed repository files; fix their output/cleanup configuration';

const UNACCEPTED = 'nobody accepted the rules in .claude/project.json: a human runs `touchstone config accept`';

/** A checkout beside the project. Whoever names it looks at its tree before and after. */
export type Place = { id: string; folder: string; tree: Tree; changes: string[] };

export type CheckOptions = { onText?: (text: string) => void; cancel?: AbortSignal; place?: Place };

export type CheckRun = { path: string; record: CheckRecord; entry: CheckEntry };

export async function runCheck(
  root: string,
  project: Project,
  check: Check,
  phase: Phase,
  options: CheckOptions = {},
): Promise<CheckRun> {
  const claims = project.claims.paths;
  const { place } = options;
  const folder = join(place?.folder ?? root, check.cwd);
  const before = place ? { tree: place.tree, files: null } : snapshot(root, claims);
  const contract = trustHash(root);
  const reportFiles = reportsBefore(folder, check);
  const result = await start(check, folder, options);
  const files = reportsAfter(folder, check, reportFiles, result.startedAt);
  const moved = place ? null : movedPaths(root, claims, before);
  const { report, judgement } = assess(check, phase, result, files.report);

  const problems = [...judgement.problems, ...files.problems];
  if (result.reason === 'unlaunchable') {
    problems.unshift(`${REFUSAL.setup}: the command could not be started: ${result.output.split('\n')[0]}`);
  }
  if (before.tree === null) problems.push('no fingerprint of the tree could be taken: the evidence speaks of no tree');
  if (moved !== null) problems.push(`${CHANGED_FILES}: ${shown(moved)}`);

  const hide = hideValues(check);
  const safe = (text: string): string => redact(hide(text));
  const log = safe(result.bytes > DEEP_BYTES ? result.output : await redactDeep(hide(result.output)));
  const passed = problems.length === 0 && (phase === 'red' ? judgement.red : judgement.green);
  const make = (logPath: string): CheckEntry => ({
    id: check.id,
    repository: place?.id ?? REPOSITORY,
    command: safe(check.argv.map(quoted).join(' ')),
    cwd: check.cwd,
    parser: report.runner,
    phase,
    identities: check.identities,
    exit_code: result.exitCode,
    signal: result.signal,
    reason: result.reason,
    class: result.reason === 'unlaunchable' ? 'setup-error' : judgement.class,
    counts: { ...report.counts },
    failed_identities: report.identities.failed.map(safe),
    passed_identities: report.identities.passed.map(safe),
    output: headTail(plain(log), SHOWN_BYTES),
    log: logPath,
    duration_seconds: result.durationMs / 1000,
    started_at: result.startedAt,
    ...(check.environment === undefined ? {} : { environment: check.environment }),
    approved_skip_reason: check.approvedSkipReason,
    passed,
    problems: problems.map(safe),
    notes: [
      ...missingRefs(check).map(name => `environment variable ${name} (env_refs) is not set`),
      ...(isAccepted(root, contract) ? [] : [UNACCEPTED]),
    ],
  });
  const written = await writeRecord(root, check.id, log, logPath => {
    const entry = make(logPath);
    return {
      schema: 1,
      changes: place
        ? { [place.id]: place.changes }
        : { [REPOSITORY]: changedPaths(root, 'HEAD', before.tree?.value ?? '', claims) ?? [] },
      checks: [entry],
      fingerprint: before.tree?.value ?? null,
      raw: before.tree?.raw ?? null,
      head: before.tree?.head ?? null,
      passed,
      rules: [],
      contract,
      ...(phase === 'red' ? { red: redProof(entry) } : {}),
    };
  });
  return { ...written, entry: written.record.checks[0]! };
}

async function start(check: Check, folder: string, options: CheckOptions): Promise<RunResult> {
  // A missing folder reads like a missing program: say which it is.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const output = `cwd ${check.cwd} is no folder of the project\n`;
    const startedAt = new Date().toISOString();
    return {
      exitCode: null,
      signal: null,
      reason: 'unlaunchable',
      output,
      bytes: output.length,
      durationMs: 0,
      startedAt,
    };
  }
  return run({
    command: check.argv,
    cwd: folder,
    timeoutMs: check.timeoutSeconds * 1000,
    inactivityMs: check.inactivitySeconds * 1000,
    env: check.env,
    withhold: withheld(check),
    onText: options.onText,
    cancel: options.cancel,
  });
}

function assess(
  check: Check,
  phase: Phase,
  result: RunResult,
  files: Report | null,
): { report: Report; judgement: Judgement } {
  const text = read(result.output, {
    argv: check.argv,
    runner: check.runner,
    successPattern: check.successPattern,
    failurePattern: check.failurePattern,
    identities: check.identities,
  }).report;
  const report = files === null ? text : preferred(files, text);
  const judgement = judge(report, {
    exitCode: result.exitCode,
    signal: result.signal,
    reason: result.reason === 'unlaunchable' ? null : result.reason,
    phase,
    identities: check.identities,
    approvedSkipReason: check.approvedSkipReason,
  });
  return { report, judgement };
}

type Snapshot = { tree: Tree | null; files: Map<string, string> | null };

/** Without git no tree object tells later which file it was. */
function snapshot(root: string, claims: readonly string[]): Snapshot {
  const tree = measureTree(root, claims);
  return { tree, files: tree !== null && tree.head === null ? listing(root, claims) : null };
}

/** Null where the tree stayed as it was; a list, possibly empty, where it did not. */
function movedPaths(root: string, claims: readonly string[], before: Snapshot): string[] | null {
  if (before.tree === null) return null;
  const after = measureTree(root, claims);
  if (sameTree(before.tree, after)) return null;
  const byTree = after === null ? null : changedPaths(root, before.tree.value, after.value, claims);
  if (byTree !== null) return byTree;
  return before.files === null ? [] : differing(before.files, listing(root, claims));
}

function shown(paths: readonly string[]): string {
  if (paths.length === 0) return 'which ones could not be told';
  const rest = paths.length - SHOWN_PATHS;
  return paths.slice(0, SHOWN_PATHS).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
