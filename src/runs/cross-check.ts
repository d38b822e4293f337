/**
 * Claims beside the ledger. Each gets one reason of a closed set; what is not `supported` becomes a warning. Nothing here
 * is ever credited to a run. Pure.
 */
import type { Ledger, LedgerCommand } from './ledger.ts';
import { judgeCount, judgeTest } from './named-tests.ts';
import { changedName } from './said.ts';
import type { ClaimCheck, Reason, RunnerClaims } from './types.ts';

const SHOWN = 160;
const MOST_WARNINGS = 20;

const WORDS: Record<Exclude<Reason, 'supported'>, string> = {
  no_command: 'no such command was run',
  stale: 'files changed after it was run',
  failed_exit: 'the command failed',
  failed_output: 'its output shows failures',
  empty_run: 'the run executed no test',
  masked: 'the exit code was hidden and the output does not tell',
  background_only: 'it ran in the background and its end was not seen',
  superseded_by_failure: 'it passed once and failed later',
  no_result: 'the record shows no such result',
};

type Judged = { reason: Reason; against?: string };

export function crossCheck(claims: RunnerClaims, ledger: Ledger): { checks: ClaimCheck[]; warnings: string[] } {
  const checks: ClaimCheck[] = [];
  const add = (kind: ClaimCheck['kind'], text: string, judged: Judged): void => {
    checks.push({ kind, text, ...judged });
  };
  for (const file of claims.changedFiles) add('file', file, judgeFile(file, ledger));
  for (const command of claims.commandsReported) add('command', command, judgeNamed(command, ledger));
  for (const test of claims.testsReported) {
    // A failure that is admitted claims nothing.
    if (!/^(?:fail|error|skip|not[ _-]?run|unknown)/i.test(test.status))
      add('tests', test.name, judgeTest(test, ledger, judgeKind('tests', ledger)));
  }
  for (const { kind, text } of claims.statements) {
    if (!isKind(kind)) continue;
    const judged = kind === 'done' || kind === 'fixed' ? judgeDone(ledger) : judgeKind(kind, ledger);
    add(kind, text, kind === 'tests' ? judgeCount(text, ledger, judged) : judged);
  }
  return { checks, warnings: warningsOf(checks) };
}

function warningsOf(checks: readonly ClaimCheck[]): string[] {
  const warnings = checks.flatMap(({ kind, text, reason, against }) => {
    if (reason === 'supported') return [];
    const words = kind === 'file' ? 'the repository shows no such change' : WORDS[reason];
    const seen = against === undefined ? '' : `, see \`${short(against)}\``;
    return [`claim without support (${reason}): ${kind} "${short(text)}": ${words}${seen}`];
  });
  const unique = [...new Set(warnings)];
  const rest = unique.length - MOST_WARNINGS;
  return rest > 0 ? [...unique.slice(0, MOST_WARNINGS), `and ${rest} more claims without support`] : unique;
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}...` : line;
};

const isKind = (kind: string): kind is ClaimCheck['kind'] =>
  /^(?:tests|build|types|lint|verified|done|fixed|deployed)$/.test(kind);

function judgeFile(file: string, ledger: Ledger): Judged {
  const path = changedName(file, ledger.changed);
  return path === null ? { reason: 'no_result' } : { reason: 'supported', against: path };
}

/** Work that is called done has left a trace. */
function judgeDone(ledger: Ledger): Judged {
  return { reason: ledger.changed.size > 0 ? 'supported' : 'no_result' };
}

function judgeNamed(command: string, ledger: Ledger): Judged {
  const words = normal(command);
  return judgeRuns(
    ledger.commands.filter(c => normal(c.command).includes(words)),
    ledger.lastChange,
  );
}

const normal = (command: string): string => ` ${command.replace(/^\$ /, '').trim().split(/\s+/).join(' ')} `;

function judgeKind(kind: ClaimCheck['kind'], ledger: Ledger): Judged {
  const own = kind === 'tests' || kind === 'verified' ? ledger.verdict : null;
  // Our own run of the suite at the final tree outranks whatever was seen before it.
  if (own?.passed) return { reason: 'supported', against: own.name };
  let runs = ledger.commands.filter(c => c.kinds.has(kind));
  if (kind === 'verified') {
    const tests = runs.filter(c => c.kinds.has('tests'));
    if (tests.length > 0) runs = tests;
  }
  const judged = judgeRuns(runs, ledger.lastChange);
  if (own === null || judged.reason === 'failed_exit' || judged.reason === 'failed_output') return judged;
  return { reason: runs.some(succeeded) ? 'superseded_by_failure' : 'failed_exit', against: own.name };
}

function judgeRuns(runs: readonly LedgerCommand[], lastChange: number | null): Judged {
  if (runs.length === 0) return { reason: 'no_command' };
  const seen = runs.filter(run => !run.background);
  const last = seen.at(-1);
  if (last === undefined) return { reason: 'background_only', against: runs.at(-1)!.command };
  const judged = (reason: Reason): Judged => ({ reason, against: last.command });
  const wrong = failure(last);
  if (wrong === 'empty_run') return judged(wrong);
  if (wrong !== null) return judged(seen.slice(0, -1).some(succeeded) ? 'superseded_by_failure' : wrong);
  const told = last.report?.complete === true && last.report.executed > 0;
  if (last.masked !== null && !told) return judged('masked');
  if (last.exit === null && !told) return judged('no_result');
  return judged(lastChange !== null && lastChange > last.at ? 'stale' : 'supported');
}

function failure(run: LedgerCommand): 'failed_exit' | 'failed_output' | 'empty_run' | null {
  if (run.failed || (run.exit !== null && run.exit !== 0)) return 'failed_exit';
  if (run.report === null) return null;
  if (run.report.bad > 0) return 'failed_output';
  return run.report.complete && run.report.executed === 0 ? 'empty_run' : null;
}

const succeeded = (run: LedgerCommand): boolean =>
  !run.background && failure(run) === null && (run.masked === null || run.report?.complete === true);
