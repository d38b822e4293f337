/** What a stream edit makes of a text, against the programs themselves. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { perlEdit, sedEdit } from '../../src/shell/edit-text.ts';

const TEXT = `{
  "name": "calc",
  "version": "1.2.0",
  "scripts": { "test": "jest --ci", "lint": "eslint src" },
  "path": "<rootDir>/tests/a.b*c"
}
testpaths = tests
addopts = -ra (x) [y] x+y a|b
`;

const gnu = /GNU/.test(spawnSync('sed', ['--version'], { encoding: 'utf8' }).stdout ?? '');
const hasPerl = spawnSync('perl', ['-v']).status === 0;

const SED: [string, string][] = [
  ['', 's/jest/true/'],
  ['', 's/"test": "[^"]*"/"test": "exit 0"/'],
  ['', 's/e/E/g'],
  ['', 's/e/E/2'],
  ['', 's/t/T/2g'],
  ['', 's|<rootDir>/tests|none|;s#a\\.b\\*c#x#'],
  ['', 's/JEST/mocha/I'],
  ['', 's/\\(test\\)\\(paths\\)/\\2-\\1 & \\&/'],
  ['-E', 's/(test)(paths)/\\2-\\1/'],
  ['-E', 's/x\\+y|a\\|b/Z/g'],
  ['', 's/x+y/Z/;s/(x)/<&>/;s/\\[y\\]/{}/'],
  ['', 's/e\\+/E/g;s/s\\?t/_/g'],
  ['', 's/^ *//;s/ $//;s/,$/;/'],
  ['', 's/[[:digit:]]\\+/N/g;s/[^[:space:]a-z]/_/g'],
  ['', '/addopts/d'],
  ['', '/"version"/,/"path"/s/e/_/g'],
  ['', '2,3d'],
  ['', '$d'],
  ['', '2!d'],
  ['', '/name/,+1d'],
  ['', '3,1s/e/_/g'],
  ['', '/testpaths/a\\addopts = -k none'],
  ['', '/testpaths/i passWithNoTests = true'],
  ['', '/testpaths/c testpaths = src'],
  ['', '2,4c gone'],
  ['-n', '/jest/p'],
  ['-n', 's/jest/true/p'],
  ['', 'y/abc/xyz/'],
  ['', '3q'],
  ['', '# a remark\ns/jest/a/\ns/a /b /'],
  ['', 's/test/a\\nb/'],
  ['', 's/\\<te/_/g;s/st\\>/_/g'],
  ['', 's/"/\\x27/'],
];

describe('sedEdit', { skip: gnu ? false : 'no GNU sed here' }, () => {
  for (const [flags, program] of SED)
    it(`${flags} ${program}`, () => {
      const real = spawnSync('sed', [...(flags ? [flags] : []), program], { input: TEXT, encoding: 'utf8' });
      assert.equal(real.status, 0, real.stderr);
      const edit = sedEdit(program, flags === '-E', flags === '-n');
      if (edit === null) assert.match(program, /\\x27/, 'read');
      else assert.equal(edit(TEXT), real.stdout);
    });

  it('leaves what is more than line edits unread', () => {
    for (const program of ['N;P;D', ':a;s/x/y/;ta', 's/a/b/e', 's/a/\\U&/', '/a/{s/b/c/;d}', 'r file', 's/a/b', 'h;G'])
      assert.equal(sedEdit(program, false, false), null, program);
  });
});

const PERL = [
  's/jest/true/',
  's/e/E/g',
  's{tests/a}{none}',
  's/"test": "\\K?[^"]*"/"test": "x"/',
  's/(test)(paths)/$2-$1 $&/; s/addopts/x/i',
  's/\\bci\\b/\\$ci/',
  's!/tests!/src!',
];

describe('perlEdit', { skip: hasPerl ? false : 'no perl here' }, () => {
  for (const code of PERL)
    it(code, () => {
      const real = spawnSync('perl', ['-pe', code], { input: TEXT, encoding: 'utf8' });
      const edit = perlEdit(code, false);
      if (edit === null) assert.match(code, /\\K/, 'read');
      else assert.equal(edit(TEXT), real.stdout);
    });

  it('leaves code that is more than substitutions unread', () => {
    for (const code of ['print if /x/', 's/a/uc $1/e', 's/$x/y/', 's/a/$ENV{B}/', 'tr/a/b/', '$_ = ""'])
      assert.equal(perlEdit(code, false), null, code);
  });
});
