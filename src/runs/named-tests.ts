/**
 * Tests that an agent names, or counts, beside the tests that a run's own output names and counts. Only what the
 * output contradicts is doubted: a list that may be cut proves nothing about a name that is missing from it. Pure.
 */
import type { Ledger, LedgerCommand, TestReport } from './ledger.ts';
import type { Reason } from './types.ts';

type Judged = { reason: Reason; against?: string };
type Seen = 'passed' | 'failed' | 'skipped';

const SEPARATOR = /\s*(?:::|[>›»]|\/|\s[-–—]\s|:\s)\s*/;
/** A name that a runner would print, and no label such as "unit tests". */
const IDENTITY = /::|[>›»#]|\w_\w|\w\.\w|\w\/\w/;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[`"'\s]+/g, ' ')
    .trim();

function same(name: string, identity: string): boolean {
  if (identity === name) return true;
  const last = identity.split(SEPARATOR).at(-1);
  return (
    last === name ||
    (last !== undefined && last.length > 3 && name.split(SEPARATOR).at(-1) === last && IDENTITY.test(name))
  );
}

function outcomeOf(name: string, report: TestReport): Seen | null {
  // A failure under that name outweighs a pass under it: two files may hold one title.
  for (const seen of ['failed', 'skipped', 'passed'] as const) {
    if (report.names[seen].some(identity => same(name, plain(identity)))) return seen;
  }
  return null;
}

/** `general` is the judgement of the runs as such; the output may speak of this very test. */
export function judgeTest(test: { name: string; status: string }, ledger: Ledger, general: Judged): Judged {
  const counted = judgeCount(`${test.name} ${test.status}`, ledger, general);
  if (counted.reason !== general.reason) return counted;
  const own = ledger.verdict?.reports ?? [];
  const name = plain(test.name);
  if (name === '') return general;
  for (const report of own) {
    const seen = outcomeOf(name, report);
    if (seen === 'passed') return { reason: 'supported', against: ledger.verdict!.name };
    // The exit code has said as much, and of more than this one test.
    if (seen === 'failed' && general.reason === 'failed_exit') return general;
    if (seen !== null)
      return { reason: seen === 'failed' ? 'failed_output' : 'no_result', against: ledger.verdict!.name };
  }
  if (ledger.verdict?.passed) return general;
  const runs = ledger.commands.filter(run => run.report !== null && !run.background);
  for (let i = runs.length - 1; i >= 0; i--) {
    const run = runs[i]!;
    const seen = outcomeOf(name, run.report!);
    if (seen === null) continue;
    const against = run.command;
    if (seen === 'skipped') return { reason: 'no_result', against };
    if (seen === 'failed') {
      const before = runs.slice(0, i).some(other => outcomeOf(name, other.report!) === 'passed');
      return { reason: before ? 'superseded_by_failure' : 'failed_output', against };
    }
    return { reason: ledger.lastChange !== null && ledger.lastChange > run.at ? 'stale' : 'supported', against };
  }
  const all = [...own, ...runs.map(run => run.report!)];
  const whole = all.length > 0 && all.every(report => report.whole) && ledger.commands.every(told);
  if (general.reason === 'supported' && whole && IDENTITY.test(test.name)) return { ...general, reason: 'no_result' };
  return general;
}

/** Whether a command that may have run tests also told which. */
const told = (run: LedgerCommand): boolean => !run.kinds.has('tests') || run.report !== null;

/** The number stands right before its noun, or before words that sort tests: "404 responses" counts nothing. */
const COUNT =
  /(?<![\w.,:/-])(\d{1,3}(?:,\d{3})+|\d{1,7})(?:\s*(?:\/|of|out of)\s*\d[\d,]*)?\s+(?:(?:unit|integration|e2e|end-to-end|new|of|the|all|regression|component|api|ui|existing|acceptance|contract)\s+){0,3}(?:tests?|specs?|passed|passing|pass|passes|green|succeeded|successful)\b/giu;

/** "All 58 tests pass" after runs that executed twelve: more than every run of the record taken together. */
export function judgeCount(text: string, ledger: Ledger, general: Judged): Judged {
  if (general.reason !== 'supported') return general;
  const own = ledger.verdict?.reports ?? [];
  if (ledger.verdict !== null && own.length === 0) return general;
  const runs = ledger.commands.filter(run => run.kinds.has('tests'));
  const reports = [...own, ...runs.flatMap(run => (run.report ? [run.report] : []))];
  if (reports.length === 0 || !reports.every(report => report.complete && report.counted) || !runs.every(told))
    return general;
  const most = reports.reduce((sum, report) => sum + report.executed, 0);
  for (const match of text.matchAll(COUNT)) {
    if (Number(match[1]!.replaceAll(',', '')) > most) return { ...general, reason: 'no_result' };
  }
  return general;
}
