import type { Runner } from './report.ts';

/** One import and one line per runner; on equal strength the earlier one reads the output. */
export const RUNNERS: readonly Runner[] = [
  // JavaScript, TAP and XML
  // other languages
];

export function runnerNamed(name: string): Runner | null {
  return RUNNERS.find(runner => runner.name === name) ?? null;
}
