import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOOKS, type Launcher, launcher } from '../../src/config/hook-table.ts';
import { clientFault } from '../../src/config/settings-shape.ts';
import { undoInsertions } from '../../src/install/json-splice.ts';
import { isWired, mergeHooks, ownEntries, stripHooks } from '../../src/install/settings.ts';

const HERE: Launcher = { node: '/usr/bin/node', hooksDir: '/opt/touchstone/dist/hooks' };
const MOVED: Launcher = {
  node: '/opt/node22/bin/node',
  hooksDir: '${CLAUDE_PROJECT_DIR}/node_modules/touchstone/dist/hooks',
};
const EVENTS = HOOKS.map(h => h.event);

const userHandler = fc.record(
  {
    type: fc.constant('command'),
    command: fc.constantFrom('true', 'jq . </dev/stdin', 'node "a b.js"'),
    timeout: fc.constantFrom(1, 5.5),
  },
  { requiredKeys: ['type', 'command'] },
);
const userGroup = fc.record(
  { matcher: fc.constantFrom('Write|Edit', '*', 'Bash'), hooks: fc.array(userHandler, { maxLength: 3 }) },
  { requiredKeys: ['hooks'] },
);
const userHooks = fc.dictionary(
  fc.constantFrom('PreToolUse', 'Stop', 'SessionStart', 'Notification', 'ConfigChange'),
  fc.array(userGroup, { maxLength: 3 }),
);
const settings = fc.record(
  {
    model: fc.string(),
    permissions: fc.record({ allow: fc.array(fc.string(), { maxLength: 3 }) }),
    env: fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 3 }),
    hooks: userHooks,
    ünï: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

/** A settings text as people and tools leave them: any indentation, line end, BOM, end of file, comments. */
const settingsText = fc
  .record({
    value: settings,
    unit: fc.constantFrom('  ', '    ', '\t', ''),
    eol: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
    end: fc.constantFrom('', '\n', '\n\n', '  '),
    order: fc.boolean(),
    comment: fc.constantFrom('', '// note\n', '/* note */'),
  })
  .map(({ value, unit, eol, bom, end, order, comment }) => {
    const shuffled = order ? Object.fromEntries(Object.entries(value).reverse()) : value;
    let text = JSON.stringify(shuffled, null, unit);
    if (comment && text.startsWith('{\n'))
      text = text.replace('{\n', `{\n${unit}${comment}`).replace(/\n\}$/, `\n${unit}${comment}}`);
    return (bom ? '\uFEFF' : '') + text.replaceAll('\n', eol) + end;
  });

function parsed(text: string): Record<string, unknown> {
  return JSON.parse(
    text
      .replace(/^\uFEFF/, '')
      .replace(/^\s*\/\/ note\r?$/gm, '')
      .replace(/^\s*\/\* note \*\//gm, ''),
  ) as Record<string, unknown>;
}

test('what is merged comes out again byte for byte, and every user byte stays in between', () => {
  fc.assert(
    fc.property(settingsText, text => {
      const merged = mergeHooks(text, HERE, 'settings.json');
      assert.equal(undoInsertions(merged.text, merged.spans), text);
      assert.ok(isWired(merged.text, HERE));
      assert.equal(ownEntries(merged.text).length, EVENTS.length);
      const before = parsed(text);
      const after = parsed(merged.text);
      for (const key of Object.keys(before)) if (key !== 'hooks') assert.deepEqual(after[key], before[key]);
      const hooks = (before.hooks ?? {}) as Record<string, unknown[]>;
      for (const [event, groups] of Object.entries(hooks)) {
        assert.deepEqual((after.hooks as Record<string, unknown[]>)[event]?.slice(0, groups.length), groups);
      }
      if (merged.strict) assert.equal(clientFault(merged.text), undefined);
    }),
    { numRuns: 400 },
  );
});

test('without a record our entries come out and what the user has stays', () => {
  fc.assert(
    fc.property(settingsText, text => {
      const stripped = stripHooks(mergeHooks(text, HERE, 'settings.json').text);
      assert.deepEqual(ownEntries(stripped), []);
      const before = parsed(text);
      const hooks = Object.entries((before.hooks ?? {}) as Record<string, unknown[]>).filter(
        // An empty list says nothing and cannot be told from one that only held ours.
        ([event, groups]) => groups.length > 0 || !EVENTS.includes(event),
      );
      const expected: Record<string, unknown> = { ...before, hooks: Object.fromEntries(hooks) };
      if (hooks.length === 0) delete expected.hooks;
      const after = parsed(stripped);
      if (after.hooks && Object.keys(after.hooks).length === 0) delete after.hooks;
      assert.deepEqual(after, expected);
    }),
    { numRuns: 400 },
  );
});

test('a usual file comes back to its bytes even without a record', () => {
  for (const text of [
    '{\n  "model": "opus"\n}\n',
    '{\n\t"permissions": {\n\t\t"allow": ["Bash(ls)"]\n\t},\n\t"model": "x"\n}',
    '{\r\n    "hooks": {\r\n        "Stop": [\r\n            { "hooks": [{ "type": "command", "command": "true" }] }\r\n        ]\r\n    }\r\n}\r\n',
    '{"model":"opus"}',
    '{}',
    '{\n  // why\n  "model": "opus" // trailing\n  // last word\n}\n',
    '{\n  "model": "opus", // one\n  "env": {} /* two */\n}\n',
  ]) {
    assert.equal(stripHooks(mergeHooks(text, HERE, 'settings.json').text), text);
  }
});

test('our entries may stand beside a user handler in one group', () => {
  const text = JSON.stringify({
    hooks: {
      Stop: [
        {
          hooks: [
            { type: 'command', command: 'true' },
            { type: 'command', command: 'node', args: ['/x/dist/hooks/stop.cjs'] },
          ],
        },
      ],
    },
  });
  assert.deepEqual(JSON.parse(stripHooks(text)), {
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
  });
});

test('an entry from an older place is ours, another script is not', () => {
  const old = mergeHooks('', MOVED, 'settings.json').text;
  assert.equal(isWired(old, HERE), false);
  assert.equal(ownEntries(old).length, EVENTS.length);
  const foreign = JSON.stringify({
    hooks: {
      Stop: [
        { hooks: [{ type: 'command', command: 'node', args: ['/x/dist/hooks/other.cjs'] }] },
        { hooks: [{ type: 'command', command: 'node', args: ['/x/mydist/hooks/stop.cjs'] }] },
        { hooks: [{ type: 'command', command: 'node', args: ['/x/dist/hooks/pre-tool-use.cjs'] }] },
      ],
    },
  });
  assert.deepEqual(ownEntries(foreign), []);
  assert.equal(stripHooks(foreign), foreign);
});

test('a weakened entry of ours is not taken for wired', () => {
  const good = mergeHooks('{}', HERE, 'settings.json').text;
  for (const [from, to] of [
    ['"timeout": 600', '"timeout": 1'],
    ['"onFailure": "block"', '"onFailure": "continue"'],
    ['Write|Edit|MultiEdit', 'Edit|MultiEdit'],
    ['/usr/bin/node', '/usr/bin/true'],
  ] as const) {
    assert.ok(good.includes(from));
    assert.equal(isWired(good.replace(from, to), HERE), false, to);
  }
});

test('settings that cannot be read, or that the client would drop, are refused with one line', () => {
  const bad: [string, string][] = [
    ['{"a":', 'settings-unparsable'],
    ['{"a" 1}', 'settings-unparsable'],
    ['nonsense', 'settings-unparsable'],
    ['{} {}', 'settings-unparsable'],
    ['[]', 'settings-shape'],
    ['"x"', 'settings-shape'],
    ['null', 'settings-shape'],
    ['{"hooks":[]}', 'settings-shape'],
    ['{"hooks":{"Stop":{}}}', 'settings-shape'],
    ['{"permissions":{"allow":"Bash"}}', 'settings-shape'],
    ['{"hooks":{"Stop":[{"type":"command","command":"true"}]}}', 'settings-shape'],
    ['{"hooks":{"Stop":[{"matcher":["Write"],"hooks":[]}]}}', 'settings-shape'],
    ['{"hooks":{"Stop":[{"hooks":[{"type":"shell","command":"true"}]}]}}', 'settings-shape'],
    ['{"hooks":{"Stop":[{"hooks":[{"type":"constructor","command":"true"}]}]}}', 'settings-shape'],
    ['{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}', 'settings-shape'],
    ['{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true","timeout":"5"}]}]}}', 'settings-shape'],
    ['{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true","timeout":0}]}]}}', 'settings-shape'],
    ['{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true","onFailure":"deny"}]}]}}', 'settings-shape'],
    ['{"hooks":{},"hooks":{}}', 'settings-shape'],
    ['{"hooks":{"Stop":[],"Stop":[]}}', 'settings-shape'],
  ];
  for (const [text, code] of bad) {
    assert.throws(
      () => mergeHooks(text, HERE, 'settings.json'),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, code, text);
        assert.match(error.message, /^settings\.json[: ]/);
        assert.ok(!error.message.includes('\n'));
        return true;
      },
    );
  }
});

test('an empty file, with or without a mark, becomes a file of ours', () => {
  for (const text of ['', '\n', '\uFEFF', ' \r\n']) {
    const merged = mergeHooks(text, HERE, 'settings.json');
    assert.equal(clientFault(merged.text), undefined);
    assert.ok(isWired(merged.text, HERE));
    assert.equal(undoInsertions(merged.text, merged.spans), text);
  }
});

test('comments and trailing commas stay, and are reported as unread by the client', () => {
  const text = '{\n  // keep me\n  "model": "opus",\n}\n';
  const merged = mergeHooks(text, HERE, 'settings.json');
  assert.equal(merged.strict, false);
  assert.ok(merged.text.includes('// keep me'));
  assert.equal(undoInsertions(merged.text, merged.spans), text);
  assert.equal(mergeHooks('{"model":"opus"}', HERE, 'settings.json').strict, true);
});

test('the launcher uses the placeholder inside the project and an absolute path elsewhere', () => {
  const node = '/n';
  assert.equal(
    launcher({ node, dist: '/p/node_modules/t/dist', root: '/p' }).hooksDir,
    '${CLAUDE_PROJECT_DIR}/node_modules/t/dist/hooks',
  );
  assert.equal(launcher({ node, dist: '/p q/t/dist', root: '/p' }).hooksDir, '/p q/t/dist/hooks');
  assert.equal(launcher({ node, dist: '/pt/dist', root: '/p' }).hooksDir, '/pt/dist/hooks');
  assert.equal(launcher({ node, dist: '/p/t/dist' }).hooksDir, '/p/t/dist/hooks');
});
