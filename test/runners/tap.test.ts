import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Parser } from 'tap-parser';
import { tap } from '../../src/runners/tap.ts';

const point = fc.record({
  ok: fc.boolean(),
  name: fc.stringMatching(/^[a-z][a-z0-9 ]{0,20}[a-z]$/),
  directive: fc.constantFrom('', '', '', ' # SKIP no database', ' # TODO later'),
  yaml: fc.boolean(),
});

test('counts and plan agree with tap-parser on any document', () => {
  const property = fc.property(
    fc.array(point, { minLength: 1, maxLength: 12 }),
    fc.boolean(),
    fc.integer({ min: -1, max: 1 }),
    (points, planFirst, drift) => {
      const body = points.map(({ ok, name, directive, yaml }, index) => {
        const line = `${ok ? '' : 'not '}ok ${index + 1} - ${name}${directive}`;
        return yaml ? `${line}\n  ---\n  at: here\n  text: |-\n    ok 99 - no point\n  ...` : line;
      });
      const plan = `1..${points.length + drift}`;
      fc.pre(points.length + drift > 0);
      const text = ['TAP version 13', ...(planFirst ? [plan, ...body] : [...body, plan])].join('\n');
      const event = Parser.parse(`${text}\n`).find(entry => entry[0] === 'complete');
      const theirs = event?.[1] as { count: number; todo: number; skip: number; plan: { end: number | null } };
      const ours = tap.parse(text);
      assert.equal(ours.counts.skipped, theirs.skip);
      assert.equal(ours.counts.todo, theirs.todo);
      assert.equal(ours.complete, theirs.plan.end === points.length);
      if (drift === 0)
        assert.equal(
          Object.values(ours.counts).reduce((sum, count) => sum + count, 0),
          theirs.count,
        );
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('a bail-out is a crash', () => {
  const report = tap.parse('ok 1 - a\nBail out! no database\n1..1');
  assert.equal(report.crashed, true);
});
