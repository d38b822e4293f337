/** Gates on a screen: a table of them, and what each found. */
import type { Cause, Gate, GateFile } from '../gates/gate.ts';
import { age } from './age.ts';

export function symbol(file: Pick<GateFile, 'satisfied' | 'skipped'>): string {
  if (file.skipped !== undefined) return '–';
  return file.satisfied === true ? '✓' : file.satisfied === false ? '✗' : '?';
}

/** Step, whether it holds, since when, why; a line each, no wider than the terminal where there is one. */
export function gateTable(files: readonly GateFile[], columns = process.stdout.columns || Infinity): string[] {
  const width = widest(files.map(file => file.step));
  const skipped = files.filter(file => file.skipped !== undefined).length;
  const held = files.filter(file => file.satisfied === true && file.skipped === undefined).length;
  return [
    `gates     ${held} of ${files.length} hold${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    `    ${'step'.padEnd(width)}  since  why`,
    ...files.map(file => {
      const since = age(new Date(file.since).toISOString()).padStart(5);
      return cut(`  ${symbol(file)} ${file.step.padEnd(width)}  ${since}  ${shortly(file)}`, columns);
    }),
  ];
}

/** Whom a gate waits for stands in a row of its own, with its reasons. */
function shortly(file: GateFile): string {
  const told = file.causes.filter(cause => cause.truth === truthOf(file));
  if (file.skipped !== undefined || !told.some(isWaiting)) return file.reason;
  const waits = told.filter(isWaiting).map(cause => /^waits for ([^:]+)/.exec(cause.why)?.[1]);
  return [`waits for ${waits.join(', ')}`, ...told.filter(cause => !isWaiting(cause)).map(cause => cause.why)].join(
    '; ',
  );
}

function isWaiting(cause: Cause): boolean {
  return cause.condition === 'after' && cause.truth !== 'true';
}

function truthOf(file: GateFile): Cause['truth'] {
  return file.satisfied === null ? 'unknown' : file.satisfied ? 'true' : 'false';
}

function cut(line: string, columns: number): string {
  const letters = [...line];
  return letters.length <= columns ? line : `${letters.slice(0, columns - 1).join('')}…`;
}

export function gateList(rows: readonly { file: GateFile; gate: Gate }[]): string[] {
  const steps = widest(rows.map(row => row.gate.step));
  const levels = widest(rows.map(row => row.gate.enforcement));
  return rows.map(
    ({ file, gate }) =>
      `${symbol(file)} ${gate.step.padEnd(steps)}  ${gate.enforcement.padEnd(levels)}  ${conditions(gate)}`,
  );
}

export function conditions(gate: Gate): string {
  const words = [
    gate.after.length > 0 ? `after ${gate.after.join(', ')}` : '',
    gate.frozen ? 'frozen' : '',
    gate.verdict ? 'verdict' : '',
    ...gate.checks.map(c => `check ${c.id}${c.phase === 'red' ? ' (red)' : ''}`),
    gate.marker ? 'marker' : '',
    gate.surface ? `surface ${gate.surface}` : '',
    gate.disabled === null ? '' : `disabled (${gate.disabled})`,
  ];
  return words.filter(word => word !== '').join(', ');
}

/** Every condition below its gate: what it found, and under that what would move it. */
export function explained(file: GateFile, gate: Gate): string[] {
  const marks = { true: '✓', false: '✗', unknown: '?' } as const;
  const width = widest(file.causes.map(cause => cause.condition));
  const below = ' '.repeat(width + 8);
  const word = file.satisfied === null ? 'is not proven' : file.satisfied ? 'holds' : 'does not hold';
  const { comparison } = file;
  return [
    `${symbol(file)} ${file.step} (${gate.enforcement}) ${file.skipped === undefined ? word : `is ${file.reason}`}`,
    ...file.causes.flatMap(cause => [
      `    ${marks[cause.truth]} ${cause.condition.padEnd(width)}  ${cause.why}`,
      ...(cause.next === undefined
        ? []
        : [`${below}${/^touchstone /.test(cause.next) ? 'run' : 'next'}: ${cause.next}`]),
      ...(cause.condition === 'marker' && comparison ? [`${below}${compared(comparison)}`] : []),
    ]),
  ];
}

/** Both instants to the millisecond, and what lies between. */
export function compared({ mtimeMs, floorMs, floorSource, outcome }: NonNullable<GateFile['comparison']>): string {
  const apart = Math.round(mtimeMs - floorMs);
  const where = apart === 0 ? 'at' : `${Math.abs(apart)} ms ${apart < 0 ? 'before' : 'after'}`;
  return `${outcome}: written ${time(mtimeMs)}, ${where} the ${floorSource} floor ${time(floorMs)}`;
}

export function time(ms: number): string {
  return new Date(ms).toISOString();
}

function widest(words: readonly string[]): number {
  return Math.max(0, ...words.map(word => word.length));
}
