import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fingerprint } from '../../src/repo/fingerprint.ts';
import { listedFiles } from '../../src/repo/listed.ts';
import { bytesOf, joinNul, nameOf, openable, splitNul } from '../../src/repo/names.ts';
import { plainFingerprint } from '../../src/repo/plain.ts';
import { snapshot } from '../../src/repo/snapshot.ts';
import { folder, type Sandbox, sandbox } from './sandbox.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const inside = (root: string, name: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), latin(name)]);

/** Some disks take no such name. */
function put(t: TestContext, root: string, name: string, text: string): boolean {
  try {
    writeFileSync(inside(root, name), text);
    return true;
  } catch {
    t.skip('this disk takes UTF-8 names only');
    return false;
  }
}

test('every name has one spelling, and leads back to its bytes', () => {
  const spelt: [Buffer, string][] = [
    [Buffer.from('src/é.txt'), 'src/é.txt'],
    [latin('src/caf\xe9.txt'), 'src/caf\\xE9.txt'],
    [latin('\xff\xfe'), '\\xFF\\xFE'],
    [Buffer.concat([Buffer.from('日本'), latin('\xe6\x97')]), '日本\\xE6\\x97'],
    [Buffer.from('a\ufffdb'), 'a\ufffdb'],
    [Buffer.concat([Buffer.from('\ufffd'), latin('\xe9')]), '\ufffd\\xE9'],
    // Names that hold such letters themselves: they must not be taken for another file's.
    [Buffer.from('caf\\xE9.txt'), 'caf\\x5CxE9.txt'],
    [Buffer.from('caf\\x5CxE9.txt'), 'caf\\x5Cx5CxE9.txt'],
    [Buffer.from('dev-by\\x2duuid.swap'), 'dev-by\\x2duuid.swap'],
    [Buffer.from('\\x41 \\xe9 C:\\x'), '\\x41 \\xe9 C:\\x'],
  ];
  for (const [bytes, name] of spelt) {
    assert.equal(nameOf(bytes), name);
    assert.deepEqual(bytesOf(name), bytes, name);
  }
  const names = spelt.map(([, name]) => name);
  assert.deepEqual(splitNul(joinNul(names)), names);
  assert.deepEqual(splitNul(Buffer.from('a\0\0b\0')), ['a', '', 'b']);
  assert.deepEqual(splitNul(latin('\xe9\0\0b')), ['\\xE9', '', 'b']);
  assert.deepEqual(splitNul(Buffer.alloc(0)), []);
  assert.equal(openable('/top', 'a/b'), join('/top', 'a/b'));
});

test('a snapshot names and hashes files whose names are no UTF-8', t => {
  const s: Sandbox = sandbox(t);
  if (!put(t, s.root, 'caf\xe9.txt', 'one')) return;
  put(t, s.root, 'caf\xe8.txt', 'two');
  writeFileSync(s.path('caf\\xE9.txt'), 'three');
  symlinkSync(latin('to/\xe9'), s.path('link'));
  const brief = () => snapshot(s.root).entries.map(e => [e.path, e.status, e.contentHash ?? e.linkTarget]);
  const untracked = [
    ['caf\\x5CxE9.txt', '??', sha256('three')],
    ['caf\\xE8.txt', '??', sha256('two')],
    ['caf\\xE9.txt', '??', sha256('one')],
    ['link', '??', 'to/\\xE9'],
  ];
  assert.deepEqual(brief(), untracked);
  assert.deepEqual(
    listedFiles(s.root)!.filter(path => path.startsWith('caf')),
    untracked.slice(0, 3).map(([path]) => path),
  );
  s.commit();
  assert.deepEqual(brief(), []);
  put(t, s.root, 'caf\xe9.txt', 'changed');
  assert.deepEqual(brief(), [['caf\\xE9.txt', ' M', sha256('changed')]]);
  const taken = snapshot(s.root, { protect: ['*.txt'] });
  assert.equal(taken.protectedHashes['caf\\xE8.txt'], sha256('two'));
});

test('their content counts in every fingerprint', t => {
  const s = sandbox(t);
  if (!put(t, s.root, 'caf\xe9.txt', 'one')) return;
  const bare = folder(t);
  put(t, bare, 'caf\xe9.txt', 'one');
  symlinkSync(latin('to/\xe9'), join(bare, 'link'));
  const now = (): unknown[] => [fingerprint(s.root, { of: 'worktree' }), plainFingerprint(bare, [])];
  const before = now().map(one => (one as { value?: string }).value);
  assert.ok(before.every(value => /^[0-9a-f]{64}$/.test(value ?? '')));
  put(t, s.root, 'caf\xe9.txt', 'two');
  put(t, bare, 'caf\xe9.txt', 'two');
  const after = now().map(one => (one as { value?: string }).value);
  assert.notEqual(after[0], before[0]);
  assert.notEqual(after[1], before[1]);
});
