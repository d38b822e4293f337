/** A throw-away project, the built hooks and the built command line, driven as a client would drive them. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPO = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const DIST = join(REPO, 'dist');
export const CLI = join(DIST, 'cli.cjs');

/** A clean environment: no mark of an agent, no test runner's channel, a home of its own. */
export function cleanEnv(home: string, extra: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@example.invalid',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@example.invalid',
    ...extra,
  };
}

export type Ran = { code: number | null; out: string; err: string };

export class World {
  readonly top: string;
  readonly root: string;
  readonly home: string;

  constructor(name = 'project') {
    this.top = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-')));
    this.root = join(this.top, name);
    this.home = join(this.top, 'home');
    mkdirSync(this.root, { recursive: true });
    mkdirSync(this.home);
  }

  [Symbol.dispose](): void {
    this.remove();
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }

  file(path: string, text: string, mode?: number): this {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    if (mode !== undefined) chmodSync(full, mode);
    return this;
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  sh(command: string, cwd = this.root): Ran {
    return this.run('/bin/bash', ['-c', command], { cwd });
  }

  git(...args: string[]): Ran {
    return this.run('git', args, { cwd: this.root });
  }

  commitAll(message = 'state'): this {
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('commit', '-q', '--no-verify', '-m', message);
    return this;
  }

  cli(args: string[], options: { cwd?: string; env?: Record<string, string>; input?: string } = {}): Ran {
    return this.run(process.execPath, [CLI, ...args], options);
  }

  /** One hook process, fed one payload. An object is completed with what every payload carries. */
  hook(
    file: string,
    payload: object | string | Buffer,
    options: { cwd?: string; env?: Record<string, string> } = {},
  ): Ran {
    const cwd = options.cwd ?? this.root;
    const input =
      typeof payload === 'string' || Buffer.isBuffer(payload)
        ? payload
        : JSON.stringify({
            session_id: 'S',
            transcript_path: join(this.top, 't.jsonl'),
            cwd,
            permission_mode: 'default',
            ...payload,
          });
    return this.run(process.execPath, [join(DIST, 'hooks', `${file}.cjs`)], { ...options, cwd, input });
  }

  pre(tool: string, input: object, options: { cwd?: string; env?: Record<string, string> } = {}): Ran {
    return this.hook(
      'pre-tool-use',
      { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id: 'tu' },
      options,
    );
  }

  write(path: string, content: string): Ran {
    return this.pre('Write', { file_path: join(this.root, path), content });
  }

  edit(path: string, old_string: string, new_string: string, replace_all = false): Ran {
    return this.pre('Edit', { file_path: join(this.root, path), old_string, new_string, replace_all });
  }

  bash(command: string, cwd = this.root): Ran {
    return this.pre('Bash', { command }, { cwd });
  }

  stop(extra: object = {}): Ran {
    return this.hook('stop', {
      hook_event_name: 'Stop',
      stop_hook_active: false,
      last_assistant_message: 'Noted.',
      background_tasks: [],
      ...extra,
    });
  }

  private run(
    file: string,
    args: string[],
    options: { cwd?: string; env?: Record<string, string>; input?: string | Buffer },
  ): Ran {
    const done = spawnSync(file, args, {
      cwd: options.cwd ?? this.root,
      env: { ...cleanEnv(this.home), ...options.env },
      input: options.input ?? '',
      encoding: 'utf8',
      timeout: 120_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: done.status, out: done.stdout, err: done.stderr };
  }
}

/** A node:test project whose suite is red until `add` adds. */
export function redProject(name?: string): World {
  return new World(name)
    .file(
      'package.json',
      `${JSON.stringify({ name: 'p', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
    )
    .file('src/add.js', 'export const add = (a, b) => a - b;\n')
    .file(
      'test/add.test.js',
      "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
    )
    .commitAll();
}

export const FIXED = 'export const add = (a, b) => a + b;\n';
