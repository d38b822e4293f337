import { book, bookFailure, fault, program, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const FILES = /^Files=(\d+), Tests=(\d+), +\d+ wallclock secs? \(/;
const RESULT = /^Result: (PASS|FAIL|NOTESTS)$/;
const FILE_REPORT = /^(\S.*?) +\(Wstat: (\d+)(?: \(([^)]*)\))? Tests: (\d+) Failed: (\d+)\)$/;
const FILE_LINE = /^(\S+) \.{2,} ?(ok|skipped: .*|Dubious.*|Failed .*)?(?: *\(.*\))?(?: +\d+ ms.*)?$/;
const TAP = /^(not )?ok(?: (\d+))?(?: -)?(?: (.*?))?(?: *# *(skip|todo)\S*(?: (.*))?)?$/i;
const FAILED = /^#\s+Failed test '(.*)'$/;
const FAILED_UNNAMED = /^#\s+Failed test at (\S+) line (\d+)\.$/;

/** `1, 3-5` -> 4. */
function sizeOf(list: string): number {
  let size = 0;
  for (const part of list.split(',')) {
    const [from, to] = part.trim().split('-').map(Number);
    if (from !== undefined && !Number.isNaN(from)) size += to === undefined ? 1 : to - from + 1;
  }
  return size;
}

type FileState = {
  name: string;
  exited: number;
  failed: number;
  tests: number;
  index: number;
  parse: string[];
  signal: boolean;
};

type Context = { died: boolean; cause: number; bailed: boolean };

function judgeFile(report: Report, file: FileState, lines: string[], context: Context): void {
  const noPlan = file.parse.some(text => text.includes('No plan found'));
  const badPlan = file.parse.some(text => text.includes('Bad plan'));
  if (file.signal) report.crashed = true;
  else if (noPlan && file.tests > 0) {
    if (!context.died || context.bailed) report.crashed = true;
    else bookFailure(report, 'errored', file.name, false, file.index, 'the test file died');
  } else if (noPlan) {
    const at = context.cause;
    const text = lines[at] ?? file.parse[0] ?? '';
    const kind = text.startsWith("Can't locate ")
      ? 'import'
      : /^syntax error|^Global symbol|^Bareword/.test(text)
        ? 'syntax'
        : 'collection';
    bookFailure(report, 'errored', file.name, false, at < 0 ? file.index : at, text, kind);
  } else if (badPlan || file.parse.length > 0)
    bookFailure(report, 'errored', file.name, false, file.index, file.parse[0] ?? '', 'other');
  else if (file.exited > 0 && file.exited !== Math.min(file.failed, 254)) {
    bookFailure(report, 'errored', file.name, false, file.index, `${file.name} exited with ${file.exited}`);
  }
}

export const prove: Runner = {
  name: 'prove',
  closing: RESULT,
  recognise(output, argv) {
    const lines = output.split('\n');
    let best = program(argv) === 'prove' ? 20 : 0;
    lines.forEach((line, i) => {
      if (FILES.test(line)) best = Math.max(best, RESULT.test(lines[i + 1] ?? '') ? 89 : 75);
      else if (/^Test Summary Report$/.test(line) && /^-+$/.test(lines[i + 1] ?? '')) best = Math.max(best, 66);
      else if (/^\S+\.t \.{2,} /.test(line)) best = Math.max(best, 61);
      else if (/^BEGIN failed--compilation aborted at \S+ line \d+\.$/.test(line)) best = Math.max(best, 45);
    });
    return best;
  },
  parse(output) {
    const report = emptyReport('prove');
    const lines = output.split('\n');
    const at = lines.findIndex((line, i) => FILES.test(line) && RESULT.test(lines[i + 1] ?? ''));
    const end = at < 0 ? lines.length : at;
    const bailed = lines.some(line =>
      /^(?:Bailout called\. {2}Further testing stopped:|FAILED--Further testing stopped|Bail out!)/.test(line),
    );
    let file: FileState | null = null;
    const failed: { id: string; index: number }[] = [];
    const files: FileState[] = [];
    let failures = 0;
    let verbose = false;
    for (let i = 0; i < end; i++) {
      const line = lines[i] ?? '';
      const own = FILE_REPORT.exec(line);
      if (own) {
        const wstat = own[3] ?? '';
        const exited = Number(/exited (\d+)/.exec(wstat)?.[1] ?? Number(own[2]) >> 8);
        file = {
          name: own[1] ?? '',
          exited,
          failed: Number(own[5]),
          tests: Number(own[4]),
          index: i,
          parse: [],
          signal: /Signal/.test(wstat),
        };
        files.push(file);
        failures += file.failed;
        continue;
      }
      if (file) {
        const todo = /^ {2}TODO passed: +(.+)$/.exec(line)?.[1];
        if (todo && !verbose) report.counts.todo += sizeOf(todo);
        const parse = /^ {2}Parse errors: (.+)$/.exec(line)?.[1];
        if (parse) file.parse.push(parse);
        continue;
      }
      if (/^\S+\.t \.{2,} $/.test(line))
        verbose ||= TAP.test(lines[i + 1] ?? '') || /^1\.\.\d/.test(lines[i + 1] ?? '');
      const skipped = FILE_LINE.exec(line)?.[2];
      if (skipped?.startsWith('skipped')) book(report, 'skipped', FILE_LINE.exec(line)?.[1]);
      const less = /\(less (\d+) skipped subtests?:/.exec(line)?.[1];
      if (less && !verbose) report.counts.skipped += Number(less);
      const name = FAILED.exec(line)?.[1];
      const place = name === undefined ? FAILED_UNNAMED.exec(line) : null;
      if (name !== undefined) failed.push({ id: name, index: i });
      else if (place) failed.push({ id: `${place[1]}:${place[2]}`, index: i });
      const tap = verbose && /^(?:not )?ok\b/.test(line) ? TAP.exec(line) : null;
      if (!tap || line === 'ok') continue;
      const directive = (tap[4] ?? '').toLowerCase();
      const title = tap[3] ?? '';
      if (directive === 'skip') book(report, 'skipped', title || undefined);
      else if (directive === 'todo') book(report, 'todo', title || undefined);
      else if (!tap[1]) report.identities.passed.push(title);
    }
    // A TAP failure without the reporting library's line is still one: it shows in -v only.
    for (const { id, index } of failed.slice(-Math.max(failures, 0) || failed.length)) {
      if (failures > 0) bookFailure(report, 'failed', id, true, index, '');
    }
    const died = lines.some(line => /^# Looks like your test exited with \d+ just after \d+\.$/.test(line));
    const cause = lines.findIndex(line =>
      /^(?:Can't locate |syntax error |Global symbol |Bareword |Can't find string terminator|\S.* at \S+ line \d+\.$)/.test(
        line,
      ),
    );
    for (const each of files) judgeFile(report, each, lines, { died, cause, bailed });
    if (bailed) report.crashed = true;
    if (at < 0) {
      const none = lines.findIndex(line => /^Cannot detect source of /.test(line));
      if (none >= 0) fault(report, 'startup', none, lines[none] ?? '');
      else if (cause >= 0 && files.length === 0) {
        fault(
          report,
          (lines[cause] ?? '').startsWith("Can't locate ") ? 'import' : 'syntax',
          cause,
          lines[cause] ?? '',
        );
      }
      report.crashed ||= report.setupErrors.length === 0;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const tests = Number(FILES.exec(lines[at] ?? '')?.[2] ?? 0);
    report.counts.failed = failures;
    const skippedFiles = report.identities.skipped.filter(id => id.endsWith('.t')).length;
    const inside = report.counts.skipped - skippedFiles;
    report.counts.passed = Math.max(0, tests - failures - inside - report.counts.todo);
    if (RESULT.exec(lines[at + 1] ?? '')?.[1] === 'FAIL' && failures === 0 && files.length === 0) {
      report.contradictions.push('the result is FAIL without a failed test');
    }
    return report;
  },
};
