import { addReport, fault, program, readAt } from './book.ts';
import { readResults, SECTION } from './pytest-results.ts';
import { emptyReport, type Outcome, type Report, type Runner } from './report.ts';

const START = /^=+ test session starts =+$/;
const ITEM = '(?:\\d+ [a-z]+(?: passed)?)';
const SUMMARY = new RegExp(
  `^(?:=+ )?(${ITEM}(?:, ${ITEM})*|no tests ran|(?:\\d+/)?\\d+ tests? collected(?: \\(\\d+ deselected\\))?(?:, ${ITEM})?|no tests collected(?: \\(\\d+ deselected\\))?(?:, ${ITEM})?)` +
    ' in \\d[\\d.]*s(?: \\(\\d[\\d:, days]*\\))?(?: =+)?$',
);
const PERCENT = /\[ *\d+(?:%|\/\d+)\]$/;
const LETTERS = /(?:^|\s)([.FEsxXRuU,-]+)(?: +\[ *\d+(?:%|\/\d+)\])?$/;
const WORD =
  /(?:^| )(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|SUBPASS|SUBFAIL|SUBSKIP)(?: \(.*\))?\s*(?:\[ *\d+(?:%|\/\d+)\])?$/;
const XDIST = /^\[gw\d+\] (?:\[ *\d+%\] )?(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S.*?) *$/;

const BAILED = /^!{3,} (?:stopping after|xdist\.dsession\.Interrupted: stopping|Interrupted: (?:stopping|\d+ error))/;
const ENDED = /^!{3,} (?:KeyboardInterrupt|Interrupted|_pytest\.outcomes\.Exit|.*Exit:)/;

type Progress = { marks: number; counts: Record<Outcome, number>; passed: string[]; inFlight: boolean; done: boolean };

function tally(summary: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [, count, word] of summary.matchAll(/(\d+) ([a-z]+(?: passed)?)/g)) found[word ?? ''] = Number(count);
  return found;
}

function ran(summary: string): number {
  const n = tally(summary);
  let total = 0;
  for (const word of ['passed', 'failed', 'skipped', 'xfailed', 'xpassed']) total += n[word] ?? 0;
  return total;
}

const OUTCOME_OF: Record<string, Outcome> = {
  PASSED: 'passed',
  FAILED: 'failed',
  ERROR: 'errored',
  SKIPPED: 'skipped',
  XFAIL: 'todo',
  XPASS: 'todo',
  '.': 'passed',
  F: 'failed',
  E: 'errored',
  s: 'skipped',
  x: 'todo',
  X: 'todo',
};

/** Reads the progress lines up to a line, further with each call; sections end them. */
function progressReader(lines: string[], from: number, headed: boolean): (to: number) => Progress {
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0, todo: 0 };
  const progress: Progress = { marks: 0, counts, passed: [], inFlight: false, done: false };
  let i = from;
  let closed = false;
  const readLine = (line: string): void => {
    if (line === '') return;
    const worker = XDIST.exec(line);
    const word = worker ?? WORD.exec(line);
    if (word) {
      const outcome = OUTCOME_OF[word[1] ?? ''];
      const id = worker ? worker[2] : line.includes('::') ? line.slice(0, word.index).trim() : undefined;
      if (outcome) counts[outcome]++;
      progress.marks++;
      progress.inFlight = false;
      if (outcome === 'passed' && id?.includes('::')) progress.passed.push(id);
    } else {
      const letters = LETTERS.exec(line);
      const shown = letters?.[1];
      if (letters && shown && (headed || PERCENT.test(line) || letters.index === 0)) {
        for (const letter of shown) {
          const outcome = OUTCOME_OF[letter];
          if (!outcome) continue;
          counts[outcome]++;
          progress.marks++;
        }
        progress.inFlight = false;
      } else if (/^\S+ $/.test(line) || /^\S+::.* $/.test(line)) progress.inFlight = true;
    }
    if (/\[ *100%\]$/.test(line)) progress.done = true;
  };
  return to => {
    for (; i < to && !closed; i++) {
      const line = lines[i] ?? '';
      closed = SECTION.test(line);
      if (!closed) readLine(line);
    }
    return progress;
  };
}

/** Starts of further sessions: a new header, or progress that begins again after a closing line. */
function sessions(lines: string[]): number[] {
  const starts: number[] = [];
  lines.forEach((line, i) => {
    if (START.test(line)) starts.push(i);
  });
  if (starts.length === 0) {
    starts.push(0);
    let done = false;
    let closed = false;
    lines.forEach((line, i) => {
      if (closed && LETTERS.test(line) && PERCENT.test(line)) {
        starts.push(i);
        done = closed = false;
      }
      if (/\[ *100%\]$/.test(line)) done = true;
      if (done && SUMMARY.test(line)) closed = true;
    });
  }
  return starts;
}

function selected(lines: string[], from: number, to: number): number | null {
  for (let i = from; i < to; i++) {
    const line = lines[i] ?? '';
    const match = /^(?:collecting (?:\.\.\. )*(?:\d+ items?\s*)*)?collected (\d+) items?(.*)$/.exec(line.trimEnd());
    if (match) {
      const chosen = /\/ (\d+) selected/.exec(match[2] ?? '');
      const gone = /\/ (\d+) deselected/.exec(match[2] ?? '');
      const skipped = /\/ (\d+) skipped/.exec(match[2] ?? '');
      return Number(chosen?.[1] ?? Number(match[1]) - Number(gone?.[1] ?? 0)) + Number(skipped?.[1] ?? 0);
    }
    const workers = /^(?:\d+ workers|gw0) \[(\d+)(?: items?)?\]/.exec(line);
    if (workers) return Number(workers[1]);
  }
  return null;
}

function readSession(lines: string[], from: number, to: number): Report {
  const report = emptyReport('pytest');
  const headed = START.test(lines[from] ?? '');
  const expected = headed ? selected(lines, from, to) : null;
  let lastSection = from;
  const candidates: number[] = [];
  let bailed = false;
  let internal = -1;
  let ended = -1;
  for (let i = from; i < to; i++) {
    const line = lines[i] ?? '';
    if (line.startsWith('===') && SECTION.test(line)) lastSection = i;
    else if (SUMMARY.test(line)) candidates.push(i);
    else if (line.startsWith('INTERNALERROR> ')) internal = i;
    else if (BAILED.test(line)) bailed = true;
    else if (ENDED.test(line)) ended = i;
  }
  const cut = bailed || ended >= 0 || internal >= 0;
  const summaryAt = choose(lines, candidates, from, lastSection, expected, cut, headed);
  const end = summaryAt ?? to;
  if (internal >= 0) fault(report, 'startup', internal, lines[internal] ?? '');
  const subtests = readResults(report, lines, from, end);
  const progress = progressReader(lines, from, headed)(end);
  report.identities.passed = report.identities.passed.concat(progress.passed.filter(id => !subtests.has(id)));
  const summary = summaryAt === null ? null : (SUMMARY.exec(lines[summaryAt] ?? '')?.[1] ?? null);
  if (summary === null) {
    for (const outcome of ['passed', 'failed', 'errored', 'skipped', 'todo'] as const) {
      report.counts[outcome] = Math.max(progress.counts[outcome], report.counts[outcome]);
    }
    // -qq closes with the last line of dots; any other mode has a line of its own.
    report.complete = progress.done && !headed;
    report.crashed = !report.complete && (headed || progress.marks > 0);
    for (let i = from; i < to && report.crashed; i++) {
      if (!/^\+{3,} Timeout \+{3,}$/.test(lines[i] ?? '')) continue;
      fault(report, 'timeout', i, lines[i] ?? '');
      break;
    }
    return report;
  }
  readAt(report, 'summary', end);
  report.complete = true;
  if (summary.includes('collected')) return report;
  const n = tally(summary);
  settle(report, n, subtests);
  if (ended >= 0 && internal < 0) report.crashed = true;
  const errors = (n.errors ?? 0) + (n.error ?? 0);
  if (expected !== null && !bailed && internal < 0 && ran(summary) + errors < expected) report.crashed = true;
  if (report.counts.failed + report.counts.errored < report.identities.failed.length) {
    report.contradictions.push(`the summary says "${summary}" but more tests are listed as failed`);
  }
  return report;
}

/** The runner's own closing line among the lines that look like one: programs under test can print those too. */
function choose(
  lines: string[],
  candidates: number[],
  from: number,
  lastSection: number,
  expected: number | null,
  cut: boolean,
  headed: boolean,
): number | null {
  const late = candidates.filter(i => i > lastSection);
  const failures = lastSection > from;
  const progressUpTo = progressReader(lines, from, headed);
  for (const i of late) {
    const text = SUMMARY.exec(lines[i] ?? '')?.[1] ?? '';
    const progress = progressUpTo(i);
    if (progress.inFlight) continue;
    const total = ran(text);
    const n = tally(text);
    if (headed && expected !== null && !cut && total !== expected && !n.errors && !n.error && !n.deselected) {
      if (total > expected && !/subtests passed/.test(text) && !n.rerun && !failures) continue;
      if (total < expected && late.some(other => other > i)) continue;
    }
    if (!headed && progress.marks > 0 && total !== progress.marks && late.some(other => other > i)) continue;
    return i;
  }
  return null;
}

/** Brings the counts in line with the closing summary: names may be missing where the options hide them. */
function settle(report: Report, n: Record<string, number>, subtests: Map<string, boolean>): void {
  const errors = (n.errors ?? 0) + (n.error ?? 0);
  // Hooks that pytest books as failed tests were read as errored; a sub-test's failures are one failed test.
  const moved = Math.max(0, report.counts.errored - errors);
  const named = report.counts.failed + moved;
  const failed = n.failed ?? 0;
  report.counts.failed = subtests.size > 0 ? Math.min(failed, report.counts.failed) : Math.max(0, failed - moved);
  if (named === 0) report.counts.failed = failed;
  report.counts.errored = errors + moved;
  report.counts.passed = Math.max(0, (n.passed ?? 0) - [...subtests.values()].filter(failed => !failed).length);
  report.counts.skipped = n.skipped ?? 0;
  report.counts.todo = (n.xfailed ?? 0) + (n.xpassed ?? 0);
}

const OUTSIDE: readonly { kind: 'import' | 'missing-command' | 'startup'; pattern: RegExp }[] = [
  { kind: 'import', pattern: /^ImportError while loading conftest '/ },
  { kind: 'missing-command', pattern: /^\S*python\S*: No module named pytest/ },
  {
    kind: 'startup',
    pattern:
      /^ERROR: (?:usage:|file or directory not found:|not found:|found no collectors|\S+: (?:unrecognized|argument))/,
  },
  { kind: 'startup', pattern: /^(?:ERROR|error): .*(?:unrecognized arguments|\.ini|\.toml|\.cfg)/ },
];

export const pytest: Runner = {
  name: 'pytest',
  opening: START,
  closing: SUMMARY,
  recognise(output, argv) {
    const lines = output.split('\n');
    let best = program(argv) === 'pytest' || program(argv) === 'py.test' || argv.includes('pytest') ? 20 : 0;
    for (const line of lines) {
      if (START.test(line)) best = Math.max(best, 88);
      else if (SUMMARY.test(line)) best = Math.max(best, line.startsWith('=') ? 80 : 62);
      else if (OUTSIDE.some(sign => sign.pattern.test(line) && sign.kind !== 'startup')) best = Math.max(best, 70);
      else if (/^[.FEsxX]+ +\[ *\d+%\]$/.test(line) || /^=+ short test summary info =+$/.test(line))
        best = Math.max(best, 61);
      else if (/^INTERNALERROR> |^ERROR: usage: \S+ \[options\] \[file_or_dir\]/.test(line)) best = Math.max(best, 61);
    }
    return best;
  },
  parse(output) {
    const lines = output.split('\n');
    const starts = sessions(lines);
    const reports = starts.map((from, i) => readSession(lines, from, starts[i + 1] ?? lines.length));
    const report = reports.reduce(addReport);
    const first = lines.findIndex(line => START.test(line) || SUMMARY.test(line));
    const idle = lines.findIndex(line => SUMMARY.test(line) && line.includes('no tests ran in'));
    lines.forEach((line, i) => {
      if (first >= 0 && i > first && (idle < 0 || i < idle)) return;
      const sign = OUTSIDE.find(({ pattern }) => pattern.test(line));
      if (sign) fault(report, sign.kind, i, line);
    });
    return report;
  },
};
