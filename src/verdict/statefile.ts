/** The four lines of `.claude/state/last_test_result` (seed 003): byte-exact to write, strict to read as PASS. */

export const STATEFILE = 'last_test_result';

export type Verdict = 'PASS' | 'FAIL';

export type Stamp = { verdict: Verdict; at: string; command: string; exitCode: number };

/** Seconds, UTC: the form the seed's own parser was written for. */
export function stampTime(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** A command with line breaks would break the format: they become spaces here, the sidecar keeps the original. */
export function formatStamp(stamp: Stamp): string {
  const command = stamp.command.replace(/[\r\n\0]+/g, ' ');
  return `${stamp.verdict}\n${stamp.at}\n${command}\n${stamp.exitCode}\n`;
}

export type StampRead =
  | { kind: 'stamp'; stamp: Stamp }
  /** PASS beside a non-zero exit code: reads FAIL (design, section 7). */
  | { kind: 'contradiction'; stamp: Stamp }
  | { kind: 'malformed'; why: string };

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A PASS is believed only in the exact bytes of the format. A FAIL may be hand-written and is read kindly,
 * because it makes more work, never less.
 */
export function parseStamp(text: string): StampRead {
  const lines = text.split('\n');
  const verdict = lines[0]!.replace(/\r$/, '');
  if (verdict !== 'PASS' && verdict !== 'FAIL') return { kind: 'malformed', why: 'line 1 is neither PASS nor FAIL' };
  if (verdict === 'FAIL') {
    const exit = Number.parseInt(lines[3] ?? '', 10);
    return {
      kind: 'stamp',
      stamp: { verdict, at: clean(lines[1]), command: clean(lines[2]), exitCode: Number.isNaN(exit) ? 1 : exit },
    };
  }
  if (text.includes('\r')) return { kind: 'malformed', why: 'lines end in CRLF' };
  if (lines.length !== 5 || lines[4] !== '') {
    return { kind: 'malformed', why: 'it is not exactly four lines with one trailing newline' };
  }
  const [, at, command, exit] = lines as [string, string, string, string];
  if (!ISO.test(at) || Number.isNaN(Date.parse(at)))
    return { kind: 'malformed', why: 'line 2 is not an ISO-8601 time' };
  if (!/^-?\d{1,10}$/.test(exit)) return { kind: 'malformed', why: 'line 4 is not an exit code' };
  const stamp: Stamp = { verdict, at, command, exitCode: Number(exit) };
  return stamp.exitCode === 0 ? { kind: 'stamp', stamp } : { kind: 'contradiction', stamp };
}

function clean(line: string | undefined): string {
  return (line ?? '').replace(/\r$/, '');
}
