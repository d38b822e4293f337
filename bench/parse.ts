/**
 * Cost of reading a test runner's output: CPU time for 50,000 lines (5 MB) and for ten times as much, per runner.
 * `node --import tsx bench/parse.ts`
 */
import { parseReport } from '../src/checks/parse-report.ts';

type Shape = { name: string; line: (index: number) => string; tail: (lines: number) => string };

const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt';

const SHAPES: readonly Shape[] = [
  {
    name: 'program log, node:test spec',
    line: i => `row ${i} ${i % 7 === 0 ? '1 failed' : 'ok'} ${filler}`,
    tail: () => spec(1),
  },
  { name: 'node:test spec', line: i => `✔ reads row ${i} of the ${filler} (0.${i}ms)`, tail: n => spec(n) },
  {
    name: 'TAP',
    line: i => `ok ${i + 1} - reads row ${i} of the table and of the ${filler}`,
    tail: n => `1..${n}\n`,
  },
  {
    name: 'jest, coloured',
    line: i =>
      `    \u001b[32m✓\u001b[39m \u001b[2mreads row ${i} of the table and so on ${filler.slice(0, 50)} (1 ms)\u001b[22m`,
    tail: n =>
      `\nTest Suites: 1 passed, 1 total\nTests:       ${n} passed, ${n} total\nSnapshots:   0 total\nTime:        3 s\nRan all test suites.\n`,
  },
];

function spec(count: number): string {
  return `ℹ tests ${count}\nℹ suites 0\nℹ pass ${count}\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 12.5\n`;
}

function outputOf(shape: Shape, lines: number): string {
  return Array.from({ length: lines }, (_, index) => shape.line(index)).join('\n') + `\n${shape.tail(lines)}`;
}

function cpu(text: string): number {
  const start = process.cpuUsage();
  parseReport(text, { exit: 0 });
  const used = process.cpuUsage(start);
  return (used.user + used.system) / 1000;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

for (const shape of SHAPES) {
  // Three times the small and the large one: what the cap of 16 MB leaves of the large one is part of the bargain.
  const small = outputOf(shape, 5_000);
  const large = outputOf(shape, 50_000);
  cpu(small);
  const smallTime = median([cpu(small), cpu(small), cpu(small)]);
  const largeTime = median([cpu(large), cpu(large), cpu(large)]);
  const mb = (large.length / 1e6).toFixed(1);
  console.log(
    `${shape.name}: 50,000 lines (${mb} MB) ${largeTime.toFixed(0)} ms CPU; ten times the input costs ${(largeTime / smallTime).toFixed(1)} times`,
  );
}
