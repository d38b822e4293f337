import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { simpleWords, spellings } from '../../src/checks/spelling.ts';

describe('spellings of one run', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'touchstone-spelling-'));
    mkdirSync(join(root, 'src/deep'), { recursive: true });
    mkdirSync(join(root, 'plain'));
    mkdirSync(join(root, 'more'));
    const manifest = (scripts: object) => JSON.stringify({ scripts });
    writeFileSync(join(root, 'package.json'), manifest({ test: 'cross-env CI=1 vitest run', unit: 'npm test' }));
    writeFileSync(join(root, 'plain/package.json'), '{');
    writeFileSync(join(root, 'more/package.json'), manifest({ pretest: 'eslint .', test: 'node --test' }));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const same = (a: string, b: string, cwdA = '.', cwdB = cwdA): boolean => {
    const forms = spellings(a.split(' '), join(root, cwdA));
    return [...spellings(b.split(' '), join(root, cwdB))].some(form => forms.has(form));
  };

  it('knows package managers, launchers and the script itself as one', () => {
    for (const other of [
      'npm t',
      'npm run test',
      'npm run-script test --silent',
      'npm --silent test',
      'pnpm test',
      'yarn test',
      'yarn run test',
      'bun run test',
      'npx vitest run',
      'npx --no-install vitest run --reporter=dot',
      'pnpm exec vitest run',
      'npm exec -- vitest run',
      './node_modules/.bin/vitest run',
      'npm run unit',
      `npm --prefix ${root ?? '.'} test`,
    ]) {
      assert.ok(same('npm test', other), other);
    }
    assert.ok(same('npm test', 'npm test', '.', 'src/deep'), 'npm looks upward for the package');
  });

  it('takes no part, no other place and no other runner for the whole', () => {
    for (const other of [
      'npm test -- src/a.test.ts',
      'npm test src/a.test.ts',
      'npx vitest run src/a.test.ts',
      'npx vitest run -t adds',
      'npm test -w packages/a',
      'npm run build',
      'bun test',
      'npx vitest',
      'npx jest',
    ]) {
      assert.ok(!same('npm test', other), other);
    }
    assert.ok(!same('npx vitest run', 'npx vitest run', '.', 'src/deep'));
    assert.ok(!same('npm test', 'npm test', '.', 'more'));
    assert.ok(!same('npm test', 'node --test', 'more'), 'with a pretest the script is more than its command');
  });

  it('knows modules and environment tools', () => {
    for (const other of [
      'pytest',
      'py.test',
      'python -m pytest -q',
      'python3 -m pytest --tb=short',
      'uv run pytest -vv',
    ]) {
      assert.ok(same('python3 -m pytest', other), other);
    }
    assert.ok(same('python3 -m unittest discover', 'python -m unittest discover -v'));
    assert.ok(!same('python3 -m pytest', 'pytest tests/test_a.py'));
    assert.ok(!same('python3 -m pytest', 'pytest -k adds'));
    assert.ok(!same('go test ./...', 'go test ./pkg'));
    assert.ok(same('./mvnw test', 'mvn test'));
  });

  it('does without a manifest that cannot be read', () => {
    assert.ok(same('npm test', 'npm t', 'plain'));
  });

  it('splits only what is one simple command', () => {
    assert.deepEqual(simpleWords('A=1 B=2 node --test "a b"'), ['node', '--test', 'a b']);
    for (const text of ['a && b', 'a | b', 'a $X', 'a *', '']) assert.equal(simpleWords(text), null, text);
  });
});
