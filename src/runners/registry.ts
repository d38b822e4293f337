import { ava } from './ava.ts';
import { bun } from './bun.ts';
import { deno } from './deno.ts';
import { jasmine } from './jasmine.ts';
import { jest } from './jest.ts';
import { junit } from './junit.ts';
import { mocha } from './mocha.ts';
import { nodeTap } from './node-tap.ts';
import { nodeTest } from './node-test.ts';
import { playwright } from './playwright.ts';
import { qunit } from './qunit.ts';
import type { Runner } from './report.ts';
import { tap } from './tap.ts';
import { tape } from './tape.ts';
import { trx } from './trx.ts';
import { uvu } from './uvu.ts';
import { vitest } from './vitest.ts';

/** One import and one line per runner; on equal strength the earlier one reads the output. */
export const RUNNERS: readonly Runner[] = [
  // JavaScript, TAP and XML
  nodeTest,
  jest,
  vitest,
  mocha,
  ava,
  tape,
  qunit,
  jasmine,
  uvu,
  nodeTap,
  deno,
  bun,
  playwright,
  junit,
  trx,
  tap,
  // other languages
];

export function runnerNamed(name: string): Runner | null {
  return RUNNERS.find(runner => runner.name === name) ?? null;
}
