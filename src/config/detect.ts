import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** How a project is most likely tested, told from the files present. Nothing is executed. */
export type DetectedTest = {
  cmd: string;
  /** Name in `src/runners/` where the output format is known; absent for "whatever the script prints". */
  runner?: string;
  frozenPaths: string[];
  /** The file that decided, for the report of `init`. */
  why: string;
};

const JS_TESTS = [
  '**/*.test.{js,jsx,ts,tsx,mjs,cjs,mts,cts}',
  '**/*.spec.{js,jsx,ts,tsx,mjs,cjs,mts,cts}',
  '**/__tests__/**',
  '**/__snapshots__/**',
  'test/**',
  'tests/**',
];
const PY_TESTS = ['tests/**', 'test/**', '**/test_*.py', '**/*_test.py', '**/conftest.py'];
const JVM_TESTS = ['**/src/test/**'];
const DOTNET_TESTS = ['**/*.Tests/**', '**/*Tests.cs', '**/*Test.cs', '**/*Tests.fs'];

type Folder = {
  has(...names: string[]): string | undefined;
  text(name: string): string;
  json(name: string): Record<string, unknown> | undefined;
  /** First entry of the folder whose name matches. */
  entry(pattern: RegExp, sub?: string): string | undefined;
};

function folder(root: string): Folder {
  const text = (name: string): string => {
    try {
      const path = join(root, name);
      // A file of this name that is a device, or larger than any manifest, is not a manifest.
      const stat = statSync(path);
      return stat.isFile() && stat.size < 4_000_000 ? readFileSync(path, 'utf8').replace(/^\uFEFF/, '') : '';
    } catch {
      return '';
    }
  };
  return {
    text,
    has: (...names) => names.find(name => existsSync(join(root, name))),
    json(name) {
      try {
        const value: unknown = JSON.parse(text(name));
        return isObject(value) ? value : undefined;
      } catch {
        return undefined;
      }
    },
    entry(pattern, sub = '.') {
      try {
        return readdirSync(join(root, sub))
          .sort()
          .find(name => pattern.test(name));
      } catch {
        return undefined;
      }
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type PackageManager = { run: string; exec: string };

const PACKAGE_MANAGERS: Record<string, PackageManager> = {
  npm: { run: 'npm test', exec: 'npx --no-install' },
  pnpm: { run: 'pnpm test', exec: 'pnpm exec' },
  yarn: { run: 'yarn test', exec: 'yarn run' },
  // `bun test` would start bun's own runner instead of the script.
  bun: { run: 'bun run test', exec: 'bunx' },
};

function packageManager(dir: Folder, manifest: Record<string, unknown>): PackageManager {
  const declared = String(manifest.packageManager ?? '').split('@')[0] ?? '';
  const byLock = dir.has('pnpm-lock.yaml')
    ? 'pnpm'
    : dir.has('yarn.lock')
      ? 'yarn'
      : dir.has('bun.lock', 'bun.lockb')
        ? 'bun'
        : 'npm';
  return PACKAGE_MANAGERS[declared] ?? (PACKAGE_MANAGERS[byLock] as PackageManager);
}

/** Word in a script -> runner. The first that matches names the output we expect. */
const SCRIPT_RUNNERS: [RegExp, string][] = [
  [/\bvitest\b/, 'vitest'],
  [/\bjest\b|\breact-scripts test\b/, 'jest'],
  [/\b_?mocha\b/, 'mocha'],
  [/\bnode\b.*\s--test\b|\bnode --test\b/, 'node-test'],
  [/\bpytest\b/, 'pytest'],
  [/\bava\b/, 'ava'],
  [/\btape\b/, 'tape'],
  [/\btap\b/, 'node-tap'],
];

function scriptRunner(script: string): string | undefined {
  return SCRIPT_RUNNERS.find(([word]) => word.test(script))?.[1];
}

const JS_CONFIGS: [RegExp, string, string][] = [
  [/^vitest\.(config|workspace)\.[cm]?[jt]s$/, 'vitest run', 'vitest'],
  [/^jest\.config\.([cm]?[jt]s|json)$/, 'jest', 'jest'],
  [/^\.mocharc\.([cm]?js|json|ya?ml|jsonc)$/, 'mocha', 'mocha'],
  [/^ava\.config\.[cm]?js$/, 'ava', 'ava'],
];

function javascript(dir: Folder): DetectedTest | undefined {
  const manifest = dir.json('package.json');
  const pm = packageManager(dir, manifest ?? {});
  const scripts = isObject(manifest?.scripts) ? manifest.scripts : {};
  const script = typeof scripts.test === 'string' ? scripts.test.trim() : '';
  if (script && !/no test specified/i.test(script)) {
    return { cmd: pm.run, runner: scriptRunner(script), frozenPaths: JS_TESTS, why: 'package.json scripts.test' };
  }
  for (const [pattern, cmd, runner] of JS_CONFIGS) {
    const file = dir.entry(pattern);
    if (file) return { cmd: `${pm.exec} ${cmd}`, runner, frozenPaths: JS_TESTS, why: file };
  }
  for (const name of ['vitest', 'jest', 'mocha', 'ava']) {
    if (!isObject(manifest?.[name])) continue;
    const cmd = name === 'vitest' ? 'vitest run' : name;
    return { cmd: `${pm.exec} ${cmd}`, runner: name, frozenPaths: JS_TESTS, why: `package.json "${name}"` };
  }
  return undefined;
}

function deno(dir: Folder): DetectedTest | undefined {
  const file = dir.has('deno.json', 'deno.jsonc');
  if (!file) return undefined;
  const tasks = dir.json(file)?.tasks;
  const cmd = isObject(tasks) && tasks.test !== undefined ? 'deno task test' : 'deno test';
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
  return javascript(dir) ?? deno(dir) ?? python(dir) ?? byEcosystem(dir) ?? null;
}
