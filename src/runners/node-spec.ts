import { book, fault, readAt } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { DOTS, IN_HOOK, isFile, settle, shortFile, type Totals } from './node-totals.ts';
import { emptyReport, type Report } from './report.ts';

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

export function fromSpec(lines: readonly string[], block: Totals): Report {
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
export function fromDots(lines: readonly string[]): Report {
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
