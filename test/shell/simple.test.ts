import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'unbash';
import { simpleScript } from '../../src/shell/simple.ts';

const QUOTED = new Set(['Literal', 'SingleQuoted', 'DoubleQuoted']);
const SHOWN =
  'type pos end text value name args redirects commands command operators prefixes operator descriptor target prefix';

/** What the walk looks at, as plain objects. A word whose parts are more than quotes is shown with them. */
function shown(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shown);
  if (typeof node !== 'object' || node === null) return node;
  const of = node as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  for (const key of SHOWN.split(' ')) if (of[key] !== undefined) out[key] = shown(of[key]);
  const parts =
    of.type === 'Word' ? (of.parts as { type: string; parts?: { type: string }[] }[] | undefined) : undefined;
  if (parts?.some(p => !QUOTED.has(p.type) || p.parts?.some(q => !QUOTED.has(q.type)))) out.parts = parts;
  return out;
}

const agrees = (text: string): boolean => {
  const simple = simpleScript(text);
  if (simple === null) return false;
  const tree = parse(text);
  assert.deepEqual(tree.errors ?? [], [], text);
  assert.deepEqual(shown(simple), shown(tree), text);
  return true;
};

describe('simple lines', () => {
  it('have the tree that the grammar gives', () => {
    for (const text of [
      'npm run build',
      'git commit -m "it\'s done"',
      "rm -rf 'a b' c",
      'cd src && npm test 2>&1 | tail -20; ls >/dev/null',
      'a || b && c | d | e',
      'a\nb &&\n\n  c ;d',
      'git diff HEAD~1 HEAD^ --x=a~b',
      "echo ''",
      ' ls  -la ',
      'a 2> /dev/null b &>/dev/null',
      'a 2>&1',
      'git show HEAD:a@b%c+d',
      'echo "a"\'b\'c',
      'echo a 2 >/dev/null',
    ])
      assert.ok(agrees(text), text);
  });

  it('are none where the grammar has to look', () => {
    for (const text of [
      '',
      'X=1 ls',
      'X+=1',
      'ls *',
      'echo $X',
      'echo ~/x',
      'echo "~"$X',
      'if a',
      'for x',
      '! a',
      '{ a',
      'a;;b',
      'a | | b',
      'a &',
      'a <b',
      'a >b',
      'export X=1',
      'local x',
      'alias a=b',
      'time a',
      'a {b,c}',
      'a [b]',
      "a 'b",
      'a \\',
      'a #b',
      '# a',
      'a;',
      '\na',
      'a=(b)',
      'a()',
      'ls 2>/dev/nullx',
      'ls --x=~/a',
      `rm "/x'/$X"'y'`,
      `rm "'$X'"`,
    ])
      assert.equal(simpleScript(text), null, text);
  });

  it('agree on whatever the dice give', () => {
    const piece = fc.constantFrom(
      ...'a ls npm -n x/y \' " = ~ ^ : @ % 1 2 > >& 1 /dev/null & && | || ; if done time in . , + - * $ { } [ ] # \\ ! ( ) <'.split(
        ' ',
      ),
      ' ',
      ' ',
      ' ',
      '\n',
      '\t',
      "'a b'",
      '"a;b"',
      ' 2>&1',
      ' >/dev/null',
      'é',
    );
    let simple = 0;
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 14 }), pieces => {
        if (agrees(pieces.join(''))) simple++;
      }),
      { numRuns: 6000 },
    );
    assert.ok(simple > 50, `${simple} were simple`);
  });
});
