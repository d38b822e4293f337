/** The gates in one table: step, whether it holds, since when, why. */
import type { GateFile } from '../gates/gate.ts';
import { age } from './age.ts';

export function symbol(file: Pick<GateFile, 'satisfied' | 'skipped'>): string {
  if (file.skipped !== undefined) return '–';
  return file.satisfied === true ? '✓' : file.satisfied === false ? '✗' : '?';
}

export function gateTable(files: readonly GateFile[]): string[] {
  const width = Math.max(...files.map(file => file.step.length));
  return files.map(file => {
    const since = age(new Date(file.since).toISOString()).padStart(4);
    return `  ${symbol(file)} ${file.step.padEnd(width)}  ${since}  ${file.reason}`;
  });
}
