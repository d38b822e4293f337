/** Stamps verdicts in a loop until it is told to stop or is killed: the writer of stamp.slow.test.ts. */
import { stamp } from '../../src/verdict/stamp.ts';

const [root = '', rounds = '0', name = ''] = process.argv.slice(2);

for (let i = 0; i < Number(rounds); i++) {
  const pass = i % 2 === 0;
  await stamp(root, {
    verdict: pass ? 'PASS' : 'FAIL',
    class: pass ? 'green' : 'red-assertion',
    reason: pass ? null : 'x'.repeat(2000),
    command: `suite of ${name} ${'#'.repeat(i % 300)}`,
    exitCode: pass ? 0 : 1,
    signal: null,
    stampedAt: new Date().toISOString(),
    durationMs: 1,
    fingerprint: null,
    raw: null,
    head: null,
    rules: 'r',
    counts: null,
    runner: null,
    slug: name,
    tail: '',
    by: 'verify',
  });
}
