import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'unbash';
import { simpleScript } from '../../src/shell/simple.ts';

const SHOWN =
  'type pos end text value name args redirects commands command operators prefixes operator descriptor target prefix parts ' +
  'script parameter parameterPos parameterEnd kind background body clause then elif else wordlist append delimiter quoted';

/** What the walk looks at, as plain objects. */
function shown(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shown);
  if (typeof node !== 'object' || node === null) return node;
  const of = node as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  for (const key of SHOWN.split(' ')) if (of[key] !== undefined) out[key] = shown(of[key]);
  return out;
}

const agrees = (text: string): boolean => {
  const simple = simpleScript(text);
  if (simple === null) return false;
  const tree = parse(text);
  assert.deepEqual(tree.errors ?? [], [], text);
  assert.ok(!JSON.stringify(tree).includes('"errors"'), text);
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
      'X=1 ls',
      'X=1',
      'X+=1 Y="$a b" ls',
      'ls *',
      'ls **/*.ts a?b',
      'echo $X "$Y z" ${Z} a$b "${c}d"',
      'echo ~/x "~"$X',
      '! a',
      '! a | b && c',
      'a &',
      'a & b &',
      'a <b',
      'a >b 2>>c >|d <>e &>f <<<g',
      'a > "b $c"',
      'a;',
      'a # b',
      'a #b\n# c\nd',
      '# a\nb',
      '\na',
      'a \\\n  b',
      'echo a\\ b \\*.ts \\( "c\\"d\\e"',
      `rm "/x'/$X"'y'`,
      'find . -name x -exec cat {} +',
      'for f in a "$b" *.c; do echo "$f ok"; done',
      'for f in a b\ndo\n  ls $f\ndone > out',
      'for f in src/*.js; do test -s "$f" && echo "$f ok" | sort || (echo bad | tee log.txt); done',
      'while read -r l; do echo $l; done < in',
      'until a; do b; done',
      'if [ -f "$a" ] && [ ! -d b ]; then c; elif d; then e; f; else g; fi',
      'if [ $a != b ]; then c; fi | d',
      '(a; b) | c',
      '(cd x && ls) > y 2>&1',
      '{ a; b; } >> c',
      'echo "$(ls "a b")x" $(a | b)',
      'echo $(a $(b "$(c)"))',
      'echo "cost $" a$ "$?" $1 $@ "$#" $! $$ $-',
      "cat <<'EOF' > f\nhi $x\nEOF\nls",
      'cat <<EOF\nplain\nEOF',
      'cat <<-"E F"\n\tx\n\tE F\nls',
      `git commit -m "$(cat <<'EOF'\nOne\n\nTwo (three)\nEOF\n)"`,
      "a <<'A' <<'B'; b\n1\nA\n2\nB\nc",
      "grep -E 'a|b' \"x y\" | awk '{print $1}'",
      "<<'EOF' cat > a\nx\nEOF",
      '>a X=1 b',
      "python - <<'PY'\nimport os\nPY",
    ])
      assert.ok(agrees(text), text);
  });

  it('have no more words than anybody looks at', () => {
    const many = 'a '.repeat(50_000);
    const args = (text: string) => (simpleScript(text)?.commands[0]?.command as { args: unknown[] } | undefined)?.args;
    assert.equal(args(`ls ${many}`)?.length, 4001);
    assert.deepEqual(
      simpleScript(`ls ${many}; for x in ${many}; do b; done`)?.commands.map(one => one.command.type),
      ['Command', 'For'],
    );
    assert.equal(simpleScript(`ls ${many} (`), null);
  });

  it('are none where the grammar has to look', () => {
    for (const text of [
      '',
      '# a',
      'if a',
      'for x',
      'for x; do a; done',
      '{ a',
      '( a',
      'a )',
      'a; }',
      'fi',
      'a;;b',
      'a ;&>b',
      'a | | b',
      'a |& b',
      'a && ',
      'export X=1',
      'local x',
      'alias a=b',
      'time a',
      'a {b,c}',
      'a [b]',
      "a 'b",
      'a "b',
      'a \\',
      'a=(b)',
      'a()',
      '[[ a ]]',
      '((a))',
      'echo $((1))',
      'echo `a`',
      'echo ${a:-b}',
      `echo $'a'`,
      'diff <(a) <(b)',
      'ls !(a)',
      'case a in a) b;; esac',
      'cat <<EOF\n$x\nEOF',
      "cat <<'EOF'\nno end",
      'a >',
    ])
      assert.equal(simpleScript(text), null, text);
  });

  it('agree on whatever the dice give', () => {
    const piece = fc.constantFrom(
      ...(
        'a ls npm -n x/y \' " = ~ ^ : @ % 1 2 > >& < << <<- >> 1 /dev/null & && | || ; if then else elif fi while done do for in ' +
        'time . , + - * ? $ { } [ ] {} # \\ ! ( ) < $( $x ${y} A=1 EOF export'
      ).split(' '),
      ' ',
      ' ',
      ' ',
      '\n',
      '\t',
      "'a b'",
      '"a;b"',
      '"$x ',
      '; do ',
      '; done',
      '; then ',
      '; fi',
      'for f in a; do ',
      'if a; then ',
      'while a; do ',
      " <<'EOF'",
      ' <<EOF',
      '\nEOF\n',
      ' 2>&1',
      ' >/dev/null',
      ' && ',
      ' | ',
      'é',
    );
    let simple = 0;
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 14 }), pieces => {
        if (agrees(pieces.join(''))) simple++;
      }),
      { numRuns: Number(process.env.SIMPLE_RUNS ?? 6000) },
    );
    assert.ok(simple > 50, `${simple} were simple`);
  });
});
