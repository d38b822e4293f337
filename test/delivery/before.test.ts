import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Before, before } from '../../src/delivery/before.ts';
import { readCommand } from '../../src/shell/index.ts';

const ROOT = '/project';

/** What came before the last delivery of a line. */
function earlier(command: string): Before {
  const reading = readCommand(command, { cwd: ROOT, root: ROOT, home: '/home/me', env: { PATH: '/bin' } });
  const last = reading.deliveries.at(-1);
  assert.ok(last, command);
  return before(reading, last, ROOT);
}

const steps = (command: string): string[] => earlier(command).steps.map(step => `${step.cwd} ${step.args.join(' ')}`);

describe('what the same command line does before it delivers', () => {
  it('is nothing where the delivery stands alone, or what stands before it only looks', () => {
    const none = { steps: [], commit: null, names: [], unclear: null, unstaged: null, writes: null, configures: false };
    for (const command of [
      'git push',
      'git status && git push',
      'git fetch -q; git log --oneline | head -3; git push',
      'true && git diff --stat && git push',
      'npm test && git push',
      'git push origin a && git push origin b',
    ])
      assert.deepEqual(earlier(command), none, command);
  });

  it('is not what comes after it', () => {
    assert.equal(earlier('git push && git pull').unclear, null);
    assert.deepEqual(steps('git commit -m x; git add -A').length, 0);
  });

  it('stages, from the folder it is run in', () => {
    assert.deepEqual(steps('git add -A && git commit -m x'), ['/project add -A']);
    assert.deepEqual(steps('git -C sub add f && git commit -m x'), ['/project/sub add f']);
    assert.deepEqual(steps('cd sub && git stage f; git commit -m x'), ['/project/sub add f']);
    assert.deepEqual(steps('git rm -r old && git commit -m x'), ['/project rm -q --cached -r old']);
  });

  it('does not tell what is staged by hand', () => {
    for (const flag of ['-p', '-i', '-e', '-n', '--patch', '--pathspec-from-file=x'])
      assert.equal(earlier(`git add ${flag} && git commit -m x`).unstaged, 'git add', flag);
  });

  it('makes a commit that then leaves; what is staged after that waits', () => {
    const made = earlier('git add a && git commit -qm x && git add b && git push');
    assert.deepEqual(made.commit?.argv, ['git', 'commit', '-qm', 'x']);
    assert.deepEqual(
      made.steps.map(step => step.args),
      [['add', 'a']],
    );
    assert.equal(earlier('git commit -m a && git commit -m b && git push').unclear, 'a second git commit');
  });

  it('gives names to HEAD as it is', () => {
    const names: Record<string, string[]> = {
      'git switch -c topic && git push': ['topic'],
      'git checkout -b topic && git push': ['topic'],
      'git branch topic && git push origin topic': ['topic'],
      'git tag v1 && git push origin v1': ['v1'],
      "git tag -a v1 -m 'the first' && git push --tags": ['v1'],
      'git tag -l && git push': [],
      'git branch -d old && git push': [],
      'git branch --show-current && git push': [],
    };
    for (const [command, expected] of Object.entries(names)) {
      const found = earlier(command);
      assert.deepEqual([found.names, found.unclear], [expected, null], command);
    }
  });

  it('is unclear where it moves HEAD to what its words do not hold', () => {
    for (const [command, verb] of [
      ['git pull --rebase && git push', 'git pull'],
      ['git merge topic && git push', 'git merge'],
      ['git rebase main; git push', 'git rebase'],
      ['git reset --hard HEAD~ && git push', 'git reset'],
      ['git cherry-pick abc && git push', 'git cherry-pick'],
      ['git switch main && git push', 'git switch'],
      ['git checkout -b topic abc && git push', 'git checkout'],
      ['git branch -f main abc && git push', 'git branch'],
      ['git tag v1 abc && git push --tags', 'git tag'],
      ['git update-ref refs/heads/main abc && git push', 'git update-ref'],
      ['git frobnicate && git push', 'git frobnicate'],
    ] as const)
      assert.equal(earlier(command).unclear, verb, command);
  });

  it('changes files or the index alone, which is no matter to a push', () => {
    for (const verb of ['stash', 'mv a b', 'clean -fd', 'restore f', 'apply x.patch']) {
      const found = earlier(`git ${verb} && git push`);
      assert.deepEqual([found.unclear, found.unstaged], [null, `git ${verb.split(' ')[0]}`], verb);
    }
  });

  it('writes files of the project before they are committed', () => {
    assert.equal(earlier('echo x > f && git commit -am x').writes, '>');
    assert.equal(earlier("sed -i 's/a/b/' f && git commit -am x && git push").writes, 'sed');
    assert.equal(earlier('echo x > /tmp/elsewhere && git commit -am x').writes, null);
    assert.equal(earlier('git commit -am x && echo done > f').writes, null);
    assert.equal(earlier('echo x > f && git push').writes, null, 'a push takes what is committed');
  });

  it('gives settings on the way that say what a bare push takes', () => {
    assert.equal(earlier('git -c push.default=matching push').configures, true);
    assert.equal(earlier('GIT_CONFIG_COUNT=1 git push').configures, true);
    assert.equal(earlier('git -c color.ui=never push').configures, false);
  });
});
