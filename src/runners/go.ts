import { book, fault, program, readAt } from './book.ts';
import { isGoEvent, readGoEvents } from './go-json.ts';
import { closePackage, type GoPackage, newPackage, setResult } from './go-package.ts';
import { emptyReport, type Report, type Runner } from './report.ts';

const RUN = /^=== RUN {3}(\S+)$/;
const RESULT = /--- (PASS|FAIL|SKIP): (\S+) \(\d+(?:\.\d+)?s\)$/;
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:\t(?:\d[\d.]*s|\(cached\)))?(.*)$/;
const UNTESTED = /^(?:\?? {0,3}|ok {2})?\t(\S+)\t+(?:coverage: .*|\[no test files\])$/;
const BENCH = /^(Benchmark\S*?)(?:-\d+)?\s+\d+\t? +\d[\d.]* ns\/op/;
const COMPILE = /^(?:\.{0,2}[\w./-]*\.go:\d+(?::\d+)?: .+|vet: .+)$/;
const STARTUP =
  /^(?:go: .*(?:go\.mod file not found|cannot find main module|no such tool|updates to go\.mod|missing go\.sum|errors parsing|unknown revision|inconsistent vendoring)|no packages to test|no Go files in |package \S+ is not in |pattern \S+: |stat .*: directory not found|flag provided but not defined|go: \S+: )/;

function panicAt(lines: string[], i: number): GoPackage['panic'] {
  const line = lines[i] ?? '';
  const text = /^(?:panic|fatal error): .*/.exec(line)?.[0];
  if (!text) return null;
  // The runtime always prints its goroutines after it; a program that merely prints the word does not.
  for (let j = i + 1; j < Math.min(lines.length, i + 60); j++) {
    if (/^(?:goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[|runtime stack:)/.test(lines[j] ?? '')) {
      const kind = text.startsWith('fatal')
        ? 'fatal'
        : text.startsWith('panic: test timed out after')
          ? 'timeout'
          : 'thrown';
      return { index: i, text, kind };
    }
    if (PACKAGE.test(lines[j] ?? '')) return null;
  }
  return null;
}

function readText(report: Report, lines: string[], skip: (i: number) => boolean): void {
  const verbose = lines.some((line, i) => !skip(i) && RUN.test(line));
  let pkg = newPackage();
  let pending: { name: string; status: 'ok' | 'FAIL'; index: number } | null = null;
  let compile: { index: number; text: string } | null = null;
  let listing = false;
  let lastRun: string | null = null;
  const settle = (): void => {
    if (pending) closePackage(report, pkg, pending.name, pending.status, pending.index);
    if (pending) pkg = newPackage();
    pending = null;
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line === '' || skip(i)) continue;
    const run = line.startsWith('=== ') ? RUN.exec(line)?.[1] : undefined;
    if (run) {
      settle();
      pkg.open.set(run, i);
      pkg.verbose = true;
      lastRun = run;
      continue;
    }
    const result = line.endsWith('s)') ? RESULT.exec(line) : null;
    if (result) {
      const [, word = '', name = ''] = result;
      const known = pkg.open.has(name) || pkg.results.has(name);
      const indented = /^ *$/.test(line.slice(0, result.index));
      if (verbose ? known : indented && word === 'FAIL') {
        // A package line between a test's start and its end was printed by the test itself.
        if (pending && pkg.open.has(name)) pending = null;
        if (pkg.panic === null || pkg.open.has(name)) setResult(pkg, name, word, i);
        continue;
      }
    }
    if (/race detected during execution of test$/.test(line) && lastRun) pkg.races.add(lastRun);
    if (line.startsWith('panic: ') || line.startsWith('fatal error: ')) pkg.panic ??= panicAt(lines, i);
    if (/^\t?running tests:$/.test(line)) listing = true;
    else if (listing) {
      const name = /^\t+(\S+) \(\d/.exec(line)?.[1];
      if (name) pkg.running.push(name);
      else listing = false;
    }
    if (/(?:PASS|FAIL)$/.test(line)) pkg.verdict = true;
    const bench = BENCH.exec(line);
    if (bench) {
      book(report, 'passed', bench[1]);
      pkg.verbose = true;
      pkg.verdict = true;
    }
    if (COMPILE.test(line)) compile ??= { index: i, text: line };
    const closing = PACKAGE.exec(line);
    if (closing) {
      const [, word = '', name = '', rest = ''] = closing;
      if (pending) settle();
      readAt(report, 'summary', i);
      report.complete = true;
      const bad = /\[(build|setup) failed\]/.exec(rest)?.[1];
      if (bad) {
        book(report, 'errored', name);
        fault(report, bad === 'build' ? 'compile' : 'import', compile?.index ?? i, compile?.text ?? line);
        compile = null;
        pkg = newPackage();
      } else if (word !== '?   ') {
        pkg.noTests = rest.includes('[no tests to run]') || (verbose && !pkg.verbose);
        pending = { name, status: word === 'FAIL' ? 'FAIL' : 'ok', index: i };
        if (pkg.open.size === 0) settle();
      }
    } else if (UNTESTED.test(line)) report.complete = true;
    else if (STARTUP.test(line) && report.readFrom.summary === undefined && pkg.open.size === 0)
      fault(report, 'startup', i, line);
  }
  settle();
  if (pkg.open.size > 0 || pkg.results.size > 0 || pkg.panic) {
    closePackage(report, pkg, 'unfinished', 'ok', lines.length - 1);
    report.crashed = true;
    report.complete = false;
  }
}

export const go: Runner = {
  name: 'go',
  closing: /^(?:ok {2}|FAIL)\t\S+|^\{"Time":".*"Action":"(?:pass|fail|skip)","Package":"[^"]*","Elapsed":/,
  recognise(output, argv) {
    let best = program(argv) === 'go' ? 20 : 0;
    for (const line of output.split('\n')) {
      if (PACKAGE.test(line)) best = Math.max(best, 85);
      else if (line.startsWith('{"') && isGoEvent(line)) best = Math.max(best, 92);
      else if (RUN.test(line) || /^--- (?:PASS|FAIL|SKIP): \S+ \(\d+\.\d+s\)$/.test(line)) best = Math.max(best, 61);
      else if (/^# \S+ \[\S+\.test\]$/.test(line) || /^\? {3}\t\S+\t\[no test files\]$/.test(line))
        best = Math.max(best, 61);
      else if (STARTUP.test(line) && best >= 20) best = Math.max(best, 50);
      else if (/^go: (?:go\.mod file not found|cannot find main module)/.test(line)) best = Math.max(best, 61);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('go');
    const lines = output.split('\n');
    const events = readGoEvents(report, lines);
    readText(report, lines, i => events.has(i));
    return report;
  },
};
