import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { build } from 'esbuild';

/** A settings-free git: what the developer's own configuration says must not decide a test. */
const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

export type Sandbox = {
  root: string;
  git(...args: string[]): string;
  write(path: string, text: string): string;
  path(name: string): string;
  commit(message?: string): void;
};

export function folder(t: TestContext): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-repo-')));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function at(root: string): Sandbox {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'gc.auto=0', ...args], {
      cwd: root,
      env: ENV,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const path = (name: string) => join(root, name);
  return {
    root,
    git,
    path,
    write(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
      return path(name);
    },
    commit(message = 'change') {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
    },
  };
}

/** A repository with one commit. */
export function sandbox(t: TestContext): Sandbox {
  const made = at(folder(t));
  made.git('init', '-q', '-b', 'main');
  made.write('src/a.txt', 'one\n');
  made.write('src/b.txt', 'two\n');
  made.write('run.sh', '#!/bin/sh\n');
  made.write('.gitignore', '*.log\n');
  made.commit('first');
  return made;
}

/** One script of our own as a file node can start cold: the loader that tests run under would dwarf it. */
export async function script(t: TestContext, source: string): Promise<string> {
  const outfile = join(folder(t), 'script.cjs');
  await build({
    stdin: { contents: source, resolveDir: join(import.meta.dirname, '..', '..'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

export const FINGERPRINT = `import { fingerprint } from './src/repo/fingerprint.ts';
const result = fingerprint(process.argv[2], { of: 'worktree' });
process.stdout.write(result.ok ? result.value : JSON.stringify(result));`;
