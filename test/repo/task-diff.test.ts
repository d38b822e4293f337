import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { conditions } from '../../src/repo/condition.ts';
import { folderLinks, holdsFolder, taskBase, taskOf, taskSince } from '../../src/repo/task-diff.ts';

let top: string;
let root: string;
const sh = (command: string): string =>
  execFileSync('/bin/sh', ['-c', command], { cwd: root, encoding: 'utf8' }).trim();

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-task-')));
  root = join(top, 'repo');
  mkdirSync(root);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function begun(...init: string[]): string {
  sh(`git init -q -b main ${init.join(' ')} && git config user.name t && git config user.email t@example.org`);
  sh('echo one > a && mkdir d && echo two > d/b && git add -A && git commit -qm start');
  return sh('git rev-parse HEAD');
}

describe('what a task changed', () => {
  it('is told from where its branch left the default one, with what passed through and what was said', async () => {
    const start = begun();
    sh('git switch -qc task && echo gone > c && git add c && git commit -qm "adds c" -m "and says so"');
    sh('git rm -q c && echo more >> a && git commit -qam "drops c" && echo x > new && rm d/b');
    const { base, task } = await taskOf(root, 'task');
    assert.deepEqual(base, { ref: 'main', commit: start });
    assert.deepEqual(
      task?.files.map(f => [f.path, f.kind]),
      [
        ['a', 'changed'],
        ['d/b', 'deleted'],
        ['new', 'added'],
      ],
    );
    assert.deepEqual(task?.uncommitted, ['d/b', 'new']);
    assert.deepEqual(
      task?.commits.map(line => line.replace(/^\w{7} /, '')),
      ['drops c', 'adds c'],
    );
    assert.deepEqual(task?.passed.map(p => p.path).sort(), ['a', 'c']);
    assert.deepEqual(
      task?.messages.map(m => m.text.trim()),
      ['drops c', 'adds c\n\nand says so'],
    );
  });

  it('is everything where there is nothing to compare with, in either kind of repository', async () => {
    for (const format of ['sha1', 'sha256']) {
      rmSync(root, { recursive: true, force: true });
      mkdirSync(root);
      begun(`--object-format=${format}`);
      const { base, task } = await taskOf(root, 'main');
      assert.equal(base, null);
      assert.deepEqual(
        task?.files.map(f => f.path),
        ['a', 'd/b'],
        format,
      );
      assert.equal(task?.commits.length, 1);
    }
  });

  it('takes the remote for the base where it tells its default branch, packed or loose', async () => {
    const start = begun();
    sh('git update-ref refs/remotes/up/trunk HEAD && git symbolic-ref refs/remotes/up/HEAD refs/remotes/up/trunk');
    sh('echo more >> a && git commit -qam more');
    assert.deepEqual((await taskOf(root, 'main')).base, { ref: 'up/trunk', commit: start });
    sh('git pack-refs --all');
    assert.deepEqual((await taskOf(root, 'main')).base, { ref: 'up/trunk', commit: start });
    assert.deepEqual(taskBase(root, 'main'), { ref: 'up/trunk', commit: start });
  });

  it('does not believe a replaced object, nor a setting that hides what merges brought', async () => {
    const start = begun();
    sh('git switch -qc task && echo secret > s && git add s && git commit -qm s && git rm -q s && git commit -qm r');
    sh('git replace HEAD~ $(git commit-tree -p HEAD~2 -m nothing HEAD~2^{tree}) && git config log.diffMerges off');
    const task = await taskSince(root, start);
    assert.deepEqual(
      task?.passed.map(p => p.path),
      ['s'],
    );
  });

  it('names a submodule as one, whatever it ignores', async () => {
    const start = begun();
    sh(`git update-index --add --cacheinfo 160000,${'1'.repeat(40)},sub && git commit -qm sub`);
    const task = await taskSince(root, start);
    const sub = task?.files.find(f => f.path === 'sub');
    assert.equal(sub?.submodule, true);
    assert.equal(
      task?.files.find(f => f.path === 'a'),
      undefined,
    );
  });
});

describe('what a revision holds', () => {
  it('knows folders, and links to them, from the folder of the project', () => {
    begun();
    sh(
      'mkdir -p p/real && echo x > p/real/f && ln -s real p/link && ln -s ../.. p/up && ln -s p q && git add -A && git commit -qm l',
    );
    assert.deepEqual(
      folderLinks(root, 'HEAD')
        .map(l => `${l.path}>${l.target}`)
        .sort(),
      ['p/link>p/real', 'q>p'],
    );
    assert.deepEqual(folderLinks(join(root, 'p'), 'HEAD'), [{ path: 'link', target: 'real' }]);
    assert.deepEqual(
      [holdsFolder(root, 'HEAD', 'd'), holdsFolder(root, 'HEAD', 'a'), holdsFolder(root, 'HEAD', 'no')],
      [true, false, false],
    );
  });
});

describe('the condition of a checkout', () => {
  it('names conflicting files from the index alone, whatever its form', () => {
    begun();
    sh(
      'git switch -qc side && echo side > a && git commit -qam side && git switch -q main && echo main > a && git commit -qam main',
    );
    sh('git merge side >/dev/null || true');
    const said = () => conditions(root).map(c => c.what);
    assert.deepEqual(said(), ['is in the middle of a merge', 'has conflicting files: a']);
    sh('git update-index --index-version 4');
    assert.deepEqual(said(), ['is in the middle of a merge', 'has conflicting files: a']);
    sh('git merge --abort');
    assert.deepEqual(said(), []);
    writeFileSync(join(root, 'a'), 'changed\n');
    assert.deepEqual(said(), []);
  });
});
