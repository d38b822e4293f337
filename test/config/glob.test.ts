import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { minimatch } from 'minimatch';
import { globBase, matchGlob } from '../../src/config/glob.ts';

const TABLE: [string, string, boolean][] = [
  ['tests/**', 'tests/a/b.ts', true],
  ['tests/**', 'tests', true],
  ['tests/**', 'mytests/a.ts', false],
  ['tests/**', 'packages/a/tests/x.js', false],
  ['**/*.test.ts', 'a.test.ts', true],
  ['**/*.test.ts', 'src/deep/a.test.ts', true],
  ['**/*.test.ts', 'src/a.test.tsx', false],
  ['*.md', 'docs/a.md', false],
  ['docs/', 'docs/x/y.md', true],
  ['**', 'anything/at/all', true],
  ['**/__snapshots__/**', 'a/__snapshots__/b.snap', true],
  ['src/{a,b}/*.ts', 'src/b/x.ts', true],
  ['src/{a,b}/*.ts', 'src/c/x.ts', false],
  ['a[0-9].txt', 'a7.txt', true],
  ['a[!0-9].txt', 'a7.txt', false],
  ['.claude/state/**', '.claude/state/last_test_result', true],
  ['a+b(c).txt', 'a+b(c).txt', true],
];

test('globs match what they say', () => {
  for (const [glob, path, want] of TABLE) assert.equal(matchGlob(glob, path), want, `${glob} on ${path}`);
});

test('case folds only when asked', () => {
  assert.equal(matchGlob('.claude/state/**', '.CLAUDE/State/x'), false);
  assert.equal(matchGlob('.claude/state/**', '.CLAUDE/State/x', true), true);
});

test('the base of a glob is the part before its first wildcard', () => {
  assert.equal(globBase('tests/unit/**/*.ts'), 'tests/unit');
  assert.equal(globBase('**/*.ts'), '');
  assert.equal(globBase('package.json'), 'package.json');
});

test('agrees with the library on generated globs and paths', () => {
  const part = fc.constantFrom('a', 'b', 'ab', 'a.ts', 'b.test.ts', '.dot');
  const globPart = fc.constantFrom('a', 'b', '*', '**', '*.ts', '?', 'a*', '{a,b}', '[ab]', '.dot');
  fc.assert(
    fc.property(
      fc.array(globPart, { minLength: 1, maxLength: 4 }),
      fc.array(part, { minLength: 1, maxLength: 4 }),
      (g, p) => {
        const glob = g.join('/');
        const path = p.join('/');
        // `x/**` also names x itself here, as a frozen or scoped folder must.
        const library =
          minimatch(path, glob, { dot: true }) ||
          (glob.endsWith('/**') && minimatch(path, glob.slice(0, -3), { dot: true }));
        assert.equal(matchGlob(glob, path), library, `${glob} on ${path}`);
      },
    ),
    { numRuns: 3000 },
  );
});
