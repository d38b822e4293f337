/**
 * Runs the test files with node's own runner: `node --import tsx test/run.ts fast|full [path-part...]`.
 * fast = everything but *.slow.test.ts; full = only those. The last lines are node's closing counts.
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MINUTE = 60_000;
/** A bound for one file, so that a hanging child process ends the suite with a name. */
const LIMIT = { fast: 4 * MINUTE, full: 30 * MINUTE };
const COUNT = /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

function collect(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap(e => {
    const path = join(dir, e.name);
    // Fixtures hold whole projects with suites of their own.
    if (e.isDirectory()) return e.name === 'fixtures' ? [] : collect(path);
    return e.name.endsWith('.test.ts') ? [relative(ROOT, path).split(sep).join('/')] : [];
  });
}

function usage(): never {
  console.error('usage: test/run.ts fast|full [path-part...]');
  process.exit(2);
}

const [kind, ...parts] = process.argv.slice(2);
if (kind !== 'fast' && kind !== 'full') usage();

const files = collect(join(ROOT, 'test'))
  .filter(f => f.endsWith('.slow.test.ts') === (kind === 'full'))
  .filter(f => parts.length === 0 || parts.some(p => f.includes(p)))
  .sort();
if (files.length === 0) {
  console.error(`test/run.ts: no ${kind} test files${parts.length ? ` match ${parts.join(', ')}` : ''}`);
  process.exit(1);
}

// What an agent or an editor set for itself is not part of the product's input.
const env: NodeJS.ProcessEnv = {};
for (const [name, value] of Object.entries(process.env)) {
  if (!/^(?:CLAUDE|GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|PREFIX)$|NODE_TEST_CONTEXT$)/.test(name))
    env[name] = value;
}
if (process.stdout.isTTY) env.FORCE_COLOR = '1';

const child = spawn(
  process.execPath,
  [
    '--import',
    'tsx',
    '--test',
    '--test-reporter=spec',
    '--test-concurrency=2',
    `--test-timeout=${LIMIT[kind]}`,
    ...files,
  ],
  { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] },
);

const counts: string[] = [];
let after = false;
let rest = '';
child.stdout.setEncoding('utf8');
child.stdout.on('data', (text: string) => {
  process.stdout.write(text);
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const plain = line.replace(/\u001b\[[\d;]*m/g, '');
    if (COUNT.test(plain)) {
      // A new block begins: only the last one, of the whole run, is the summary.
      if (plain.startsWith('ℹ tests ')) counts.length = 0;
      counts.push(plain);
      after = false;
    } else if (plain.trim() && counts.length) after = true;
  }
});
child.on('close', (code, signal) => {
  if (counts.length === 0)
    console.error(`test/run.ts: node's runner ended without a summary (${signal ?? `exit ${code}`})`);
  // The list of failures follows the counts; say them again so that they close the output.
  else if (after) process.stdout.write(`\n${counts.join('\n')}\n`);
  process.exitCode = code === 0 && counts.length > 0 ? 0 : (code ?? 1) || 1;
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
