import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCommand } from '../../src/shell/index.ts';
import { isPlain, readPlain } from '../../src/shell/plain.ts';

const at = { cwd: '/w', root: '/w' };

describe('plain commands', () => {
  it('have neither quoting nor operators', () => {
    for (const command of ['ls -la', 'git status', 'cat src/a.ts', 'npm test', 'grep -n foo=bar src/x', 'a@b %x +y'])
      assert.equal(isPlain(command), true, command);
    for (const command of [
      '',
      ' ',
      'ls | cat',
      'a; b',
      'echo "x"',
      "echo 'x'",
      'a > b',
      'ls *',
      'echo $X',
      'a && b',
      'a\nb',
      'x\\y',
      'ls {a,b}',
      '(ls)',
      'ls # x',
      '~/x',
      'a `b`',
      'café',
      '=x',
      `ls ${'a'.repeat(5000)}`,
    ])
      assert.equal(isPlain(command), false, command);
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
    assert.equal(readPlain('ls | cat', at), null);
  });
});
