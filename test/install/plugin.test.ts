import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOOKS, pluginHooks } from '../../src/config/hook-table.ts';
import { shapeFault } from '../../src/config/settings-shape.ts';

const ROOT = join(import.meta.dirname, '../..');
const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>;

test('hooks/hooks.json is the table, current', () => {
  assert.deepEqual(json('hooks/hooks.json'), pluginHooks());
  assert.equal(shapeFault(json('hooks/hooks.json')), undefined);
});

test('every hook of the table has its source', () => {
  const sources = readdirSync(join(ROOT, 'hooks')).filter(name => name.endsWith('.ts'));
  assert.deepEqual(sources.sort(), HOOKS.map(h => `${h.file}.ts`).sort());
});

test('the plugin and its marketplace name the package, its version and what is there', () => {
  const pack = json('package.json');
  const plugin = json('.claude-plugin/plugin.json');
  assert.equal(plugin.name, pack.name);
  assert.equal(plugin.version, pack.version);
  assert.equal(plugin.license, pack.license);
  assert.ok(existsSync(join(ROOT, String(plugin.skills))));
  assert.match(String(plugin.skills), /^\.\//);
  const market = json('.claude-plugin/marketplace.json');
  assert.equal(typeof (market.owner as { name?: unknown }).name, 'string');
  const [entry] = market.plugins as Record<string, unknown>[];
  assert.equal(entry?.name, plugin.name);
  assert.equal(entry?.version, plugin.version);
  assert.ok(existsSync(join(ROOT, String(entry?.source), '.claude-plugin/plugin.json')));
});

test('each skill has a name, a description, and starts no command when it is shown', () => {
  const names = readdirSync(join(ROOT, '.claude/skills'));
  assert.ok(names.length >= 2);
  for (const name of names) {
    const text = readFileSync(join(ROOT, '.claude/skills', name, 'SKILL.md'), 'utf8');
    const front = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
    assert.match(front, new RegExp(`^name: ${name}$`, 'm'));
    assert.match(front, /^description: .{40,}$/m);
    assert.doesNotMatch(text, /!`/);
    assert.doesNotMatch(front, /^(?:hooks|allowed-tools):/m);
  }
});
