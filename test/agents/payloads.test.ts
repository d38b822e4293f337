import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { decode } from '../../src/agents/registry.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';

const anyCorpus = corpus('verify-pass-guard');
const payloads = anyCorpus === null ? null : resolve(dirname(dirname(anyCorpus)), 'payloads');
const laid = payloads !== null && existsSync(payloads);
if (!laid && process.env.TOUCHSTONE_CORPORA_REQUIRED === '1') throw new Error('the captured payloads are required');

/** Events that nobody wires: decoding them must say so, not guess. */
const UNWIRED =
  /CwdChanged|InstructionsLoaded|PostCompact|PreCompact|PreCompress|PermissionRequest|SubagentStart|Notification/;

test('every captured payload decodes to the event it is', { skip: laid ? false : NO_CORPUS }, () => {
  let decoded = 0;
  for (const folder of readdirSync(payloads!)) {
    const agent = folder.replace(/-[\d.]+$/, '');
    for (const file of readdirSync(join(payloads!, folder))) {
      if (!file.endsWith('.json') || /what-the-model-saw|hook-environment/.test(file)) continue;
      const text = readFileSync(join(payloads!, folder, file), 'utf8');
      const raw = JSON.parse(text);
      const result = decode(text, null);
      if (UNWIRED.test(file)) {
        assert.equal(result.kind, 'invalid', file);
        continue;
      }
      assert.equal(result.kind, 'event', `${folder}/${file}: ${'why' in result ? result.why : ''}`);
      if (result.kind !== 'event') continue;
      const { event } = result;
      decoded++;
      assert.equal(event.agent, agent, file);
      assert.equal(event.cwd, raw.cwd, file);
      assert.equal(event.session, raw.session_id, file);
      if (raw.tool_name === undefined) continue;
      assert.equal(event.call?.tool, raw.tool_name, file);
      const { file_path, notebook_path, command } = raw.tool_input;
      if (/write|edit|replace/i.test(raw.tool_name))
        assert.equal(event.call?.writes[0]?.path, file_path ?? notebook_path, file);
      if (/bash|shell/i.test(raw.tool_name)) assert.equal(event.call?.command, command, file);
      if (raw.tool_name === 'apply_patch') assert.ok((event.call?.writes.length ?? 0) > 0, file);
    }
  }
  assert.ok(decoded > 100, `only ${decoded} payloads`);
});

test('a failing command says its exit code in words', () => {
  const result = decode(
    JSON.stringify({
      hook_event_name: 'PostToolUseFailure',
      session_id: 'S',
      cwd: '/p',
      tool_name: 'Bash',
      tool_input: { command: 'x' },
      error: 'Exit code 7\nout',
    }),
    null,
  );
  assert.ok(result.kind === 'event');
  assert.deepEqual(result.event.result, { text: 'out', failed: true, exitCode: 7, background: false });
});

test('a machine-made turn gives no consent', () => {
  const source = (extra: object) => {
    const r = decode(
      JSON.stringify({
        hook_event_name: 'UserPromptSubmit',
        session_id: 'S',
        cwd: '/p',
        prompt: '/touchstone thaw a b',
        ...extra,
      }),
      null,
    );
    return r.kind === 'event' ? r.event.promptSource : r.why;
  };
  assert.equal(source({}), 'human');
  assert.equal(source({ source: 'user' }), 'human');
  assert.equal(source({ source: 'system' }), 'machine');
  assert.equal(source({ source: 'loop_wakeup' }), 'machine');
  assert.equal(source({ prompt: '<task-notification>\n/touchstone thaw a b' }), 'machine');
});

test('an MCP tool that names a path writes it, unless its name says it reads', () => {
  const writes = (tool: string, input: object) => {
    const r = decode(
      JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 'S', cwd: '/p', tool_name: tool, tool_input: input }),
      null,
    );
    return r.kind === 'event' ? r.event.call?.writes.map(w => w.path) : [];
  };
  assert.deepEqual(writes('mcp__fs__write_file', { path: 'tests/a.ts', content: 'x' }), ['tests/a.ts']);
  assert.deepEqual(writes('mcp__fs__move_file', { source: 'a', destination: 'tests/b' }), ['a', 'tests/b']);
  assert.deepEqual(writes('mcp__x__do', { filePath: 'file:///p/tests/a.ts' }), ['/p/tests/a.ts']);
  assert.deepEqual(writes('mcp__fs__read_file', { path: 'tests/a.ts' }), []);
  assert.deepEqual(writes('mcp__fs__list_directory', { path: 'tests' }), []);
});
