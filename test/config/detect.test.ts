import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectTest } from '../../src/config/detect.ts';
import { project } from '../install/project.ts';

type Row = [name: string, files: Record<string, string>, cmd: string | null, runner?: string];

const script = (test: string, more: object = {}) => JSON.stringify({ scripts: { test }, ...more });

const TABLE: Row[] = [
  ['nothing', {}, null],
  ['a readme', { 'README.md': '# x' }, null],
  ['npm script', { 'package.json': script('vitest run') }, 'npm test', 'vitest'],
  ['BOM before package.json', { 'package.json': `\uFEFF${script('jest --ci')}` }, 'npm test', 'jest'],
  ['node test runner', { 'package.json': script('node --test test/') }, 'npm test', 'node-test'],
  ['unknown script', { 'package.json': script('./run-all.sh') }, 'npm test', undefined],
  ['pnpm', { 'package.json': script('jest'), 'pnpm-lock.yaml': '' }, 'pnpm test', 'jest'],
  ['yarn', { 'package.json': script('mocha'), 'yarn.lock': '' }, 'yarn test', 'mocha'],
  ['bun', { 'package.json': script('vitest'), 'bun.lock': '' }, 'bun run test', 'vitest'],
  [
    'packageManager over lock',
    { 'package.json': script('jest', { packageManager: 'pnpm@9.1.0' }), 'yarn.lock': '' },
    'pnpm test',
    'jest',
  ],
  ['npm placeholder', { 'package.json': script('echo "Error: no test specified" && exit 1') }, null],
  [
    'placeholder beside cargo',
    { 'package.json': script('echo "Error: no test specified" && exit 1'), 'Cargo.toml': '' },
    'cargo test',
    'cargo',
  ],
  ['broken package.json', { 'package.json': '{"scripts":', 'go.mod': 'module x' }, 'go test ./...', 'go'],
  ['scripts of a wrong type', { 'package.json': '{"scripts":["test"]}' }, null],
  ['vitest config alone', { 'package.json': '{}', 'vitest.config.ts': '' }, 'npx --no-install vitest run', 'vitest'],
  ['jest config, pnpm', { 'package.json': '{}', 'jest.config.js': '', 'pnpm-lock.yaml': '' }, 'pnpm exec jest', 'jest'],
  ['jest in package.json', { 'package.json': '{"jest":{}}' }, 'npx --no-install jest', 'jest'],
  ['mocharc', { '.mocharc.yml': '' }, 'npx --no-install mocha', 'mocha'],
  ['ava config', { 'ava.config.js': '' }, 'npx --no-install ava', 'ava'],
  ['jest installed alone', { 'package.json': '{"devDependencies":{"jest":"^29"}}' }, 'npx --no-install jest', 'jest'],
  [
    'vitest installed, script a placeholder',
    { 'package.json': '{"scripts":{"test":"echo no test specified"},"devDependencies":{"vitest":"1"}}' },
    'npx --no-install vitest run',
    'vitest',
  ],
  [
    "node's own runner by its files",
    { 'package.json': '{"type":"module"}', 'test/a.test.js': "import test from 'node:test';" },
    'node --test',
    'node-test',
  ],
  [
    'jest installed beside a Go module',
    { 'package.json': '{"devDependencies":{"jest":"^29"}}', 'go.mod': 'module x' },
    'go test ./...',
    'go',
  ],
  ['composer script', { 'composer.json': '{"scripts":{"test":"phpunit"}}' }, 'composer test', 'phpunit'],
  [
    'phpunit installed',
    { 'composer.json': '{"require-dev":{"phpunit/phpunit":"*"}}' },
    'vendor/bin/phpunit',
    'phpunit',
  ],
  ['pest installed', { 'composer.json': '{"require-dev":{"pestphp/pest":"*"}}' }, 'vendor/bin/pest', 'phpunit'],
  ['composer alone', { 'composer.json': '{"require":{"php":">=8"}}' }, null],
  ['deno', { 'deno.json': '{}' }, 'deno test', 'deno'],
  ['deno task', { 'deno.json': '{"tasks":{"test":"deno test -A"}}' }, 'deno task test', 'deno'],
  ['pytest.ini', { 'pytest.ini': '[pytest]' }, 'python3 -m pytest', 'pytest'],
  ['pyproject', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, 'python3 -m pytest', 'pytest'],
  ['pyproject, uv', { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'uv.lock': '' }, 'uv run pytest', 'pytest'],
  ['poetry', { 'pytest.ini': '', 'poetry.lock': '' }, 'poetry run pytest', 'pytest'],
  ['venv', { 'pytest.ini': '', '.venv/bin/python': '' }, '.venv/bin/python -m pytest', 'pytest'],
  ['setup.cfg', { 'setup.cfg': '[tool:pytest]\n' }, 'python3 -m pytest', 'pytest'],
  ['tox.ini', { 'tox.ini': '[pytest]\n' }, 'python3 -m pytest', 'pytest'],
  ['conftest', { 'tests/conftest.py': '' }, 'python3 -m pytest', 'pytest'],
  ['test files', { 'tests/test_a.py': 'def test_a(): pass' }, 'python3 -m pytest', 'pytest'],
  ['unittest', { 'tests/test_a.py': 'import unittest\n' }, 'python3 -m unittest discover -s tests', 'unittest'],
  [
    'unittest package',
    { 'tests/__init__.py': '', 'tests/test_a.py': 'from unittest import TestCase\n' },
    'python3 -m unittest discover -s tests -t .',
    'unittest',
  ],
  ['unittest at the top', { 'test_a.py': 'import unittest\n' }, 'python3 -m unittest discover', 'unittest'],
  [
    'unittest, other names',
    { 'a_test.py': 'import unittest\n' },
    "python3 -m unittest discover -p '*_test.py'",
    'unittest',
  ],
  [
    'unittest cases run by pytest',
    { 'pyproject.toml': 'dev = ["pytest"]\n', 'tests/test_a.py': 'import unittest\n' },
    'python3 -m pytest',
    'pytest',
  ],
  ['cargo', { 'Cargo.toml': '' }, 'cargo test', 'cargo'],
  ['go workspace', { 'go.work': '' }, 'go test ./...', 'go'],
  ['maven', { 'pom.xml': '' }, 'mvn -B test', 'maven'],
  ['maven wrapper', { 'pom.xml': '', mvnw: '' }, './mvnw -B test', 'maven'],
  ['gradle', { 'build.gradle.kts': '' }, 'gradle test', 'gradle'],
  ['gradle wrapper', { 'settings.gradle': '', gradlew: '' }, './gradlew test', 'gradle'],
  ['solution', { 'App.sln': '' }, 'dotnet test', 'dotnet'],
  ['csproj', { 'App.csproj': '' }, 'dotnet test', 'dotnet'],
  ['rspec', { '.rspec': '', Gemfile: '' }, 'bundle exec rspec', 'rspec'],
  ['rspec without bundler', { 'spec/a_spec.rb': '' }, 'rspec', 'rspec'],
  ['rake', { Rakefile: 'Rake::TestTask.new(:test)\n', Gemfile: '' }, 'bundle exec rake test', undefined],
  ['rake without tests', { Rakefile: 'task :build\n' }, null],
  ['rails', { 'bin/rails': '', Gemfile: '' }, 'bin/rails test', 'minitest'],
  ['phpunit', { 'phpunit.xml.dist': '' }, 'vendor/bin/phpunit', 'phpunit'],
  ['mix', { 'mix.exs': '' }, 'mix test', undefined],
  ['swift', { 'Package.swift': '' }, 'swift test', undefined],
  [
    'ctest',
    { 'CMakeLists.txt': 'enable_testing()\nadd_test(NAME a COMMAND a)\n' },
    'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure',
    'ctest',
  ],
  ['cmake without tests', { 'CMakeLists.txt': 'project(x)\n' }, null],
  ['make', { Makefile: 'all:\n\tcc x.c\ntest: all\n\t./t\n' }, 'make test', undefined],
  ['make check', { Makefile: 'check:\n\t./t\n' }, 'make check', undefined],
  ['make variable is no target', { Makefile: 'test := 1\nall:\n' }, null],
  ['bats', { 'test/a.bats': '' }, 'bats test', 'bats'],
  ['prove', { 't/a.t': '' }, 'prove -lr t', 'prove'],
  ['busted', { '.busted': '' }, 'busted', undefined],
  ['busted by files', { 'spec/a_spec.lua': '' }, 'busted', undefined],
  ['just', { justfile: 'test:\n  x\n' }, 'just test', undefined],
];

for (const [name, files, cmd, runner] of TABLE) {
  test(`the test command of: ${name}`, t => {
    const found = detectTest(project(t, files));
    assert.equal(found?.cmd ?? null, cmd);
    assert.equal(found?.runner, runner);
    if (found) assert.ok(found.frozenPaths.length > 0 && found.why.length > 0);
  });
}

test('what is frozen fits the language', t => {
  const frozen = (files: Record<string, string>) => detectTest(project(t, files))?.frozenPaths ?? [];
  assert.ok(frozen({ 'go.mod': '' }).includes('**/*_test.go'));
  assert.ok(frozen({ 'pytest.ini': '' }).includes('**/test_*.py'));
  assert.ok(frozen({ 'pom.xml': '' }).includes('**/src/test/**'));
  assert.ok(frozen({ 'package.json': script('jest') }).includes('**/__snapshots__/**'));
  assert.ok(frozen({ '.rspec': '' }).includes('spec/**'));
});

test('a file name that is a folder is no manifest', t => {
  assert.equal(detectTest(project(t, { 'package.json/x': '', 'Makefile/y': '' })), null);
});

test('a folder that is not there has no tests', () => {
  assert.equal(detectTest('/no/such/folder'), null);
});
