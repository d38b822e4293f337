import { book, bookFailure, fault } from './book.ts';
import type { Outcome, Report } from './report.ts';

export type GoPanic = { index: number; text: string; kind: 'thrown' | 'timeout' | 'fatal'; test?: string | null };

/** What one package's test binary said so far. */
export type GoPackage = {
  results: Map<string, { outcome: Outcome; index: number }>;
  /** Started without a result yet, with the line of the start. */
  open: Map<string, number>;
  /** `=== RUN` or JSON seen: every test shows. */
  verbose: boolean;
  panic: GoPanic | null;
  /** Looks like a panic; its goroutines have not been seen yet. */
  suspect: GoPanic | null;
  /** Test that failed last before the panic. */
  lastFailed: string | null;
  /** Names under `running tests:`. */
  running: string[];
  races: Set<string>;
  /** The binary's own `PASS` or `FAIL`. */
  verdict: boolean;
  noTests: boolean;
};

export function newPackage(): GoPackage {
  return {
    results: new Map(),
    open: new Map(),
    verbose: false,
    panic: null,
    suspect: null,
    lastFailed: null,
    running: [],
    races: new Set(),
    verdict: false,
    noTests: false,
  };
}

export function setResult(pkg: GoPackage, name: string, word: string, index: number): void {
  const outcome = word === 'PASS' || word === 'pass' ? 'passed' : word.toLowerCase() === 'fail' ? 'failed' : 'skipped';
  pkg.results.set(name, { outcome, index });
  pkg.open.delete(name);
  if (outcome === 'failed' && pkg.panic === null) pkg.lastFailed = name;
}

function isParent(name: string, names: Set<string>): boolean {
  return names.has(`${name}/`);
}

/** Books the leaves: a parent counts only where it failed by itself. */
export function closePackage(report: Report, pkg: GoPackage, name: string, status: 'ok' | 'FAIL', index: number): void {
  const parents = new Set<string>();
  const failedParents = new Set<string>();
  const upwards = (test: string, into: Set<string>): void => {
    for (let at = test.lastIndexOf('/'); at > 0; at = test.lastIndexOf('/', at - 1)) into.add(test.slice(0, at + 1));
  };
  for (const [test, { outcome }] of pkg.results) {
    upwards(test, parents);
    if (outcome === 'failed') upwards(test, failedParents);
  }
  for (const test of pkg.open.keys()) upwards(test, parents);
  const panicked = panickedTest(pkg, failedParents);
  for (const [test, { outcome, index: at }] of pkg.results) {
    if (isParent(test, parents) && (outcome !== 'failed' || isParent(test, failedParents))) continue;
    if (test === panicked) continue;
    if (outcome !== 'failed') book(report, outcome, test);
    else if (pkg.races.has(test))
      bookFailure(report, 'failed', test, false, at, 'race detected during execution of test', 'other');
    else bookFailure(report, 'failed', test, true, at, '');
  }
  if (panicked !== null && pkg.panic !== null) {
    const kind = pkg.panic.kind === 'timeout' ? 'timeout' : 'thrown';
    bookFailure(report, 'errored', panicked, false, pkg.panic.index, pkg.panic.text, kind);
  } else if (pkg.panic !== null) {
    book(report, 'errored', name);
    fault(report, pkg.panic.kind === 'timeout' ? 'timeout' : 'startup', pkg.panic.index, pkg.panic.text);
  }
  const lost = [...pkg.open.keys()].some(test => test !== panicked && !isParent(test, parents));
  if (pkg.panic !== null ? pkg.panic.kind !== 'thrown' || /unexpected call to os\.Exit/.test(pkg.panic.text) : lost)
    report.crashed = true;
  if (status === 'ok' && pkg.verbose && pkg.results.size > 0 && !pkg.verdict) report.crashed = true;
  const failures = [...pkg.results.values()].some(result => result.outcome === 'failed');
  if (status === 'ok' && failures) report.contradictions.push(`package ${name} is reported ok beside a failed test`);
  if (status === 'FAIL' && !failures && pkg.panic === null && pkg.open.size === 0) {
    book(report, 'errored', name);
    fault(report, 'startup', index, `package ${name} failed outside its tests`);
  }
  if (!pkg.verbose && !pkg.noTests && pkg.panic === null) report.counted = false;
}

function panickedTest(pkg: GoPackage, failedParents: Set<string>): string | null {
  if (pkg.panic === null) return null;
  if (pkg.running.length > 0)
    return pkg.running.find(test => !pkg.running.some(other => other.startsWith(`${test}/`))) ?? null;
  const open = pkg.panic.test ?? [...pkg.open.keys()].pop();
  if (pkg.panic.kind !== 'thrown') return open ?? null;
  // The runtime prints the innermost failure first, then its parents.
  if (pkg.panic.test) return pkg.panic.test;
  if (pkg.lastFailed !== null) {
    let best: string | null = null;
    for (const [test, { outcome, index }] of pkg.results) {
      if (outcome !== 'failed' || isParent(test, failedParents)) continue;
      const near = pkg.results.get(pkg.lastFailed)?.index ?? 0;
      if (test === pkg.lastFailed || (test.startsWith(`${pkg.lastFailed}/`) && Math.abs(index - near) < 20))
        best = test;
    }
    return best;
  }
  return open ?? null;
}
