/** What a run's record shows of commands and changes: the side claims are held against. Pure. */
import { read } from '../runners/read.ts';
import type { Reading } from '../shell/effect.ts';
import type { ClaimCheck, RunEvent } from './types.ts';

export type TestReport = {
  runner: string;
  executed: number;
  bad: number;
  complete: boolean;
  /** The output says how many tests ran. */
  counted: boolean;
  names: { passed: string[]; failed: string[]; skipped: string[] };
  /** Every test that ran is among the names. */
  whole: boolean;
};

export type LedgerCommand = {
  /** When its end was seen, Unix ms. */
  at: number;
  command: string;
  /** Null where it is not known. */
  exit: number | null;
  failed: boolean;
  background: boolean;
  /** Why the exit code is not that of the program in question. */
  masked: string | null;
  report: TestReport | null;
  kinds: Set<ClaimCheck['kind']>;
};

/** The verdict of our own run of the suite or of the configured commands at the final tree; null: none. */
export type OwnVerdict = { passed: boolean; name: string; reports?: TestReport[] } | null;

export type Ledger = {
  commands: LedgerCommand[];
  changed: Set<string>;
  /** Unix ms of the last change that belongs to the run; null where none is known. */
  lastChange: number | null;
  verdict: OwnVerdict;
};

export type ReadCommand = (command: string) => Pick<Reading, 'invocations'> | null;

const QUIET =
  /^(?:cd|echo|printf|cat|ls|grep|rg|head|tail|find|sed|awk|export|set|true|false|pwd|which|sleep|mkdir|touch|cp|mv|rm|wc)$/;

const KINDS: [ClaimCheck['kind'], RegExp][] = [
  [
    'tests',
    /\b(?:tests?|specs?|jest|vitest|pytest|mocha|ava|tap|rspec|phpunit|ctest|nextest|tox|nox|playwright|cypress|karma|bats|unittest|junit|surefire|verify|check)\b/i,
  ],
  ['types', /\b(?:tsc|vue-tsc|mypy|pyright|pyre|flow|typecheck|type-check|types|cargo check|sorbet|go vet)\b/i],
  [
    'lint',
    /\b(?:lint|eslint|biome|ruff|flake8|pylint|clippy|golangci-lint|rubocop|prettier|stylelint|shellcheck|fmt)\b/i,
  ],
  [
    'build',
    /\b(?:build|compile|make|tsc|webpack|vite|rollup|esbuild|gradlew?|mvn|package|assemble|bundle|xcodebuild)\b/i,
  ],
  ['deployed', /\b(?:deploy|publish|release|push|rollout|kubectl|helm|terraform|ship)\b/i],
];

export function ledgerOf(
  events: readonly RunEvent[],
  readCommand: ReadCommand,
  changes: { paths: readonly string[]; lastChange: number | null },
  verdict: OwnVerdict,
): Ledger {
  const commands: LedgerCommand[] = [];
  let lastEdit: number | null = null;
  for (const event of events) {
    const at = Date.parse(event.at);
    if (event.type !== 'tool' || Number.isNaN(at)) continue;
    if (event.command === undefined) {
      if (event.writes && event.failed !== true) lastEdit = Math.max(lastEdit ?? 0, at);
    } else commands.push(commandOf(event, at, readCommand));
  }
  const known = [changes.lastChange, lastEdit].filter(at => at !== null);
  return {
    commands,
    changed: new Set(changes.paths),
    lastChange: known.length > 0 ? Math.max(...known) : null,
    verdict,
  };
}

function commandOf(event: RunEvent, at: number, readCommand: ReadCommand): LedgerCommand {
  const command = event.command!;
  let invocations: Reading['invocations'] = [];
  try {
    invocations = readCommand(command)?.invocations ?? [];
  } catch {
    // What cannot be read names no program; its words still count below.
  }
  const programs = invocations.filter(one => !QUIET.test(baseName(one.argv[0] ?? '')));
  // Where only quiet programs run, the words of the command are what they look for.
  const texts = invocations.length > 0 ? programs.map(one => one.argv.join(' ')) : [command];
  const report = reportOf(event.tail ?? '');
  const kinds = new Set(KINDS.filter(([, words]) => texts.some(text => words.test(text))).map(([kind]) => kind));
  if (report) kinds.add('tests');
  if (programs.length > 0 || invocations.length === 0) kinds.add('verified');
  const background = event.background === true;
  return {
    at,
    command,
    exit: background ? null : (event.exit ?? (event.failed ? null : 0)),
    failed: event.failed === true,
    background,
    masked: programs.find(one => one.masked !== undefined && one.masked !== 'background')?.masked ?? null,
    report,
    kinds,
  };
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function reportOf(tail: string): TestReport | null {
  if (tail === '') return null;
  const { report } = read(tail);
  if (report.runner === 'none') return null;
  const { passed, failed, errored } = report.counts;
  const executed = passed + failed + errored;
  const { identities } = report;
  const names = {
    passed: identities.passed,
    failed: [...identities.failed, ...identities.errored],
    skipped: [...identities.skipped, ...identities.todo],
  };
  const { complete, counted } = report;
  return {
    runner: report.runner,
    executed,
    bad: failed + errored,
    complete,
    counted,
    names,
    whole: complete && counted && executed > 0 && names.passed.length + names.failed.length === executed,
  };
}
