import { book, fault, program, readAt } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { type TapPoint, tapCounts, tapDocument } from './tap-lines.ts';

const PASSING = /^ {2}(\d+) passing \(\d+(?:\.\d+)?\s?(?:ms|s|m|h|d)\)$/;
const TAP_POINT = /^(?:not )?ok \d+ (?!- ).+$/m;

type Summary = { at: number; end: number; passing: number; pending: number; failing: number };

/** `N passing (5ms)`, then pending and failing where there are any. */
function summaries(lines: readonly string[]): Summary[] {
  const found: Summary[] = [];
  lines.forEach((line, index) => {
    const match = PASSING.exec(line);
    if (match === null) return;
    const summary = { at: index, end: index + 1, passing: Number(match[1]), pending: 0, failing: 0 };
    for (const word of ['pending', 'failing'] as const) {
      const next = new RegExp(`^ {2}(\\d+) ${word}$`).exec(lines[summary.end] ?? '');
      if (next === null) continue;
      summary[word] = Number(next[1]);
      summary.end++;
    }
    found.push(summary);
  });
  return found;
}

/** The program may print a summary of its own: the list above decides which one is mocha's, else the one with failures. */
function trueSummary(lines: readonly string[], found: readonly Summary[]): Summary | undefined {
  const fits = found.filter(summary => {
    const list = listed(lines, summary.at);
    return list.passed.length === summary.passing && list.failed === summary.failing;
  });
  if (fits.length === 1) return fits[0];
  const failing = (fits.length > 0 ? fits : found).filter(summary => summary.failing > 0);
  return failing[failing.length - 1] ?? (fits.length > 0 ? fits : found).at(-1);
}

/** A summary of mocha's own has its tests above it, as names or as a row of signs; others quote the bare line. */
function stands(lines: readonly string[], summary: Summary): boolean {
  if (summary.failing + summary.pending > 0 || summary.passing === 0) return true;
  const list = listed(lines, summary.at);
  return list.passed.length > 0 || lines.slice(0, summary.at).some(line => /^ {2}[.!,]+$|^ {2}\[▬+\.*\]/.test(line));
}

type List = { passed: string[]; pending: string[]; failed: number; failedNames: string[] };

function listed(lines: readonly string[], end: number): List {
  const list: List = { passed: [], pending: [], failed: 0, failedNames: [] };
  const path: string[] = [];
  for (let i = 0; i < end; i++) {
    const match = /^((?: {2})+)(?:([✔✓√-]|\d+\)) )?(\S.*?)(?: \(\d+ms\)|: \d+ms)?$/.exec(lines[i] ?? '');
    if (match === null || PASSING.test(lines[i] ?? '')) continue;
    const depth = (match[1] ?? '').length / 2 - 1;
    const sign = match[2];
    const name = match[3] ?? '';
    path.length = Math.min(path.length, depth);
    const identity = [...path, name].join(' > ');
    if (sign === undefined) path[depth] = name;
    else if (sign === '-') list.pending.push(identity);
    else if (sign.endsWith(')')) {
      if (Number.parseInt(sign, 10) !== list.failed + 1) continue;
      list.failed++;
      list.failedNames.push(identity);
    } else list.passed.push(identity);
  }
  return list;
}

export const mocha: Runner = {
  name: 'mocha',
  recognise(output, argv) {
    const lines = output.split('\n');
    const found = summaries(lines);
    if (found.length > 0) return found.some(summary => stands(lines, summary)) ? 90 : 58;
    if (isJson(output)) return 85;
    if (tapBlock(lines) !== -1 && TAP_POINT.test(output)) return 85;
    const mine = argv.some(word => /^(?:\S*\/)?_?mocha(?:\.js)?$/.test(word)) || program(argv) === 'mocha';
    if (/^(?: Exception during run:|Error: No test files found: )/m.test(output)) return 75;
    if (/node_modules\/mocha\//.test(output) && /^\w*Error(?: \[\w+\])?: /m.test(output)) return 60;
    if (mine) return 50;
    if (/^ok \d+ (?!- )\S/m.test(output) && !/^(?:TAP version|#)/m.test(output)) return 35;
    return /^ {2}(?: {2})*(?:[✔✓] \S|\d+\) \S)/m.test(output) && !/^\s*[✔✖] .*\([\d.]+ms\)$/m.test(output) ? 35 : 0;
  },
  parse(output) {
    const lines = output.split('\n');
    const json = fromJson(output);
    if (json !== null) return json;
    if ((tapBlock(lines) !== -1 || summaries(lines).length === 0) && /^(?:not )?ok \d+ /m.test(output))
      return fromTap(lines);
    return fromText(lines);
  },
  closing: /^ {2}\d+ (?:passing \(.+\)|pending|failing)$/,
};

function fromText(lines: readonly string[]): Report {
  const report = emptyReport('mocha');
  const summary = trueSummary(lines, summaries(lines));
  if (summary === undefined) return unfinished(report, lines);
  const list = listed(lines, summary.at);
  report.complete = true;
  readAt(report, 'counts', summary.at);
  report.identities.passed = list.passed;
  report.identities.skipped = list.pending;
  readEpilogue(report, lines, summary);
  report.counts.passed = summary.passing;
  report.counts.skipped = summary.pending;
  report.counts.failed = Math.max(0, summary.failing - report.counts.errored);
  return report;
}

function unfinished(report: Report, lines: readonly string[]): Report {
  const none = lines.findIndex(line => /^Error: No test files found/.test(line));
  if (none !== -1) {
    report.complete = true;
    readAt(report, 'no tests', none);
    return report;
  }
  const list = listed(lines, lines.length);
  const broken = lines.findIndex(line => /^(?: Exception during run: |\w*Error(?: \[\w+\])?: )/.test(line));
  if (broken !== -1) {
    const head = (lines[broken] ?? '').trim();
    const from = /^- (\S+)$/.exec(lines.find((line, index) => index > broken && /^- \S+$/.test(line)) ?? '');
    const file = /(\S+\.[cm]?[jt]sx?)(?::\d+)?$/.exec(lines.find(line => /^\S+\.[cm]?[jt]sx?:\d+$/.test(line)) ?? '');
    book(report, 'errored', (from?.[1] ?? file?.[1] ?? 'startup').split(/[\\/]/).pop()?.replace(/:\d+$/, ''));
    fault(report, kindOfError(head, 'startup'), broken, head);
    return report;
  }
  for (const name of list.passed) book(report, 'passed', name);
  for (const name of list.failedNames) book(report, 'failed', name);
  return report;
}

const HOOK = /^"(?:before|after) (?:all|each)" hook/;

/** The numbered failures below the summary, each with its path and error. */
function readEpilogue(report: Report, lines: readonly string[], summary: Summary): void {
  let number = 1;
  for (let i = summary.end; i < lines.length && number <= summary.failing; i++) {
    const start = new RegExp(`^ {2}${number}\\) (.*)$`).exec(lines[i] ?? '');
    if (start === null) continue;
    const path: string[] = [];
    let at = i;
    let part = start[1] ?? '';
    // A level per line, each two spaces deeper; the last one ends with a colon.
    while (!part.endsWith(':') && at - i < 30) {
      path.push(part);
      at++;
      part = (lines[at] ?? '').trim();
      if (part === '') break;
    }
    if (part !== '') path.push(part.replace(/:$/, ''));
    const next = new RegExp(`^ {2}${number + 1}\\) `);
    let end = at + 1;
    while (end < lines.length && !next.test(lines[end] ?? '')) end++;
    bookEpilogue(report, path, lines.slice(at + 1, end), i);
    number++;
    i = end - 1;
  }
}

function bookEpilogue(report: Report, path: string[], detail: readonly string[], at: number): void {
  const head = (detail.find(line => line.trim() !== '') ?? '').trim();
  const leaf = path[path.length - 1] ?? '';
  if (HOOK.test(leaf)) {
    const identity = [...path.slice(0, -1), HOOK.exec(leaf)?.[0] ?? leaf].join(' > ');
    book(report, 'errored', identity);
    fault(report, 'hook', at, `${identity}: ${head}`);
    return;
  }
  const identity = path.join(' > ');
  book(report, 'failed', identity);
  // Thrown strings come as `Error: the string "..." was thrown`.
  if (isAssertion(head) && !/was thrown, throw an Error :\)$/.test(head)) report.assertions.push(identity);
  else fault(report, kindOfError(head, 'thrown'), at, `${identity}: ${head}`);
}

/** `# tests`, `# pass`, `# fail` on three lines; the plan stands first (8) or last (12). */
function tapBlock(lines: readonly string[]): number {
  return lines.findLastIndex(
    (line, index) =>
      /^# tests \d+$/.test(line) &&
      /^# pass \d+$/.test(lines[index + 1] ?? '') &&
      /^# fail \d+$/.test(lines[index + 2] ?? ''),
  );
}

function fromTap(lines: readonly string[]): Report {
  const report = emptyReport('mocha');
  const document = tapDocument(lines);
  const block = tapBlock(lines);
  const numbered = new Map<number, TapPoint>();
  // Numbers rise one by one; of the program's own look-alikes the later line is the reporter's.
  for (const point of document.points) if (point.depth === 0 && point.id !== null) numbered.set(point.id, point);
  for (const point of numbered.values()) {
    if (point.directive === 'skip' && point.ok) book(report, 'skipped', point.name);
    else if (point.ok) book(report, 'passed', point.name);
    else tapFailure(report, point, lines);
  }
  if (block === -1) return report;
  report.complete = document.plans.some(plan => plan.depth === 0 && plan.count === numbered.size);
  readAt(report, 'counts', block);
  const counts = tapCounts(document);
  const fail = counts.get('fail')?.value ?? 0;
  if (fail !== report.counts.failed + report.counts.errored) {
    report.contradictions.push(
      `the totals say ${fail} failed, the list shows ${report.counts.failed + report.counts.errored}`,
    );
  }
  return report;
}

function tapFailure(report: Report, point: TapPoint, lines: readonly string[]): void {
  const detail: string[] = [];
  for (let i = point.index + 1; i < lines.length && /^(?:\s|$)/.test(lines[i] ?? ''); i++) detail.push(lines[i] ?? '');
  const hook = /"(?:before|after) (?:all|each)" hook/.test(point.name);
  const head = detail.find(line => /^\s+\w*Error\b.*:/.test(line)) ?? detail[0] ?? '';
  book(report, hook ? 'errored' : 'failed', point.name);
  if (!hook && isAssertion(head)) report.assertions.push(point.name);
  else fault(report, hook ? 'hook' : kindOfError(head, 'thrown'), point.index, `${point.name}: ${head.trim()}`);
}

type JsonTest = {
  fullTitle?: string;
  title?: string;
  err?: { message?: string; stack?: string; name?: string; code?: string };
};
type Json = {
  stats?: { passes?: number };
  tests?: JsonTest[];
  passes?: JsonTest[];
  failures?: JsonTest[];
  pending?: JsonTest[];
};

function isJson(output: string): boolean {
  return /^\{\s*"stats": ?\{\s*"suites":/m.test(output);
}

function fromJson(output: string): Report | null {
  if (!isJson(output)) return null;
  const report = emptyReport('mocha');
  const from = output.search(/^\{\s*"stats": ?\{\s*"suites":/m);
  let value: Json;
  try {
    value = JSON.parse(output.slice(from, output.lastIndexOf('}') + 1)) as Json;
  } catch {
    return report;
  }
  report.complete = true;
  for (const test of value.passes ?? []) book(report, 'passed', test.fullTitle ?? test.title);
  for (const test of value.pending ?? []) book(report, 'skipped', test.fullTitle ?? test.title);
  for (const test of value.failures ?? []) {
    const name = test.fullTitle ?? test.title ?? '';
    const head = (test.err?.stack ?? test.err?.message ?? '').split('\n')[0] ?? '';
    const hook = HOOK.test(test.title ?? '');
    book(report, hook ? 'errored' : 'failed', name);
    if (!hook && (isAssertion(head) || test.err?.code === 'ERR_ASSERTION')) report.assertions.push(name);
    else fault(report, hook ? 'hook' : kindOfError(head, 'thrown'), 0, `${name}: ${head}`);
  }
  return report;
}
