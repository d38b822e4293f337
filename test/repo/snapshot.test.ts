import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { committedChanges, diffPatch } from '../../src/repo/patch.ts';
import { captured, snapshot } from '../../src/repo/snapshot.ts';
import { at, folder, sandbox } from './sandbox.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const codes = (root: string) => snapshot(root).diagnostics.map(d => `${d.severity} ${d.code}`);

test('a clean repository', t => {
  const s = sandbox(t);
  const taken = snapshot(s.root);
  assert.equal(taken.clean, true);
  assert.equal(taken.head, s.git('rev-parse', 'HEAD').trim());
  assert.equal(taken.branch, 'main');
  assert.equal(taken.detached, false);
  assert.deepEqual(taken.entries, []);
  assert.deepEqual(taken.excludedPrefixes, ['.claude/state/']);
  s.git('checkout', '-q', '--detach');
  assert.deepEqual([snapshot(s.root).detached, snapshot(s.root).branch], [true, undefined]);
});

test('every kind of entry', t => {
  const s = sandbox(t);
  s.write('src/a.txt', 'edited\n');
  unlinkSync(s.path('src/b.txt'));
  chmodSync(s.path('run.sh'), 0o755);
  s.write('new/deep/é "q"\n.txt', 'untracked');
  symlinkSync('../outside', s.path('link'));
  s.write('staged.txt', 'staged');
  s.git('add', 'staged.txt');
  s.write('x.log', 'ignored');
  s.write('.claude/state/last_test_result', 'PASS');
  const taken = snapshot(s.root);
  const brief = taken.entries.map(e => [e.path, e.status, e.contentHash ?? e.linkTarget ?? null, e.mode ?? null]);
  assert.deepEqual(brief, [
    ['link', '??', '../outside', '120000'],
    ['new/deep/é "q"\n.txt', '??', sha256('untracked'), '100644'],
    ['run.sh', ' M', sha256('#!/bin/sh\n'), '100755'],
    ['src/a.txt', ' M', sha256('edited\n'), '100644'],
    ['src/b.txt', ' D', null, null],
    ['staged.txt', 'A ', sha256('staged'), '100644'],
  ]);
  assert.equal(taken.clean, false);
  assert.equal(taken.entries[3]!.blob, s.git('hash-object', 'src/a.txt').trim());
  assert.equal(taken.entries[4]!.headBlob, s.git('rev-parse', 'HEAD:src/b.txt').trim());
});

test('a staged rename keeps both of its paths', t => {
  const s = sandbox(t);
  s.git('mv', 'src/a.txt', 'src/c.txt');
  assert.deepEqual(
    snapshot(s.root).entries.map(e => [e.path, e.status]),
    [
      ['src/a.txt', 'D '],
      ['src/c.txt', 'A '],
    ],
  );
});

test('flags that hide a file from git status do not hide it here', t => {
  const s = sandbox(t);
  s.git('update-index', '--assume-unchanged', 'src/a.txt');
  s.git('update-index', '--skip-worktree', 'src/b.txt');
  assert.equal(snapshot(s.root).clean, true);
  s.write('src/a.txt', 'edited');
  unlinkSync(s.path('src/b.txt'));
  assert.deepEqual(
    snapshot(s.root).entries.map(e => [e.path, e.status]),
    [
      ['src/a.txt', ' M'],
      ['src/b.txt', ' D'],
    ],
  );
});

test('protected files are hashed from the disk even where git ignores them', t => {
  const s = sandbox(t);
  s.write('.gitignore', '.env\nsecrets/\n');
  s.write('.env', 'KEY=1');
  s.write('secrets/deep/k.pem', 'pem');
  s.write('secrets/readme', 'no');
  symlinkSync('/etc/passwd', s.path('secrets/l.pem'));
  symlinkSync('.', s.path('secrets/again.pem'));
  symlinkSync('/etc', s.path('elsewhere'));
  assert.deepEqual(snapshot(s.root, { protect: ['elsewhere/**'] }).protectedHashes, { elsewhere: 'link:/etc' });
  assert.deepEqual(snapshot(s.root, { protect: ['.env', 'secrets/**/*.pem', 'none/**'] }).protectedHashes, {
    '.env': sha256('KEY=1'),
    'secrets/deep/k.pem': sha256('pem'),
    'secrets/l.pem': 'link:/etc/passwd',
    'secrets/again.pem': 'link:.',
  });
});

test('no git, no commit, a bare repository, a broken one', t => {
  const dir = folder(t);
  const taken = snapshot(dir);
  assert.deepEqual([taken.gitAvailable, taken.clean, taken.head, taken.entries], [false, false, undefined, []]);
  assert.deepEqual(codes(dir), ['error GIT_UNAVAILABLE']);
  const s = at(dir);
  s.git('init', '-q', '--bare', 'bare.git');
  assert.deepEqual(codes(join(dir, 'bare.git')), ['error GIT_UNAVAILABLE']);
  s.git('init', '-q', '-b', 'main', 'fresh');
  const fresh = at(join(dir, 'fresh'));
  fresh.write('a', '1');
  const first = snapshot(fresh.root);
  assert.deepEqual(
    first.diagnostics.map(d => d.code),
    ['GIT_NO_HEAD'],
  );
  assert.deepEqual([first.branch, first.entries.length], ['main', 1]);
  fresh.write('.git/index', 'not an index, but long enough to be read as one by somebody');
  assert.deepEqual(codes(fresh.root), ['error GIT_STATUS_FAILED']);
  assert.deepEqual([captured(snapshot(fresh.root)), captured(first), captured(taken)], [false, true, false]);
});

test('submodules and nested repositories are named, and their own changes show', t => {
  const lib = sandbox(t);
  const s = sandbox(t);
  s.git('submodule', '--quiet', 'add', lib.root, 'lib');
  s.commit();
  assert.equal(snapshot(s.root).clean, true);
  s.write('lib/src/a.txt', 'dirty');
  s.git('init', '-q', 'nested');
  s.write('nested/x', '1');
  const taken = snapshot(s.root);
  assert.deepEqual(
    taken.entries.map(e => [e.path, e.status, e.repository]),
    [
      ['lib', ' M', 'submodule'],
      ['nested/', '??', 'nested'],
    ],
  );
  s.write('lib/src/a.txt', 'dirtier');
  s.write('nested/x', '2');
  const later = snapshot(s.root);
  for (const i of [0, 1]) {
    assert.ok(taken.entries[i]!.contentHash);
    assert.notEqual(later.entries[i]!.contentHash, taken.entries[i]!.contentHash);
  }
});

test('a worktree of a bare repository, a sparse checkout, a sub-folder as root', t => {
  const s = sandbox(t);
  s.git('clone', '-q', '--bare', s.root, 'bare.git');
  const wt = s.path('bare.git/wt');
  at(s.path('bare.git')).git('worktree', 'add', '-q', '-b', 'wt', wt);
  at(wt).write('src/a.txt', 'x');
  const linked = snapshot(wt);
  assert.deepEqual([linked.branch, linked.entries.map(e => e.path)], ['wt', ['src/a.txt']]);
  rmSync(s.path('bare.git'), { recursive: true });

  s.write('app/x', '1');
  s.commit();
  s.write('app/.claude/state/y', '1');
  s.write('src/a.txt', 'x');
  const sub = snapshot(s.path('app'), { protect: ['x'] });
  assert.deepEqual(Object.keys(sub.protectedHashes), ['app/x']);
  assert.deepEqual(sub.excludedPrefixes, ['app/.claude/state/']);
  assert.deepEqual(
    sub.entries.map(e => e.path),
    ['src/a.txt'],
  );
  s.git('checkout', '-q', '--', '.');
  s.git('sparse-checkout', 'set', '--cone', 'app');
  assert.equal(snapshot(s.path('app')).clean, true);
});

test('the patch applies, is cut by its limit, and leaves state out', t => {
  const s = sandbox(t);
  s.write('.claude/state/tracked', '1');
  s.write('bin', 'a\0b');
  s.git('add', '-f', '.claude/state/tracked');
  s.commit();
  s.write('.claude/state/tracked', '2');
  s.write('bin', 'a\0c');
  s.write('src/a.txt', 'edited\n');
  const patch = diffPatch(s.root, 10_000);
  assert.equal(patch.kind, 'patch');
  s.git('stash', '-q');
  if (patch.kind !== 'patch') return;
  assert.equal(patch.bytes.includes('tracked'), false);
  s.write('p.patch', patch.bytes.toString('utf8'));
  s.git('apply', 'p.patch');
  assert.equal(s.git('status', '--porcelain', '--untracked-files=no'), ' M bin\n M src/a.txt\n');
  const cut = diffPatch(s.root, 50);
  assert.deepEqual(cut, {
    kind: 'too-large',
    limit: 50,
    warning: 'patch exceeded the configured limit of 50 bytes and was not retained; the changed-file list is complete',
  });
  assert.equal(diffPatch(s.root, patch.bytes.length).kind, 'patch');
  assert.equal(diffPatch(s.root, patch.bytes.length - 1).kind, 'too-large');
  assert.equal(diffPatch(folder(t), 50).kind, 'none');
  const fresh = at(folder(t));
  fresh.git('init', '-q');
  fresh.write('a', '1');
  fresh.git('add', '-A');
  assert.equal(diffPatch(fresh.root, 5000).kind, 'patch');
});

test('the patch of a run goes from the commit it began at to the files as they lie', t => {
  const s = sandbox(t);
  const from = s.git('rev-parse', 'HEAD').trim();
  s.write('src/a.txt', 'committed\n');
  s.write('src/new.txt', 'new and committed\n');
  s.commit();
  s.write('src/b.txt', 'unseen\n');
  s.git('update-index', '--assume-unchanged', 'src/b.txt');
  s.write('left "here".txt', 'untracked\n');
  s.write('other.txt', 'not the run’s\n');
  symlinkSync('nowhere', s.path('link'));
  const before = s.git('ls-files', '--stage', '-v');
  const untracked = ['left "here".txt', 'link', 'gone.txt'];
  const patch = diffPatch(s.root, 10_000, { from, untracked });
  assert.equal(patch.kind, 'patch');
  if (patch.kind !== 'patch') return;
  assert.equal(patch.warning, undefined);
  assert.equal(s.git('ls-files', '--stage', '-v'), before);
  const copy = at(folder(t));
  copy.git('clone', '-q', s.root, '.');
  copy.git('reset', '-q', '--hard', from);
  copy.write('p.patch', patch.bytes.toString('utf8'));
  copy.git('apply', '--index', 'p.patch');
  const files = ['src/a.txt', 'src/b.txt', 'src/new.txt', 'left "here".txt'];
  assert.deepEqual(
    files.map(name => readFileSync(copy.path(name), 'utf8')),
    ['committed\n', 'unseen\n', 'new and committed\n', 'untracked\n'],
  );
  assert.equal(readlinkSync(copy.path('link')), 'nowhere');
  assert.equal(copy.git('ls-files', 'other.txt'), '');

  // What is new and too large goes first, and the rest is kept.
  s.write('left "here".txt', 'x'.repeat(20_000));
  for (const most of [10_000, 1_500]) {
    const less = diffPatch(s.root, most, { from, untracked });
    assert.equal(less.kind === 'patch' && less.bytes.includes('+new and committed'), true);
    assert.equal(less.kind === 'patch' && less.bytes.includes('xxx'), false);
    assert.equal(
      less.kind === 'patch' && less.warning,
      `untracked files were left out of the patch: with them it exceeds the configured limit of ${most} bytes`,
    );
  }
  const lost = diffPatch(s.root, 10_000, { from: '1'.repeat(40) });
  assert.match((lost.kind === 'patch' && lost.warning) || '', /git no longer knows 1{40}, where the run began/);
  assert.equal(lost.kind === 'patch' && lost.bytes.includes('+unseen'), true);
  // A record is text that others may have written.
  assert.equal(diffPatch(s.root, 10_000, { from: `--output=${s.path('forged')}` }).kind, 'patch');
  assert.equal(committedChanges(s.root, `--output=${s.path('forged')}`, from), null);
  assert.equal(existsSync(s.path('forged')), false);
});

for (const format of ['sha1', 'sha256']) {
  test(`the patch of a run that began before the first commit (${format})`, t => {
    const s = at(folder(t));
    s.git('init', '-q', `--object-format=${format}`);
    s.write('a.txt', 'committed\n');
    s.commit();
    s.write('b.txt', 'untracked\n');
    const patch = diffPatch(s.root, 10_000, { from: null, untracked: ['b.txt'] });
    const text = patch.kind === 'patch' ? patch.bytes.toString('utf8') : '';
    assert.match(text, /^\+committed$[\s\S]*^\+untracked$/m);
    assert.deepEqual(
      committedChanges(s.root, null, s.git('rev-parse', 'HEAD').trim())!.map(c => c.path),
      ['a.txt'],
    );
  });
}

test('what commits changed is listed by content', t => {
  const s = sandbox(t);
  const from = s.git('rev-parse', 'HEAD').trim();
  mkdirSync(s.path('d'));
  s.git('mv', 'src/a.txt', 'd/a.txt');
  s.git('update-index', '--chmod=+x', 'run.sh');
  s.git('commit', '-q', '-m', 'x');
  const to = s.git('rev-parse', 'HEAD').trim();
  const blob = s.git('rev-parse', 'HEAD:d/a.txt').trim();
  const run = s.git('rev-parse', 'HEAD:run.sh').trim();
  assert.deepEqual(committedChanges(s.root, from, to), [
    { path: 'd/a.txt', before: null, after: { blob, mode: '100644' } },
    { path: 'run.sh', before: { blob: run, mode: '100644' }, after: { blob: run, mode: '100755' } },
    { path: 'src/a.txt', before: { blob, mode: '100644' }, after: null },
  ]);
  assert.equal(committedChanges(s.root, null, from)?.length, 4);
  assert.equal(committedChanges(s.root, '1'.repeat(40), to), null);
});
