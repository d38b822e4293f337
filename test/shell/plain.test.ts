import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCommand } from '../../src/shell/index.ts';
import { readPlain } from '../../src/shell/plain.ts';

const at = { cwd: '/w', root: '/w' };

describe('plain commands', () => {
  it('have no expansion, and write nothing but to /dev/null', () => {
    for (const command of [
      '',
      ' ',
      'ls >x',
      'ls > /dev/null.txt',
      'ls >/dev/nullx',
      'ls 2>err',
      'ls &',
      'ls |& cat',
      'ls <x',
      'echo "`rm x`"',
      'echo "$(rm x)"',
      'echo "a\\"; rm x"',
      'x\\y',
      '(ls)',
      '{ ls; }',
      'ls # x',
      'echo `b`',
      'ls café',
      'ls; ; ls',
      '| ls',
      'ls |',
      'ls && rm x',
      'cat x | sh',
      "ls 'x",
      'ls() { rm x; }',
      'cd && ls',
      'cd - && ls',
      'rg --pre ./x foo',
      'rg foo $X',
      'less -o x y',
      'find . $X',
      '$X a',
      'git log $X',
      'echo ${x@P}',
      'echo ${x:-$(rm x)}',
      `ls ${'a'.repeat(5000)}`,
    ])
      assert.equal(readPlain(command, at), null, command);
  });

  it('may be quoted, joined and silenced', () => {
    const read = (command: string) => readPlain(command, at)?.invocations.map(i => [...i.argv, i.cwd]);
    assert.deepEqual(read(`cd src && grep -n "a | b" 'x y' 2>/dev/null | head -5; ls>/dev/null 2>&1`), [
      ['cd', 'src', '/w'],
      ['grep', '-n', 'a | b', 'x y', '/w/src'],
      ['head', '-5', '/w/src'],
      ['ls', '/w/src'],
    ]);
    assert.deepEqual(read('cd /x ||\n pwd\ngit log --format="%h %s"\n'), [
      ['cd', '/x', '/w'],
      ['pwd', '/x'],
      ['git', 'log', '--format=%h %s', '/x'],
    ]);
  });

  it('are read as the full reader reads them', () => {
    const word = fc.constantFrom(
      'a',
      '-n',
      'x/y.ts',
      "'a b'",
      '"a;b"',
      '"x|y"',
      "'$X'",
      "''",
      'a"b c"d',
      '--x=1',
      '2',
      "'>'",
      '"#"',
    );
    const command = fc
      .tuple(
        fc.constantFrom('ls', 'cat', 'echo', 'grep', 'git log', 'head', 'pwd', '"ls"'),
        fc.array(word, { maxLength: 4 }),
      )
      .map(([program, words]) => [program, ...words].join(' '));
    const quiet = fc.constantFrom('', ' 2>&1', ' >/dev/null', ' 2> /dev/null', ' &>/dev/null', '>/dev/null');
    const joint = fc.constantFrom(' && ', '||', ' | ', '; ', '\n', ' &&\n');
    const line = fc
      .array(fc.tuple(command, quiet, joint), { minLength: 1, maxLength: 5 })
      .map(all => all.map(([c, q, j], i) => c + q + (i + 1 < all.length ? j : '')).join(''));
    fc.assert(
      fc.property(line, text => {
        const full = readCommand(text, { ...at, env: {} });
        const plain = readPlain(text, at);
        assert.ok(plain, text);
        assert.deepEqual(
          plain.invocations.map(i => i.argv),
          full.invocations.map(i => i.argv),
          text,
        );
        assert.deepEqual(full.effects, [], text);
        assert.deepEqual(full.opaque, [], text);
      }),
      { numRuns: 400 },
    );
  });

  it('pass without the parser when they change no file', () => {
    for (const command of [
      'ls -la tests',
      'cat tests/a.test.ts',
      'git status',
      'git log --oneline -5',
      'git diff HEAD',
      'git stash list',
      'node --test test/a.test.ts',
      'pytest -q tests',
      'npx jest tests',
      'npx tsc --noEmit',
      'cargo test',
      'go test ./...',
      'rg -n foo src',
      'find . -name x',
      'cd src',
      'python3 -m pytest',
      'git config --get user.name',
    ]) {
      const reading = readPlain(command, at);
      assert.deepEqual(reading?.effects, [], command);
      assert.deepEqual(reading?.invocations, [{ argv: command.split(' '), cwd: '/w', span: [0, command.length] }]);
      assert.deepEqual(readCommand(command, { ...at, env: {} }).effects, [], command);
    }
  });

  it('go to the full reader when they might', () => {
    for (const command of [
      'rm x',
      'npx jest -u',
      'npx vitest --update',
      'npm test',
      'npm run x',
      'git checkout x',
      'git commit -m x',
      'git config core.hooksPath x',
      'git stash',
      'git diff --output=x',
      'git clean -n',
      'touch x',
      'node x.js',
      'node -e 1',
      'python3 x.py',
      'make test',
      './run',
      'FOO=1 ls',
      'find . -delete',
      'find . -exec rm',
      'sort -o x y',
      'pytest --snapshot-update',
      'pytest --junitxml=tests/x',
      'go test -o x',
      'npx tsc',
      'npx prettier --write .',
      'tee x',
      'sed -i s/a/b/ x',
      'unknown x',
      'env rm x',
      'git worktree add x',
    ])
      assert.equal(readPlain(command, at), null, command);
  });

  it('go to the full reader where a flag starts a program, writes, or is written as its beginning', () => {
    for (const command of [
      // The shell evaluates the subscript of a name.
      "printf -v 'a[$(rm x)]' 1",
      "test -v 'a[$(rm x)]'",
      'printf -v PATH .',
      'jobs -x rm x',
      "more '+!rm x' y",
      'file -C -m x',
      'bat cache --build --target x',
      'ag --pag x y',
      "echo 'rm x' | csh -V",
      'git grep -nOx y',
      'git grep --open=x y',
      'git fetch --upload=x .',
      'git ls-remote --exe=x .',
      'git ls-remote --u=x .',
      'git stash show -p --output=x',
      'git stash list --output x',
      'jest --u',
      'jest -u=true',
      'jest --init',
      'jest -run',
      'vitest --coverage.reportsDirectory=x',
      'vitest --outputFile.json=x',
      'mocha -r x.js',
      'pytest --override-ini=log_file=x',
      'pytest --debug=x',
      'pytest --alluredir=x',
      'pytest @x',
      'rspec -co x',
      'tox exec -- rm x',
      'node x.js --test',
      'node inspect --test',
      'node --test x.js',
      'node --test --test-reporter=./x.mjs',
      'node --test --test-rerun-failures=x',
      'npx tsc --noEmit false',
      'npx tsc --noEmit --generateTrace x',
      'npx tsc --noEmit @x',
      'go test -exec x .',
      'go build -toolexec x .',
      'go test -test.trace=x .',
      'go env -w GOFLAGS=-exec=x',
      'cargo test --config build.rustc-wrapper=x',
      'npm i --script-shell=x',
      'pip install -t x y',
      'kubectl get --kubeconfig=x pods',
      // A single quote inside of double quotes quotes nothing.
      `git log "'$X'"`,
      `git log "a'$X"'b'`,
    ])
      assert.equal(readPlain(command, at), null, command);
  });

  it('need no reader with the flags of every day', () => {
    for (const command of [
      'npx jest --runInBand --coverage src',
      'pytest -x -k "a or b" --tb=short -q',
      'go test -run TestX -race ./...',
      'npx vitest run --no-color',
      'npx tsc --noEmit -p tsconfig.json',
      'git diff --unified=3 --stat',
      'git log --oneline --until=now -u',
      'test -f x',
      'date +%s',
      'npm ci',
    ])
      assert.ok(readPlain(command, at), command);
  });
});
