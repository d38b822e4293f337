import { book, fault, readAt } from './book.ts';
import { closePackage, type GoPackage, newPackage, setResult } from './go-package.ts';
import type { Report } from './report.ts';

type GoEvent = {
  Action: string;
  Package?: string;
  ImportPath?: string;
  Test?: string;
  Output?: string;
  FailedBuild?: string;
};

const ACTIONS = /"Action":"(?:start|run|pause|cont|pass|bench|fail|output|skip|attr|build-output|build-fail)"/;

export function isGoEvent(line: string): boolean {
  return ACTIONS.test(line) && /"(?:Package|ImportPath)":"/.test(line);
}

function eventOf(line: string): GoEvent | null {
  if (!line.startsWith('{"') || !isGoEvent(line)) return null;
  try {
    return JSON.parse(line) as GoEvent;
  } catch {
    return null;
  }
}

/** Reads `go test -json`; returns the indexes of the lines that were events. */
export function readGoEvents(report: Report, lines: string[]): Set<number> {
  const used = new Set<number>();
  const open = new Map<string, GoPackage>();
  const builds = new Map<string, { index: number; text: string }>();
  lines.forEach((line, i) => {
    const event = eventOf(line);
    if (!event) {
      // A cut last event is still an event.
      if (/^\{"(?:Time|ImportPath|Action)":/.test(line)) used.add(i);
      return;
    }
    used.add(i);
    if (event.Action === 'build-output') {
      const key = event.ImportPath ?? '';
      const text = (event.Output ?? '').trim();
      if (!builds.has(key) && !text.startsWith('#')) builds.set(key, { index: i, text });
      return;
    }
    const name = event.Package ?? '';
    if (event.Action === 'build-fail' || name === '') return;
    const pkg = open.get(name) ?? newPackage();
    open.set(name, pkg);
    pkg.verbose = true;
    if (event.Action === 'output') {
      readOutput(pkg, event, i);
      return;
    }
    if (event.Test) {
      if (event.Action === 'run') pkg.open.set(event.Test, i);
      else if (['pass', 'fail', 'skip'].includes(event.Action)) setResult(pkg, event.Test, event.Action, i);
      else if (event.Action === 'bench') book(report, 'passed', event.Test);
      return;
    }
    if (!['pass', 'fail', 'skip'].includes(event.Action)) return;
    open.delete(name);
    readAt(report, 'summary', i);
    report.complete = true;
    const build =
      event.FailedBuild === undefined ? undefined : (builds.get(event.FailedBuild) ?? { index: i, text: line });
    if (build) {
      book(report, 'errored', name);
      fault(report, 'compile', build?.index ?? i, build?.text ?? line);
    } else if (event.Action !== 'skip') closePackage(report, pkg, name, event.Action === 'fail' ? 'FAIL' : 'ok', i);
  });
  for (const [name, pkg] of open) {
    closePackage(report, pkg, name, 'ok', lines.length - 1);
    report.crashed = true;
    report.complete = false;
  }
  return used;
}

function readOutput(pkg: GoPackage, event: GoEvent, index: number): void {
  const text = (event.Output ?? '').replace(/\n$/, '');
  // Only the runtime prints goroutines after a panic; a program that logs the word does not.
  if (/^(?:goroutine \d+ .*\[|runtime stack:)/.test(text)) pkg.panic ??= pkg.suspect;
  if (/^(?:panic|fatal error): /.test(text) && pkg.panic === null) {
    const kind = text.startsWith('fatal')
      ? 'fatal'
      : text.startsWith('panic: test timed out after')
        ? 'timeout'
        : 'thrown';
    pkg.suspect = { index, text, kind, test: event.Test ?? null };
  }
  if (/^(?:PASS|FAIL)$/.test(text)) pkg.verdict = true;
  if (/race detected during execution of test$/.test(text) && event.Test) pkg.races.add(event.Test);
}
