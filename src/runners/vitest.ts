import { book, fault, program, readAt } from './book.ts';
import { jestJson } from './jest-json.ts';
import { isAssertion, kindOfError, thrownInHook } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { type TapPoint, tapDocument } from './tap-lines.ts';

type Block = { files: number; tests: number; end: number };

const FILES = /^ *Test Files {2,}(.*)\(\d+\)$/;
const TESTS = /^ *Tests {2,}(.*)$/;

/** ` Test Files  ...`, `      Tests  ...`, then errors, start and duration. A terminal's redrawn states have one space. */
function blocks(lines: readonly string[]): Block[] {
  const found: Block[] = [];
  lines.forEach((line, index) => {
    if (!FILES.test(line)) return;
    let at = index + 1;
    if (/^ *Snapshots {2}/.test(lines[at] ?? '')) while (!TESTS.test(lines[at] ?? '') && at < index + 20) at++;
    if (!TESTS.test(lines[at] ?? '')) return;
    const tests = at;
    while (at < tests + 8 && !/^ *Duration {2}/.test(lines[at] ?? '')) at++;
    if (/^ *Duration {2}/.test(lines[at] ?? '')) found.push({ files: index, tests, end: at + 1 });
  });
  return found;
}

const NO_FILES = /^No test (?:files|suites) found, exiting with code (\d+)/;
const OPENING = /^ ?(?:RUN|DEV|RERUN|BENCH) +v?\d+\.\d+\.\d+\S* \S/;

export const vitest: Runner = {
  name: 'vitest',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (blocks(lines).length > 0) return 90;
    if (lines.some(line => OPENING.test(line))) return 70;
    if (/"numTotalTestSuites"/.test(output) && !/"openHandles"/.test(output)) return 80;
    if (/^(?:not )?ok \d+ - .* # time=[\d.]+ms(?: \{)?$/m.test(output) && !/^ *# Subtest: /m.test(output)) return 80;
    if (lines.some(line => NO_FILES.test(line)) && /^(?:include|exclude): /m.test(output)) return 70;
    return argv.some(word => /^(?:\S*\/)?vitest(?:\.mjs)?$/.test(word)) || program(argv) === 'vitest' ? 20 : 0;
  },
  parse(output) {
    const lines = output.split('\n');
    if (blocks(lines).length === 0 && /"numTotalTests"/.test(output)) {
      const json = jestJson('vitest', lines);
      if (json !== null) return json;
    }
    if (/^(?:not )?ok \d+ - .* # time=[\d.]+ms/m.test(output) && blocks(lines).length === 0) return fromTap(lines);
    return fromText(lines);
  },
  opening: OPENING,
  closing: /^ *Duration {2}[\d.]+m?s/,
};

function fromText(lines: readonly string[]): Report {
  const report = emptyReport('vitest');
  report.watch = lines.some(line => /^ (?:PASS|FAIL) {2}.*(?:Waiting|Watching) for file changes\.\.\./.test(line));
  const block = blocks(lines).pop();
  if (block === undefined) {
    const empty = lines.findIndex(line => NO_FILES.test(line));
    if (empty !== -1) {
      report.complete = true;
      report.emptyAllowed = NO_FILES.exec(lines[empty] ?? '')?.[1] === '0';
      readAt(report, 'no tests', empty);
    }
    const startup = lines.findIndex(line => /Startup Error|^failed to load config/.test(line));
    if (startup !== -1) fault(report, 'startup', startup, lines[startup] ?? '');
    readTree(report, lines, lines.length);
    return report;
  }
  report.complete = true;
  readAt(report, 'counts', block.tests);
  readTree(report, lines, block.files);
  readFailures(report, lines, block.files);
  count(report, lines, block);
  return report;
}

function count(report: Report, lines: readonly string[], block: Block): void {
  const tests = TESTS.exec(lines[block.tests] ?? '')?.[1] ?? '';
  const of = (word: string): number => Number(new RegExp(`(\\d+) ${word}(?![\\w])`).exec(tests)?.[1] ?? 0);
  const hookSkips = report.counts.skipped;
  report.counts.failed = of('failed') - report.identities.errored.filter(name => report.notes?.includes(name)).length;
  report.counts.passed = of('passed');
  report.counts.skipped = Math.max(0, of('skipped') - hookSkips);
  report.counts.todo = of('todo') + of('expected fail');
  delete report.notes;
  const errors = lines.slice(block.tests, block.end).findIndex(line => /^ *Errors {2}\d+ errors?$/.test(line));
  if (errors !== -1) {
    report.counts.errored += Number(/\d+/.exec(lines[block.tests + errors] ?? '')?.[0] ?? 1);
    const at = lines.findLastIndex(
      (line, index) => index < block.files && /^⎯+ Unhandled (?:Error|Rejection|.*) ?⎯+$/.test(line),
    );
    fault(report, 'other', Math.max(at, 0), `unhandled: ${lines[at + 1] ?? ''}`);
    if (
      lines.some(line =>
        /^(?:Caused by: )?Error: (?:\[vitest-pool\]: )?(?:Worker|Channel|Tinypool).*(?:exited unexpectedly|closed|emitted error)/.test(
          line,
        ),
      )
    ) {
      report.crashed = true;
    }
  }
  const files = /(\d+) failed/.exec(lines[block.files] ?? '');
  if (files !== null && report.counts.failed + report.counts.errored === 0) {
    report.counts.errored = Number(files[1]);
    fault(report, 'other', block.files, `${files[1]} test files failed`);
  }
}

const SIGNS = /^( +)([✓×↓□·✗✔❯]) (.*?)(?: \d+(?:\.\d+)?m?s)?(?: \(retry x\d+\))?$/;

/** Verbose lines name everything; the tree names tests below their file. Skips under a failed hook never had a chance. */
function readTree(report: Report, lines: readonly string[], end: number): void {
  for (let i = 0; i < end; i++) {
    const line = lines[i] ?? '';
    if (/^⎯+ (?:Failed|Unhandled)/.test(line)) return;
    const match = SIGNS.exec(line);
    if (match === null || match[2] === '❯' || match[2] === '·') continue;
    const text = match[3] ?? '';
    if (/\(\d+ tests?(?: \| .*)?\)$/.test(text) || /\(\d+\)$/.test(text)) continue;
    const parts = text.split(' > ');
    const name = (parts.length > 1 && /\.[cm]?[jt]sx?$/.test(parts[0] ?? '') ? parts.slice(1) : parts).join(' > ');
    if (match[2] === '✓' || match[2] === '✔') report.identities.passed.push(name);
    else if (match[2] === '↓') report.identities.skipped.push(name);
    else if (match[2] === '□') report.identities.todo.push(name);
  }
}

const FAIL = /^ FAIL {2}(?:.*? {1,2})??(\S+\.[cm]?[jt]sx?)(?: > (.*)| \[ .* \])?$/;

function readFailures(report: Report, lines: readonly string[], end: number): void {
  let suites = false;
  let begun = false;
  for (let i = 0; i < end; i++) {
    const line = lines[i] ?? '';
    const heading = /^⎯+ Failed (Suites|Tests) \d+ ⎯+$/.exec(line);
    if (heading !== null) {
      suites = heading[1] === 'Suites';
      begun = true;
      continue;
    }
    // What a test prints comes before the headings.
    if (!begun || !line.startsWith(' FAIL ')) continue;
    const names: { file: string; name: string | undefined }[] = [];
    while (i < end) {
      const match = FAIL.exec(lines[i] ?? '');
      if (match === null) break;
      names.push({ file: match[1] ?? '', name: match[2] });
      i++;
    }
    let stop = i;
    while (stop < end && !/^(?: FAIL |⎯+)/.test(lines[stop] ?? '')) stop++;
    const detail = lines.slice(i, stop);
    for (const { file, name } of names)
      suites ? suiteFailure(report, lines, file, name, detail, i) : testFailure(report, name ?? file, detail, i);
    i = stop - 1;
  }
}

function suiteFailure(
  report: Report,
  lines: readonly string[],
  file: string,
  name: string | undefined,
  detail: readonly string[],
  at: number,
): void {
  const head = detail.find(line => line.trim() !== '') ?? '';
  // A file without tests fails itself and each empty suite in it.
  if (name !== undefined && report.identities.errored.includes(file)) return;
  book(report, 'errored', name ?? file);
  const hook = name !== undefined || thrownInHook(detail) === true;
  fault(report, hook ? 'hook' : kindOfError(detail.slice(0, 6).join('\n'), 'other'), at, `${name ?? file}: ${head}`);
  if (!hook) return;
  const below =
    name === undefined ? 0 : report.identities.skipped.filter(other => other.startsWith(`${name} > `)).length;
  if (below > 0) {
    report.counts.skipped += below;
    return;
  }
  const listed = lines.find(line => line.includes(`${file} (`) && /\(\d+ tests? \|.*skipped/.test(line));
  report.counts.skipped += Number(/(\d+) skipped/.exec(listed ?? '')?.[1] ?? 0);
}

function testFailure(report: Report, name: string, detail: readonly string[], at: number): void {
  const head = (detail.find(line => line.trim() !== '') ?? '').trim();
  if (report.identities.failed.includes(name) && report.assertions.includes(name) && isAssertion(head)) return;
  if (thrownInHook(detail) === true) {
    book(report, 'errored', name);
    report.notes = [...(report.notes ?? []), name];
    fault(report, 'hook', at, `${name}: ${head}`);
    return;
  }
  if (!report.identities.failed.includes(name)) book(report, 'failed', name);
  if (/^Error: Snapshot `.*` mismatched/.test(head) || isAssertion(head)) report.assertions.push(name);
  else fault(report, kindOfError(head, 'thrown'), at, `${name}: ${head}`);
}

/** Files are the outermost points; YAML carries the error's name. */
function fromTap(lines: readonly string[]): Report {
  const report = emptyReport('vitest');
  const document = tapDocument(lines);
  const visit = (point: TapPoint, path: string[]): void => {
    if (point.children.length > 0) {
      for (const child of point.children) visit(child, [...path, point.name]);
      if (!point.ok && !point.children.some(hasFailed)) {
        book(report, 'errored', [...path.slice(1), point.name].join(' > '));
        fault(report, 'hook', point.index, `${point.name}: the suite failed, none of its tests did`);
      }
      return;
    }
    const flat = path.length === 0 ? point.name.split(' > ') : [...path, point.name];
    const identity = flat.slice(1).join(' > ');
    if (point.directive !== null) book(report, point.directive === 'skip' ? 'skipped' : 'todo', identity);
    else if (identity === '') {
      if (!point.ok) {
        book(report, 'errored', point.name);
        fault(report, 'other', point.index, `${point.name}: the file failed`);
      }
    } else if (point.ok) book(report, 'passed', identity);
    else {
      book(report, 'failed', identity);
      const name = /^\s*name: "?(.*?)"?$/.exec(point.yaml.find(line => /^\s*name: /.test(line)) ?? '')?.[1] ?? '';
      if (isAssertion(name)) report.assertions.push(identity);
      else fault(report, kindOfError(point.yaml.join('\n'), 'thrown'), point.index, `${identity}: ${name}`);
    }
  };
  for (const point of document.points) if (point.depth === 0) visit(point, []);
  const plan = document.plans.find(candidate => candidate.depth === 0);
  const top = document.points.filter(point => point.depth === 0);
  report.complete = plan !== undefined && plan.count === top.length && !unclosed(lines);
  return report;
}

function hasFailed(point: TapPoint): boolean {
  return !point.ok && point.directive === null;
}

function unclosed(lines: readonly string[]): boolean {
  let open = 0;
  for (const line of lines) {
    if (/^ *(?:not )?ok \d+ .* \{$/.test(line)) open++;
    else if (line.trim() === '}') open--;
  }
  return open > 0;
}
