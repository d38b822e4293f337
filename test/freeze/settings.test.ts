/** Which edits of runner settings leave alone what a freeze holds. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keepsDeciding } from '../../src/freeze/settings.ts';

const CONFTEST = `"""Shared."""
import pytest

# the base of the sums
@pytest.fixture
def base():
    return 2


def pytest_configure(config):
    config.addinivalue_line("markers", "slow")
`;
const INI = '[pytest]\ntestpaths = tests\naddopts = -ra\n';
const TOML = '[tool.black]\nline-length = 100\n\n[tool.pytest.ini_options]\naddopts = ["-ra", "--strict-markers"]\n';

const JEST = "module.exports = { testMatch: ['a'] };";
/** A further key; the text is full of what `replace` would take for a reference. */
const grow = (text: string, more: string): string => text.replace('}', () => more);
const MAPPED = grow(JEST, ", moduleNameMapper: { '^@/(.*)$': '<rootDir>/src/$1' } }");
const VITEST = "export default { test: { include: ['t'] }";
const MAKE = 'test:\n\tnpx jest\n';
const PKG = '{"scripts":{"test":"jest"}}';

const cases: [string, string, string | null, string, boolean][] = [
  ['a docstring', 'conftest.py', CONFTEST, CONFTEST.replace('base():\n', 'base():\n    """Two."""\n'), true],
  ['a comment', 'conftest.py', CONFTEST, CONFTEST.replace('    return 2', '    return 2  # still'), true],
  ['an import', 'conftest.py', CONFTEST, CONFTEST.replace('import pytest', 'import os\nimport pytest'), true],
  [
    'a new fixture',
    'conftest.py',
    CONFTEST,
    `${CONFTEST}\n@pytest.fixture(scope="session")\ndef db():\n    return 1\n`,
    true,
  ],
  ['another value of a fixture', 'conftest.py', CONFTEST, CONFTEST.replace('return 2', 'return 3'), false],
  ['a fixture gone', 'conftest.py', CONFTEST, CONFTEST.replace(/@pytest[\s\S]*return 2\n/, ''), false],
  [
    'a fixture defined twice',
    'conftest.py',
    CONFTEST,
    `${CONFTEST}\n@pytest.fixture\ndef base():\n    return 3\n`,
    false,
  ],
  [
    'a fixture of every test',
    'conftest.py',
    CONFTEST,
    `${CONFTEST}\n@pytest.fixture(autouse=True)\ndef f():\n    x()\n`,
    false,
  ],
  [
    'a hook',
    'conftest.py',
    CONFTEST,
    `${CONFTEST}\ndef pytest_collection_modifyitems(items):\n    items[:] = []\n`,
    false,
  ],
  ['a star import', 'conftest.py', CONFTEST, `from plugin import *\n${CONFTEST}`, false],
  ['an imported hook', 'conftest.py', CONFTEST, `from plugin import pytest_runtest_call\n${CONFTEST}`, false],
  [
    'code between two texts',
    'conftest.py',
    'x = """\na\n"""\ny = """\nb\n"""\n',
    'x = """\na\n"""\nexit(0)\ny = """\nb\n"""\n',
    false,
  ],
  ['a text left open', 'conftest.py', CONFTEST, `${CONFTEST}\nx = """\n`, false],
  ['how pytest logs', 'pytest.ini', INI, `${INI}log_cli = true\nlog_cli_level = INFO\n`, true],
  ['markers', 'pytest.ini', INI, `${INI}markers =\n    slow: takes long\n`, true],
  ['how much pytest says', 'pytest.ini', INI, INI.replace('-ra', '-ra -q --tb=short'), true],
  ['a part of the tests', 'pytest.ini', INI, INI.replace('-ra', '-ra -k add'), false],
  ['a folder left out', 'pytest.ini', INI, INI.replace('-ra', '-ra --ignore=tests'), false],
  ['another folder', 'pytest.ini', INI, INI.replace('= tests', '= src'), false],
  ['a key behind one that prints', 'pytest.ini', INI, `${INI}markers =\n    slow: x\npython_files = none_*\n`, false],
  ['how pytest is told by pyproject', 'pyproject.toml', TOML, TOML.replace('"-ra", ', '"-ra", "-q", '), true],
  ['less by pyproject', 'pyproject.toml', TOML, TOML.replace('"-ra", ', '"-ra", "-k", "none", '), false],
  ['a warning not told', 'pytest.ini', INI, `${INI}filterwarnings =\n    ignore::DeprecationWarning\n`, true],
  ['a warning that fails a test', 'pytest.ini', INI, `${INI}filterwarnings =\n    error\n`, false],
  ['tests side by side', 'pytest.ini', INI, INI.replace('-ra', '-ra -n auto'), true],
  ['a further pattern', 'jest.config.js', JEST, JEST.replace("['a']", "['a', 'b']"), true],
  ['a pattern less', 'jest.config.js', JEST.replace("['a']", "['a', 'b']"), JEST, false],
  ['another pattern', 'jest.config.js', JEST, JEST.replace("['a']", "['b']"), false],
  ['a pattern that takes away', 'jest.config.js', JEST, JEST.replace("['a']", "['a', '!b']"), false],
  ['the first pattern of all', 'jest.config.js', 'x = { verbose: true }', JEST, false],
  ['an alias', 'jest.config.js', JEST, grow(JEST, ", moduleNameMapper: { '^@/(.*)$': '<rootDir>/src/$1' } }"), true],
  [
    'a stub for styles',
    'jest.config.js',
    JEST,
    grow(JEST, ", moduleNameMapper: { '\\\\.(css|less)$': 'identity-obj-proxy' } }"),
    true,
  ],
  [
    'an alias beneath another',
    'jest.config.js',
    MAPPED,
    MAPPED.replace("{ '^@/(", () => "{ '^@/calc$': '<rootDir>/fake.js', '^@/("),
    false,
  ],
  [
    'an alias beside another',
    'jest.config.js',
    MAPPED,
    MAPPED.replace("{ '^@/(", () => "{ '^@api/(.*)$': '<rootDir>/api/$1', '^@/("),
    true,
  ],
  [
    'a path beneath another',
    'tsconfig.json',
    '{"compilerOptions":{"paths":{"@/*":["src/*"]}}}',
    '{"compilerOptions":{"paths":{"@/*":["src/*"],"@/calc":["fake/calc"]}}}',
    false,
  ],
  [
    'a path beside another',
    'tsconfig.json',
    '{"compilerOptions":{"paths":{"@/*":["src/*"]}}}',
    '{"compilerOptions":{"paths":{"@/*":["src/*"],"@api/*":["api/*"]}}}',
    true,
  ],
  ['a stub for code', 'jest.config.js', JEST, grow(JEST, ", moduleNameMapper: { '.*/calc': './fake.js' } }"), false],
  ['an alias that leads elsewhere', 'jest.config.js', MAPPED, MAPPED.replace('src', 'fake'), false],
  ['a longer wait', 'vitest.config.ts', VITEST, grow(VITEST, ', testTimeout: 20000 }'), true],
  [
    'what is counted',
    'vitest.config.ts',
    VITEST,
    grow(VITEST, ", coverage: { reporter: ['text'], include: ['src'], exclude: ['tests'] } }"),
    true,
  ],
  ['a reporter of a package', 'jest.config.js', JEST, grow(JEST, ", reporters: ['default', 'jest-junit'] }"), true],
  ['a reporter of the project', 'jest.config.js', JEST, grow(JEST, ", reporters: ['./mine.js'] }"), false],
  ['a transform of a package', 'jest.config.js', JEST, grow(JEST, ", transform: { '^.+\\\\.ts$': 'ts-jest' } }"), true],
  ['a transform of the project', 'jest.config.js', JEST, grow(JEST, ", transform: { 'ts$': './t.js' } }"), false],
  ['a root beside', 'vitest.config.ts', VITEST, grow(VITEST, ", dir: 'src' }"), false],
  [
    'a path alias',
    'tsconfig.json',
    '{"compilerOptions":{}}',
    '{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"]}}}',
    true,
  ],
  [
    'another path alias',
    'tsconfig.json',
    '{"compilerOptions":{"paths":{"@/*":["src/*"]}}}',
    '{"compilerOptions":{"paths":{"@/*":["fake/*"]}}}',
    false,
  ],
  ['settings of a build', 'tsconfig.build.json', null, '{"extends":"./tsconfig.json","exclude":["tests"]}', true],
  ['what a target needs', 'Makefile', MAKE, MAKE.replace('test:', 'test: build'), true],
  ['what a target needs no more', 'Makefile', MAKE.replace('test:', 'test: unit'), MAKE, false],
  ['how the test command prints', 'Makefile', MAKE, MAKE.replace('jest', 'jest --verbose --ci'), true],
  ['what the test command runs', 'Makefile', MAKE, MAKE.replace('jest', 'jest src'), false],
  ['coverage', 'package.json', PKG, PKG.replace('"jest"', '"jest --coverage --silent"'), true],
  ['a part of the run', 'package.json', PKG, PKG.replace('"jest"', '"jest --shard=1/9"'), false],
  ['how jest prints', 'package.json', PKG, PKG.replace('}}', '},"jest":{"verbose":true}}'), true],
  ['where jest looks', 'package.json', PKG, PKG.replace('}}', '},"jest":{"testMatch":["x"]}}'), false],
  ['another tool', 'pyproject.toml', TOML, TOML.replace('100', '88'), true],
];

describe('the deciding part of settings', () => {
  for (const [what, name, before, after, keeps] of cases)
    it(`${keeps ? 'is kept by' : 'is changed by'} ${what} (${name})`, () => {
      assert.notEqual(before, after);
      assert.equal(keepsDeciding(name, before, after), keeps);
    });
});
