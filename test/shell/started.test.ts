/** Flags that start a program or write a file, of commands that else only read or test. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommand } from '../../src/shell/index.ts';

const touched = (command: string): string[] =>
  readCommand(command, { cwd: '/w', root: '/w', env: {} }).effects.map(e =>
    e.target.kind === 'path' ? `${e.op} ${e.target.path}` : e.op,
  );

test('what a flag starts is read', () => {
  for (const command of [
    "git grep -n -O'rm tests/a' x",
    "git grep --open='rm tests/a' x",
    "git fetch --upload-pack 'rm tests/a' .",
    "git ls-remote --exe='rm tests/a' .",
    "go test -exec 'rm tests/a' ./...",
    "go vet -vettool='rm tests/a' .",
    'jobs -x rm tests/a',
    "read 'a[$(rm tests/a)]'",
    "unset 'a[$(rm tests/a)]'",
    "declare 'a[$(rm tests/a)]=1'",
    "[ -v 'a[$(rm tests/a)]' ]",
    "test -v 'a[$(rm tests/a)]'",
    "printf -v 'a[`rm tests/a`]' 1",
  ])
    assert.deepEqual(touched(command), ['delete /w/tests/a'], command);
});

test('what a flag writes is read', () => {
  for (const command of [
    'git log --output tests/a',
    'git stash show -p --output=tests/a',
    'git stash list --output tests/a',
    'git blame x --output=tests/a',
    'go test -test.trace=tests/a .',
    'go test -coverprofile tests/a .',
    'pytest --junitxml tests/a',
    'pytest --debug=tests/a',
    'pytest -o log_file=tests/a',
    'pytest --override-ini=log_file=tests/a',
    'vitest --outputFile.json=tests/a',
    'vitest --coverage.reportsDirectory=tests/a',
  ])
    assert.deepEqual(touched(command), ['write /w/tests/a'], command);
  for (const command of ['jest --u', 'jest -u=true', 'vitest --u', 'tap -S'])
    assert.equal(touched(command).length, 3, command);
});

test('a repository named by hand is written', () => {
  for (const command of [
    'git --git-dir=kept/vault.git --work-tree=. add -f tests',
    'git -C kept/vault.git update-ref refs/heads/x HEAD',
    'cd kept/vault.git && git symbolic-ref HEAD x',
    'GIT_DIR=kept/vault.git git tag -d x',
  ])
    assert.deepEqual(touched(command), ['write /w/kept/vault.git'], command);
  assert.deepEqual(touched('GIT_INDEX_FILE=kept/vault.git/index git write-tree'), ['write /w/kept/vault.git/index']);
});

test('a project below a bare repository is written as any other', () => {
  const read = readCommand('git add src', { cwd: '/p.git/main', root: '/p.git/main', env: {} });
  assert.deepEqual(read.effects, []);
});

test('what only looks alike does nothing', () => {
  for (const command of [
    "printf 'a[$(rm tests/a)]'",
    "test 'a[$(rm tests/a)]' = x",
    "git grep -e '-O' tests",
    'git grep -n x -- -Orm',
    'git fetch --update-head-ok origin',
    'git --git-dir=.git add x',
    'git --git-dir=kept/vault.git log',
    'git diff --output-indicator-new=x',
    'git log --oneline -3 -- tests/a',
    'go test -run TestX -count 1 ./tests',
    'pytest --debug tests/a',
    'pytest --cov-report term-missing tests/a',
  ])
    assert.deepEqual(touched(command), [], command);
});
