/** A small git project with a red suite, and Touchstone installed in it as a package manager would. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const FILES: Record<string, string> = {
  'package.json':
    '{\n  "name": "sums",\n  "private": true,\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  '.gitignore': 'node_modules/\n',
  'src/sum.js': 'export const sum = (a, b) => a - b;\n',
  'test/sum.test.js': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { sum } from '../src/sum.js';",
    "test('adds', () => assert.equal(sum(2, 3), 5));",
    "test('adds nothing', () => assert.equal(sum(0, 0), 0));",
    '',
  ].join('\n'),
};

export type Trial = {
  /** Holds the project, the scenario and the client's leavings; removed by `remove`. */
  work: string;
  project: string;
  touchstone(...args: string[]): { status: number | null; output: string };
  git(...args: string[]): string;
  remove(): void;
};

/** A human's terminal: nothing of an agent, of git or of a test runner in its environment. */
export function plainEnv(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' };
}

export function redProject(): Trial {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-e2e-')));
  const project = join(work, 'project');
  const env = plainEnv(work);
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: project,
      env,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');

  const home = join(project, 'node_modules', 'touchstone');
  for (const name of ['dist', 'package.json', 'hooks/hooks.json', '.claude/skills', '.claude-plugin', 'state-schema']) {
    cpSync(join(ROOT, name), join(home, name), { recursive: true });
  }
  const cli = join(home, 'dist', 'cli.cjs');
  chmodSync(cli, 0o755);
  mkdirSync(join(project, 'node_modules', '.bin'));
  symlinkSync('../touchstone/dist/cli.cjs', join(project, 'node_modules', '.bin', 'touchstone'));
  return {
    work,
    project,
    touchstone(...args) {
      const run = spawnSync(process.execPath, [cli, ...args], {
        cwd: project,
        env,
        encoding: 'utf8',
        timeout: 120_000,
      });
      return { status: run.status, output: run.stdout + run.stderr };
    },
    git,
    remove: () => rmSync(work, { recursive: true, force: true }),
  };
}
