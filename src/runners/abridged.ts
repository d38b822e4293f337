import { fault, readAt } from './book.ts';
import { emptyReport, type Report } from './report.ts';

/**
 * Outputs of a declared runner that were cut down to their telling lines: no header, no rules, no progress. The lines that
 * the check contract publishes are read, and its words for a broken set-up count wherever they stand, because nothing
 * around them tells a name from an error.
 */

const SETUP =
  /ModuleNotFoundError|ImportError|SyntaxError|IndentationError|command not found|No module named|error CS\d+|error: could not compile|ERROR collecting|Failed to load|Cannot find module|Bail out!/i;

export function abridged(runner: string, lines: readonly string[]): Report | null {
  const read = READERS[runner];
  if (read === undefined || lines.length > 200) return null;
  const report = read(lines);
  if (report === null) return null;
  lines.forEach((line, index) => {
    if (SETUP.test(line)) fault(report, /import|module/i.test(line) ? 'import' : 'other', index, line);
  });
  return report;
}

const CLOSING = /^(?:Test Suites|Tests|Snapshots|Time): +\S/;
const TOTALS = /^Tests: +((?:\d+ (?:failed|skipped|todo|passed), )*\d+ total)$/;

/** Nothing but jest's closing block: a wrapper kept the summary and dropped the rest. Any other line and it is not that. */
export function closingBlock(lines: readonly string[]): Report | null {
  const said = lines.map(line => line.trim()).filter(line => line !== '');
  const totals = said.filter(line => TOTALS.test(line));
  if (totals.length !== 1 || !said.every(line => CLOSING.test(line))) return null;
  const report = emptyReport('jest');
  const of = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(totals[0] ?? '')?.[1] ?? 0);
  const { passed, failed, skipped, todo } = {
    passed: of('passed'),
    failed: of('failed'),
    skipped: of('skipped'),
    todo: of('todo'),
  };
  report.counts = { passed, failed, errored: 0, skipped, todo };
  report.complete = passed + failed + skipped + todo === of('total');
  if (said.some(line => /^Test Suites: .*\bfailed\b/.test(line)) && failed === 0)
    report.contradictions.push('a suite failed but no test did');
  readAt(
    report,
    'counts',
    lines.findIndex(line => TOTALS.test(line.trim())),
  );
  return report;
}

const READERS: Record<string, (lines: readonly string[]) => Report | null> = { pytest, unittest, dotnet };

const PYTEST =
  /^(?:=+ )?(\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|warnings?|deselected)(?:, \d+ \w+)*)(?: in [\d.]+m?s)?(?: =+)?$/;

function pytest(lines: readonly string[]): Report | null {
  if (lines.some(line => /^=+ test session starts =+$|\[ *\d+%\]$|^=+ FAILURES =+$|^collected \d+ item/.test(line)))
    return null;
  const at = lines.findLastIndex(line => PYTEST.test(line));
  if (at === -1) return null;
  const report = emptyReport('pytest');
  const of = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(lines[at] ?? '')?.[1] ?? 0);
  report.counts = {
    passed: of('passed'),
    failed: of('failed'),
    errored: of('error'),
    skipped: of('skipped'),
    todo: of('xfailed') + of('xpassed'),
  };
  report.complete = true;
  readAt(report, 'counts', at);
  lines.forEach((line, index) => {
    const failed = /^FAILED (\S.*?)(?: - (.*))?$/.exec(line);
    if (failed?.[1] !== undefined)
      failure(report, failed[1], /^(?:assert\b|AssertionError)/.test(failed[2] ?? ''), index, line);
    if (/^ERROR\b/.test(line)) fault(report, 'collection', index, line);
  });
  return report;
}

function failure(report: Report, name: string, asserted: boolean, index: number, line: string): void {
  report.identities.failed.push(name);
  if (asserted) report.assertions.push(name);
  else fault(report, 'thrown', index, line);
}

function unittest(lines: readonly string[]): Report | null {
  if (lines.some(line => /^[-=]{70}$/.test(line))) return null;
  const at = lines.findLastIndex(line => /^Ran \d+ tests?(?: in [\d.]+s)?$/.test(line));
  if (at === -1) return null;
  const report = emptyReport('unittest');
  const ran = Number(/\d+/.exec(lines[at] ?? '')?.[0] ?? 0);
  const result = lines.slice(at + 1).find(line => /^(?:OK|FAILED)(?:\s|$)/.test(line)) ?? '';
  const of = (word: string): number => Number(new RegExp(`${word}=(\\d+)`).exec(result)?.[1] ?? 0);
  const blocks = lines
    .map((line, index) => ({ match: /^(FAIL|ERROR): (\S.*)$/.exec(line), index }))
    .filter(block => block.match !== null);
  blocks.forEach(({ match, index }, position) => {
    const end = blocks[position + 1]?.index ?? lines.length;
    const asserted = lines.slice(index + 1, end).some(line => /^(?:\w+\.)*AssertionError\b/.test(line));
    if (match?.[1] === 'FAIL') failure(report, match[2] ?? '', asserted, index, lines[index] ?? '');
    else fault(report, 'thrown', index, lines[index] ?? '');
  });
  const failed = Math.max(of('failures'), report.identities.failed.length);
  const skipped = of('skipped');
  const todo = of('expected failures');
  report.counts = {
    passed: Math.max(0, ran - failed - of('errors') - skipped - todo),
    failed,
    errored: of('errors'),
    skipped,
    todo,
  };
  report.complete = result !== '' || failed > 0;
  readAt(report, 'counts', at);
  return report;
}

function dotnet(lines: readonly string[]): Report | null {
  const at = lines.findLastIndex(line =>
    /^(?:Passed!|Failed!) +- Failed: +\d+, Passed: +\d+(?:, Skipped: +\d+)?$/.test(line),
  );
  if (at === -1) return null;
  const report = emptyReport('dotnet');
  const of = (word: string): number => Number(new RegExp(`${word}: +(\\d+)`).exec(lines[at] ?? '')?.[1] ?? 0);
  report.counts = { passed: of('Passed'), failed: of('Failed'), errored: 0, skipped: of('Skipped'), todo: 0 };
  report.complete = true;
  readAt(report, 'counts', at);
  lines.forEach((line, index) => {
    const name = /^ +Failed (\S.*?)(?: \[[^\]]*\])?$/.exec(line)?.[1];
    if (name === undefined) return;
    const asserted = lines
      .slice(index + 1, index + 6)
      .some(next => /^\s*(?:Assert\.\w+|\w*AssertionException|Expected:)/.test(next));
    failure(report, name, asserted, index, line);
  });
  return report;
}
