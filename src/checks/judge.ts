import type { Outcome, Report, SetupError } from '../runners/report.ts';

/** Why a run that we started did not end by itself. */
export type RunReason = 'timeout' | 'inactive' | 'output-limit' | 'cancelled' | 'watch';

export type ResultClass =
  | 'green'
  | 'red-assertion'
  | 'setup-error'
  | 'no-tests'
  | 'skipped'
  | 'ambiguous'
  | 'crash'
  | 'timeout'
  | 'inactive'
  | 'output-limit'
  | 'cancelled';

export type JudgeOptions = {
  /** null: not known (a saved output); then the report alone speaks. */
  exitCode: number | null;
  signal?: string | null;
  reason?: RunReason | null;
  /** Which phase `problems` and `reason` speak of; green unless given. */
  phase?: 'green' | 'red';
  identities?: readonly string[];
  approvedSkipReason?: string | null;
};

export type Judgement = {
  class: ResultClass;
  /** The rule for a green check. */
  verdict: 'PASS' | 'FAIL';
  /** The rule for the whole suite: skips are reported and fail only when nothing else ran. */
  suite: 'PASS' | 'FAIL';
  green: boolean;
  red: boolean;
  /** What stands against the phase, each a line; empty when it is satisfied. */
  problems: string[];
  /** One paragraph for a person. */
  reason: string;
};

export const REFUSAL = {
  setup: 'setup/compile failure is not assertion evidence',
  absent: 'expected test identity is absent from output',
  skipped: 'skipped/pending checks need an explicit plan justification',
  noAssertion: 'no observed assertion-level failure',
  notThose: 'expected tests did not produce the assertion failures',
  noSuccess: 'check did not produce successful evidence',
} as const;

export function judge(report: Report, options: JudgeOptions): Judgement {
  const kind = classify(report, options);
  const approved = (options.approvedSkipReason ?? '').trim() !== '';
  const skips = report.counts.skipped + report.counts.todo;
  const cleanRun = kind === 'green' || (kind === 'skipped' && executed(report) && exitIs(options, 'zero'));
  const greenProblems = problemsOfGreen(report, options, kind, approved);
  const redProblems = problemsOfRed(report, options, kind);
  const green = greenProblems.length === 0 && (skips === 0 ? cleanRun : approved);
  const red = redProblems.length === 0 && kind === 'red-assertion';
  const suite = cleanRun ? 'PASS' : 'FAIL';
  const problems = options.phase === 'red' ? redProblems : greenProblems;
  return {
    class: kind,
    verdict: green ? 'PASS' : 'FAIL',
    suite,
    green,
    red,
    problems,
    reason: explain(report, options, kind),
  };
}

function executed(report: Report): boolean {
  const { passed, failed, errored } = report.counts;
  return passed + failed + errored > 0 || (!report.counted && report.complete && report.runner !== 'none');
}

function exitIs(options: JudgeOptions, wanted: 'zero' | 'nonzero'): boolean {
  if (options.exitCode === null) return true;
  return (options.exitCode === 0) === (wanted === 'zero');
}

/** Shells report a signal as 128 + N. Some runners exit with their number of failures, so a summary outweighs it. */
function endedBySignal(options: JudgeOptions): boolean {
  if (options.signal !== undefined && options.signal !== null) return true;
  const code = options.exitCode ?? 0;
  return (code > 128 && code < 160) || code < 0 || code > 255 || code === 124;
}

function classify(report: Report, options: JudgeOptions): ResultClass {
  const { counts } = report;
  const reason = options.reason ?? null;
  if (reason !== null && reason !== 'watch') return reason;
  if (reason === 'watch' || (report.watch && endedBySignal(options))) return 'ambiguous';
  if (options.signal !== undefined && options.signal !== null) return 'crash';
  if (report.crashed) return 'crash';
  const broken = report.setupErrors.length > 0 || counts.errored > 0;
  if (!report.complete) {
    if (report.setupErrors.length > 0) return endedBySignal(options) ? 'crash' : 'setup-error';
    const begun = counts.passed + counts.failed + counts.errored + counts.skipped + counts.todo > 0;
    if (begun || endedBySignal(options)) return 'crash';
    if (report.runner === 'generic') return 'ambiguous';
    if (report.runner !== 'none') return 'crash';
    // Shells: found but not executable, not found.
    if (options.exitCode === 126 || options.exitCode === 127) return 'setup-error';
    return options.exitCode === 0 || options.exitCode === null ? 'no-tests' : 'ambiguous';
  }
  if (options.exitCode === 0 && (counts.failed > 0 || broken)) return 'ambiguous';
  if (broken) return 'setup-error';
  if (counts.failed > 0) return report.assertions.length > 0 ? 'red-assertion' : 'ambiguous';
  if (report.contradictions.length > 0) return 'ambiguous';
  const skips = counts.skipped + counts.todo;
  if (!executed(report)) return skips > 0 ? 'skipped' : 'no-tests';
  if (!exitIs(options, 'zero')) return 'ambiguous';
  if ((report.emptySections ?? 0) > 0) return 'no-tests';
  return skips > 0 ? 'skipped' : 'green';
}

function problemsOfGreen(report: Report, options: JudgeOptions, kind: ResultClass, approved: boolean): string[] {
  const problems: string[] = [];
  if (options.reason !== undefined && options.reason !== null) problems.push(options.reason);
  if (report.setupErrors.length > 0 || report.counts.errored > 0) problems.push(setupProblem(report.setupErrors));
  const skips = report.counts.skipped + report.counts.todo;
  if (skips > 0 && !approved) problems.push(`${REFUSAL.skipped} (${skips} skipped, pending or todo)`);
  for (const identity of options.identities ?? []) {
    const seen = outcomesOf(report, identity);
    if (seen.size === 0) problems.push(`${REFUSAL.absent}: ${identity}`);
    else if (seen.has('failed') || seen.has('errored')) problems.push(`expected test failed: ${identity}`);
    else if (!seen.has('passed') && !approved) problems.push(`expected test did not pass: ${identity}`);
  }
  const approvedSkips = kind === 'skipped' && exitIs(options, 'zero') && (approved || executed(report));
  if (kind !== 'green' && !approvedSkips) {
    problems.push(`${REFUSAL.noSuccess}: ${explain(report, options, kind)}`);
  }
  return problems;
}

function problemsOfRed(report: Report, options: JudgeOptions, kind: ResultClass): string[] {
  const problems: string[] = [];
  if (options.reason !== undefined && options.reason !== null) problems.push(options.reason);
  if (report.setupErrors.length > 0 || report.counts.errored > 0) problems.push(setupProblem(report.setupErrors));
  let missed = false;
  for (const identity of options.identities ?? []) {
    const seen = outcomesOf(report, identity);
    if (seen.size === 0) problems.push(`${REFUSAL.absent}: ${identity}`);
    else if (seen.has('skipped') || seen.has('todo')) problems.push(`${REFUSAL.skipped}: ${identity}`);
    if (!report.assertions.some(name => sameTest(identity, name))) missed = true;
  }
  if (report.assertions.length === 0 || !exitIs(options, 'nonzero') || kind !== 'red-assertion') {
    problems.push(`${REFUSAL.noAssertion}: ${explain(report, options, kind)}`);
  }
  if (missed) problems.push(REFUSAL.notThose);
  return problems;
}

function setupProblem(errors: readonly SetupError[]): string {
  const first = errors[0];
  if (first === undefined) return REFUSAL.setup;
  return `${REFUSAL.setup} (${first.kind}, line ${first.line}: ${first.text.slice(0, 160)})`;
}

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'errored', 'skipped', 'todo'];

function outcomesOf(report: Report, identity: string): Set<Outcome> {
  return new Set(OUTCOMES.filter(outcome => report.identities[outcome].some(name => sameTest(identity, name))));
}

// What stands between the parts of a test's full name, in one runner or another.
const PARTS = / > | › |::|[./#:\s$\\]/;

/** A declared identity is the whole name or its last parts; parameters in brackets may be left out. */
export function sameTest(declared: string, seen: string): boolean {
  const wanted = declared.trim();
  if (wanted === '' || seen === '') return false;
  return endsWithParts(seen, wanted) || endsWithParts(seen.replace(/(?:\[[^\]]*\]|\([^)]*\))+$/, '').trim(), wanted);
}

function endsWithParts(seen: string, wanted: string): boolean {
  if (seen === wanted) return true;
  if (!seen.endsWith(wanted)) return false;
  return PARTS.test(seen.charAt(seen.length - wanted.length - 1));
}

function explain(report: Report, options: JudgeOptions, kind: ResultClass): string {
  const { passed, failed, errored, skipped, todo } = report.counts;
  const exit = options.exitCode === null ? 'exit code not given' : `exit ${options.exitCode}`;
  const counts = report.counted
    ? `${passed} passed, ${failed} failed, ${errored} errored, ${skipped} skipped, ${todo} todo`
    : 'tests are not counted in this output';
  const who = report.runner === 'none' ? 'no test runner recognised' : `${report.runner}: ${counts}`;
  const head = `${who}; ${exit}`;
  const first = report.setupErrors[0];
  switch (kind) {
    case 'green':
    case 'red-assertion':
    case 'skipped':
      return head;
    case 'no-tests':
      return report.emptySections ? `${head}; a part of the run ran no test` : `${head}; no test ran`;
    case 'setup-error':
      return first === undefined
        ? `${head}; a test errored`
        : `${head}; ${first.kind} error in line ${first.line}: ${first.text.slice(0, 200)}`;
    case 'crash':
      return options.signal ? `${head}; ended by ${options.signal}` : `${head}; the run stopped before its own summary`;
    case 'ambiguous':
      return `${head}; ${doubt(report, options)}`;
    default:
      return `${head}; stopped by us: ${kind}`;
  }
}

function doubt(report: Report, options: JudgeOptions): string {
  if (options.reason === 'watch' || report.watch) return 'the runner waits for changes (watch mode)';
  if (report.contradictions[0] !== undefined) return report.contradictions[0];
  const bad = report.counts.failed + report.counts.errored > 0 || report.setupErrors.length > 0;
  if (bad && options.exitCode === 0) return 'the output reports failures but the exit code is 0';
  if (bad) return 'a failure whose cause the output does not show';
  if (options.exitCode !== null && options.exitCode !== 0)
    return 'no failed test in the output but the exit code is not 0';
  return 'output and exit code do not fit together';
}
