import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { acceptRules } from '../../src/config/accept.ts';
import { HOOKS } from '../../src/config/hook-table.ts';
import { matches } from '../../src/install/doctor/wiring.ts';
import { doctor, type Finding } from '../../src/install/doctor.ts';
import { init } from '../../src/install/init.ts';
import type { Env, Scope } from '../../src/install/places.ts';
import { honest, honestNode, project, scripts, write } from './project.ts';

const SETTINGS = '.claude/settings.json';

type World = { root: string; dist: string; env: Env };

/** A project wired well, with scripts that answer as an installed package does. */
async function wired(t: TestContext, scope: Scope = 'project', body = honest, node = '/bin/sh'): Promise<World> {
  const root = project(t, { 'package.json': '{"scripts":{"test":"node --test"}}', 'src/a.js': '' });
  execFileSync('git', ['init', '-q'], { cwd: root });
  const dist = scripts(join(root, '..', 'pack age'), body);
  const env: Env = { HOME: join(root, '..', 'home'), PATH: process.env.PATH };
  await init({
    dir: root,
    scope,
    dryRun: false,
    recordAccepted: at => acceptRules(at, 'test'),
    announce: () => {},
    node,
    dist,
    env,
  });
  return { root, dist, env };
}

async function look(world: World, more: Partial<Parameters<typeof doctor>[0]> = {}): Promise<Finding[]> {
  const { findings } = await doctor({
    start: world.root,
    env: world.env,
    managedDir: join(world.root, '..', 'managed'),
    ...more,
  });
  return findings;
}

function bad(findings: Finding[]): string[] {
  return findings.filter(f => f.status !== 'ok').map(f => `${f.status} ${f.check}`);
}

async function only(world: World, check: string, more: Partial<Parameters<typeof doctor>[0]> = {}): Promise<Finding> {
  const findings = await look(world, { only: [check], ...more });
  return findings.find(f => f.status !== 'ok') ?? (findings[0] as Finding);
}

function edit(world: World, change: (settings: Settings) => void, path = SETTINGS): void {
  const file = join(world.root, path);
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Settings;
  change(settings);
  writeFileSync(file, JSON.stringify(settings));
}
type Settings = Record<string, unknown> & {
  hooks: Record<string, { matcher?: unknown; hooks: Record<string, unknown>[] }[]>;
};

test('a good installation has nothing to say against it, and lines of one line each', async t => {
  const findings = await look(await wired(t));
  assert.deepEqual(bad(findings), []);
  assert.ok(findings.length >= 14);
  for (const f of findings) assert.ok(!f.line.includes('\n'));
});

test('an empty folder: what is missing is named', async t => {
  const root = project(t);
  const findings = await look({ root, dist: '', env: { HOME: join(root, 'home'), PATH: process.env.PATH } });
  assert.deepEqual(bad(findings), [
    'warn git',
    'fail project',
    'fail rules',
    'warn settings',
    'fail wiring',
    'fail hooks-fire',
    'fail state',
    'warn ignored',
  ]);
});

test('a node that is too old', async t => {
  const world = await wired(t);
  for (const [version, status] of [
    ['v18.20.0', 'fail'],
    ['v20.15.1', 'fail'],
    ['v20.16.0', 'ok'],
    ['v24.0.0', 'ok'],
  ]) {
    assert.equal((await only(world, 'node', { nodeVersion: version })).status, status, version);
  }
});

test('settings that the client drops, in any scope', async t => {
  const world = await wired(t);
  const home = join(world.root, '..', 'home');
  for (const [path, text] of [
    [join(world.root, '.claude/settings.local.json'), '{"a":1,}'],
    [join(home, SETTINGS), '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":0}]}]}}'],
    [join(world.root, SETTINGS), '// mine\n{}'],
  ] as const) {
    write('/', { [path]: text });
    const found = (await look(world, { only: ['settings'] })).filter(f => f.status === 'fail');
    assert.equal(found.length, 1);
    assert.ok(found[0]?.line.startsWith(path));
    rmSync(path);
  }
});

test('disableAllHooks in any scope; a higher scope overrules', async t => {
  const world = await wired(t);
  const home = join(world.root, '..', 'home');
  const off = '{"disableAllHooks":true}';
  for (const path of [
    join(world.root, '.claude/settings.local.json'),
    join(home, SETTINGS),
    join(world.root, '..', 'managed/managed-settings.json'),
    join(world.root, '..', 'managed/managed-settings.d/10.json'),
  ]) {
    write('/', { [path]: off });
    const found = await only(world, 'disabled');
    assert.equal(found.status, 'fail', path);
    assert.ok(found.line.includes(path));
    rmSync(path);
  }
  edit(world, s => {
    s.disableAllHooks = true;
  });
  assert.equal((await only(world, 'disabled')).status, 'fail');
  write(world.root, { '.claude/settings.local.json': '{"disableAllHooks":false}' });
  assert.equal((await only(world, 'disabled')).status, 'warn');
});

test('a managed file that shuts other hooks out', async t => {
  const world = await wired(t);
  for (const text of [
    '{"allowManagedHooksOnly":true}',
    '{"allowManagedHooksOnly":"?"}',
    '{"strictPluginOnlyCustomization":["hooks"]}',
  ]) {
    write(join(world.root, '..'), { 'managed/managed-settings.json': text });
    assert.equal((await only(world, 'disabled')).status, 'fail', text);
  }
});

test('wiring that lost or weakened a hook', async t => {
  const faults: [string, RegExp, (s: Settings) => void][] = [
    ['missing', /the Stop hook is missing/, s => delete s.hooks.Stop],
    [
      'astray',
      /pre-tool-use\.cjs stands under PostToolUse/,
      s => {
        s.hooks.PostToolUse?.push(...(s.hooks.PreToolUse ?? []));
        delete s.hooks.PreToolUse;
      },
    ],
    [
      'matcher in lower case',
      /never fires/,
      s => {
        s.hooks.PreToolUse![0]!.matcher = 'write|edit';
      },
    ],
    [
      'matcher that is no expression',
      /never fires/,
      s => {
        s.hooks.PreToolUse![0]!.matcher = 'Write(';
      },
    ],
    [
      'narrow matcher',
      /does not see Edit, NotebookEdit, Bash/,
      s => {
        s.hooks.PreToolUse![0]!.matcher = 'Write';
      },
    ],
    [
      'if',
      /has an "if"/,
      s => {
        s.hooks.PreToolUse![0]!.hooks[0]!.if = 'Write(x)';
      },
    ],
    [
      'async',
      /is async/,
      s => {
        s.hooks.PreToolUse![0]!.hooks[0]!.async = true;
      },
    ],
    ['goes on after a crash', /lacks "onFailure"/, s => delete s.hooks.PreToolUse![0]!.hooks[0]!.onFailure],
    [
      'short timeout',
      /timeout below 600/,
      s => {
        s.hooks.Stop![0]!.hooks[0]!.timeout = 5;
      },
    ],
  ];
  for (const [name, line, plant] of faults) {
    const world = await wired(t);
    edit(world, plant);
    const found = await only(world, 'wiring');
    assert.equal(found.status, 'fail', name);
    assert.match(found.line, line);
  }
});

test('wired in two scopes', async t => {
  const world = await wired(t);
  await init({
    dir: world.root,
    scope: 'local',
    dryRun: false,
    recordAccepted: () => {},
    announce: () => {},
    dist: world.dist,
    env: world.env,
  });
  assert.match((await only(world, 'wiring')).line, /wired 2 times/);
});

test('hooks that do not do what they are wired for', async t => {
  const faults: [string, RegExp, (name: string) => string][] = [
    ['lets everything through', /let a forged verdict through \(exit 0\)/, () => 'exit 0'],
    ['refuses everything', /does not let a harmless call pass/, () => 'echo Touchstone >&2; exit 2'],
    ['crashes', /exit 1/, () => 'echo broken >&2; exit 1'],
    [
      'prints allow',
      /let a forged verdict through/,
      () => `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`,
    ],
    [
      'cut-off deny',
      /let a forged verdict through/,
      () => `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"'`,
    ],
  ];
  for (const [name, line, body] of faults) {
    const world = await wired(t, 'project', n => (n === 'pre-tool-use' ? body(n) : honest(n)));
    const found = (await look(world, { only: ['hooks-fire'] })).filter(f => f.status === 'fail');
    // From the root and from below it; whether a harmless call passes is a trial of its own.
    assert.ok(found.length >= (name === 'refuses everything' ? 1 : 2), name);
    assert.match(found[0]?.line ?? '', line);
    assert.match(found[0]?.line ?? '', /PreToolUse/);
  }
});

test('a deny in JSON counts', async t => {
  const deny = `case $(cat) in *'"command":"ls"'*) exit 0 ;; esac; echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'`;
  const world = await wired(t, 'project', n => (n === 'pre-tool-use' ? deny : honest(n)));
  assert.equal((await only(world, 'hooks-fire')).status, 'ok');
});

test('a hook that works from the root alone', async t => {
  const world = await wired(t);
  edit(world, s => {
    const handler = s.hooks.PreToolUse![0]!.hooks[0]!;
    mkdirSync(join(world.root, 'dist/hooks'), { recursive: true });
    write(world.root, { 'dist/hooks/pre-tool-use.cjs': honest('pre-tool-use') });
    handler.args = ['dist/hooks/pre-tool-use.cjs'];
  });
  const found = (await look(world, { only: ['hooks-fire'] })).filter(f => f.status === 'fail');
  assert.equal(found.length, 1);
  assert.match(found[0]?.line ?? '', /run from .+\/\.claude, does not answer/);
});

test('other hooks that crash, say nothing, or go on over what they cannot read', async t => {
  for (const [name, line, body] of [
    ['stop', /Stop hook.+does not answer \(exit 1/, 'exit 1'],
    ['session-start', /SessionStart hook.+does not answer \(exit 0\)/, ''],
    ['config-change', /ConfigChange hook.+went on/, 'echo Touchstone >&2'],
  ] as const) {
    const world = await wired(t, 'project', n => (n === name ? body : honest(n)));
    assert.match((await only(world, 'hooks-fire')).line, line);
  }
});

test('a script that is gone, and an interpreter that is gone', async t => {
  const world = await wired(t, 'project', honestNode, process.execPath);
  rmSync(join(world.dist, 'hooks/stop.cjs'));
  assert.match((await only(world, 'hooks-fire')).line, /Stop hook.+exit 1/);
  edit(world, s => {
    s.hooks.PreToolUse![0]!.hooks[0]!.command = '/no/such/node';
  });
  assert.match((await only(world, 'hooks-fire')).line, /cannot be started: ENOENT/);
});

test('the placeholder is filled in as the client does', async t => {
  const root = project(t, { 'package.json': '{}' }, 'pro ject');
  const dist = scripts(join(root, 'node_modules/touchstone'));
  const env: Env = { HOME: join(root, '..', 'home'), PATH: process.env.PATH };
  await init({
    dir: root,
    scope: 'project',
    dryRun: false,
    recordAccepted: () => {},
    announce: () => {},
    node: '/bin/sh',
    dist,
    env,
  });
  assert.match(readFileSync(join(root, SETTINGS), 'utf8'), /\$\{CLAUDE_PROJECT_DIR\}/);
  assert.equal((await only({ root, dist, env }, 'hooks-fire')).status, 'ok');
});

test('a start below the root is told from one in it', async t => {
  const world = await wired(t);
  const below = join(world.root, 'src');
  assert.equal((await only(world, 'start-folder', { start: below })).status, 'warn');
  assert.equal((await only(world, 'start-folder')).status, 'ok');
  const local = await wired(t, 'local');
  assert.equal((await only(local, 'start-folder', { start: join(local.root, 'src') })).status, 'ok');
});

test('NODE_OPTIONS and NODE_EXTRA_CA_CERTS, from the shell or from settings', async t => {
  const world = await wired(t, 'project', honestNode, process.execPath);
  const withEnv = (more: Env) =>
    only(world, 'environment', { env: { ...world.env, ...more }, nodeVersion: 'v20.20.2' });
  assert.equal((await withEnv({ NODE_OPTIONS: '--no-such-flag' })).status, 'fail');
  assert.match((await withEnv({ NODE_OPTIONS: '--require /dev/null' })).line, /loads code into every hook/);
  assert.equal((await withEnv({ NODE_OPTIONS: '--max-old-space-size=4096' })).status, 'warn');
  assert.match((await withEnv({ NODE_EXTRA_CA_CERTS: '/no/such.pem' })).line, /is not there/);
  write(world.root, { 'ca.pem': '' });
  const certs = join(world.root, 'ca.pem');
  assert.match((await withEnv({ NODE_EXTRA_CA_CERTS: certs })).line, /twice as slow/);
  assert.equal(
    (await only(world, 'environment', { env: { ...world.env, NODE_EXTRA_CA_CERTS: certs }, nodeVersion: 'v22.1.0' }))
      .status,
    'ok',
  );
  edit(world, s => {
    s.env = { NODE_OPTIONS: '--no-such-flag' };
  });
  assert.match((await only(world, 'environment')).line, /"env" of .+settings\.json stops node/);
  // And the hooks, run as configured, really do not answer.
  assert.match((await only(world, 'hooks-fire')).line, /exit 9/);
});

test('a state folder that is missing, a file, or holds what cannot be read', async t => {
  const world = await wired(t);
  const state = join(world.root, '.claude/state');
  write(state, {
    last_test_result: 'PASS\nnot a time\n\n0\n',
    'verdict.json': '{',
    'session.json': '[',
    'verdict.json.corrupt-1': 'x',
  });
  const lines = (await look(world, { only: ['state-files'] })).map(f => f.line).join('\n');
  for (const name of [
    'last_test_result is corrupt',
    'verdict.json is not JSON',
    'session.json is corrupt',
    'verdict.json.corrupt-1 was kept aside',
  ]) {
    assert.ok(lines.includes(name), `${name} in ${lines}`);
  }
  rmSync(state, { recursive: true });
  assert.match((await only(world, 'state')).line, /is missing/);
  writeFileSync(state, '');
  assert.match((await only(world, 'state')).line, /is a file, not a folder/);
});

test('rules that nobody accepted, and a project file that does not hold', async t => {
  const world = await wired(t);
  write(world.root, { '.claude/project.json': '{"test":{"cmd":"true"}}' });
  assert.equal((await only(world, 'rules')).status, 'fail');
  write(world.root, { '.claude/project.json': '{"test":{"cmd":1}}' });
  assert.match((await only(world, 'project')).line, /project\.json at test\.cmd/);
  write(world.root, { '.claude/project.json': '{"test":' });
  assert.equal((await only(world, 'project')).status, 'fail');
  write(world.root, { '.claude/project.json': '{"test":{"cmd":""}}' });
  assert.match((await only(world, 'project')).line, /no "test\.cmd"/);
});

test('--fix makes the folder, the ignore line and the wiring, and nothing else', async t => {
  const world = await wired(t);
  rmSync(join(world.root, '.claude/state'), { recursive: true });
  writeFileSync(join(world.root, '.gitignore'), 'mine\n');
  edit(world, s => delete s.hooks.PreToolUse);
  const project = readFileSync(join(world.root, '.claude/project.json'), 'utf8');
  const rewire = (dir: string) =>
    init({
      dir,
      scope: 'project',
      dryRun: false,
      recordAccepted: () => {},
      announce: () => {},
      node: '/bin/sh',
      dist: world.dist,
      env: world.env,
    });
  const inside = await look(world, { fix: true, insideAgent: true, rewire, only: ['wiring'] });
  assert.deepEqual(bad(inside), ['fail wiring']);
  const findings = await look(world, { fix: true, rewire });
  assert.deepEqual(bad(findings), []);
  assert.ok(findings.filter(f => f.fixed).length >= 1);
  assert.ok(existsSync(join(world.root, '.claude/state')));
  assert.equal(readFileSync(join(world.root, '.gitignore'), 'utf8'), 'mine\n.claude/state/\n');
  assert.equal(readFileSync(join(world.root, '.claude/project.json'), 'utf8'), project);
  assert.deepEqual(bad(await look(world)), []);
});

test('matchers are read as the client reads them', () => {
  const rows: [unknown, boolean][] = [
    ['Write', true],
    ['Write|', true],
    ['|Write', true],
    ['Write,Edit', true],
    [' Write ', true],
    ['MultiEdit|Write', true],
    ['*', true],
    ['', true],
    [undefined, true],
    ['.*', true],
    ['^Write$', true],
    ['Write|Edit|NotebookEdit|mcp__.*', true],
    ['write', false],
    ['W', false],
    ['Wri', false],
    ['Edit|Notebook', false],
    ['Write(*.txt)', false],
    ['Write(', false],
    ['(?i)write', false],
    [['Write'], false],
  ];
  for (const [matcher, fires] of rows) assert.equal(matches(matcher, 'Write'), fires, String(matcher));
  assert.equal(matches('Bash', 'Monitor'), true);
  assert.equal(matches(HOOKS.find(h => h.event === 'PreToolUse')?.matcher, 'mcp__memory__write'), true);
});

test('a file that a hook loads later is missed by name, and so is one that does not parse', async t => {
  const world = await wired(t, 'project', name => `${honest(name)}# sibling("../engine.cjs")\n`);
  write(world.dist, { 'engine.cjs': 'require("./deep/inner.cjs")', 'deep/inner.cjs': 'exports.a = 1' });
  assert.equal((await only(world, 'files')).status, 'ok');
  writeFileSync(join(world.dist, 'deep/inner.cjs'), 'exports.a = (');
  assert.match((await only(world, 'files')).line, /inner\.cjs is damaged \(.*engine\.cjs loads it/);
  rmSync(join(world.dist, 'deep'), { recursive: true });
  assert.match((await only(world, 'files')).line, /inner\.cjs is missing; .*engine\.cjs loads it/);
  rmSync(join(world.dist, 'engine.cjs'));
  const gone = await only(world, 'files');
  assert.equal(gone.status, 'fail');
  assert.match(gone.line, /engine\.cjs is missing/);
  rmSync(join(world.dist, 'hooks/stop.cjs'));
  const findings = await look(world, { only: ['files'] });
  assert.ok(findings.some(f => /hooks\/stop\.cjs is missing$/.test(f.line)));
});
