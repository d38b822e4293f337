import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { bare, PACKAGE, type Ran, run } from './command.ts';
import { project, snapshot, write } from './project.ts';

const SUITE =
  "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from '../add.mjs';\ntest('adds', () => assert.equal(add(1, 2), 3));\n";

/** The files a package holds, in a place of their own, as after `npm pack` and `tar x`. */
function packed(t: TestContext): string {
  const dir = project(t, {}, 'pack age');
  cpSync(join(PACKAGE, 'dist'), join(dir, 'dist'), { recursive: true });
  cpSync(join(PACKAGE, '.claude/skills'), join(dir, '.claude/skills'), { recursive: true });
  for (const name of ['package.json', 'install.sh']) copyFileSync(join(PACKAGE, name), join(dir, name));
  return dir;
}

function target(t: TestContext, sum: string): string {
  const root = project(
    t,
    {
      'package.json': '{"type":"module","scripts":{"test":"node --test test/add.test.mjs"}}',
      'add.mjs': `export const add = (a, b) => ${sum};\n`,
      'test/add.test.mjs': SUITE,
    },
    'a project (ü)',
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: root });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'start');
  return root;
}

function install(pack: string, args: string[], cwd: string, more: Record<string, string> = {}): Ran {
  return run('sh', [join(pack, 'install.sh'), ...args], cwd, bare(join(pack, '..', 'home'), more));
}

test('a project with a good suite: wired, PASS stamped, guard proven', t => {
  const pack = packed(t);
  const root = target(t, 'a + b');
  const ran = install(pack, ['a project (ü)'], join(root, '..'));
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  assert.match(ran.stdout, /## Verdict: PASS/);
  assert.match(ran.stdout, /ok +hooks-fire .*a forged verdict is refused/);
  assert.match(ran.stdout, /first verdict: PASS\./);
  assert.equal(readFileSync(join(root, '.claude/state/last_test_result'), 'utf8').split('\n')[0], 'PASS');
  assert.ok(readFileSync(join(root, '.claude/settings.json'), 'utf8').includes(`${pack}/dist/hooks/stop.cjs`));
});

test('a project with a bad suite is wired too, and told so', t => {
  const pack = packed(t);
  const root = target(t, 'a - b');
  const ran = install(pack, [root], '/');
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  assert.match(ran.stdout, /## Verdict: FAIL/);
  assert.match(ran.stdout, /first verdict: FAIL\./);
});

test('a guard that does not fire fails the installation', t => {
  const pack = packed(t);
  const root = target(t, 'a + b');
  write(pack, { 'dist/hooks/pre-tool-use.cjs': 'process.exit(0);\n' });
  const ran = install(pack, [root], '/');
  assert.equal(ran.code, 1, ran.stdout);
  assert.match(ran.stdout, /let a forged verdict through/);
});

test('what cannot be installed is said in one line, before anything is written', t => {
  const pack = packed(t);
  const root = target(t, 'a + b');
  const before = snapshot(root);
  const tools = join(pack, '..', 'bin');
  mkdirSync(tools);
  for (const tool of ['sh', 'dirname', 'git'])
    symlinkSync(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), join(tools, tool));
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [[], {}, 2, /usage: /],
    [[root, root], {}, 2, /usage: /],
    [['/no/such/folder'], {}, 2, /no such folder/],
    [[root], { PATH: tools }, 1, /node is missing/],
  ];
  for (const [args, more, code, line] of cases) {
    const ran = install(pack, args, '/', more);
    assert.equal(ran.code, code, ran.stdout + ran.stderr);
    assert.match(ran.stderr, line);
    assert.equal(ran.stderr.trimEnd().split('\n').length, 1);
  }
  write(tools, { node: '#!/bin/sh\n[ "$1" = -v ] && echo v18.0.0\n[ "$1" != -e ]\n' });
  chmodSync(join(tools, 'node'), 0o755);
  const old = install(pack, [root], '/', { PATH: tools });
  assert.equal(old.code, 1);
  assert.match(old.stderr, /node v18\.0\.0 is too old/);
  assert.deepEqual(snapshot(root), before);
});
