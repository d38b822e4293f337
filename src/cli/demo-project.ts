/** The throw-away project that `touchstone demo` walks through: one function, one test that is still to be written. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const BROKEN = 'export const add = (a, b) => a - b;\n';
export const FIXED = 'export const add = (a, b) => a + b;\n';

const testOf = (sum: number): string =>
  [
    "import test from 'node:test';",
    "import assert from 'node:assert/strict';",
    "import { add } from '../src/add.js';",
    '',
    `test('adds two numbers', () => assert.equal(add(2, 3), ${sum}));`,
    '',
  ].join('\n');

export const TEST = testOf(5);
/** What an agent would like the test to say. */
export const BENT_TEST = testOf(-1);

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const FILES: Record<string, string> = {
  'package.json': json({ name: 'demo', private: true, type: 'module', scripts: { test: 'node --test' } }),
  '.gitignore': '.claude/state/\n',
  'src/add.js': BROKEN,
  'plan/prompt.md': 'Sums come out wrong.\n',
  'plan/requirements.md': 'add(a, b) returns the sum of its arguments.\n',
  'plan/implementation.md': 'Write the test, see it fail, correct the sign.\n',
  'plan/deferred.md': 'Nothing.\n',
  '.claude/project.json': json({
    checks: [
      {
        id: 'unit',
        command: ['node', '--test', '--test-reporter=spec'],
        runner: 'node-test',
        phases: ['red', 'green'],
        identities: ['adds two numbers'],
      },
    ],
    delivery: { commit: 'warn', push: 'require' },
  }),
  '.claude/plan.json': json({
    schema_version: 1,
    task: 'sums',
    plan_files: ['plan/prompt.md', 'plan/requirements.md', 'plan/implementation.md', 'plan/deferred.md'],
    repositories: [{ id: 'app', access: 'write', paths: ['src/**'], test_paths: ['test/**'] }],
    stages: ['implement-tests', 'implement'],
    outcomes: [{ id: 'sums-are-right', checks: ['unit'] }],
  }),
};

export function place(root: string, path: string, text: string): void {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

export function placeProject(root: string): void {
  for (const [path, text] of Object.entries(FILES)) place(root, path, text);
}
