import { book, bookFailure, fault, program, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const CLASSIC =
  /^ *(Passed!|Failed!|Skipped!|Aborted!) +- Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+), Total: +(\d+), Duration: .+$/;
const TERMINAL = /^ *Test summary: total: (\d+), failed: (\d+), succeeded: (\d+), skipped: (\d+), duration: .+$/;
const PLATFORM = /^ *Test run summary: (Passed!|Failed!|Zero tests ran|Aborted)(?: - .*)?$/;
const LISTED =
  /^ {0,4}(Passed|Failed|Skipped|passed|failed|skipped) (\S.*?) [[(](?:< ?)?\d[\d.,:hms µ]*(?:ms|s|m|h)[\])]$/;
const BUILD_ERROR = /^(?:(\S.*\.\w+)\(\d+(?:,\d+)*\)|\S+) ?: (?:fatal )?error ([A-Z]+\d+): (.*)$/;

/** Test frameworks put an exception's type before its message unless it is their own assertion's. */
function isThrown(message: string): boolean {
  if (
    /^(?:Xunit\.Sdk\.|NUnit\.Framework\.(?:AssertionException|MultipleAssertException)|Shouldly\.|FluentAssertions\.)/.test(
      message,
    )
  )
    return false;
  return (
    /^(?:(?:SetUp|OneTimeSetUp|TearDown|OneTimeTearDown) : )?(?:[A-Za-z_]\w*\.)+\w*Exception\w* ?:/.test(message) ||
    /\bthrew exception:/.test(message) ||
    /^(?:Class|Assembly|Test|Initialization) ?\w* (?:Initialization|initialization|method|setup)\b.*(?:threw|failed)/.test(
      message,
    )
  );
}

function readFailure(report: Report, lines: string[], at: number, name: string): void {
  let message = '';
  for (let i = at + 1; i < Math.min(lines.length, at + 12); i++) {
    const text = (lines[i] ?? '').trim();
    if (/^Stack Trace:$/.test(text) || LISTED.test(lines[i] ?? '')) break;
    if (text !== '' && text !== 'Error Message:' && !/^from /.test(text)) {
      message = text;
      break;
    }
  }
  const hook = /^(?:OneTimeSetUp|SetUp|TearDown|OneTimeTearDown) ?:|(?:Class|Assembly|Test)Initialize method/.test(
    message,
  );
  if (hook) bookFailure(report, 'errored', name, false, at, message, 'hook');
  else bookFailure(report, 'failed', name, message === '' ? null : !isThrown(message), at, message);
}

export const dotnet: Runner = {
  name: 'dotnet',
  closing:
    /^ *(?:Passed!|Failed!|Skipped!) +- Failed: +\d+, Passed: |^ *Test summary: total: \d+, |^ {2}duration: \d|^ Total time: [\d.]+ /,
  recognise(output, argv) {
    let best = program(argv) === 'dotnet' ? 20 : 0;
    for (const line of output.split('\n')) {
      if (CLASSIC.test(line) || TERMINAL.test(line) || PLATFORM.test(line)) best = Math.max(best, 89);
      else if (
        /^(?:Test run for .+\.dll \(|Starting test execution, please wait\.\.\.$|Test Run (?:Successful|Failed|Aborted)\.)/.test(
          line,
        )
      )
        best = Math.max(best, 70);
      else if (
        /^ +Determining projects to restore\.\.\.$|^MSBUILD : error MSB|: error (?:CS|FS|BC|NU|NETSDK)\d+: /.test(line)
      )
        best = Math.max(best, 61);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('dotnet');
    const lines = output.split('\n');
    let started = 0;
    let closed = 0;
    const errors = new Set<string>();
    const from = { passed: 0, failed: 0, skipped: 0 };
    const terminal = lines.some(line => TERMINAL.test(line));
    const seen = new Set<string>();
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] ?? '';
      if (/^Test run for .+\.dll \(/.test(line)) started++;
      const summary = CLASSIC.exec(line);
      const short = TERMINAL.exec(line);
      const platform = PLATFORM.exec(line);
      if (summary && !terminal) {
        add(from, summary[3], summary[2], summary[4]);
        closed++;
        readAt(report, 'summary', i);
        if (summary[1] === 'Aborted!') report.crashed = true;
      } else if (short) {
        add(from, short[3], short[2], short[4]);
        closed++;
        readAt(report, 'summary', i);
      } else if (platform) {
        const value = (name: string): string =>
          new RegExp(`^ +${name}: (\\d+)$`, 'm').exec(lines.slice(i + 1, i + 9).join('\n'))?.[1] ?? '0';
        add(from, value('succeeded'), value('failed'), value('skipped'));
        closed++;
        readAt(report, 'summary', i);
        if (platform[1] === 'Aborted') report.crashed = true;
      } else if (/^Total tests: (\d+|Unknown)$/.test(line)) {
        const tail = lines.slice(i + 1, i + 5).join('\n');
        const value = (name: string): string => new RegExp(`^ +${name}: (\\d+)$`, 'm').exec(tail)?.[1] ?? '0';
        add(from, value('Passed'), value('Failed'), value('Skipped'));
        closed++;
        readAt(report, 'summary', i);
      } else if (/^(?:The active test run was aborted|Test Run Aborted\.)/.test(line)) report.crashed = true;
      else if (/^No test (?:is available in|matches the given testcase filter)/.test(line)) {
        closed++;
        readAt(report, 'no-tests', i);
      }
      const listed = LISTED.exec(line);
      const key = `${listed?.[2]}`;
      if (listed && !seen.has(key)) {
        seen.add(key);
        const word = (listed[1] ?? '').toLowerCase();
        if (word === 'failed') readFailure(report, lines, i, key);
        else report.identities[word as 'passed' | 'skipped'].push(key);
      }
      const broken = line.includes('error ') ? BUILD_ERROR.exec(line.replace(/ \[[^\]]*\]$/, '').trim()) : null;
      if (broken && broken[2] !== 'TESTERROR' && !errors.has(broken[0])) {
        errors.add(broken[0]);
        fault(report, /^(?:MSB|NU|NETSDK)/.test(broken[2] ?? '') ? 'startup' : 'compile', i, line);
      }
    }
    report.counts.passed = from.passed;
    report.counts.skipped = from.skipped;
    if (report.counts.failed + report.counts.errored < from.failed)
      report.counts.failed = from.failed - report.counts.errored;
    const files = [...errors].map(text => BUILD_ERROR.exec(text)?.[1]?.split(/[/\\]/).pop());
    for (const file of new Set(files)) if (file) book(report, 'errored', file);
    report.complete = closed > 0 && closed >= started;
    if (started > closed) report.crashed = true;
    return report;
  },
};

function add(
  sum: { passed: number; failed: number; skipped: number },
  passed = '0',
  failed = '0',
  skipped = '0',
): void {
  sum.passed += Number(passed);
  sum.failed += Number(failed);
  sum.skipped += Number(skipped);
}
