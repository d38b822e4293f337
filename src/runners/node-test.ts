import { book, fault, program, readAt } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { type TapPoint, tapDocument, yamlValue } from './tap-lines.ts';

const FACTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms'] as const;
type Totals = { end: number; start: number; spec: boolean } & Record<(typeof FACTS)[number], number>;

/** The closing block: the eight facts in their order on consecutive lines, each with `#` (tap) or `ℹ` (spec). */
function totals(lines: readonly string[]): Totals[] {
  const found: Totals[] = [];
  lines.forEach((line, index) => {
    if (!/^[#ℹ] tests \d+$/.test(line)) return;
    const spec = line.startsWith('ℹ');
    const totals = { start: index, end: index, spec } as Totals;
    let at = index;
    for (const fact of FACTS) {
      const match = /^[#ℹ] (\w+) ([\d.]+)$/.exec(lines[at] ?? '');
      // node 18 before 18.13 had no suites line
      if (fact === 'suites' && match?.[1] !== 'suites') {
        totals.suites = 0;
        continue;
      }
      if (match?.[1] !== fact) return;
      totals[fact] = Number(match[2]);
      at++;
    }
    totals.end = at;
    found.push(totals);
  });
  return found;
}

// A file that the runner could not split into tests is booked as one test under the file's path.
const FILE = /^\S*\.[cm]?[jt]sx?$/;
const ABSOLUTE_FILE = /^(?:\/|[A-Za-z]:\\).*\.[cm]?[jt]sx?$/;
const isFile = (name: string): boolean => FILE.test(name) || ABSOLUTE_FILE.test(name);
const shortFile = (name: string): string => (ABSOLUTE_FILE.test(name) ? (name.split(/[\\/]/).pop() ?? name) : name);
const IN_HOOK = /\bTestHook\.|\.runHook\b/;
const DOTS = /^[.X]+$/;

export const nodeTest: Runner = {
  name: 'node-test',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (totals(lines).length > 0) return 90;
    if (/^# Subtest: /m.test(output) && /^\s*(?:not )?ok \d+ - /m.test(output)) return 60;
    const mine = program(argv) === 'node' && argv.some(word => word === '--test' || word.startsWith('--test-'));
    if (mine && /^TAP version 13$/m.test(output)) return 60;
    if (/^Failed tests:$/m.test(output) && /^✖ .+ \([\d.]+ms\)/m.test(output)) return 60;
    if (mine) return 40;
    if (/^\s*[✔✖▶﹣] .+ \([\d.]+ms\)(?: # .*)?$/m.test(output)) return 45;
    // The dot reporter prints nothing but dots when all is well.
    const filled = lines.filter(line => line.trim() !== '');
    return filled.length > 0 && filled.every(line => DOTS.test(line)) ? 30 : 0;
  },
  parse(output) {
    const lines = output.split('\n');
    const found = totals(lines);
    const last = found[found.length - 1];
    if (last === undefined && /^(?:TAP version \d+|# Subtest: .*)$/m.test(output)) return fromTap(lines, undefined);
    if (last === undefined) return fromDots(lines);
    return last.spec ? fromSpec(lines, last) : fromTap(lines, last);
  },
  opening: /^TAP version \d+$/,
  ends(lines) {
    return totals(lines).map(block => endOfDetails(lines, block));
  },
};

/** The spec reporter repeats the failures below its totals. */
function endOfDetails(lines: readonly string[], block: Totals): number {
  let at = block.end;
  const next = lines.findIndex((line, index) => index >= at && line.trim() !== '');
  if (!block.spec || next === -1 || !/^✖ failing tests:$/.test(lines[next] ?? '')) return at;
  at = next + 1;
  while (at < lines.length && /^(?:\s*$|\s|test at |✖ )/.test(lines[at] ?? '')) at++;
  return at;
}

function settle(report: Report, block: Totals, notPassed: number, notFailed: number): void {
  const errored = report.counts.errored;
  report.complete = true;
  // Cancelled tests are errors already; what the runner books as failed may be a file or a hook.
  report.counts.failed = Math.max(0, block.fail + block.cancelled - errored - notFailed);
  report.counts.passed = Math.max(0, block.pass - notPassed);
  report.counts.skipped = block.skipped;
  report.counts.todo = block.todo;
  for (const fact of FACTS) readAt(report, fact, block.start);
}

function fromTap(lines: readonly string[], block: Totals | undefined): Report {
  const report = emptyReport('node-test');
  const document = tapDocument(lines);
  let files = 0;
  const parents = { passed: 0, failed: 0 };
  const visit = (point: TapPoint, path: string[]): void => {
    // The program's own TAP has no announcement of its name.
    if (point.announced !== point.name) return;
    const type = yamlValue(point.yaml, 'type');
    const failure = yamlValue(point.yaml, 'failureType');
    const names = isFile(point.name) && path.length === 0 && point.children.length > 0 ? [] : [...path, point.name];
    for (const child of point.children) visit(child, names);
    if (names.length === 0) return;
    const identity = names.join(' > ');
    if (type === 'suite' || point.children.length > 0) {
      // A test with sub-tests is in the runner's totals; here its sub-tests count.
      if (type !== 'suite' && (point.ok || failure === 'subtestsFailed'))
        point.ok ? parents.passed++ : parents.failed++;
      if (!point.ok && failure !== 'subtestsFailed') suiteFailure(report, point, identity, failure);
      return;
    }
    if (point.directive !== null) {
      book(report, point.directive === 'skip' ? 'skipped' : 'todo', identity);
      return;
    }
    if (point.ok) {
      if (path.length === 0 && isFile(point.name)) files++;
      else book(report, 'passed', identity);
      return;
    }
    failed(report, point, identity, failure, path.length === 0, lines);
  };
  for (const point of document.points) if (point.depth === 0) visit(point, []);
  if (block !== undefined) {
    settle(report, block, files + parents.passed, parents.failed);
    if (block.fail === 0 && block.cancelled === 0 && report.identities.failed.length > 0) {
      report.contradictions.push('a test is reported as failed but the totals say fail 0');
    }
  }
  return report;
}

/** A hook or the body of a suite that threw: an error of its own where no test below carries it. */
function suiteFailure(report: Report, point: TapPoint, identity: string, failure: string | undefined): void {
  const carried = report.identities.errored.some(name => name.startsWith(`${identity} > `));
  if (!carried) book(report, 'errored', identity);
  if (failure === 'hookFailed') hookFault(report, point, identity);
  else fault(report, 'thrown', point.index, `${identity}: ${yamlValue(point.yaml, 'error') ?? ''}`);
}

function hookFault(report: Report, point: TapPoint, identity: string): void {
  fault(report, 'hook', point.index, `${identity}: ${yamlValue(point.yaml, 'error') ?? 'hook failed'}`);
}

function failed(
  report: Report,
  point: TapPoint,
  identity: string,
  failure: string | undefined,
  top: boolean,
  lines: readonly string[],
): void {
  const why = yamlValue(point.yaml, 'error') ?? '';
  if (top && isFile(point.name) && point.children.length === 0) {
    book(report, 'errored', shortFile(point.name));
    const signal = yamlValue(point.yaml, 'signal');
    if (signal !== undefined && signal !== '~' && signal !== 'null') report.crashed = true;
    const context = lines.slice(Math.max(0, point.index - 40), point.index).join('\n');
    fault(report, kindOfError(context, 'startup'), point.index, `${point.name}: the file did not run to its end`);
    return;
  }
  if (failure === 'subtestsFailed') return;
  if (failure === 'testTimeoutFailure') {
    book(report, 'errored', identity);
    fault(report, 'timeout', point.index, `${identity}: ${why}`);
    return;
  }
  if (failure === 'hookFailed' || point.yaml.some(line => IN_HOOK.test(line))) {
    book(report, 'errored', identity);
    hookFault(report, point, identity);
    return;
  }
  if (failure === 'cancelledByParent' || failure === 'parentAlreadyFinished' || failure === 'testAborted') {
    book(report, 'errored', identity);
    fault(report, 'other', point.index, `${identity}: ${why}`);
    return;
  }
  book(report, 'failed', identity);
  const code = yamlValue(point.yaml, 'code');
  const name = yamlValue(point.yaml, 'name') ?? '';
  const byCode = failure === undefined || failure === 'testCodeFailure';
  if (byCode && (code === 'ERR_ASSERTION' || isAssertion(name) || /^(?:\w*Error: )?expect\(/.test(why))) {
    report.assertions.push(identity);
  } else fault(report, 'thrown', point.index, `${identity}: ${why}`);
}

const SPEC_LINE = /^( *)([✔✖▶﹣⚠]) (.*?)(?: \(([\d.]+)ms\))?(?: # (.*))?$/;

type SpecTest = { sign: string; path: string[]; index: number; why: string | undefined; parent: boolean };

/** Lines of the tree: `▶ name` opens a level, the same name with a result sign closes it. */
function specTree(lines: readonly string[], end: number): SpecTest[] {
  const found: SpecTest[] = [];
  const path: string[] = [];
  for (let i = 0; i < end; i++) {
    const match = SPEC_LINE.exec(lines[i] ?? '');
    if (match === null) continue;
    const depth = (match[1] ?? '').length / 2;
    const name = match[3] ?? '';
    if (!Number.isInteger(depth)) continue;
    if (match[2] === '▶' && match[4] === undefined) {
      path.length = Math.min(path.length, depth);
      path[depth] = name;
      continue;
    }
    if (match[4] === undefined) continue;
    // node 18 closes a level with `▶ name (1ms)`
    const parent = path[depth] === name || match[2] === '▶';
    found.push({ sign: match[2] ?? '', path: [...path.slice(0, depth), name], index: i, why: match[5], parent });
    if (parent) path.length = depth;
  }
  return found;
}

function indented(lines: readonly string[], at: number): string[] {
  const base = (lines[at] ?? '').length - (lines[at] ?? '').trimStart().length;
  let end = at + 1;
  while (end < lines.length && ((lines[end] ?? '').trim() === '' || /^\s/.test((lines[end] ?? '').slice(base)))) end++;
  return lines.slice(at + 1, end);
}

function fromSpec(lines: readonly string[], block: Totals): Report {
  const report = emptyReport('node-test');
  const tests = specTree(lines, block.start);
  const details = detailsAfter(lines, block.end);
  let files = 0;
  const failures: { test: SpecTest; identity: string; detail: string[] }[] = [];
  for (const test of tests) {
    const identity = test.path.join(' > ');
    const leaf = test.path[test.path.length - 1] ?? '';
    const inline = indented(lines, test.index);
    const detail = inline.some(line => line.trim() !== '' && !SPEC_LINE.test(line))
      ? inline
      : (details.get(leaf)?.shift() ?? inline);
    if (test.parent) {
      const head = detail.find(line => line.trim() !== '' && !SPEC_LINE.test(line)) ?? '';
      if (test.sign === '✖' && head !== '' && !/^\s*'?\d+ subtests? failed/.test(head)) {
        if (!report.identities.errored.some(name => name.startsWith(`${identity} > `)))
          book(report, 'errored', identity);
        fault(report, 'hook', test.index, `${identity}: ${head.trim()}`);
      }
    } else if (test.sign === '﹣') book(report, 'skipped', identity);
    else if (test.sign === '✔' || test.sign === '▶') {
      if (test.why !== undefined && block.todo > 0) book(report, 'todo', identity);
      else if (test.path.length === 1 && isFile(leaf)) files++;
      else book(report, 'passed', identity);
    } else if (test.why !== undefined && block.todo > report.identities.todo.length) book(report, 'todo', identity);
    else failures.push({ test, identity, detail });
  }
  for (const failure of failures) specFailure(report, failure.test, failure.identity, failure.detail, lines);
  const parents = Math.max(0, tests.filter(test => test.parent).length - block.suites);
  const passed = report.identities.passed.length + files;
  const parentsPassed = parents === 0 ? 0 : Math.min(parents, Math.max(0, block.pass - passed));
  settle(report, block, Math.min(files, block.pass) + parentsPassed, parents - parentsPassed);
  if (block.fail + block.cancelled > 0 && failures.length === 0) {
    fault(report, 'other', block.start, 'failures are counted but not shown');
  }
  return report;
}

function detailsAfter(lines: readonly string[], from: number): Map<string, string[][]> {
  const details = new Map<string, string[][]>();
  for (let i = from; i < lines.length; i++) {
    const match = /^✖ (.*?)(?: \([\d.]+ms\))(?: # .*)?$/.exec(lines[i] ?? '');
    if (match?.[1] === undefined) continue;
    details.set(match[1], [...(details.get(match[1]) ?? []), indented(lines, i)]);
  }
  return details;
}

function specFailure(
  report: Report,
  test: SpecTest,
  identity: string,
  detail: string[],
  lines: readonly string[],
): void {
  const leaf = test.path[test.path.length - 1] ?? '';
  const shown = (detail.find(line => line.trim() !== '') ?? '').trim();
  // The runner's own reasons stand in quotes, and so does a thrown string.
  const head = shown.replace(/^'(.*)'$/, '$1');
  if (test.path.length === 1 && isFile(leaf)) {
    book(report, 'errored', shortFile(leaf));
    const context = lines.slice(Math.max(0, test.index - 40), test.index).join('\n');
    fault(report, kindOfError(context, 'startup'), test.index, `${leaf}: the file did not run to its end`);
    return;
  }
  if (detail.some(line => IN_HOOK.test(line)) || /^failed running \w+ hook/.test(head)) {
    book(report, 'errored', identity);
    fault(report, 'hook', test.index, `${identity}: ${head}`);
    return;
  }
  if (/^test timed out after \d+ms/.test(head)) {
    book(report, 'errored', identity);
    fault(report, 'timeout', test.index, `${identity}: ${head}`);
    return;
  }
  if (
    /^(?:test did not finish before its parent|.*was cancelled|.*was aborted|Promise resolution is still pending)/.test(
      head,
    )
  ) {
    book(report, 'errored', identity);
    fault(report, 'other', test.index, `${identity}: ${head}`);
    return;
  }
  book(report, 'failed', identity);
  if (isAssertion(shown)) report.assertions.push(identity);
  else fault(report, 'thrown', test.index, `${identity}: ${head}`);
}

/** Suites have dots of their own, and no number is printed: only failures can be named. */
function fromDots(lines: readonly string[]): Report {
  const report = emptyReport('node-test');
  report.counted = false;
  const dots = lines.findIndex(line => DOTS.test(line.trim()));
  if (dots === -1) return report;
  const row = lines.slice(dots).find(line => /X/.test(line) && DOTS.test(line.trim()));
  const failedAt = lines.findIndex(line => /^Failed tests:$/.test(line));
  const others = lines.filter(line => line.trim() !== '' && !DOTS.test(line.trim()));
  if (failedAt === -1) {
    if (row === undefined && others.length === 0) report.complete = true;
    return report;
  }
  report.complete = true;
  readAt(report, 'failed', failedAt);
  for (let i = failedAt; i < lines.length; i++) {
    const match = /^✖ (.*?)(?: \([\d.]+ms\))(?: # .*)?$/.exec(lines[i] ?? '');
    if (match?.[1] === undefined) continue;
    const detail = indented(lines, i);
    if (/^\s*'\d+ subtests? failed'/.test(detail.find(line => line.trim() !== '') ?? '')) continue;
    specFailure(
      report,
      { sign: '✖', path: [match[1]], index: i, why: undefined, parent: false },
      match[1],
      detail,
      lines,
    );
  }
  return report;
}
