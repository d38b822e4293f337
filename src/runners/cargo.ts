import { book, bookFailure, fault, program, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { isRustAssertion, type RustPanic, readPanics } from './rust-panics.ts';

const RUNNING = /^(.*?)running (\d+) tests?$/;
const RESULT =
  /^(?:.* \.\.\. )?test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; (\d+) filtered out(?:; finished in [\d.]+s)?$/;
const TEST = /^test (.+?)(?: - should panic| - compile fail| - compile)? \.\.\. (.*)$/;
const BENCH = /^bench: +[\d,.]+ ns\/iter/;
const HEADER = / {3}Doc-tests \S+$|^ +Running (?:unittests )?\S+ \(\S+\)$/;
const COULD_NOT = /^error: could not compile `([^`]+)`(?: \(([^)]+)\))?/;
const STARTUP =
  /^error: (?:key with no value|could not find `Cargo\.toml`|failed to (?:parse|load|read|select|get|download|resolve|run custom build)|no (?:test|bin|example|library|bench)\b.*target|package ID specification|invalid|expected|unexpected|unknown|the lock file|Unrecognized option|linker|toolchain|rustup|no such command|duplicate|missing|unclosed|manifest|virtual manifests|unexpected argument|a bin target|current package believes)/;

type Section = { from: number; to: number; planned: number; result: number };

/** Pairs each `running N tests` with its own result line; what programs print in between must not fit by chance. */
function sectionsOf(lines: string[]): Section[] {
  const found: Section[] = [];
  lines.forEach((line, i) => {
    const running = line.endsWith('tests') || line.endsWith('test') ? RUNNING.exec(line) : null;
    if (running?.[1] === '') {
      const last = found[found.length - 1];
      if (last) last.to = i;
      found.push({ from: i, to: lines.length, planned: Number(running[2]), result: -1 });
    } else if (HEADER.test(line)) {
      const last = found[found.length - 1];
      if (last && last.to > i) last.to = i;
    }
  });
  for (const section of found) {
    for (let i = section.from + 1; i < section.to; i++) {
      const result = RESULT.exec(lines[i] ?? '');
      // A fake one before the true one is followed by more of the section; the total decides between two that fit.
      if (result && total(result) === section.planned) section.result = i;
      else if (result && section.result < 0) section.result = -2 - i;
    }
    if (section.result < -1) section.result = -1;
  }
  return found;
}

function total(result: RegExpExecArray): number {
  return [2, 3, 4, 5].reduce((sum, group) => sum + Number(result[group]), 0);
}

function readSection(report: Report, lines: string[], section: Section, panics: Map<string, RustPanic>): void {
  const outcomes = new Map<string, { state: string; index: number }>();
  const end = section.result >= 0 ? section.result : section.to;
  let open: string | null = null;
  let listing = false;
  const listed = new Set<string>();
  for (let i = section.from + 1; i < end; i++) {
    const line = lines[i] ?? '';
    const test = line.startsWith('test ') ? TEST.exec(line) : null;
    const quiet = test ? null : /^(.+) --- FAILED$/.exec(line);
    if (test) {
      const [, name = '', state = ''] = test;
      open = null;
      if (/^(?:ok|FAILED|ignored(?:, .*)?)(?: <\d.*>)?$/.test(state) || BENCH.test(state))
        outcomes.set(name, { state, index: i });
      else open = name;
    } else if (quiet) outcomes.set(quiet[1] ?? '', { state: 'FAILED', index: i });
    else if (open !== null && /(?:^|\S)(?:ok|FAILED)$/.test(line)) {
      outcomes.set(open, { state: line.endsWith('ok') ? 'ok' : 'FAILED', index: i });
      open = null;
    }
    if (line === 'failures:') {
      listing = true;
      listed.clear();
    } else if (listing && /^ {4}\S/.test(line)) listed.add(line.trim());
    else if (listing && line !== '') listing = false;
  }
  // The closing list of failures is the harness's own; lines that a program printed are not in it.
  if (section.result >= 0) {
    for (const name of listed)
      outcomes.set(name, { state: 'FAILED', index: outcomes.get(name)?.index ?? section.result });
    if (listed.size > 0)
      for (const [name, { state }] of outcomes) if (state === 'FAILED' && !listed.has(name)) outcomes.delete(name);
  }
  for (const [name, { state, index }] of outcomes) {
    if (state.startsWith('FAILED')) {
      const panic = panics.get(name);
      bookFailure(
        report,
        'failed',
        name,
        panic ? isRustAssertion(panic.message) : null,
        panic?.index ?? index,
        panic?.message ?? '',
      );
    } else book(report, state.startsWith('ignored') ? 'skipped' : 'passed', name);
  }
}

export const cargo: Runner = {
  name: 'cargo',
  closing: RESULT,
  recognise(output, argv) {
    let best = program(argv) === 'cargo' ? 20 : 0;
    for (const line of output.split('\n')) {
      if (RESULT.test(line)) best = Math.max(best, 87);
      else if (/^running \d+ tests?$/.test(line) || HEADER.test(line)) best = Math.max(best, 61);
      else if (COULD_NOT.test(line)) best = Math.max(best, 70);
      else if (/^error: test failed, to rerun pass /.test(line) || /^ +Compiling \S+ v\d/.test(line))
        best = Math.max(best, 61);
      else if (
        /^ --> Cargo\.toml:\d+:\d+$/.test(line) ||
        /^error: (?:could not find `Cargo\.toml`|failed to parse manifest|no (?:test|bin|lib|example|bench)\w* target)/.test(
          line,
        )
      )
        best = Math.max(best, 61);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('cargo');
    const lines = output.split('\n');
    const panics = readPanics(lines);
    const found = sectionsOf(lines);
    for (const section of found) {
      const before = { ...report.counts };
      readSection(report, lines, section, panics);
      const result = section.result >= 0 ? RESULT.exec(lines[section.result] ?? '') : null;
      if (!result) {
        report.crashed = true;
        continue;
      }
      readAt(report, 'summary', section.result);
      const [, word = '', passed = '0', failed = '0', ignored = '0', measured = '0'] = result;
      report.counts.passed = before.passed + Number(passed) + Number(measured);
      report.counts.failed = before.failed + Number(failed);
      report.counts.skipped = before.skipped + Number(ignored);
      if (word === 'ok' && Number(failed) > 0) report.contradictions.push('a result line says ok beside failed tests');
    }
    report.complete = found.length > 0 && found.every(section => section.result >= 0);
    const ran = found.length > 0;
    let first: { index: number; text: string } | null = null;
    lines.forEach((line, i) => {
      if (found.some(section => i > section.from && i < (section.result >= 0 ? section.result : section.to))) return;
      if (
        /^error(?:\[E\d+\])?: /.test(line) &&
        !/^error: (?:test failed|\d+ targets? failed|could not compile|doctest failed)/.test(line)
      )
        first ??= { index: i, text: line };
      const broken = COULD_NOT.exec(line);
      if (broken) {
        book(report, 'errored', broken[2] ? `${broken[1]} (${broken[2]})` : broken[1]);
        fault(report, 'compile', first?.index ?? i, first?.text ?? line);
        first = null;
      } else if (!ran && STARTUP.test(line)) fault(report, 'startup', i, line);
      if (/^ {2}process didn't exit successfully: .*\(signal: \d+/.test(line)) {
        report.crashed = true;
        readAt(report, 'signal', i);
      }
    });
    if (!ran && report.setupErrors.length === 0 && first !== null) {
      const { index, text } = first as { index: number; text: string };
      fault(report, 'startup', index, text);
    }
    return report;
  },
};
