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

const cases: [string, string, string, string, boolean][] = [
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
  ['another tool', 'pyproject.toml', TOML, TOML.replace('100', '88'), true],
];

describe('the deciding part of settings', () => {
  for (const [what, name, before, after, keeps] of cases)
    it(`${keeps ? 'is kept by' : 'is changed by'} ${what} (${name})`, () => {
      assert.notEqual(before, after);
      assert.equal(keepsDeciding(name, before, after), keeps);
    });
});
