import { abridged, closingBlock } from './abridged.ts';
import { generic } from './generic.ts';
import { outside } from './outside.ts';
import { runnerNamed } from './registry.ts';
import { emptyReport, type Outcome, type Report } from './report.ts';
import { type Section, sections } from './sections.ts';
import { streams, toolWord } from './streams.ts';
import { plainLines } from './text.ts';

export type ReadOptions = {
  /** The command that printed the output, where known. */
  argv?: readonly string[];
  /** Name of a declared runner: it reads the whole output, whatever else that looks like. */
  runner?: string;
  /** For the runner `generic`: what success and an assertion failure look like, and the tests to find by name. */
  successPattern?: string;
  failurePattern?: string;
  identities?: readonly string[];
};

export type SectionReport = {
  runner: string;
  /** Prefix of the workspace tool or name of the npm script, where one was seen. */
  name: string | null;
  firstLine: number;
  lastLine: number;
  report: Report;
};

export type Reading = {
  report: Report;
  sections: SectionReport[];
  /** The middle of a too long output was left out. */
  cut: boolean;
};

/** What a run may print before its middle is left out; the same cap holds for runs that we start. */
export const OUTPUT_LIMIT = 16_000_000;

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'errored', 'skipped', 'todo'];

export function read(output: string, options: ReadOptions = {}): Reading {
  const cut = output.length > OUTPUT_LIMIT;
  const kept = cut ? `${output.slice(0, OUTPUT_LIMIT / 2)}\n${output.slice(-OUTPUT_LIMIT / 2)}` : output;
  const lines = plainLines(kept);
  if (options.runner === 'generic') {
    const report = generic(lines, options);
    return { report, sections: [{ runner: 'generic', name: null, firstLine: 1, lastLine: lines.length, report }], cut };
  }
  const short = options.runner === undefined ? null : abridged(options.runner, lines);
  if (short !== null) {
    const whole = { runner: short.runner, name: null, firstLine: 1, lastLine: lines.length, report: short };
    return { report: short, sections: [whole], cut };
  }
  const declared = options.runner === undefined ? null : runnerNamed(options.runner);
  const found: SectionReport[] = [];
  const unread: SectionReport[] = [];
  for (const stream of streams(lines)) {
    for (const section of sections(stream, options.argv ?? [], declared)) {
      const done = readSection(section);
      (section.runner === null ? unread : found).push(done);
    }
  }
  if (found.length === 0 && declared !== null) {
    // Nothing looks like the declared runner: let it say itself what is missing.
    const origin = lines.map((_, index) => index);
    found.push(readSection({ name: null, runner: declared, lines, origin }));
    for (const section of unread) section.report.counts.errored = 0;
  }
  const closing = found.length === 0 ? closingBlock(lines) : null;
  const report = closing ?? sum(found, unread, options.runner ?? 'none');
  const word = toolWord(lines);
  if (word !== null && found.length > 0) {
    report.complete &&= word.complete;
    const shown = report.counts.failed + report.counts.errored > 0 || report.setupErrors.length > 0;
    if (word.contradiction !== null && !shown) report.contradictions.push(word.contradiction);
  }
  return { report, sections: [...found, ...unread], cut };
}

function readSection(section: Section): SectionReport {
  const text = section.lines.join('\n');
  const report = section.runner === null ? outside(text) : section.runner.parse(text);
  const at = (line: number): number => (section.origin[line - 1] ?? section.origin[0] ?? 0) + 1;
  for (const error of report.setupErrors) error.line = at(error.line);
  for (const [fact, line] of Object.entries(report.readFrom)) report.readFrom[fact] = at(line);
  return { runner: report.runner, name: section.name, firstLine: at(1), lastLine: at(section.lines.length), report };
}

/** One failing section fails the whole; a section without tests beside others is a doubt, never a pass. */
function sum(found: SectionReport[], unread: SectionReport[], nothing: string): Report {
  const first = found[0];
  if (first === undefined) {
    const report = emptyReport(nothing);
    for (const section of unread) addInto(report, section.report);
    report.complete = false;
    return report;
  }
  const total = emptyReport(found.every(section => section.runner === first.runner) ? first.runner : 'several');
  total.complete = true;
  for (const section of found) {
    addInto(total, section.report);
    const ran = OUTCOMES.some(outcome => section.report.counts[outcome] > 0) || !section.report.counted;
    if (!ran && section.report.complete && section.report.emptyAllowed !== true && found.length > 1) {
      total.emptySections = (total.emptySections ?? 0) + 1;
    }
  }
  total.emptyAllowed = found.every(section => section.report.emptyAllowed === true);
  for (const section of unread) addInto(total, { ...section.report, complete: true, counted: true });
  return total;
}

function addInto(total: Report, part: Report): void {
  for (const outcome of OUTCOMES) {
    total.counts[outcome] += part.counts[outcome];
    total.identities[outcome] = total.identities[outcome].concat(part.identities[outcome]);
  }
  total.assertions = total.assertions.concat(part.assertions);
  total.setupErrors = total.setupErrors.concat(part.setupErrors);
  total.contradictions = total.contradictions.concat(part.contradictions);
  if (part.notes !== undefined) total.notes = (total.notes ?? []).concat(part.notes);
  total.counted &&= part.counted;
  total.complete &&= part.complete;
  total.crashed ||= part.crashed;
  total.watch ||= part.watch;
  for (const [fact, line] of Object.entries(part.readFrom)) total.readFrom[fact] ??= line;
}
