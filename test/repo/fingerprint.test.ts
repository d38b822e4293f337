import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Fingerprint, type FingerprintOptions, fingerprint } from '../../src/repo/fingerprint.ts';
import { plainFingerprint } from '../../src/repo/plain.ts';
import { at, FINGERPRINT, folder, type Sandbox, sandbox, script } from './sandbox.ts';

function whole(root: string, options: Partial<FingerprintOptions> = {}): Fingerprint {
  const result = fingerprint(root, { of: 'worktree', exclude: ['docs/verify/**', '**/*verify*'], ...options });
  assert.ok(result.ok, JSON.stringify(result));
  return result;
}
const tree = (s: Sandbox) => whole(s.root).value;
const index = (s: Sandbox) => whole(s.root, { of: 'index' }).value;
const head = (s: Sandbox) => whole(s.root, { of: { rev: 'HEAD' } }).value;

function editInPlace(path: string, text: string): void {
  const before = lstatSync(path);
  assert.equal(Buffer.byteLength(text), before.size);
  writeFileSync(path, text);
  utimesSync(path, before.atimeMs / 1000, before.mtimeMs / 1000);
}

const moves: { name: string; before?: (s: Sandbox) => void; act: (s: Sandbox) => void }[] = [
  { name: 'an edit', act: s => s.write('src/a.txt', 'other\n') },
  { name: 'a new file', act: s => s.write('new.txt', '') },
  { name: 'a deleted file', act: s => unlinkSync(s.path('src/a.txt')) },
  { name: 'an executable bit', act: s => chmodSync(s.path('src/a.txt'), 0o755) },
  {
    name: 'a retargeted link',
    before: s => symlinkSync('src/a.txt', s.path('link')),
    act: s => {
      unlinkSync(s.path('link'));
      symlinkSync('src/b.txt', s.path('link'));
    },
  },
  {
    name: 'a file in place of a link to it',
    before: s => symlinkSync('x', s.path('link')),
    act: s => {
      unlinkSync(s.path('link'));
      s.write('link', 'x');
    },
  },
  { name: 'an edit of the same size with the time put back', act: s => editInPlace(s.path('src/a.txt'), 'eno\n') },
  {
    name: 'two such edits in one second',
    before: s => {
      utimesSync(s.path('src/a.txt'), 1000, 1000);
      tree(s);
      editInPlace(s.path('src/a.txt'), 'eno\n');
    },
    act: s => editInPlace(s.path('src/a.txt'), 'neo\n'),
  },
  {
    name: 'an edit under assume-unchanged',
    before: s => s.git('update-index', '--assume-unchanged', 'src/a.txt'),
    act: s => s.write('src/a.txt', 'other\n'),
  },
  {
    name: 'an edit under skip-worktree',
    before: s => s.git('update-index', '--skip-worktree', 'src/a.txt'),
    act: s => s.write('src/a.txt', 'other\n'),
  },
  {
    name: 'a deletion under skip-worktree',
    before: s => s.git('update-index', '--skip-worktree', 'src/a.txt'),
    act: s => unlinkSync(s.path('src/a.txt')),
  },
  {
    name: 'an edit hidden by trustctime and checkStat',
    before: s => {
      s.git('config', 'core.trustctime', 'false');
      s.git('config', 'core.checkStat', 'minimal');
      utimesSync(s.path('src/a.txt'), 1000, 1000);
      s.git('update-index', '--refresh');
    },
    act: s => editInPlace(s.path('src/a.txt'), 'eno\n'),
  },
  {
    name: 'an executable bit under fileMode=false',
    before: s => s.git('config', 'core.fileMode', 'false'),
    act: s => chmodSync(s.path('src/a.txt'), 0o755),
  },
  {
    name: 'a second edit under ignoreStat',
    before: s => {
      s.git('config', 'core.ignoreStat', 'true');
      s.write('src/a.txt', 'first\n');
    },
    act: s => s.write('src/a.txt', 'second edit\n'),
  },
  {
    name: 'a file in place of a link under symlinks=false',
    before: s => {
      symlinkSync('x', s.path('link'));
      s.commit();
      s.git('config', 'core.symlinks', 'false');
    },
    act: s => {
      unlinkSync(s.path('link'));
      s.write('link', 'x');
    },
  },
  { name: 'a name with a newline and quotes', act: s => s.write('a "b"\nç é.txt', '') },
  { name: 'code whose name a claim glob matches', act: s => s.write('src/verify.ts', '') },
  { name: 'code in a claim folder', act: s => s.write('docs/verify/run.js', '') },
];

for (const { name, before, act } of moves) {
  test(`${name} moves it, in the very next call and with the first one cold`, t => {
    const s = sandbox(t);
    before?.(s);
    const was = tree(s);
    act(s);
    const now = tree(s);
    assert.notEqual(now, was);
    assert.equal(tree(s), now, 'warm');
    rmSync(s.path('.claude'), { recursive: true });
    assert.equal(tree(s), now, 'cold');
  });
}

test('a new file whose name differs by case alone moves it under ignoreCase=true', {
  skip: process.platform === 'linux' ? false : 'names are one there',
}, t => {
  const s = sandbox(t);
  s.git('config', 'core.ignoreCase', 'true');
  const was = tree(s);
  s.write('src/A.TXT', 'new\n');
  assert.notEqual(tree(s), was);
});

test('core.worktree that names another folder gives no fingerprint, and a submodule has one', t => {
  const s = sandbox(t);
  const other = at(folder(t));
  other.write('a.txt', 'one\n');
  s.git('config', 'core.worktree', other.root);
  const told = fingerprint(s.root, { of: 'worktree' });
  assert.ok(!told.ok);
  assert.equal(told.reason, 'elsewhere');
  assert.match(told.message, /git config --unset core\.worktree/);
  s.git('config', 'core.worktree', s.root);
  assert.ok(fingerprint(s.root, { of: 'worktree' }).ok, 'its own folder');
  s.git('config', '--unset', 'core.worktree');
  const inner = sandbox(t);
  s.git('submodule', 'add', '-q', inner.root, 'sub');
  assert.ok(fingerprint(s.path('sub'), { of: 'worktree' }).ok, 'a submodule');
});

const stays: { name: string; act: (s: Sandbox) => void }[] = [
  { name: 'an ignored file', act: s => s.write('x.log', '1') },
  { name: 'our own state', act: s => s.write('.claude/state/last_test_result', 'PASS\n') },
  { name: 'a report in a claim folder', act: s => s.write('docs/verify/deep/report.md', 'PASS') },
  { name: 'a document whose name a claim glob matches', act: s => s.write('notes/my-verify-run.MD', 'PASS') },
  { name: 'a new time', act: s => utimesSync(s.path('src/a.txt'), 5, 5) },
  { name: 'git status', act: s => s.git('status') },
  { name: 'an empty folder', act: s => mkdirSync(s.path('empty')) },
];

for (const { name, act } of stays) {
  test(`${name} does not move it`, t => {
    const s = sandbox(t);
    const was = tree(s);
    act(s);
    assert.equal(tree(s), was);
    s.commit();
    assert.equal(tree(s), was, 'committed');
    assert.equal(head(s), was);
    assert.equal(index(s), was);
  });
}

test('staging and committing the same content do not move it; work tree, index, commit and clone agree', t => {
  const s = sandbox(t);
  const clean = tree(s);
  assert.equal(clean, head(s));
  s.write('src/a.txt', 'other\n');
  s.write('new/x.txt', 'new\n');
  s.write('verify.md', 'left out');
  symlinkSync('src/a.txt', s.path('link'));
  unlinkSync(s.path('src/b.txt'));
  const dirty = tree(s);
  assert.equal(index(s), clean);
  s.git('add', '-A');
  assert.equal(tree(s), dirty);
  assert.equal(index(s), dirty);
  assert.equal(head(s), clean);
  s.git('commit', '-q', '-m', 'x');
  assert.equal(tree(s), dirty);
  assert.equal(head(s), dirty);
  assert.equal(whole(s.root, { of: { rev: 'HEAD~1' } }).value, clean);
  const copy = join(folder(t), 'copy');
  s.git('clone', '-q', s.root, copy);
  assert.equal(whole(copy).value, dirty);
});

test('git checkout to and fro gives the first value again', t => {
  const s = sandbox(t);
  const first = tree(s);
  s.git('switch', '-q', '-c', 'x');
  s.write('src/a.txt', 'x');
  s.commit();
  assert.notEqual(tree(s), first);
  s.git('switch', '-q', 'main');
  assert.equal(tree(s), first);
});

test('a file that becomes ignored leaves it, one added by force enters it', t => {
  const s = sandbox(t);
  const first = tree(s);
  s.write('gen.txt', 'x');
  assert.notEqual(tree(s), first);
  s.write('.gitignore', '*.log\ngen.txt\n');
  const ignoring = tree(s);
  s.git('add', '.gitignore');
  s.git('commit', '-q', '-m', 'ignore');
  assert.equal(tree(s), ignoring);
  assert.equal(head(s), ignoring);
  s.git('add', '-f', 'gen.txt');
  assert.equal(tree(s), index(s));
  assert.notEqual(tree(s), ignoring);
  s.git('rm', '-q', '--cached', 'gen.txt');
  assert.equal(tree(s), ignoring);
});

test('an ignore file outside the tree is noted, by info/exclude or by a setting of the repository', t => {
  const s = sandbox(t);
  s.git('config', 'core.excludesFile', s.path('.git/mine'));
  assert.equal(whole(s.root).hiddenByExclude, true);
  s.git('config', '--unset', 'core.excludesFile');
  assert.equal(whole(s.root).hiddenByExclude, false);
  s.write('.git/info/exclude', '# comment\nsecret.txt\n');
  assert.equal(whole(s.root).hiddenByExclude, true);
});

test("the user's index keeps its bytes and its name, and nothing shows in git status", t => {
  const s = sandbox(t);
  s.write('src/a.txt', 'other\n');
  const before = readFileSync(s.path('.git/index'));
  const inode = lstatSync(s.path('.git/index')).ino;
  tree(s);
  index(s);
  head(s);
  assert.deepEqual(readFileSync(s.path('.git/index')), before);
  assert.equal(lstatSync(s.path('.git/index')).ino, inode);
  assert.equal(s.git('status', '--porcelain'), ' M src/a.txt\n');
});

test('a project in a sub-folder covers the whole repository, its globs stay its own', t => {
  const s = sandbox(t);
  s.write('app/x.txt', '1');
  s.commit();
  const root = s.path('app');
  const was = whole(root).value;
  s.write('app/docs/verify/r.md', 'left out');
  s.write('app/.claude/state/x', 'left out');
  assert.equal(whole(root).value, was);
  s.write('docs/verify/r.md', 'not in the project');
  const outer = whole(root).value;
  assert.notEqual(outer, was);
  s.write('src/a.txt', 'other');
  assert.notEqual(whole(root).value, outer);
  assert.equal(lstatSync(s.path('app/.claude/state/cache/index')).isDirectory(), true);
});

test('no commit, no index, an unmerged index', t => {
  const s = at(folder(t));
  s.git('init', '-q', '-b', 'main');
  const empty = tree(s);
  s.write('a', '1');
  assert.notEqual(tree(s), empty);
  assert.equal(whole(s.root).head, null);
  assert.equal(fingerprint(s.root, { of: { rev: 'HEAD' } }).ok, false);
  s.commit();
  s.git('switch', '-q', '-c', 'x');
  s.write('a', 'x');
  s.commit();
  s.git('switch', '-q', 'main');
  s.write('a', 'main');
  s.commit();
  assert.throws(() => s.git('merge', 'x'));
  const conflict = tree(s);
  s.write('a', 'solved');
  const solved = tree(s);
  assert.notEqual(solved, conflict);
  assert.deepEqual(
    [fingerprint(s.root, { of: 'index' })].map(r => (r.ok ? 'ok' : r.reason)),
    ['unmerged'],
  );
  s.commit();
  assert.equal(tree(s), solved);
  assert.equal(head(s), solved);
});

test('no repository, a bare one, an unknown revision', t => {
  const dir = folder(t);
  const reason = (root: string, of: FingerprintOptions['of'] = 'worktree') => {
    const result = fingerprint(root, { of });
    return result.ok ? 'ok' : result.reason;
  };
  assert.equal(reason(dir), 'no-git');
  assert.equal(reason(join(dir, 'gone')), 'no-git');
  at(dir).git('init', '-q', '--bare', 'bare.git');
  assert.equal(reason(join(dir, 'bare.git')), 'bare');
  const s = sandbox(t);
  assert.equal(reason(s.root, { rev: 'nowhere' }), 'bad-revision');
  assert.equal(reason(s.root, { rev: '--help' }), 'bad-revision');
});

test('a linked worktree has its own value, also when the main one is bare', t => {
  const s = sandbox(t);
  s.git('worktree', 'add', '-q', '-b', 'x', '../' + 'linked' + process.pid);
  const linked = join(s.root, '..', 'linked' + process.pid);
  t.after(() => rmSync(linked, { recursive: true, force: true }));
  const first = whole(linked).value;
  assert.equal(first, tree(s));
  writeFileSync(join(linked, 'src/a.txt'), 'there');
  assert.notEqual(whole(linked).value, first);
  assert.equal(tree(s), first);
  s.git('config', 'core.bare', 'true');
  assert.notEqual(whole(linked).value, first);
});

test('a submodule counts by its commit and by its own dirt', t => {
  const lib = sandbox(t);
  const s = sandbox(t);
  s.git('submodule', '--quiet', 'add', lib.root, 'lib');
  s.commit();
  const clean = whole(s.root);
  assert.deepEqual(clean.submodules, [{ path: 'lib', dirty: false }]);
  assert.equal(clean.value, head(s));
  s.write('lib/src/a.txt', 'dirty');
  const dirty = whole(s.root);
  assert.deepEqual(dirty.submodules, [{ path: 'lib', dirty: true }]);
  assert.notEqual(dirty.value, clean.value);
  s.write('lib/src/a.txt', 'dirtier');
  assert.notEqual(tree(s), dirty.value);
  s.git('-C', 'lib', 'commit', '-q', '-a', '-m', 'x');
  const moved = whole(s.root);
  assert.deepEqual(moved.submodules, [{ path: 'lib', dirty: false }]);
  assert.notEqual(moved.value, clean.value);
  s.commit();
  assert.equal(tree(s), moved.value);
  assert.equal(head(s), moved.value);
});

test('repositories inside that nobody added count, with a commit and without', t => {
  const s = sandbox(t);
  const first = tree(s);
  s.git('init', '-q', 'inner');
  const unborn = tree(s);
  s.write('inner/x.txt', '1');
  const filled = tree(s);
  assert.notEqual(filled, unborn);
  const inner = at(s.path('inner'));
  inner.commit();
  const committed = tree(s);
  assert.notEqual(committed, first);
  inner.write('x.txt', '2');
  assert.notEqual(tree(s), committed);
  inner.write('x.txt', '1');
  assert.equal(tree(s), committed);
});

test('a sparse checkout agrees with its commit, and still sees edits and files outside its cone', t => {
  const s = sandbox(t);
  s.write('in/x', '1');
  s.write('out/y', '1');
  s.commit();
  const all = tree(s);
  for (const sparseIndex of ['--no-sparse-index', '--sparse-index']) {
    s.git('sparse-checkout', 'set', '--cone', sparseIndex, 'in');
    const part = whole(s.root);
    assert.equal(part.value, all, sparseIndex);
    assert.equal(part.sparseAbsent, 3, sparseIndex);
    s.write('in/x', '2');
    assert.notEqual(tree(s), all);
    s.write('in/x', '1');
    s.write('out/y', '2');
    assert.notEqual(tree(s), all);
    rmSync(s.path('out'), { recursive: true });
    s.git('sparse-checkout', 'disable');
    assert.equal(tree(s), all);
  }
});

test('other forms of index: version 4, split, SHA-256', t => {
  const s = sandbox(t);
  const plain = tree(s);
  s.git('update-index', '--index-version', '4');
  assert.equal(tree(s), plain);
  assert.equal(index(s), plain);
  s.git('update-index', '--index-version', '2');
  s.git('update-index', '--split-index');
  s.git('update-index', '--assume-unchanged', 'src/a.txt');
  assert.equal(tree(s), plain);
  s.write('src/a.txt', 'other');
  assert.notEqual(tree(s), plain);

  const other = at(folder(t));
  other.git('init', '-q', '--object-format=sha256');
  other.write('a', '1');
  other.commit();
  assert.equal(tree(other), head(other));
  assert.equal(tree(other), index(other));
  const clean = tree(other);
  other.git('update-index', '--assume-unchanged', 'a');
  other.write('a', '2');
  assert.notEqual(tree(other), clean);
});

test('bytes that a content filter hides move the raw part alone', t => {
  const s = sandbox(t);
  assert.equal(whole(s.root).raw, null);
  s.write('.gitattributes', '* text=auto\n');
  s.commit();
  const lf = whole(s.root);
  assert.ok(lf.raw);
  s.write('src/a.txt', 'one\r\n');
  const crlf = whole(s.root);
  assert.equal(crlf.value, lf.value);
  assert.notEqual(crlf.raw, lf.raw);
  assert.equal(whole(s.root).raw, crlf.raw);
  s.write('docs/verify/r.md', 'left out of it too');
  assert.equal(whole(s.root).raw, crlf.raw);
  s.write('src/a.txt', 'one\n');
  assert.equal(whole(s.root).raw, lf.raw);
  s.write('.gitattributes', '*.png -text\n*.ts diff=ts\n');
  assert.equal(whole(s.root).raw, null);
  s.git('config', 'core.autocrlf', 'true');
  const auto = whole(s.root);
  s.write('src/a.txt', 'one\r\n');
  assert.equal(whole(s.root).value, auto.value);
  assert.notEqual(whole(s.root).raw, auto.raw);
});

test('a clean filter that always answers the same does not hide an edit', t => {
  const s = sandbox(t);
  s.write('.gitattributes', 'src/a.txt filter=pointer\n');
  s.git('config', 'filter.pointer.clean', 'echo pointer');
  // Git asks a filter only about files it has to read anew.
  s.write('src/a.txt', 'something\n');
  const was = whole(s.root);
  s.write('src/a.txt', 'something else\n');
  const now = whole(s.root);
  assert.equal(now.value, was.value);
  assert.notEqual(now.raw, was.raw);
});

test('a hook set by the project does not run, and variables of a running git do not mislead', t => {
  const s = sandbox(t);
  s.write('.git/hooks/post-index-change', '#!/bin/sh\ntouch "$PWD/ran"\n');
  chmodSync(s.path('.git/hooks/post-index-change'), 0o755);
  const was = tree(s);
  process.env.GIT_DIR = '/nonexistent';
  process.env.GIT_INDEX_FILE = '/nonexistent/index';
  t.after(() => {
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
  });
  assert.equal(tree(s), was);
  assert.equal(lstatSync(s.path('ran'), { throwIfNoEntry: false }), undefined);
});

test('where the cache cannot be kept the answer is the same', t => {
  const s = sandbox(t);
  const was = tree(s);
  rmSync(s.path('.claude'), { recursive: true });
  s.write('.claude', 'a file, so no folder can be made here');
  const blocked = whole(s.root);
  rmSync(s.path('.claude'));
  assert.notEqual(blocked.value, was);
  assert.equal(tree(s), was);
});

test('eight at once, cold and over an edit, are all right', async t => {
  const s = sandbox(t);
  for (let i = 0; i < 300; i++) s.write(`many/${i}.txt`, `${i}`);
  s.git('add', '-A');
  const file = await script(t, FINGERPRINT);
  for (const text of ['first\n', 'second\n']) {
    s.write('src/a.txt', text);
    s.git('add', '-A');
    const right = index(s);
    s.git('reset', '-q');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => {
        const child = spawn(process.execPath, [file, s.root]);
        let out = '';
        child.stdout.on('data', chunk => {
          out += chunk;
        });
        return new Promise<string>(done => child.on('close', () => done(out)));
      }),
    );
    assert.deepEqual(new Set(answers), new Set([right]));
  }
});

test('a folder without git is hashed file by file', t => {
  const s = { ...at(folder(t)) };
  const value = () => {
    const result = plainFingerprint(s.root, ['docs/verify/**']);
    assert.ok(result.ok);
    return result.value;
  };
  s.write('a.txt', '1');
  symlinkSync('a.txt', s.path('link'));
  const was = value();
  for (const left of ['.claude/state/x', 'node_modules/m/i.js', '.git/x', 'docs/verify/r.md']) s.write(left, 'x');
  assert.equal(value(), was);
  const seen = [was];
  const acts = [
    () => s.write('a.txt', '2'),
    () => chmodSync(s.path('a.txt'), 0o755),
    () => s.write('b/c.txt', ''),
    () => unlinkSync(s.path('link')),
    () => symlinkSync('b/c.txt', s.path('link')),
  ];
  for (const act of acts) {
    act();
    const now = value();
    assert.equal(seen.includes(now), false);
    seen.push(now);
  }
});

test('no git program at all', async t => {
  const s = sandbox(t);
  const out = execFileSync(process.execPath, [await script(t, FINGERPRINT), s.root], {
    env: { PATH: folder(t) },
    encoding: 'utf8',
  });
  assert.match(out, /"reason":"no-git"/);
});

test('a file announced by add -N is in no commit yet', t => {
  const s = sandbox(t);
  const was = index(s);
  s.write('later.txt', '1');
  s.git('add', '-N', 'later.txt');
  assert.equal(index(s), was);
  assert.notEqual(tree(s), was);
  s.git('add', 'later.txt');
  assert.equal(index(s), tree(s));
});
