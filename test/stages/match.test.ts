import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchAny } from '../../src/config/glob.ts';
import { freezeGlobs, matcher, patternWrong } from '../../src/stages/match.ts';

/** Pattern, then paths it covers, then paths it does not: from the words "shell glob, `*` crosses `/`, `x/**` matches x". */
const TABLE: [string, string[], string[]][] = [
  ['src/**', ['src', 'src/a', 'src/a/b.js', 'src/.hidden'], ['srcs', 'lib/src/a', 'SRC/a']],
  ['*.md', ['a.md', 'docs/deep/a.md', '.md'], ['a.mdx', 'a.MD']],
  ['src/*.js', ['src/a.js', 'src/a/b/c.js'], ['src/a.jsx', 'a/src/b.js']],
  ['test_?.py', ['test_a.py', 'test_/.py'], ['test_.py', 'test_ab.py']],
  ['[ab]/x', ['a/x', 'b/x'], ['c/x', 'ab/x']],
  ['[!a]x', ['bx'], ['ax', 'x']],
  ['a[', ['a['], ['a']],
  ['[&~|^]', ['&', '~', '|', '^'], ['x']],
  ['[]-]', [']', '-'], ['x']],
  ['docs/', ['docs', 'docs/a'], ['docsa']],
  ['./a.js', ['a.js'], ['./a.js']],
  ['a.b+c(d)', ['a.b+c(d)'], ['aXb+c(d)', 'a.bbc(d)']],
  ['a\nb*', ['a\nbc\nd'], ['a b']],
  ['**', ['a', 'a/b'], []],
  ['ünï/*', ['ünï/ö'], ['uni/o']],
];

for (const [pattern, yes, no] of TABLE) {
  test(`pattern ${JSON.stringify(pattern)}`, () => {
    const matches = matcher([pattern]);
    for (const path of yes) assert.equal(matches(path), true, path);
    for (const path of no) assert.equal(matches(path), false, path);
  });
}

test('the globs a freeze is told cover every path the pattern covers', () => {
  for (const [pattern, yes] of TABLE) {
    if (/[\n[?]|^\.\//.test(pattern)) continue;
    const globs = freezeGlobs(pattern);
    for (const path of yes.filter(p => !p.includes('\n')))
      assert.notEqual(matchAny(globs, path), null, `${globs} ${path}`);
  }
});

test('a pattern of many stars stays fast', () => {
  const matches = matcher(['*a*'.repeat(12)]);
  const began = process.hrtime.bigint();
  assert.equal(matches(`${'a'.repeat(11)}b`), false);
  assert.ok(process.hrtime.bigint() - began < 2_000_000_000n);
});

test('a range that runs backwards is no pattern', () => {
  assert.equal(patternWrong('[z-a]/**'), 'is no pattern: [z-a]/**');
  assert.equal(patternWrong('[a-z]/**'), null);
});
