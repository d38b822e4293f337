import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseReport } from '../../src/checks/parse-report.ts';
import { plainLines } from '../../src/runners/text.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';
import { loadCases, outputOf } from './score.ts';

const outputs = corpus('runner-outputs');
const skip = outputs === null ? NO_CORPUS : false;
const seed = Number(process.env.TOUCHSTONE_SEED ?? Date.now() % 2 ** 31);
const LONGEST = 60_000;

const cases = outputs === null ? [] : loadCases(outputs).map(one => ({ one, text: outputOf(outputs, one) }));
const short = cases.filter(({ text }) => text.length < LONGEST);
// Bare dots are all that some reporters say: beside other text nothing marks them as theirs.
const steady = short.filter(({ text }) => !text.includes('\r') && text.trim() !== '' && !/^[.X\s]+$/.test(text));

/** What must not move under a change that says nothing about the tests. */
function essence(text: string, exit: number): string {
  const got = parseReport(text, { exit });
  return [got.verdict, got.red, got.class].join(' ');
}

const colours = fc.constantFrom(
  '\u001b[31m',
  '\u001b[1m',
  '\u001b[38;5;196m',
  '\u001b[0m',
  '\u001b[2K',
  '\u001b[22m\u001b[39m',
  '\u001b]0;title\u0007',
);

test(`recolouring changes no verdict (seed ${seed})`, { skip }, () => {
  const property = fc.property(
    fc.constantFrom(...steady),
    fc.array(colours, { minLength: 1, maxLength: 6 }),
    fc.nat(),
    ({ one, text }, codes, start) => {
      let at = start;
      const painted = text
        .split('\n')
        .map(line =>
          line === ''
            ? line
            : `${codes[at++ % codes.length]?.replace('\u001b[2K', '')}${line}${codes[at % codes.length]?.replace('\u001b[2K', '')}`,
        )
        .join('\n');
      assert.equal(essence(painted, one.exitCode), essence(text, one.exitCode), one.id);
    },
  );
  fc.assert(property, { seed, numRuns: 400 });
});

test(`CRLF changes no verdict (seed ${seed})`, { skip }, () => {
  for (const { one, text } of steady) {
    assert.equal(essence(text.replace(/\n/g, '\r\n'), one.exitCode), essence(text, one.exitCode), one.id);
  }
});

test(`a workspace prefix changes no verdict (seed ${seed})`, { skip }, () => {
  const tools = ['turbo', 'concurrently', 'npm-run-all', 'pnpm'] as const;
  const plain = steady.filter(
    ({ one }) => !['turbo', 'concurrently', 'lerna', 'multi'].includes(one.runner) && one.runner !== 'maven',
  );
  const property = fc.property(fc.constantFrom(...plain), fc.constantFrom(...tools), ({ one, text }, tool) => {
    const body = plainLines(text);
    if (body[body.length - 1] === '') body.pop();
    // Too little to tell a prefix from text, when the tool says nothing of itself.
    if (tool === 'npm-run-all' && body.filter(line => line !== '').length < 3) return;
    const prefix = {
      turbo: 'pkg-a:test: ',
      concurrently: '[web] ',
      'npm-run-all': '[test:unit] ',
      pnpm: 'packages/a test: ',
    }[tool];
    const lines = body.map(line => `${prefix}${line}`);
    if (tool === 'turbo') {
      lines.unshift('• Packages in scope: pkg-a', '• Running test in 1 packages');
      lines.push('', ` Tasks:    ${one.exitCode === 0 ? 1 : 0} successful, 1 total`);
    }
    if (tool === 'pnpm') lines.unshift('Scope: 2 of 3 workspace projects', 'packages/a test$ run the tests');
    if (tool === 'concurrently') lines.push(`[web] run the tests exited with code ${one.exitCode}`);
    const before = parseReport(text, { exit: one.exitCode });
    const after = parseReport(`${lines.join('\n')}\n`, { exit: one.exitCode });
    assert.equal(after.verdict, before.verdict, `${one.id} ${tool}`);
    assert.equal(after.red, before.red, `${one.id} ${tool}`);
  });
  fc.assert(property, { seed, numRuns: 400 });
});

const NOISE = [
  '> building',
  'warning: something is deprecated',
  'Done in 1.2s.',
  'all good here',
  'ready - started server on 0.0.0.0:3000',
  'added 12 packages in 3s',
];

test(`other output before changes no verdict (seed ${seed})`, { skip }, () => {
  const property = fc.property(
    fc.constantFrom(...steady),
    fc.array(fc.constantFrom(...NOISE), { minLength: 1, maxLength: 5 }),
    ({ one, text }, noise) => {
      const before = parseReport(text, { exit: one.exitCode });
      const after = parseReport(`${noise.join('\n')}\n\n${text}`, { exit: one.exitCode });
      assert.equal(after.verdict, before.verdict, one.id);
      assert.equal(after.red, before.red, one.id);
    },
  );
  fc.assert(property, { seed, numRuns: 400 });
});

/** Cut before the last line that the runner needs: where the whole is PASS, no prefix that lost it may be. */
test(`an output cut before its closing summary is never PASS (seed ${seed})`, { skip }, () => {
  const green = short.filter(
    ({ one, text }) => one.expected.verdict === 'PASS' && parseReport(text, { exit: one.exitCode }).verdict === 'PASS',
  );
  assert.ok(green.length > 20);
  for (const { one, text } of green) {
    const lines = text.split('\n');
    const whole = parseReport(text, { exit: 0 });
    let lastPass = lines.length;
    for (let keep = lines.length; keep >= 0; keep--) {
      const got = parseReport(lines.slice(0, keep).join('\n'), { exit: 0 });
      if (got.verdict !== 'PASS') continue;
      // A shorter output may still pass only with everything that the whole one counted.
      lastPass = keep;
      assert.equal(got.complete, true, `${one.id} at line ${keep}`);
      if (one.scenario !== 'doc-tests' && !/^(?:go|cargo)$/.test(one.runner))
        assert.ok(
          got.passed >= whole.passed || got.passed === 0,
          `${one.id} at line ${keep}: ${got.passed} of ${whole.passed}`,
        );
    }
    assert.ok(lastPass > 0, one.id);
  }
});

test(`red cases never turn green by a cut (seed ${seed})`, { skip }, () => {
  const red = short.filter(
    ({ one }) => one.expected.class === 'red-assertion' && !/^(?:go|cargo|mocha)$/.test(one.runner),
  );
  const property = fc.property(
    fc.constantFrom(...red),
    fc.double({ min: 0, max: 1, noNaN: true }),
    ({ one, text }, part) => {
      const got = parseReport(text.slice(0, Math.floor(text.length * part)), { exit: one.exitCode });
      assert.equal(got.verdict, 'FAIL', one.id);
    },
  );
  fc.assert(property, { seed, numRuns: 500 });
});
