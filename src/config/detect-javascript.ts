import type { DetectedTest, Folder } from './detect-folder.ts';
import { isRecord, record } from './project.ts';

export const JS_TESTS = [
  '**/*.test.{js,jsx,ts,tsx,mjs,cjs,mts,cts}',
  '**/*.spec.{js,jsx,ts,tsx,mjs,cjs,mts,cts}',
  '**/__tests__/**',
  '**/__snapshots__/**',
  'test/**',
  'tests/**',
];
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

export function javascript(dir: Folder): DetectedTest | undefined {
  const manifest = dir.json('package.json');
  const pm = packageManager(dir, manifest ?? {});
  const scripts = isRecord(manifest?.scripts) ? manifest.scripts : {};
  const script = typeof scripts.test === 'string' ? scripts.test.trim() : '';
  if (script && !/no test specified/i.test(script)) {
    return { cmd: pm.run, runner: scriptRunner(script), frozenPaths: JS_TESTS, why: 'package.json scripts.test' };
  }
  for (const [pattern, cmd, runner] of JS_CONFIGS) {
    const file = dir.entry(pattern);
    if (file) return { cmd: `${pm.exec} ${cmd}`, runner, frozenPaths: JS_TESTS, why: file };
  }
  const named = RUNNERS.find(name => isRecord(manifest?.[name]));
  return named === undefined ? undefined : byRunner(pm, named);
}

const RUNNERS = ['vitest', 'jest', 'mocha', 'ava'] as const;

function byRunner(pm: PackageManager, name: string): DetectedTest {
  const cmd = name === 'vitest' ? 'vitest run' : name;
  return { cmd: `${pm.exec} ${cmd}`, runner: name, frozenPaths: JS_TESTS, why: `package.json "${name}"` };
}

/** Asked last: what is installed may serve a corner of a project in another language. */
export function javascriptByGuess(dir: Folder): DetectedTest | undefined {
  const manifest = dir.json('package.json');
  if (!manifest) return undefined;
  const installed = { ...record(manifest.dependencies), ...record(manifest.devDependencies) };
  const named = RUNNERS.find(name => installed[name] !== undefined);
  return named === undefined ? builtIn(dir) : byRunner(packageManager(dir, manifest), named);
}

/** Node's own runner needs neither a script nor a dependency: the tests say that they are its. */
function builtIn(dir: Folder): DetectedTest | undefined {
  for (const sub of ['test', 'tests', '__tests__', 'src', '.']) {
    const file = dir.entry(/\.test\.[cm]?js$/, sub);
    if (file === undefined || !/['"]node:test['"]/.test(dir.text(`${sub}/${file}`))) continue;
    const why = sub === '.' ? file : `${sub}/${file}`;
    // Bare, it looks in folders named test and for names that end in .test.
    return { cmd: 'node --test', runner: 'node-test', frozenPaths: JS_TESTS, why };
  }
  return undefined;
}
