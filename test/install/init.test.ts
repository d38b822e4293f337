import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOOKS } from '../../src/config/hook-table.ts';
import { clientFault } from '../../src/config/settings-shape.ts';
import { type InitReport, init } from '../../src/install/init.ts';
import type { Scope } from '../../src/install/places.ts';
import { ownEntries } from '../../src/install/settings.ts';
import { type UninstallReport, uninstall } from '../../src/install/uninstall.ts';
import { project, scripts, snapshot, write } from './project.ts';

type More = { scope?: Scope; dryRun?: boolean; insideAgent?: string; home?: string; dist?: string; calls?: string[] };

function wire(root: string, more: More = {}): Promise<InitReport> {
  return init({
    dir: root,
    scope: more.scope ?? 'project',
    dryRun: more.dryRun ?? false,
    insideAgent: more.insideAgent,
    recordAccepted: () => more.calls?.push('accept'),
    announce: () => more.calls?.push('announce'),
    node: '/usr/bin/node',
    dist: more.dist ?? '/opt/touchstone/dist',
    env: { HOME: more.home ?? join(root, '..', 'home') },
  });
}

function unwire(
  root: string,
  more: { scope?: Scope; home?: string; keepState?: boolean; calls?: string[] } = {},
): Promise<UninstallReport> {
  return uninstall({
    dir: root,
    scope: more.scope,
    keepState: more.keepState,
    announce: () => more.calls?.push('announce'),
    env: { HOME: more.home ?? join(root, '..', 'home') },
  });
}

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8');
const SETTINGS = '.claude/settings.json';

test('an empty project: everything is written, and all of it goes again', async t => {
  const root = project(t);
  const calls: string[] = [];
  const report = await wire(root, { calls });
  assert.deepEqual(
    report.written.map(w => w.kind),
    ['gitignore', 'project', 'skill', 'skill', 'settings'],
  );
  assert.equal(read(root, '.gitignore'), '.claude/state/\n');
  assert.equal(read(root, '.claude/project.json'), '{\n  "test": {\n    "cmd": ""\n  }\n}\n');
  assert.match(read(root, '.claude/skills/touchstone-verify/SKILL.md'), /^---\nname: touchstone-verify\n/);
  assert.equal(clientFault(read(root, SETTINGS)), undefined);
  assert.equal(ownEntries(read(root, SETTINGS)).length, HOOKS.length);
  // Nothing of ours was in force that a running session could miss.
  assert.deepEqual(calls, ['accept']);
  const gone = await unwire(root, { calls });
  assert.equal(gone.state, 'removed');
  assert.deepEqual(snapshot(root), {});
  assert.deepEqual(calls, ['accept', 'announce']);
});

test('the wiring has exactly the keys and values that the client accepts', async t => {
  const root = project(t);
  await wire(root);
  const { hooks } = JSON.parse(read(root, SETTINGS)) as {
    hooks: Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]>;
  };
  assert.deepEqual(Object.keys(hooks).sort(), [
    'ConfigChange',
    'PostToolBatch',
    'PostToolUse',
    'PostToolUseFailure',
    'PreToolUse',
    'SessionEnd',
    'SessionStart',
    'Stop',
    'SubagentStop',
    'UserPromptSubmit',
  ]);
  const tools = 'Write|Edit|MultiEdit|NotebookEdit|Bash|Monitor|PowerShell|mcp__.*';
  assert.deepEqual(hooks.PreToolUse, [
    {
      matcher: `${tools}|Agent|Task|Skill`,
      hooks: [
        {
          type: 'command',
          command: '/usr/bin/node',
          args: ['/opt/touchstone/dist/hooks/pre-tool-use.cjs'],
          timeout: 30,
          onFailure: 'block',
        },
      ],
    },
  ]);
  assert.deepEqual(hooks.Stop, [
    {
      hooks: [
        { type: 'command', command: '/usr/bin/node', args: ['/opt/touchstone/dist/hooks/stop.cjs'], timeout: 600 },
      ],
    },
  ]);
  for (const event of ['SessionStart', 'Stop', 'SubagentStop', 'SessionEnd'])
    assert.equal(hooks[event]?.[0]?.hooks[0]?.onFailure, undefined);
  for (const event of ['UserPromptSubmit', 'PreToolUse', 'PostToolBatch', 'ConfigChange'])
    assert.equal(hooks[event]?.[0]?.hooks[0]?.onFailure, 'block');
  const withMatcher = Object.keys(hooks).filter(e => hooks[e]?.[0]?.matcher !== undefined);
  assert.deepEqual(withMatcher.sort(), ['PostToolUse', 'PostToolUseFailure', 'PreToolUse']);
});

test('twice is the same as once', async t => {
  const root = project(t, {
    'package.json': '{"scripts":{"test":"vitest run"}}',
    [SETTINGS]: '{\n    "model": "opus"\n}',
  });
  const before = snapshot(root);
  await wire(root);
  const once = snapshot(root);
  const again = await wire(root);
  const twice = snapshot(root);
  assert.deepEqual(twice, once);
  assert.deepEqual(again.written, []);
  await unwire(root);
  assert.deepEqual(snapshot(root), before);
});

const SHAPES: Record<string, Record<string, string>> = {
  'no file at all': {},
  'only package.json': { 'package.json': '{"scripts":{"test":"jest"}}' },
  'settings with comments, CRLF, BOM': { [SETTINGS]: '\uFEFF{\r\n\t// mine\r\n\t"model": "opus",\r\n}' },
  'empty settings': { [SETTINGS]: '' },
  'empty object, no final newline': { [SETTINGS]: '{}' },
  'empty hooks': { [SETTINGS]: '{ "hooks": {} }' },
  'empty event lists': { [SETTINGS]: '{"hooks":{"Stop":[],"PreToolUse":[ ]}}\n\n' },
  'hooks of the user': {
    [SETTINGS]:
      '{\n  "hooks": {\n    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "true" }] }]\n  },\n  "z": 1\n}\n',
  },
  'gitignore without final newline': { '.gitignore': 'node_modules' },
  'gitignore with CRLF': { '.gitignore': 'a\r\nb\r\n' },
  'empty gitignore': { '.gitignore': '' },
  'gitignore that covers': { '.gitignore': '/.claude/\n' },
  'project.json of the user': { '.claude/project.json': '{"test":{"cmd":"make"}}' },
  'state of an earlier day': { '.claude/state/last_test_result': 'FAIL\n\n\n1\n' },
  'a skill of that name': { '.claude/skills/touchstone-verify/SKILL.md': 'mine\n' },
  'other skills': { '.claude/skills/other/SKILL.md': 'x\n' },
};

for (const [name, files] of Object.entries(SHAPES)) {
  for (const scope of ['project', 'local', 'user'] as const) {
    test(`uninstall leaves it byte for byte: ${name}, ${scope} scope`, async t => {
      const root = project(t, files, 'pro ject (ü)');
      const home = join(root, '..', 'home');
      if (files[SETTINGS] !== undefined && scope !== 'project') {
        const path = scope === 'user' ? join(home, SETTINGS) : join(root, '.claude/settings.local.json');
        write('/', { [path]: files[SETTINGS] });
      }
      const before = snapshot(join(root, '..'));
      await wire(root, { scope });
      assert.notDeepEqual(snapshot(join(root, '..')), before);
      await wire(root, { scope });
      await unwire(root);
      assert.deepEqual(snapshot(join(root, '..')), before);
    });
  }
}

test('byte for byte over generated files', async t => {
  const root = project(t);
  const home = join(root, '..', 'home');
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }).map(v => {
        const { hooks: _, permissions: __, disableAllHooks: ___, ...rest } = v as Record<string, unknown>;
        return rest;
      }),
      fc.constantFrom('  ', '\t', '', '   '),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\n', '\n\n'),
      fc.option(fc.array(fc.constantFrom('node_modules', '# note', '', '*.log', '!keep'), { maxLength: 4 })),
      async (value, unit, eol, end, ignore) => {
        rmSync(root, { recursive: true, force: true });
        write(root, { [SETTINGS]: JSON.stringify(value, null, unit).replaceAll('\n', eol) + end });
        if (ignore) write(root, { '.gitignore': ignore.join(eol) });
        const before = snapshot(root);
        await wire(root, { home });
        await unwire(root, { home });
        assert.deepEqual(snapshot(root), before);
      },
    ),
    { numRuns: 60 },
  );
});

test('what the user changed meanwhile stays, only ours goes', async t => {
  const root = project(t, { [SETTINGS]: '{\n  "model": "opus"\n}\n', '.gitignore': 'a\n' });
  await wire(root);
  const text = read(root, SETTINGS);
  write(root, {
    [SETTINGS]: text.replace('"opus"', '"haiku"').replace('"hooks": {', '"env": { "A": "1" },\n  "hooks": {'),
    '.gitignore': `${read(root, '.gitignore')}b\n`,
    '.claude/project.json': '{"test":{"cmd":"edited"}}',
    '.claude/skills/touchstone-status/SKILL.md': 'edited',
  });
  const report = await unwire(root);
  assert.deepEqual(JSON.parse(read(root, SETTINGS)), { model: 'haiku', env: { A: '1' } });
  assert.equal(read(root, SETTINGS), '{\n  "model": "haiku",\n  "env": { "A": "1" }\n}\n');
  assert.equal(read(root, '.gitignore'), 'a\nb\n');
  assert.equal(read(root, '.claude/project.json'), '{"test":{"cmd":"edited"}}');
  assert.equal(read(root, '.claude/skills/touchstone-status/SKILL.md'), 'edited');
  assert.equal(existsSync(join(root, '.claude/skills/touchstone-verify')), false);
  assert.equal(existsSync(join(root, '.claude/state')), false);
  assert.deepEqual(report.files.map(f => f.done).sort(), [
    'left as edited',
    'left as edited',
    'ours taken out',
    'ours taken out',
    'removed',
  ]);
});

test('without its record uninstall still takes our hooks out', async t => {
  const root = project(t, { [SETTINGS]: '{\n  "model": "opus"\n}\n' });
  await wire(root);
  rmSync(join(root, '.claude/state'), { recursive: true });
  await unwire(root);
  assert.equal(read(root, SETTINGS), '{\n  "model": "opus"\n}\n');
});

test('entries of another place are replaced, announced, and go back to what was before the first', async t => {
  const root = project(t, { [SETTINGS]: '{"model":"opus"}' });
  const before = snapshot(root);
  const calls: string[] = [];
  await wire(root, { dist: '/old/touchstone/dist' });
  await wire(root, { calls });
  const found = ownEntries(read(root, SETTINGS));
  assert.equal(found.length, HOOKS.length);
  assert.ok(found.every(f => f.group.hooks[0]?.args[0]?.startsWith('/opt/touchstone/')));
  assert.deepEqual(calls, ['accept', 'announce']);
  await unwire(root);
  assert.deepEqual(snapshot(root), before);
});

test('a hook that was taken out is put back', async t => {
  const root = project(t, { [SETTINGS]: '{\n  "model": "opus"\n}\n' });
  await wire(root);
  const settings = JSON.parse(read(root, SETTINGS)) as { hooks: Record<string, unknown> };
  delete settings.hooks.PreToolUse;
  write(root, { [SETTINGS]: JSON.stringify(settings, null, 2) });
  await wire(root);
  assert.equal(ownEntries(read(root, SETTINGS)).length, HOOKS.length);
});

test('settings that would be dropped are refused and nothing is touched', async t => {
  for (const bad of [
    '{"a":',
    '[]',
    '{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}',
    '{"permissions":{"allow":"x"}}',
  ]) {
    const root = project(t, { [SETTINGS]: bad });
    const before = snapshot(root);
    await assert.rejects(wire(root), (error: Error & { code?: string }) => {
      assert.match(String(error.code), /^settings-/);
      assert.equal(error.message.split('\n').length, 1);
      return true;
    });
    assert.deepEqual(snapshot(root), before);
  }
});

test('settings that are no UTF-8 are refused', async t => {
  const root = project(t);
  write(root, { [SETTINGS]: '' });
  writeFileSync(join(root, SETTINGS), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  await assert.rejects(wire(root), { code: 'not-readable' });
  assert.deepEqual([...readFileSync(join(root, SETTINGS))], [0x7b, 0xff, 0xfe, 0x7d]);
});

test('a dry run says what it would write and writes nothing', async t => {
  const root = project(t, { 'go.mod': 'module x\n', [SETTINGS]: '{}' });
  const before = snapshot(root);
  const report = await wire(root, { dryRun: true });
  assert.deepEqual(snapshot(root), before);
  const settings = report.written.find(w => w.kind === 'settings');
  assert.match(settings?.added ?? '', /pre-tool-use\.cjs/);
  assert.match(report.written.find(w => w.kind === 'project')?.added ?? '', /"go test \.\/\.\.\."/);
});

test('a link is written through and stays a link, the mode stays too', async t => {
  const root = project(t, { 'dotfiles/settings.json': '{"model":"opus"}\n' });
  write(root, { '.claude/keep': '' });
  symlinkSync('../dotfiles/settings.json', join(root, SETTINGS));
  chmodSync(join(root, 'dotfiles/settings.json'), 0o600);
  const before = snapshot(root);
  await wire(root);
  assert.ok(lstatSync(join(root, SETTINGS)).isSymbolicLink());
  assert.equal(ownEntries(read(root, 'dotfiles/settings.json')).length, HOOKS.length);
  assert.equal(statSync(join(root, 'dotfiles/settings.json')).mode & 0o777, 0o600);
  await unwire(root);
  assert.deepEqual(snapshot(root), before);
});

test('inside an agent a fresh project may be wired, a wired one not', async t => {
  const root = project(t);
  await wire(root, { insideAgent: 'CLAUDECODE is set' });
  const wired = snapshot(root);
  for (const scope of ['project', 'local', 'user'] as const) {
    await assert.rejects(wire(root, { scope, insideAgent: 'CLAUDECODE is set' }), { code: 'inside-agent' });
  }
  await assert.rejects(
    uninstall({ dir: root, announce: () => {}, insideAgent: 'CLAUDECODE is set' }),
    (error: Error & { code?: string }) => error.code === 'inside-agent' && !error.message.includes('\n'),
  );
  assert.deepEqual(snapshot(root), wired);
});

test('inside an agent, hooks taken out by hand do not make a project fresh again', async t => {
  const root = project(t);
  await wire(root);
  write(root, { [SETTINGS]: '{}' });
  await assert.rejects(wire(root, { insideAgent: 'x' }), { code: 'inside-agent' });
  const plugin = project(t, { [SETTINGS]: '{"enabledPlugins":{"touchstone@shop":true}}' });
  await assert.rejects(wire(plugin, { insideAgent: 'x' }), { code: 'inside-agent' });
  const user = project(t);
  await wire(user, { scope: 'user' });
  rmSync(join(user, '.claude'), { recursive: true });
  await assert.rejects(wire(user, { insideAgent: 'x' }), { code: 'inside-agent' });
});

test('a folder in the way of a file ends in one line and leaves nothing behind', async t => {
  const root = project(t, { '.claude/settings.json/keep': '' });
  const before = snapshot(root);
  await assert.rejects(
    wire(root),
    (error: Error & { code?: string }) =>
      /^not-(?:readable|writable)$/.test(String(error.code)) && !error.message.includes('\n'),
  );
  assert.deepEqual(snapshot(root), before);
  const blocked = project(t, { '.claude/skills': 'a file\n', [SETTINGS]: '{}' });
  const there = snapshot(blocked);
  await assert.rejects(wire(blocked), { code: 'not-writable' });
  assert.deepEqual(snapshot(blocked), there);
});

test('no such folder', async () => {
  await assert.rejects(wire('/no/such/folder'), { code: 'no-such-folder' });
});

test('hooks that lie in the project are named by the placeholder, in project scope only', async t => {
  const root = project(t);
  const dist = scripts(join(root, 'node_modules/touchstone'));
  await wire(root, { dist });
  assert.match(read(root, SETTINGS), /"\$\{CLAUDE_PROJECT_DIR\}\/node_modules\/touchstone\/dist\/hooks\/stop\.cjs"/);
  await wire(root, { dist, scope: 'local' });
  assert.ok(read(root, '.claude/settings.local.json').includes(JSON.stringify(`${dist}/hooks/stop.cjs`)));
});
