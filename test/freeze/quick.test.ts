/** The quick answer says "nothing moved" only where nothing did. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freeze } from '../../src/freeze/freeze.ts';
import { fileClock, quickLook, rememberQuiet } from '../../src/freeze/quick.ts';

const PACKAGE = '{"scripts":{"test":"node --test"}}\n';

async function frozen(t: TestContext): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-quick-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', root]);
  mkdirSync(join(root, 'tests/sub'), { recursive: true });
  mkdirSync(join(root, '.claude/state'), { recursive: true });
  writeFileSync(join(root, 'tests/a.test.js'), 'one\n');
  writeFileSync(join(root, 'tests/sub/b.test.js'), 'two\n');
  writeFileSync(join(root, 'package.json'), PACKAGE);
  const manifest = await freeze(root, { patterns: ['tests/**'], record: null });
  assert.equal(quickLook(root), null, 'nothing is known before the first full check');
  rememberQuiet(root, manifest, fileClock());
  assert.equal(quickLook(root), null, 'files this young may change without showing it');
  rememberQuiet(root, manifest, fileClock() + 60_000_000_000n);
  assert.deepEqual(quickLook(root), []);
  return root;
}

/** As a writer does that hides itself. */
function rewrite(path: string, text: string): void {
  const { atime, mtime, size } = statSync(path);
  assert.equal(Buffer.byteLength(text), size);
  writeFileSync(path, text);
  utimesSync(path, atime, mtime);
}

test('a frozen file rewritten with its size and time put back', async t => {
  const root = await frozen(t);
  rewrite(join(root, 'tests/a.test.js'), 'eno\n');
  assert.deepEqual(quickLook(root), [{ path: 'tests/a.test.js', how: 'rewritten' }]);
});

test('a file added, a file gone', async t => {
  const root = await frozen(t);
  writeFileSync(join(root, 'tests/sub/new.js'), '');
  rmSync(join(root, 'tests/a.test.js'));
  assert.deepEqual(quickLook(root), [
    { path: 'tests/a.test.js', how: 'deleted' },
    { path: 'tests/sub/new.js', how: 'added' },
  ]);
});

test('settings and manifest are left to the full check once they moved', async t => {
  for (const change of [
    (root: string) => rewrite(join(root, 'package.json'), PACKAGE.replace('node --test', 'true       ')),
    (root: string) => writeFileSync(join(root, 'jest.config.js'), 'module.exports = {};\n'),
    (root: string) => rmSync(join(root, 'package.json')),
    (root: string) => {
      const path = join(root, '.claude/state/freeze.json');
      rewrite(path, readFileSync(path, 'utf8').replace('tests/**', 'tosts/**'));
    },
    (root: string) => rmSync(join(root, '.claude/state/freeze.json')),
    (root: string) => writeFileSync(join(root, '.claude/state/freeze.stat.json'), '{"manifest":""}'),
  ]) {
    const root = await frozen(t);
    change(root);
    assert.equal(quickLook(root), null, String(change));
  }
});
