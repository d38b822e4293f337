import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { wouldChange } from '../../src/repo/oracle.ts';
import { at, folder, type Sandbox, sandbox } from './sandbox.ts';

/** Every file of the work tree by its bytes: what really happened is read from here, not from git. */
function files(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (dir: string) => {
    for (const name of readdirSync(dir)) {
      if (name === '.git') continue;
      const path = join(dir, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) walk(path);
      else found.set(path, stat.isSymbolicLink() ? readlinkSync(path) : `${stat.mode} ${readFileSync(path, 'latin1')}`);
    }
  };
  walk(root);
  return found;
}

function changed(root: string, act: () => void): string[] {
  const before = files(root);
  act();
  const after = files(root);
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter(path => before.get(path) !== after.get(path)).sort();
}

function predicted(s: Sandbox, argv: string[], cwd = s.root): string[] {
  const before = files(s.root);
  const answer = wouldChange(argv, cwd);
  assert.deepEqual(files(s.root), before, 'asking changed the work tree');
  assert.equal(answer.kind, 'paths', JSON.stringify(answer));
  return answer.kind === 'paths' ? answer.paths.map(path => relative(s.root, path)) : [];
}

/** Two branches that differ, and dirt of every kind on top. */
function history(t: TestContext): Sandbox {
  const s = sandbox(t);
  s.git('switch', '-q', '-c', 'topic');
  s.write('src/a.txt', 'topic\n');
  s.write('only-topic.txt', 'new\n');
  s.commit('topic');
  s.git('switch', '-q', 'main');
  s.git('rm', '-q', 'src/b.txt');
  s.write('main.txt', 'main\n');
  s.commit('main');
  return s;
}

const exact: { name: string; argv: string[]; before?: (s: Sandbox) => void }[] = [
  { name: 'switch', argv: ['switch', 'topic'] },
  { name: 'checkout of a branch', argv: ['checkout', 'topic'] },
  { name: 'checkout of a new branch at a commit', argv: ['checkout', '-b', 'x', 'topic'] },
  { name: 'checkout -', argv: ['checkout', '-'] },
  { name: 'checkout of a file', argv: ['checkout', 'src/a.txt'], before: dirt },
  { name: 'checkout of files after --', argv: ['checkout', '--', '.'], before: dirt },
  { name: 'checkout of a file out of a branch', argv: ['checkout', 'topic', 'src/a.txt'] },
  { name: 'checkout -f of a branch', argv: ['checkout', '-f', 'topic'], before: dirt },
  { name: 'restore', argv: ['restore', 'src'], before: dirt },
  { name: 'restore --source', argv: ['restore', '--source=topic', '--', 'src', 'only-topic.txt'] },
  { name: 'restore --staged', argv: ['restore', '--staged', 'src/a.txt'], before: then('add', '-A') },
  { name: 'reset --hard', argv: ['reset', '--hard'], before: then('add', '-A') },
  { name: 'reset --hard to a branch', argv: ['reset', '--hard', 'topic'], before: dirt },
  { name: 'reset --keep', argv: ['reset', '--keep', 'topic'] },
  { name: 'reset --soft', argv: ['reset', '--soft', 'topic'] },
  { name: 'reset', argv: ['reset', 'topic'] },
  { name: 'stash', argv: ['stash'], before: dirt },
  { name: 'stash -u', argv: ['stash', 'push', '-u'], before: dirt },
  { name: 'stash of one file', argv: ['stash', 'push', '--', 'src/a.txt'], before: dirt },
  { name: 'stash pop', argv: ['stash', 'pop'], before: then('stash', '-q', '-u') },
  { name: 'stash drop', argv: ['stash', 'drop'], before: then('stash', '-q') },
  { name: 'merge', argv: ['merge', '-q', 'topic'] },
  { name: 'cherry-pick', argv: ['cherry-pick', 'topic'] },
  { name: 'revert', argv: ['revert', '--no-edit', 'HEAD'] },
  { name: 'rebase', argv: ['rebase', '-q', 'topic'] },
  { name: 'clean', argv: ['clean', '-f'], before: dirt },
  { name: 'clean of folders', argv: ['clean', '-fd'], before: dirt },
  { name: 'clean of everything', argv: ['clean', '-fdx'], before: dirt },
  { name: 'clean of what is ignored', argv: ['clean', '-fX'], before: dirt },
  { name: 'clean -n', argv: ['clean', '-n'], before: dirt },
  { name: 'rm', argv: ['rm', '-q', '-r', 'src'] },
  { name: 'rm --cached', argv: ['rm', '-q', '--cached', 'run.sh'] },
  { name: 'mv of a file', argv: ['mv', 'run.sh', 'go.sh'] },
  { name: 'mv of a folder', argv: ['mv', 'src', 'lib'] },
  { name: 'checkout-index', argv: ['checkout-index', '-f', '-a'], before: dirt },
  { name: 'read-tree -u', argv: ['read-tree', '--reset', '-u', 'topic'], before: s => s.git('status') },
  { name: 'read-tree', argv: ['read-tree', 'topic'] },
  { name: 'commit', argv: ['commit', '-q', '-a', '-m', 'x'], before: dirt },
  { name: 'unicode and spaces', argv: ['checkout', '--', '.'], before: s => odd(s) },
];

function dirt(s: Sandbox): void {
  s.write('src/a.txt', 'dirty\n');
  s.write('untracked.txt', 'u\n');
  s.write('new/deep/u.txt', 'u\n');
  s.write('new/x.log', 'ignored\n');
}

/** The dirt, and a git command over it. */
function then(...args: string[]): (s: Sandbox) => void {
  return s => {
    dirt(s);
    s.git(...args);
  };
}

function odd(s: Sandbox): void {
  s.write('dé ja\n"vu".txt', '1');
  s.commit();
  s.write('dé ja\n"vu".txt', '2');
}

for (const { name, argv, before } of exact) {
  test(`what ${name} would change is what it changes`, t => {
    const s = history(t);
    before?.(s);
    const said = predicted(s, argv);
    const did = changed(s.root, () => s.git(...argv)).map(path => relative(s.root, path));
    assert.deepEqual(said, did);
  });
}

test('a branch that only a remote has is found as git finds it', t => {
  const s = history(t);
  s.git('clone', '-q', s.root, 'copy');
  const copy = { ...s, root: s.path('copy') };
  assert.deepEqual(predicted(copy, ['switch', 'topic']), ['main.txt', 'only-topic.txt', 'src/a.txt', 'src/b.txt']);
});

test('a pull is told from what was last fetched', t => {
  const s = history(t);
  s.git('branch', '-q', '--set-upstream-to=topic', 'main');
  assert.deepEqual(predicted(s, ['pull']), ['only-topic.txt', 'src/a.txt']);
});

test('a remote on this disk is asked what it holds by now', t => {
  const theirs = sandbox(t);
  theirs.git('checkout', '-q', '-b', 'trunk');
  const s = at(folder(t));
  s.git('clone', '-q', theirs.root, '.');
  assert.deepEqual(predicted(s, ['pull']), []);
  theirs.write('late.txt', 'new\n');
  theirs.commit();
  assert.deepEqual(predicted(s, ['pull', '-q']), ['late.txt']);
  assert.deepEqual(predicted(s, ['pull', 'origin', 'trunk']), ['late.txt']);
  for (const rev of ['@{u}', 'FETCH_HEAD', 'origin/trunk']) {
    assert.deepEqual(predicted(s, ['fetched', '', 'reset', '--hard', rev]), ['late.txt'], rev);
    assert.deepEqual(predicted(s, ['fetched', 'origin', 'merge', '-q', rev]), ['late.txt'], rev);
  }
  assert.deepEqual(predicted(s, ['reset', '--hard', 'origin/trunk']), []);
  s.git('remote', 'set-url', 'origin', 'https://example.invalid/x.git');
  assert.deepEqual(predicted(s, ['pull']), []);
});

test('apply names both sides of a rename', t => {
  const s = sandbox(t);
  renameSync(s.path('src/a.txt'), s.path('src/c.txt'));
  s.git('add', '-A');
  s.write('move.patch', s.git('diff', '--cached', '-M'));
  s.git('reset', '-q', '--hard');
  assert.deepEqual(predicted(s, ['apply', 'move.patch']), ['src/a.txt', 'src/c.txt']);
  assert.deepEqual(predicted(s, ['apply', '--check', 'move.patch']), []);
});

test('a patch that another git command prints is told by what that command lists', t => {
  const s = history(t);
  const both = ['main.txt', 'only-topic.txt', 'src/a.txt', 'src/b.txt'];
  for (const [argv, paths] of [
    [['diff', 'main', 'topic'], both],
    [
      ['diff', 'main', 'topic', '--', 'src'],
      ['src/a.txt', 'src/b.txt'],
    ],
    [
      ['show', 'topic'],
      ['only-topic.txt', 'src/a.txt'],
    ],
    [
      ['format-patch', '-1', '--stdout', 'topic'],
      ['only-topic.txt', 'src/a.txt'],
    ],
    [
      ['format-patch', '--stdout', 'main~1'],
      ['main.txt', 'src/b.txt'],
    ],
    [
      ['diff-tree', '-p', 'main~1', 'main'],
      ['main.txt', 'src/b.txt'],
    ],
  ] as const)
    assert.deepEqual(predicted(s, ['apply-printed', ...argv]), paths, argv.join(' '));
  s.write('src/a.txt', 'dirty\n');
  assert.deepEqual(predicted(s, ['reverse-printed', 'diff']), ['src/a.txt']);
  assert.deepEqual(predicted(s, ['apply-printed', 'diff']), [], 'it is applied already');
  assert.deepEqual(predicted(s, ['apply-printed', 'diff', 'HEAD', 'src']), ['src/a.txt']);
  assert.deepEqual(predicted(s, ['stash-back', 'push', '-q']), []);
  s.git('stash', '-q');
  assert.deepEqual(predicted(s, ['apply-printed', 'stash', 'show', '-p']), ['src/a.txt']);
  assert.equal(wouldChange(['apply-printed', 'cat-file', '-p', 'HEAD'], s.root).kind, 'unknown');
});

test('paths are read from the folder the command runs in', t => {
  const s = sandbox(t);
  s.write('src/a.txt', 'dirty\n');
  assert.deepEqual(predicted(s, ['checkout', '--', 'a.txt'], s.path('src')), ['src/a.txt']);
  assert.deepEqual(predicted(s, ['checkout', '--', 'a.txt']).length, 0);
});

test('worktree and submodule name the folders they fill', t => {
  const s = sandbox(t);
  assert.deepEqual(predicted(s, ['worktree', 'add', '-b', 'x', 'trees/x']), ['trees/x']);
  assert.deepEqual(predicted(s, ['submodule', 'add', 'https://example.org/lib.git']), ['.gitmodules', 'lib']);
});

test('what git cannot tell is said to be unknown', t => {
  const s = sandbox(t);
  mkdirSync(s.path('out'));
  for (const argv of [
    ['bisect', 'bad'],
    ['rebase', '--continue'],
    ['apply'],
    ['frobnicate'],
    ['switch', 'nowhere'],
    ['filter-branch', 'x'],
  ]) {
    assert.equal(wouldChange(argv, s.root).kind, 'unknown', argv.join(' '));
  }
  assert.equal(wouldChange(['switch', 'x'], '/').kind, 'unknown');
});
