import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TestChange, weakerTests } from '../../src/guards/weaker-tests.ts';
import { writerWords } from '../../src/guards/writer-words.ts';

const change = (over: Partial<TestChange> & { name: string }): TestChange => ({
  before: null,
  after: '',
  words: '',
  isTest: false,
  frozen: false,
  ...over,
});
const pkg = (test: string | null, more: object = {}) =>
  JSON.stringify({ scripts: test === null ? {} : { test, lint: 'eslint .' }, ...more });

describe('the test script', () => {
  const weak: [string, string | null, RegExp][] = [
    ['jest', 'jest || true', /swallow/],
    ['jest', 'jest || exit 0', /swallow/],
    ['jest', 'jest; exit 0', /exit status/],
    ['jest', 'jest; true', /exit status/],
    ['jest', 'jest | cat', /pipe/],
    ['jest', 'jest --passWithNoTests', /without tests/],
    ['jest', 'jest --testPathIgnorePatterns tests', /leaves tests out/],
    ['jest', 'jest -t add', /part of the tests/],
    ['pytest', 'pytest -k "not add"', /part of the tests/],
    ['pytest', 'pytest --ignore=tests', /leaves tests out/],
    ['pytest', 'pytest --deselect tests/a.py::b', /leaves tests out/],
    ['jest', 'jest -u', /rewrites/],
    ['jest', 'jest --config loose.js', /another configuration/],
    ['jest', 'echo 6 passed', /no tests/],
    ['jest', 'true', /no tests/],
    ['jest', 'node -e 0', /no tests/],
    ['jest', null, /removes scripts.test/],
  ];
  for (const [from, to, why] of weak)
    it(`${from} -> ${to}`, () =>
      assert.match(weakerTests(change({ name: 'package.json', before: pkg(from), after: pkg(to) })) ?? '', why));

  const fine: [string, string][] = [
    ['jest', 'vitest run'],
    ['jest', 'jest --coverage'],
    ['jest || true', 'jest'],
    ['mocha', 'node --test'],
    ['jest', 'npm run build && jest'],
    ['jest', 'NODE_ENV=test node --import tsx test/run.ts'],
    ['pytest', 'pytest -q -ra --maxfail=3'],
  ];
  for (const [from, to] of fine)
    it(`${from} -> ${to} passes`, () =>
      assert.equal(weakerTests(change({ name: 'package.json', before: pkg(from), after: pkg(to) })), null));

  it('lets other keys of the manifest change, also while tests are frozen', () => {
    const before = pkg('jest', { devDependencies: { jest: '^29.0.0' } });
    const after = pkg('jest', { devDependencies: { jest: '^30.0.0' }, version: '2.0.0' });
    assert.equal(weakerTests(change({ name: 'package.json', before, after, frozen: true })), null);
  });

  it('holds a frozen test script, but for options that only print', () => {
    const edit = (after: string) => ({ name: 'package.json', before: pkg('jest'), after: pkg(after), frozen: true });
    assert.match(weakerTests(change(edit('jest src'))) ?? '', /frozen/);
    assert.match(weakerTests(change(edit('vitest run'))) ?? '', /frozen/);
    assert.equal(weakerTests(change(edit('jest --coverage'))), null);
  });

  it('reads npm pkg set and delete', () => {
    const words = (...argv: string[]) => argv.join('\0');
    const by = (text: string) =>
      weakerTests(change({ name: 'package.json', before: pkg('jest'), after: undefined, words: text }));
    assert.match(by(words('npm', 'pkg', 'set', 'scripts.test=exit 0')) ?? '', /no tests/);
    assert.match(by(words('npm', 'pkg', 'delete', 'scripts.test')) ?? '', /removes/);
    assert.equal(by(words('npm', 'pkg', 'set', 'scripts.start=node .', 'description=test: "x" || true')), null);
  });

  it('looks at the words where the result cannot be known', () => {
    const by = (words: string) =>
      weakerTests(change({ name: 'package.json', before: pkg('jest'), after: undefined, words }));
    assert.match(by('sed -i s/"test": "jest"/"test": "true"/ package.json') ?? '', /decides/);
    assert.match(by('jq .scripts.test="true" package.json') ?? '', /decides/);
    assert.equal(by('sed -i s/"version": "1"/"version": "2"/ package.json'), null);
    assert.equal(by('jq .devDependencies.jest="30" package.json'), null);
  });
});

describe('runner settings', () => {
  const weak: [string, string, string, RegExp][] = [
    [
      'vitest.config.ts',
      "test: { include: ['tests/**'] }",
      "test: { include: ['src/**'] }",
      /tests\/\*\* is looked for no more/,
    ],
    ['vitest.config.ts', 'test: {}', "test: { exclude: ['tests/**'] }", /leaves tests\/\*\* out/],
    ['vitest.config.ts', 'test: {}', 'test: { passWithNoTests: true }', /passWithNoTests/],
    ['jest.config.js', 'x = {}', "x = { testPathIgnorePatterns: ['/slow/'] }", /slow/],
    ['packages/a/jest.config.js', "x = { roots: ['a', 'b'] }", "x = { roots: ['a'] }", /b is looked for no more/],
    ['pytest.ini', '[pytest]\naddopts = -ra\n', '[pytest]\naddopts = -ra --ignore=tests\n', /addopts leaves/],
    ['pytest.ini', '[pytest]\naddopts = -ra\n', '[pytest]\naddopts = -ra\n    -k "not add"\n', /addopts runs a part/],
    ['pytest.ini', '[pytest]\ntestpaths = tests\n', '[pytest]\ntestpaths = src\n', /tests is looked for no more/],
    [
      'pyproject.toml',
      '[tool.pytest.ini_options]\n',
      '[tool.pytest.ini_options]\naddopts = "--deselect tests/a.py"\n',
      /addopts leaves/,
    ],
    ['tsconfig.json', '{"include":["src","tests"]}', '{"include":["src"]}', /tests is looked for no more/],
    ['Makefile', 'test:\n\tnpx jest\n', 'test:\n\t-npx jest\n', /go on after a failure/],
    ['Makefile', 'test:\n\tnpx jest\n', 'test:\n\tnpx jest || true\n', /swallow/],
    ['Makefile', 'test:\n\tnpx jest\n', 'test:\n\t@echo ok\n', /no tests/],
    ['.npmrc', '', 'script-shell=/bin/true\n', /script-shell/],
    ['/home/u/.bashrc', '', "alias npm='true'\n", /place of the runner/],
    ['.github/workflows/ci.yml', 'steps:\n  - run: npm test\n', 'steps:\n  - run: npm test || true\n', /swallow/],
    [
      '.github/workflows/ci.yml',
      'steps:\n  - run: npm test\n',
      'steps:\n  - run: npm test\n    continue-on-error: true\n',
      /go on/,
    ],
    ['/home/u/bin/jest', '', '#!/bin/sh\nexit 0\n', /place/],
  ];
  for (const [name, before, after, why] of weak)
    it(`${name}: ${JSON.stringify(after)}`, () =>
      assert.match(weakerTests(change({ name, before, after })) ?? '', why));

  const fine: [string, string, string][] = [
    ['vitest.config.ts', 'test: {}', "resolve: { alias: { '@': '/src' } }, test: { coverage: { reporter: ['text'] } }"],
    ['vitest.config.ts', 'test: {}', "test: { exclude: ['node_modules', 'dist', 'e2e/**'] }"],
    ['vitest.config.ts', "test: { include: ['tests/unit/**'] }", "test: { include: ['tests/**'] }"],
    ['jest.config.js', "x = { testPathIgnorePatterns: ['/slow/'] }", 'x = {}'],
    ['pytest.ini', '[pytest]\naddopts = -ra --ignore=tests\n', '[pytest]\naddopts = -ra -q\n'],
    ['pyproject.toml', '[tool.black]\nline-length = 100\n', '[tool.black]\nline-length = 88\n'],
    ['tsconfig.json', '{"compilerOptions":{"target":"ES2020"}}', '{"compilerOptions":{"target":"ES2022"}}'],
    ['Makefile', 'test:\n\tnpx jest\n', 'test:\n\tnpx jest\nclean:\n\t-rm -rf dist || true\n'],
    ['.npmrc', '', 'registry=https://registry.example/\n'],
    ['.github/workflows/ci.yml', 'steps:\n  - run: npm test\n', 'steps:\n  - run: npm ci\n  - run: npm test\n'],
  ];
  for (const [name, before, after] of fine)
    it(`${name}: ${JSON.stringify(after)} passes`, () =>
      assert.equal(weakerTests(change({ name, before, after })), null));

  it('leaves settings of a build, a package and another tool to themselves', () => {
    const why = (name: string, before: string | null, after: string) => weakerTests(change({ name, before, after }));
    assert.equal(why('tsconfig.build.json', null, '{"exclude":["**/*.test.ts"]}'), null);
    assert.equal(why('packages/a/tsconfig.json', null, '{"exclude":["tests"]}'), null);
    assert.match(why('tsconfig.json', null, '{"exclude":["tests"]}') ?? '', /leaves tests out/);
    const toml = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n';
    assert.equal(why('pyproject.toml', toml, `${toml}[tool.ruff]\nexclude = ["tests"]\n`), null);
    assert.match(why('pyproject.toml', toml, toml.replace('"tests"', '"src"')) ?? '', /looked for no more/);
    assert.match(why('setup.cfg', '', '[tool:pytest]\nnorecursedirs = tests\n') ?? '', /leaves tests out/);
    const vitest = "export default { test: { include: ['t'] } };";
    assert.equal(why('vitest.config.ts', vitest, vitest.replace('test:', "coverage: { exclude: ['t'] }, test:")), null);
    assert.equal(why('src/setup.ts', null, 'process.exit(0);'), null);
    assert.match(why('setup.ts', null, 'process.exit(0);') ?? '', /exit/);
    assert.match(why('src/setupTests.ts', null, 'process.exit(0);') ?? '', /exit/);
  });

  it('reads what npm pkg sets in several calls, and nothing in what it gets', () => {
    const before = '{"scripts":{"test":"jest"}}';
    const why = (words: string) => weakerTests(change({ name: 'package.json', before, after: undefined, words }));
    assert.equal(why('npm\0pkg\0set\0version=2'), null);
    assert.match(why('npm\0pkg\0set\0version=2\u0001npm\0pkg\0set\0scripts.test=true') ?? '', /no tests/);
    const call = (...argv: string[]) => ({ argv, cwd: '/' });
    assert.equal(
      writerWords('npm pkg set', [call('npm', 'pkg', 'get', 'a'), call('npm', 'pkg', 'set', 'b=1')]),
      'npm\0pkg\0set\0b=1',
    );
    assert.doesNotMatch(
      writerWords('sponge', [call('jq', '-r', '.scripts.test', 'package.json'), call('sponge', 'package.json')]),
      /scripts/,
    );
    assert.match(
      writerWords('sponge', [call('jq', '.scripts.test="x"', 'package.json'), call('sponge', 'package.json')]),
      /scripts/,
    );
  });

  it('holds a frozen settings file: its change, its loss, a new one beside it', () => {
    const frozen = (name: string, before: string | null, after: string | null) =>
      weakerTests(change({ name, before, after, frozen: true }));
    assert.match(
      frozen('jest.config.js', "x = { testEnvironment: 'node' }", "x = { testEnvironment: './env.js' }") ?? '',
      /frozen/,
    );
    assert.match(frozen('jest.config.js', "x = { testMatch: ['a'] }", null) ?? '', /frozen/);
    assert.match(frozen('vitest.workspace.ts', null, "export default ['a'];") ?? '', /frozen/);
    assert.equal(
      frozen('jest.config.js', "x = { testMatch: ['a'] }", "x = { testMatch: ['a'], collectCoverage: true }"),
      null,
    );
    assert.equal(
      weakerTests(change({ name: 'jest.config.js', before: "x = { testMatch: ['a'] }", after: null })),
      null,
    );
  });
});
