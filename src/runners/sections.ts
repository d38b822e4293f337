import { RUNNERS } from './registry.ts';
import type { Runner } from './report.ts';
import type { Stream } from './streams.ts';

/** A stretch of the output that one run printed. */
export type Section = {
  name: string | null;
  /** null: no runner knows these lines. */
  runner: Runner | null;
  lines: string[];
  origin: number[];
};

type Piece = { name: string | null; argv: readonly string[]; from: number; to: number };

/** Own closing or opening line seen; below that a runner is believed only where nobody else claims the text. */
const SURE = 60;

export function sections(stream: Stream, argv: readonly string[], declared: Runner | null): Section[] {
  const found: Section[] = [];
  for (const piece of scriptPieces(stream, argv)) {
    const lines = stream.lines.slice(piece.from, piece.to);
    for (const part of runnerParts(lines, piece.argv, declared)) {
      found.push({
        name: piece.name,
        runner: part.runner,
        lines: lines.slice(part.from, part.to),
        origin: stream.origin.slice(piece.from + part.from, piece.from + part.to),
      });
    }
  }
  return found;
}

/** npm, pnpm, yarn and bun say which script they start: `> name@1.0.0 script` and `> command`. */
const BANNER = /^> (?:(@?[^\s@]+@\S+) )?([\w:.@/-]+)(?: (?:\/|[A-Z]:\\).*)?$/;
const BANNER_COMMAND = /^> (\S.*)$/;

function scriptPieces(stream: Stream, argv: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let current: Piece = { name: stream.name, argv, from: 0, to: 0 };
  const { lines } = stream;
  for (let i = 0; i + 1 < lines.length; i++) {
    const line = lines[i] ?? '';
    if (
      !line.startsWith('> ') ||
      (i > 0 && lines[i - 1]?.trim() !== '' && !/cache (?:hit|miss|bypass)/.test(lines[i - 1] ?? ''))
    )
      continue;
    const banner = BANNER.exec(line);
    const command = BANNER_COMMAND.exec(lines[i + 1] ?? '');
    if (banner === null || command === null || (lines[i + 2] ?? '').trim() !== '') continue;
    current.to = i;
    pieces.push(current);
    const name = [banner[1]?.replace(/@[^@]*$/, ''), banner[2]].filter(part => part !== undefined).join(' ');
    current = { name: stream.name ?? name, argv: words(command[1] ?? ''), from: i, to: 0 };
    i++;
  }
  current.to = lines.length;
  pieces.push(current);
  return pieces.filter(piece => lines.slice(piece.from, piece.to).some(line => line.trim() !== ''));
}

/** Enough to see which program a script names; nothing is run from it. */
function words(command: string): string[] {
  return command.split(/[\s"']+/).filter(word => word !== '');
}

type Part = { runner: Runner | null; from: number; to: number };

function runnerParts(lines: readonly string[], argv: readonly string[], declared: Runner | null): Part[] {
  const extract = extractOf(lines);
  if (declared !== null) {
    // A linter's or a compiler's lines beside it are nobody's tests.
    if (declared.recognise(extract, argv) === 0) return [{ runner: null, from: 0, to: lines.length }];
    return runsOf(declared, lines, 0, lines.length);
  }
  const ranked = RUNNERS.map(runner => ({ runner, strength: runner.recognise(extract, argv) }))
    .filter(candidate => candidate.strength > 0)
    .sort((a, b) => b.strength - a.strength);
  const best = ranked[0];
  if (best === undefined) return [{ runner: null, from: 0, to: lines.length }];
  const sure = ranked.filter(candidate => candidate.strength >= SURE).map(candidate => candidate.runner);
  if (sure.length < 2) return runsOf(best.runner, lines, 0, lines.length);
  return byClosing(sure, lines).flatMap(part =>
    part.runner === null ? [part] : runsOf(part.runner, lines, part.from, part.to),
  );
}

function endsOf(runner: Runner, lines: readonly string[]): number[] {
  if (runner.ends !== undefined) return runner.ends(lines);
  const ends: number[] = [];
  if (runner.closing !== undefined) {
    const { closing } = runner;
    lines.forEach((line, index) => {
      if (closing.test(line)) ends.push(index + 1);
    });
  }
  return ends;
}

/** Different runners one after the other: each part ends with its runner's last closing before another's begins. */
function byClosing(runners: readonly Runner[], lines: readonly string[]): Part[] {
  const ends = runners
    .flatMap((runner, rank) => endsOf(runner, lines).map(end => ({ runner, rank, end })))
    .sort((a, b) => a.end - b.end || a.rank - b.rank);
  const parts: Part[] = [];
  for (const { runner, end } of ends) {
    const last = parts[parts.length - 1];
    if (last !== undefined && (last.runner === runner || last.to === end)) last.to = end;
    else parts.push({ runner, from: last?.to ?? 0, to: end });
  }
  const last = parts[parts.length - 1];
  const strongest = runners[0] ?? null;
  if (last === undefined) return [{ runner: strongest, from: 0, to: lines.length }];
  // The tail belongs to a run that never closed, if its opening is there, else to the last one.
  const opened = runners.find(runner => {
    const { opening } = runner;
    return opening !== undefined && lines.slice(last.to).some(line => opening.test(line));
  });
  if (opened !== undefined && opened !== last.runner) parts.push({ runner: opened, from: last.to, to: lines.length });
  else last.to = lines.length;
  // A claimant whose claim does not stand on its own lines alone was quoted by another runner.
  return parts;
}

/** Several runs of the same runner: a new opening, or a complete run followed by another. */
function runsOf(runner: Runner, lines: readonly string[], from: number, to: number): Part[] {
  const cuts: number[] = [];
  if (runner.ends !== undefined) {
    cuts.push(
      ...runner
        .ends(lines.slice(from, to))
        .map(end => from + end)
        .slice(0, -1),
    );
  } else if (runner.opening !== undefined) {
    for (let i = from; i < to; i++) if (runner.opening.test(lines[i] ?? '')) cuts.push(i);
    cuts.shift();
  }
  const parts: Part[] = [];
  let start = from;
  for (const cut of cuts) {
    if (cut > start) parts.push({ runner, from: start, to: cut });
    start = cut;
  }
  parts.push({ runner, from: start, to });
  return parts;
}

const EXTRACT_ABOVE = 4000;
const PER_SHAPE = 40;
const TAIL = 400;

/** Recognition needs to see each kind of line, not each line: keeps the cost of forty runners on long outputs low. */
function extractOf(lines: readonly string[]): string {
  if (lines.length <= EXTRACT_ABOVE) return lines.join('\n');
  const seen = new Map<string, number>();
  const kept: string[] = [];
  const tail = lines.length - TAIL;
  lines.forEach((line, index) => {
    const shape = line.slice(0, 8).replace(/\d+/g, '0').slice(0, 6);
    const count = (seen.get(shape) ?? 0) + 1;
    seen.set(shape, count);
    if (count <= PER_SHAPE || index >= tail) kept.push(line.length > 400 ? line.slice(0, 400) : line);
  });
  return kept.join('\n');
}
