import { book, fault, program, readAt } from './book.ts';
import { jestJson } from './jest-json.ts';
import { isAssertion, kindOfError, thrownInHook } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

/** `Test Suites:` and below it `Tests:`, `Snapshots:`, `Time:`, in this order and nowhere else. */
function blockAt(lines: readonly string[], index: number): boolean {
  return (
    /^Test Suites: +(?:\d+ \w+, )*\d+ (?:of \d+ )?total$/.test(lines[index] ?? '') &&
    /^Tests: +(?:\d+ \w+, )*\d+ total$/.test(lines[index + 1] ?? '') &&
    /^Snapshots: +\d/.test(lines[index + 2] ?? '') &&
    /^Time: +[\d.]+ ?m?s/.test(lines[index + 3] ?? '')
  );
}

function blocks(lines: readonly string[]): number[] {
  const found: number[] = [];
  for (let i = 0; i < lines.length; i++) if (lines[i]?.startsWith('Test Suites:') && blockAt(lines, i)) found.push(i);
  return found;
}

const CLOSED = /^Ran all test suites(?: |\.|$)/;
const NO_TESTS = /^No tests found, exiting with code (\d+)/;

/** The block that a run ends with says so in its next line; a terminal's redrawn ones do not. */
function finalBlocks(lines: readonly string[]): number[] {
  const all = blocks(lines);
  const closed = all.filter(index => CLOSED.test(lines[index + 4] ?? ''));
  return closed.length > 0 ? closed : all.slice(-1);
}

export const jest: Runner = {
  name: 'jest',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (blocks(lines).length > 0) return 90;
    if (/^\{"numFailedTestSuites":/m.test(output)) return 80;
    if (NO_TESTS.test(lines.find(line => NO_TESTS.test(line)) ?? '')) return 70;
    if (/^ {2}● /m.test(output) && /^(?:FAIL|PASS) \S|^ {2}● {1,2}process\.exit called with/m.test(output)) return 65;
    if (/^(?:PASS|FAIL) \S+\.[cm]?[jt]sx?(?: \([\d.]+ m?s\))?$/m.test(output)) return 60;
    if (/^ {2}● {1,2}process\.exit called with/m.test(output)) return 60;
    if (/^● Validation Error|^Error: Jest: /m.test(output)) return 60;
    return argv.some(word => /^(?:\S*\/)?jest(?:\.js)?$/.test(word)) || program(argv) === 'react-scripts' ? 20 : 0;
  },
  parse(output) {
    const lines = output.split('\n');
    const json = /"numTotalTests"/.test(output) ? jestJson('jest', lines) : null;
    if (json === null) return fromText(lines);
    return finalBlocks(lines).length > 0 ? withHooks(json, fromText(lines)) : json;
  },
  ends(lines) {
    return finalBlocks(lines).map(index => index + (CLOSED.test(lines[index + 4] ?? '') ? 5 : 4));
  },
};

/** The JSON does not say that an error came from a hook; the code frames of the text beside it do. */
function withHooks(json: Report, text: Report): Report {
  for (const name of text.identities.errored) {
    const at = json.identities.failed.indexOf(name);
    if (at === -1) continue;
    json.identities.failed.splice(at, 1);
    json.identities.errored.push(name);
    json.assertions = json.assertions.filter(other => other !== name);
    json.counts.failed--;
    json.counts.errored++;
  }
  const hooks = text.setupErrors.filter(error => error.kind === 'hook');
  json.setupErrors.push(...hooks);
  return json;
}

function fromText(lines: readonly string[]): Report {
  const report = emptyReport('jest');
  if (lines.some(line => /^Watch Usage/.test(line))) report.watch = true;
  const block = finalBlocks(lines).pop();
  const bare =
    block === undefined ? lines.findLastIndex(line => /^Tests: +(?:\d+ \w+, )*\d+ total$/.test(line)) : block + 1;
  const empty = lines.findIndex(line => NO_TESTS.test(line));
  if (bare === -1) {
    if (empty !== -1) {
      report.complete = true;
      report.emptyAllowed = NO_TESTS.exec(lines[empty] ?? '')?.[1] === '0';
      readAt(report, 'no tests', empty);
    }
    startup(report, lines);
    readFiles(report, lines, lines.length);
    return report;
  }
  report.complete = true;
  readAt(report, 'counts', bare);
  readFiles(report, lines, block ?? bare);
  const booked = report.counts.failed;
  const hooks = report.identities.errored.filter(name => !report.notes?.includes(name)).length;
  count(report, lines[bare] ?? '', hooks);
  if (block === undefined && booked < report.counts.failed) evidenceWithoutFiles(report, lines);
  const suites = /(\d+) failed/.exec(block === undefined ? '' : (lines[block] ?? ''));
  if (suites !== null && report.counts.failed + report.counts.errored === 0) {
    report.counts.errored = Number(suites[1]);
    fault(report, 'other', block ?? bare, `${suites[1]} test suites failed`);
  }
  delete report.notes;
  return report;
}

/** Totals win over the list, which Jest shortens for many files. Hook failures are booked by Jest as failed tests. */
function count(report: Report, line: string, hooks: number): void {
  const of = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  report.counts.failed = Math.max(0, of('failed') - hooks);
  report.counts.passed = of('passed');
  report.counts.skipped = of('skipped') + of('pending');
  report.counts.todo = of('todo');
}

function startup(report: Report, lines: readonly string[]): void {
  const at = lines.findIndex(line => /^● Validation Error|^Error: Jest: |^\w*Error: /.test(line));
  if (at !== -1 && !report.complete) fault(report, kindOfError(lines[at] ?? '', 'startup'), at, lines[at] ?? '');
}

/** Only a totals line and no files, as other tools quote it: names and first lines of the errors are the evidence. */
function evidenceWithoutFiles(report: Report, lines: readonly string[]): void {
  lines.forEach((line, at) => {
    const title = /^\s*● (\S.*)$/.exec(line)?.[1];
    if (title === undefined) return;
    const name = title.split(' › ').join(' > ');
    const head = lines.slice(at + 1).find(next => next.trim() !== '') ?? '';
    report.identities.failed.push(name);
    if (isAssertion(head)) report.assertions.push(name);
    else fault(report, kindOfError(head, 'thrown'), at, `${name}: ${head.trim()}`);
  });
}

type Listed = { path: string[]; joined: string };

const FILE = /^(?:PASS|FAIL) (?:\S+ )?(\S+\.[cm]?[jt]sx?)(?: \([\d.]+ m?s\))?(?: \(\d+ MB heap size\))?$/;
const TEST = /^( {2,})([✓✕○✎√×]) (.*?)(?: \(\d+(?:\.\d+)? m?s\))?$/;

function readFiles(report: Report, lines: readonly string[], end: number): void {
  let file = '';
  let listed: Listed[] = [];
  let path: string[] = [];
  let inList = false;
  // With many failures Jest repeats them all under this line.
  const repeated = lines.findIndex(line => /^Summary of all failing tests$/.test(line));
  const stop = repeated === -1 ? end : Math.min(repeated, end);
  for (let i = 0; i < stop; i++) {
    const line = lines[i] ?? '';
    const header = FILE.exec(line.trimEnd().replace(/^ (PASS|FAIL) {1,2}/, '$1 '));
    if (header?.[1] !== undefined) {
      file = header[1].replace(/^\.\//, '');
      listed = [];
      path = [];
      inList = true;
      continue;
    }
    if (file === '') continue;
    const failure = /^ {2}● (.*)$/.exec(line);
    if (failure?.[1] !== undefined) {
      inList = false;
      i = readFailure(report, lines, i, failure[1], file, listed, stop);
      continue;
    }
    if (!inList) continue;
    const test = TEST.exec(line);
    if (test !== null) {
      path.length = Math.min(path.length, (test[1] ?? '').length / 2 - 1);
      const parts = [...path, test[3] ?? ''];
      const identity = (names: string[]): string => names.join(' > ');
      if (test[2] === '✓' || test[2] === '√') book(report, 'passed', identity(parts));
      else if (test[2] === '○') book(report, 'skipped', identity([...path, (test[3] ?? '').replace(/^skipped /, '')]));
      else if (test[2] === '✎') book(report, 'todo', identity([...path, (test[3] ?? '').replace(/^todo /, '')]));
      else listed.push({ path: parts, joined: parts.join(' › ') });
      continue;
    }
    const level = /^((?: {2})+)(\S.*)$/.exec(line);
    if (level === null) inList = line.trim() === '' ? inList : false;
    else {
      const depth = (level[1] ?? '').length / 2 - 1;
      path.length = Math.min(path.length, depth);
      path[depth] = level[2] ?? '';
    }
  }
}

/** Reads one `●` block and returns the index of its last line. */
function readFailure(
  report: Report,
  lines: readonly string[],
  at: number,
  title: string,
  file: string,
  listed: readonly Listed[],
  stop: number,
): number {
  let end = at + 1;
  while (end < stop && !/^(?: {2}● | ?(?:PASS|FAIL) {1,2}\S|Test Suites: )/.test(lines[end] ?? '')) end++;
  const detail = lines.slice(at + 1, end);
  const head = (detail.find(line => line.trim() !== '') ?? '').trim();
  const text = detail.slice(0, 12).join('\n');
  if (/^Console$/.test(title.trim())) return at;
  if (title === 'Test suite failed to run') {
    book(report, 'errored', file);
    report.notes = [...(report.notes ?? []), file];
    if (/terminated by another process|worker .*(?:exited|crashed)/.test(text)) report.crashed = true;
    const hook = thrownInHook(detail) === true;
    fault(report, hook ? 'hook' : kindOfError(text, 'other'), at, `${file}: ${head}`);
    return end - 1;
  }
  const known = listed.find(test => test.joined === title);
  const identity = known === undefined ? title.split(' › ').join(' > ') : known.path.join(' > ');
  if (report.identities.failed.includes(identity) || report.identities.errored.includes(identity)) return end - 1;
  if (thrownInHook(detail) === true) {
    book(report, 'errored', identity);
    fault(report, 'hook', at, `${identity}: ${head}`);
    return end - 1;
  }
  book(report, 'failed', identity);
  if (/^\s*New snapshot was not written/m.test(text))
    fault(report, 'other', at, `${identity}: no snapshot to compare with`);
  else if (isAssertion(head)) report.assertions.push(identity);
  else fault(report, kindOfError(head, 'thrown'), at, `${identity}: ${head}`);
  return end - 1;
}
