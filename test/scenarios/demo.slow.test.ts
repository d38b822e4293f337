/** The demonstration walks its whole way through the built commands and hooks, and leaves nothing behind. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SCHEMAS } from '../../src/cli/schema.ts';
import { show } from './stages-world.ts';
import { World } from './world.ts';

test('every step holds, names the file that proves it, and the project is gone afterwards', () => {
  using w = new World();
  const ran = w.cli(['demo'], { env: { TMPDIR: w.top, CLAUDECODE: '1' } });
  assert.equal(ran.code, 0, show(ran));
  const titles = [...ran.out.matchAll(/^\d\. (\w+)/gm)].map(m => m[1]);
  assert.deepEqual(titles, ['The', 'Red', 'Frozen', 'Refused', 'Green', 'Refused', 'Proven', 'Delivered']);
  assert.equal(ran.out.match(/^ {3}proof: \S+$/gm)?.length, titles.length);
  assert.match(ran.out, /Write would write test\/add\.test\.js, which is frozen/);
  assert.match(ran.out, /git push would deliver main \(\w+\), a tree without green evidence/);
  assert.match(ran.out, /^Done in [\d.]+ s/m);
  assert.deepEqual(
    readdirSync(w.top).filter(name => name.startsWith('touchstone-demo')),
    [],
  );
});

/** Which schema a state file is held to. What lies in the cache is made anew on need. */
const SCHEMA_OF: [RegExp, string][] = [
  [/^(freeze|frozen|refused|accepted|session|install|verdict|broken)\.json$/, '$1'],
  [/^freeze\.stat\.json$/, 'freeze-stat'],
  [/^evidence\/(check-numbers)\.json$/, '$1'],
  [/^evidence\/(check|stage)s\/[\w-]+-\d{4}\.json$/, '$1'],
  [/^stages\/(binding|task|delivery|runner)\.json$/, '$1'],
  [/^stages\/open\.json$/, 'open-stage'],
];

function heldToSchemas(state: string): string[] {
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.json') && !/^(?:cache|vault\.git)\//.test(name),
  );
  for (const name of files) {
    const [pattern, schema] = SCHEMA_OF.find(([p]) => p.test(name)) ?? assert.fail(`${name} has no schema`);
    const read = SCHEMAS[name.replace(pattern, schema)]!.safeParse(JSON.parse(readFileSync(join(state, name), 'utf8')));
    assert.ok(read.success, `${name}: ${read.error?.message}`);
  }
  return files;
}

test('a kept project shows its proofs', () => {
  using w = new World();
  const ran = w.cli(['demo', '--keep'], { env: { TMPDIR: w.top } });
  assert.equal(ran.code, 0, show(ran));
  const root = /^Kept: (.+)$/m.exec(ran.out)![1]!;
  for (const [, proof] of ran.out.matchAll(/^ {3}proof: (\S+)$/gm))
    assert.ok(readdirSync(join(root, proof!, '..')).length > 0);
  assert.ok(heldToSchemas(join(root, '.claude/state')).length > 10);
  const status = w.cli(['stage', 'status'], { cwd: root });
  assert.match(status.out, /stage {5}implement: complete/);
});
