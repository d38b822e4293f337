import { type DetectedTest, type Folder, folder } from './detect-folder.ts';
import { JS_TESTS, javascript, javascriptByGuess } from './detect-javascript.ts';
import { isRecord, record } from './project.ts';

const PY_TESTS = ['tests/**', 'test/**', '**/test_*.py', '**/*_test.py', '**/conftest.py'];
const JVM_TESTS = ['**/src/test/**'];
const DOTNET_TESTS = ['**/*.Tests/**', '**/*Tests.cs', '**/*Test.cs', '**/*Tests.fs'];

function deno(dir: Folder): DetectedTest | undefined {
  const file = dir.has('deno.json', 'deno.jsonc');
  if (!file) return undefined;
  const tasks = dir.json(file)?.tasks;
  const cmd = isRecord(tasks) && tasks.test !== undefined ? 'deno task test' : 'deno test';
  return { cmd, runner: 'deno', frozenPaths: ['**/*_test.{ts,tsx,js,mjs,jsx}', ...JS_TESTS], why: file };
}

function pythonLauncher(dir: Folder): string {
  if (dir.has('uv.lock')) return 'uv run ';
  if (dir.has('poetry.lock')) return 'poetry run ';
  if (dir.has('pdm.lock')) return 'pdm run ';
  if (dir.has('Pipfile.lock')) return 'pipenv run ';
  const venv = dir.has('.venv/bin/python', 'venv/bin/python');
  return venv ? `${venv} -m ` : '';
}

const UNITTEST = /^\s*(?:import unittest|from unittest import)/m;
const PYTEST = /^\s*(?:import pytest|from pytest import)/m;

function python(dir: Folder): DetectedTest | undefined {
  const launcher = pythonLauncher(dir);
  const pytest = (why: string): DetectedTest => ({
    cmd: launcher ? `${launcher}pytest` : 'python3 -m pytest',
    runner: 'pytest',
    frozenPaths: PY_TESTS,
    why,
  });
  const ini = dir.has('pytest.ini', '.pytest.ini');
  if (ini) return pytest(ini);
  const pyproject = dir.text('pyproject.toml');
  if (/^\s*\[tool\.pytest(?:\.ini_options)?\]/m.test(pyproject)) return pytest('pyproject.toml');
  if (/^\[tool:pytest\]/m.test(dir.text('setup.cfg'))) return pytest('setup.cfg');
  if (/^\[pytest\]/m.test(dir.text('tox.ini'))) return pytest('tox.ini');
  const shared = ['tests/conftest.py', 'test/conftest.py', 'conftest.py'].find(name => dir.has(name));
  if (shared) return pytest(shared);
  for (const sub of ['tests', 'test', '.']) {
    const file = dir.entry(/^test_.*\.py$|^.*_test\.py$/, sub);
    if (!file) continue;
    const why = sub === '.' ? file : `${sub}/${file}`;
    const source = dir.text(why);
    if (!UNITTEST.test(source) || PYTEST.test(source) || /\bpytest\b/.test(pyproject)) return pytest(why);
    const interpreter = launcher.endsWith(' -m ') ? launcher.slice(0, -4) : `${launcher}python3`;
    const where = sub === '.' ? '' : ` -s ${sub}${dir.has(`${sub}/__init__.py`) ? ' -t .' : ''}`;
    const pattern = file.startsWith('test') ? '' : " -p '*_test.py'";
    return {
      cmd: `${interpreter} -m unittest discover${where}${pattern}`,
      runner: 'unittest',
      frozenPaths: PY_TESTS,
      why,
    };
  }
  return /\bpytest\b/.test(pyproject) ? pytest('pyproject.toml') : undefined;
}

/** Ecosystems that one file decides. `file` is a name or a pattern; `cmd` may look at the rest. */
type Ecosystem = {
  file: string[] | RegExp;
  /** Folder the pattern is looked up in. */
  sub?: string;
  cmd: string | ((dir: Folder) => string | undefined);
  runner?: string;
  frozen: string[];
};

const ECOSYSTEMS: Ecosystem[] = [
  { file: ['Cargo.toml'], cmd: 'cargo test', runner: 'cargo', frozen: ['**/tests/**', '**/*_test.rs', '**/tests.rs'] },
  {
    file: ['go.work', 'go.mod'],
    cmd: 'go test ./...',
    runner: 'go',
    frozen: ['**/*_test.go', '**/testdata/**'],
  },
  {
    file: ['pom.xml'],
    cmd: d => (d.has('mvnw') ? './mvnw -B test' : 'mvn -B test'),
    runner: 'maven',
    frozen: JVM_TESTS,
  },
  {
    file: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
    cmd: d => (d.has('gradlew') ? './gradlew test' : 'gradle test'),
    runner: 'gradle',
    frozen: JVM_TESTS,
  },
  { file: ['build.sbt'], cmd: 'sbt test', frozen: JVM_TESTS },
  { file: /\.(?:sln|slnx)$/i, cmd: 'dotnet test', runner: 'dotnet', frozen: DOTNET_TESTS },
  { file: /\.(?:cs|fs|vb)proj$/i, cmd: 'dotnet test', runner: 'dotnet', frozen: DOTNET_TESTS },
  { file: ['.rspec', 'spec/spec_helper.rb'], cmd: d => bundled(d, 'rspec'), runner: 'rspec', frozen: ['spec/**'] },
  { file: /_spec\.rb$/, sub: 'spec', cmd: d => bundled(d, 'rspec'), runner: 'rspec', frozen: ['spec/**'] },
  { file: ['bin/rails'], cmd: 'bin/rails test', runner: 'minitest', frozen: ['test/**'] },
  {
    file: ['Rakefile'],
    cmd: d => (/TestTask|task\s+:?["']?test\b/.test(d.text('Rakefile')) ? bundled(d, 'rake test') : undefined),
    frozen: ['test/**'],
  },
  {
    file: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'],
    cmd: d => (d.has('vendor/bin/pest') ? 'vendor/bin/pest' : 'vendor/bin/phpunit'),
    runner: 'phpunit',
    frozen: ['tests/**', '**/*Test.php'],
  },
  { file: ['composer.json'], cmd: composer, runner: 'phpunit', frozen: ['tests/**', '**/*Test.php'] },
  { file: ['mix.exs'], cmd: 'mix test', frozen: ['test/**', '**/*_test.exs'] },
  { file: ['Package.swift'], cmd: 'swift test', frozen: ['Tests/**'] },
  {
    file: ['CMakeLists.txt'],
    cmd: d =>
      /\b(?:enable_testing|add_test|include\s*\(\s*CTest)\b/i.test(d.text('CMakeLists.txt'))
        ? 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure'
        : undefined,
    runner: 'ctest',
    frozen: ['test/**', 'tests/**'],
  },
  { file: ['.busted'], cmd: 'busted', frozen: ['spec/**'] },
  { file: /_spec\.lua$/, sub: 'spec', cmd: 'busted', frozen: ['spec/**'] },
  { file: /\.bats$/, sub: 'test', cmd: 'bats test', runner: 'bats', frozen: ['test/**'] },
  { file: /\.bats$/, sub: 'tests', cmd: 'bats tests', runner: 'bats', frozen: ['tests/**'] },
  { file: /\.t$/, sub: 't', cmd: 'prove -lr t', runner: 'prove', frozen: ['t/**'] },
  {
    file: ['GNUmakefile', 'makefile', 'Makefile'],
    cmd: makeTarget,
    frozen: ['test/**', 'tests/**'],
  },
  {
    file: ['justfile', 'Justfile', '.justfile'],
    cmd: d =>
      /^test\b[^:=\n]*:(?!=)/m.test(firstText(d, ['justfile', 'Justfile', '.justfile'])) ? 'just test' : undefined,
    frozen: ['test/**', 'tests/**'],
  },
];

function composer(dir: Folder): string | undefined {
  const manifest = dir.json('composer.json');
  if (record(manifest?.scripts).test !== undefined) return 'composer test';
  const installed = { ...record(manifest?.require), ...record(manifest?.['require-dev']) };
  if (installed['pestphp/pest'] !== undefined) return 'vendor/bin/pest';
  return installed['phpunit/phpunit'] === undefined ? undefined : 'vendor/bin/phpunit';
}

function bundled(dir: Folder, cmd: string): string {
  return dir.has('Gemfile') ? `bundle exec ${cmd}` : cmd;
}

function firstText(dir: Folder, names: string[]): string {
  const name = dir.has(...names);
  return name ? dir.text(name) : '';
}

function makeTarget(dir: Folder): string | undefined {
  const text = firstText(dir, ['GNUmakefile', 'makefile', 'Makefile']);
  const target = ['test', 'tests', 'check'].find(name =>
    new RegExp(`^(?:[\\w./-]+ +)*${name}(?: +[\\w./-]+)* *::?(?!=)`, 'm').test(text),
  );
  return target && `make ${target}`;
}

function byEcosystem(dir: Folder): DetectedTest | undefined {
  for (const { file, sub, cmd, runner, frozen } of ECOSYSTEMS) {
    const name = Array.isArray(file) ? dir.has(...file) : dir.entry(file, sub);
    const command = name === undefined ? undefined : typeof cmd === 'string' ? cmd : cmd(dir);
    if (name !== undefined && command) {
      return { cmd: command, runner, frozenPaths: frozen, why: sub ? `${sub}/${name}` : name };
    }
  }
  return undefined;
}

/** A package.json that names a test script decides first: people put the whole suite there, in any language. */
export function detectTest(root: string): DetectedTest | null {
  const dir = folder(root);
  return javascript(dir) ?? deno(dir) ?? python(dir) ?? byEcosystem(dir) ?? javascriptByGuess(dir) ?? null;
}
