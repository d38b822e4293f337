import { book, bookFailure, fault, program, readAt } from './book.ts';
import { emptyReport, type Report, type Runner, type SetupError } from './report.ts';

const FINISHED = /^Finished in .+ \(files took .+ to load\)$/;
const SUMMARY =
  /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?$/;
const ITEM = /^ {2}\d+\) (.+)$/;
const OUTSIDE = /^An error occurred (?:while loading (.+)\.|in an? `(.+)` hook\.)$/;
const CLASS = /^ {5,}((?:[A-Z]\w*::)*[A-Z]\w*):$/;

function isAssertion(exception: string): boolean {
  return /(?:ExpectationNotMetError|MultipleExpectationsNotMetError|Assertion|AssertionFailedError)$/.test(exception);
}

function kindOf(exception: string): SetupError['kind'] {
  if (/LoadError$/.test(exception)) return 'import';
  if (/SyntaxError$/.test(exception)) return 'syntax';
  return /Timeout/.test(exception) ? 'timeout' : 'thrown';
}

function bookExample(report: Report, lines: string[], at: number, end: number): void {
  const name = ITEM.exec(lines[at] ?? '')?.[1] ?? '';
  const fixed = /^ {5}Expected pending '.*' to fail\. No error was raised\.$/.test(lines[at + 1] ?? '');
  let exception: string | null = null;
  let cause = lines[at + 1] ?? '';
  for (let i = at + 1; i < end && exception === null; i++) {
    const line = lines[i] ?? '';
    if (/^ {5}# /.test(line)) break;
    const named = CLASS.exec(line)?.[1];
    if (!named || named === 'Diff') continue;
    exception = named;
    cause = `${named}: ${(lines[i + 1] ?? '').trim()}`;
  }
  if (fixed) bookFailure(report, 'failed', name.replace(/ FIXED$/, ''), false, at, cause, 'other');
  else if (exception === null || isAssertion(exception)) bookFailure(report, 'failed', name, true, at, cause);
  else bookFailure(report, 'failed', name, false, at, cause, kindOf(exception));
}

function readOutside(report: Report, lines: string[], at: number): void {
  const [, file, hook] = OUTSIDE.exec(lines[at] ?? '') ?? [];
  let exception: string | null = null;
  for (let i = at + 1; i < Math.min(lines.length, at + 30) && exception === null; i++) {
    const line = lines[i] ?? '';
    if (line.startsWith('# ') || OUTSIDE.test(line)) break;
    exception = /^((?:[A-Z]\w*::)*[A-Z]\w*):$/.exec(line)?.[1] ?? null;
  }
  book(report, 'errored', file ?? hook);
  const kind = exception === null ? 'thrown' : kindOf(exception);
  fault(report, hook ? 'hook' : kind === 'thrown' ? 'collection' : kind, at, `${lines[at]} ${exception ?? ''}`);
}

/** Names of a documentation tree, believed only where the tree has as many leaves as examples ran. */
function documented(
  lines: string[],
  end: number,
  total: number,
  bad: number,
): { name: string; failed: boolean; pending: boolean }[] {
  const leaves: { name: string; failed: boolean; pending: boolean }[] = [];
  const path: string[] = [];
  const shown = lines
    .slice(0, end)
    .filter(line => /^(?: {2})*\S/.test(line) && !/^(?:Run options|Randomized with seed|[.F*]+$)/.test(line));
  const depthOf = (line: string | undefined): number =>
    line === undefined ? 0 : (line.length - line.trimStart().length) / 2;
  shown.forEach((line, i) => {
    const depth = depthOf(line);
    const text = line.trim();
    path.length = Math.min(path.length, depth);
    if (depthOf(shown[i + 1]) > depth) {
      path[depth] = text;
      return;
    }
    const bare = text.replace(/ \((?:FAILED - \d+|PENDING: .*)\)$/, '');
    leaves.push({
      name: [...path, bare].join(' '),
      failed: /\(FAILED - \d+\)$/.test(text),
      pending: /\(PENDING: .*\)$/.test(text),
    });
  });
  return leaves.length === total && leaves.filter(leaf => leaf.failed || leaf.pending).length === bad ? leaves : [];
}

type JsonExample = { full_description: string; status: string; exception?: { class: string; message: string } };

function parseJson(text: string, index: number): Report | null {
  let data: { examples: JsonExample[]; summary: { errors_outside_of_examples_count?: number } };
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  const report = emptyReport('rspec');
  for (const example of data.examples) {
    const { full_description: name, status, exception } = example;
    if (status === 'passed') book(report, 'passed', name);
    else if (status === 'pending') book(report, exception ? 'todo' : 'skipped', name);
    else {
      const thrown = exception?.class ?? '';
      bookFailure(
        report,
        'failed',
        name,
        isAssertion(thrown),
        index,
        `${thrown}: ${exception?.message.trim() ?? ''}`,
        /PendingExampleFixed/.test(thrown) ? 'other' : kindOf(thrown),
      );
    }
  }
  for (let i = 0; i < (data.summary.errors_outside_of_examples_count ?? 0); i++) {
    book(report, 'errored');
    fault(report, 'collection', index, 'an error occurred outside of examples');
  }
  report.complete = true;
  readAt(report, 'summary', index);
  return report;
}

export const rspec: Runner = {
  name: 'rspec',
  closing: /^\d+ examples?, \d+ failures?(?:, |$)|"summary_line":"/,
  recognise(output, argv) {
    let best = program(argv) === 'rspec' || argv.includes('rspec') ? 20 : 0;
    const lines = output.split('\n');
    lines.forEach((line, i) => {
      if (FINISHED.test(line)) best = Math.max(best, SUMMARY.test(lines[i + 1] ?? '') ? 88 : 62);
      else if (line.includes('"summary_line":"') && line.includes('{"version":"')) best = Math.max(best, 90);
      else if (OUTSIDE.test(line)) best = Math.max(best, 65);
      else if (SUMMARY.test(line)) best = Math.max(best, 42);
    });
    return best;
  },
  parse(output) {
    const lines = output.split('\n');
    for (let i = lines.length - 1; i >= 0; i--) {
      const line = lines[i] ?? '';
      if (!line.includes('"summary_line":"')) continue;
      const json = parseJson(line.slice(line.indexOf('{"version":"'), line.lastIndexOf('}') + 1), i);
      if (json) return json;
    }
    const report = emptyReport('rspec');
    let lastItem = -1;
    lines.forEach((line, i) => {
      if (/^ {5}Failure\/Error: /.test(line)) lastItem = i;
    });
    let at = lines.findIndex((line, i) => i > lastItem && FINISHED.test(line) && SUMMARY.test(lines[i + 1] ?? ''));
    if (at < 0) at = lines.findIndex((line, i) => FINISHED.test(line) && SUMMARY.test(lines[i + 1] ?? ''));
    const end = at < 0 ? lines.length : at;
    let section = '';
    const items: number[] = [];
    let tree = end;
    for (let i = 0; i < end; i++) {
      const line = lines[i] ?? '';
      if (/^(?:Failures|Pending: \(Failures listed here .*\)|Pending):?$/.test(line)) {
        section = line.startsWith('F') ? 'failures' : 'pending';
        tree = Math.min(tree, i);
      } else if (OUTSIDE.test(line)) readOutside(report, lines, i);
      else if (section !== '' && ITEM.test(line)) items.push(section === 'failures' ? i : -i - 1);
    }
    let expected = 0;
    items.forEach((item, n) => {
      const next = items[n + 1];
      const stop = next === undefined ? end : next < 0 ? -next - 1 : next;
      if (item >= 0) bookExample(report, lines, item, stop);
      else {
        const from = -item - 1;
        const fails = lines.slice(from, stop).some(line => /^ {5}Failure\/Error: /.test(line));
        if (fails) expected++;
        report.identities[fails ? 'todo' : 'skipped'].push(ITEM.exec(lines[from] ?? '')?.[1] ?? '');
      }
    });
    if (at < 0) {
      report.crashed = report.setupErrors.length === 0;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at + 1);
    const [, total, failed, pending, outside] = (SUMMARY.exec(lines[at + 1] ?? '') ?? []).map(n => Number(n ?? 0));
    for (const leaf of documented(lines, tree, total ?? 0, (failed ?? 0) + (pending ?? 0)))
      if (!leaf.failed && !leaf.pending) report.identities.passed.push(leaf.name);
    report.counts.failed = failed ?? 0;
    report.counts.todo = Math.min(expected, pending ?? 0);
    report.counts.skipped = (pending ?? 0) - report.counts.todo;
    report.counts.passed = Math.max(0, (total ?? 0) - (failed ?? 0) - (pending ?? 0));
    report.counts.errored = Math.max(report.counts.errored, outside ?? 0);
    if ((outside ?? 0) > 0 && report.setupErrors.length === 0) fault(report, 'collection', at + 1, lines[at + 1] ?? '');
    return report;
  },
};
