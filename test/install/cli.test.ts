import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { asHuman, bare, CLI, run } from './command.ts';
import { project, snapshot, write } from './project.ts';

const SETTINGS = '.claude/settings.json';

test('a human wires a project, sees it hold, and takes it out to the byte', async t => {
  const root = project(
    t,
    { 'package.json': '{"scripts":{"test":"node --test"}}', [SETTINGS]: '{\n\t"model": "opus"\n}' },
    'my (ünï) project',
  );
  execFileSync('git', ['init', '-q'], { cwd: root });
  const env = bare(join(root, '..', 'home'));
  const before = snapshot(root);

  const dry = await asHuman(['init', '.', '--dry-run'], root, env);
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /^Would wire .+\n(?:.*\n)*~ \.claude\/settings\.json\n {4}\+ /);
  assert.deepEqual(snapshot(root), before);

  const wired = await asHuman(['init', root], '/', env);
  assert.equal(wired.code, 0, wired.stderr);
  assert.match(wired.stdout, /suite: npm test \(from package\.json scripts\.test\)/);

  const doctor = await asHuman(['doctor', '--json'], root, env);
  const { findings } = JSON.parse(doctor.stdout) as { findings: { check: string; status: string; line: string }[] };
  assert.deepEqual(
    findings.filter(f => f.status !== 'ok'),
    [],
  );
  assert.equal(doctor.code, 0);

  write(root, { '.claude/settings.local.json': '{"disableAllHooks":true}' });
  assert.match(
    run(process.execPath, [CLI, 'status'], root, env).stdout,
    /none of them runs: "disableAllHooks" is true in local settings .*settings\.local\.json$/m,
  );
  rmSync(join(root, '.claude/settings.local.json'));
  assert.doesNotMatch(run(process.execPath, [CLI, 'status'], root, env).stdout, /none of them runs/);

  const again = await asHuman(['init', root], '/', env);
  assert.equal(again.code, 0);
  assert.match(again.stdout, /= \.claude\/settings\.json \(wired already\)/);

  const out = await asHuman(['uninstall', root], '/', env);
  assert.equal(out.code, 0, out.stderr);
  assert.deepEqual(snapshot(root), before);
});

test("a human's verbs are refused where an agent's mark is set, in one line and with exit 2", async t => {
  const root = project(t);
  const env = bare(join(root, '..', 'home'));
  assert.equal((await asHuman(['init', root], '/', env)).code, 0);
  const wired = readFileSync(join(root, SETTINGS), 'utf8');
  for (const args of [
    ['uninstall', root],
    ['init', root],
    ['init', root, '--scope', 'local'],
  ]) {
    const ran = run(process.execPath, [CLI, ...args], root, { ...env, CLAUDECODE: '1' });
    assert.equal(ran.code, 2, ran.stdout);
    assert.match(ran.stderr, /^touchstone: .*CLAUDECODE is set.*\n$/);
  }
  assert.equal(readFileSync(join(root, SETTINGS), 'utf8'), wired);
  assert.equal(existsSync(join(root, '.claude/settings.local.json')), false);
});

test('faults of use and of the surroundings end with exit 2 and one line', t => {
  const root = project(t, { [SETTINGS]: '{"a":' });
  const env = bare(join(root, '..', 'home'));
  for (const [args, line] of [
    [['init', root], /settings\.json:1: not JSON/],
    [['init', '/no/such/folder'], /no such folder/],
    [['init', root, '--scope', 'global'], /--scope global/],
    [['doctor', '--only', 'moon'], /--only moon/],
  ] as const) {
    const ran = run(process.execPath, [CLI, ...args], root, env);
    assert.equal(ran.code, 2, ran.stdout);
    assert.match(ran.stderr, line);
    assert.equal(ran.stderr.trimEnd().split('\n').length, 1, ran.stderr);
  }
  assert.equal(readFileSync(join(root, SETTINGS), 'utf8'), '{"a":');
});

test('a read-only project is left alone with one line', t => {
  const root = project(t, { 'go.mod': 'module x\n' });
  const before = snapshot(root);
  // Whoever runs this as root must become somebody else to be refused anything.
  const uid = process.getuid?.() === 0 ? 65534 : undefined;
  if (uid !== undefined) for (const dir of [root, join(root, '..')]) chownSync(dir, uid, uid);
  chmodSync(root, 0o555);
  const ran = run(process.execPath, [CLI, 'init', root], '/', bare(join(root, '..', 'home')), uid);
  assert.equal(ran.code, 2, ran.stdout);
  assert.match(ran.stderr, /cannot be written \(EACCES\)/);
  assert.equal(ran.stderr.trimEnd().split('\n').length, 1);
  chmodSync(root, 0o755);
  assert.deepEqual(snapshot(root), before);
});

test('the status line is one line, whatever comes in', t => {
  const root = project(t);
  write(root, { '.claude/project.json': '{"test":{"cmd":"true"}}' });
  const env = bare(join(root, '..', 'home'));
  for (const input of [JSON.stringify({ cwd: root, workspace: { project_dir: root } }), '', '{"cwd":', '[1]']) {
    const out = execFileSync(process.execPath, [CLI, 'statusline', '--no-color'], {
      cwd: root,
      env,
      input,
      encoding: 'utf8',
    });
    assert.equal(out, 'no verdict · not wired\n');
  }
});
