/** What leaves, and on which proof: the guard on commands, `deliver`, and git's own hooks, all as built. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deliverable, refused, remoteHead, verified } from './delivery-world.ts';
import { World } from './world.ts';

const TOKEN = `ghp_${'0123456789abcdefghijABCDEFGHIJ012345'}`;

function silent(w: World, command: string): void {
  const ran = w.bash(command);
  assert.deepEqual([ran.code, ran.out, ran.err], [0, '', ''], command);
}

describe('the delivery guard', () => {
  it('refuses a push of a tree the suite never passed on, and lets it go once it has', () => {
    using w = deliverable();
    assert.match(refused(w.bash('git push origin main')), /the suite never passed here\. Run: touchstone verify/);
    w.cli(['verify']);
    silent(w, 'git push origin main');
    w.file('f', 'good, and better\n');
    // What is not committed does not leave.
    silent(w, 'git push origin main');
    w.git('commit', '-qam', 'better');
    assert.match(
      refused(w.bash('git push origin main')),
      /main \(\w{7}\), a tree without green evidence: the last PASS .* is of another tree/,
    );
    assert.match(refused(w.bash('gh pr create --fill')), /gh pr create would deliver HEAD/);
    silent(w, 'git push origin HEAD~1:refs/heads/early');
  });

  it('takes a FAIL seen later at the same tree for the last word', () => {
    using w = verified();
    w.file('f', 'bad\n');
    w.cli(['verify']);
    w.git('commit', '-qam', 'bad');
    assert.match(refused(w.bash('git push')), /the suite FAILS at it/);
    w.git('reset', '-q', '--hard', 'HEAD~1');
    silent(w, 'git push');
    writeFileSync(join(w.root, '.claude/state/last_test_result'), 'FAIL\n2026-01-01T00:00:00Z\nby hand\n1\n');
    assert.match(refused(w.bash('git push')), /the verdict is FAIL/);
  });

  it('follows a commit made on the way, and refuses what the words do not tell', () => {
    using w = verified();
    w.file('f', 'good, new\n');
    assert.match(refused(w.bash('git commit -qam new && git push')), /would deliver what it stages/);
    w.cli(['verify']);
    silent(w, 'git commit -qam new && git push');
    silent(w, 'git add -A; git commit -qm new; git push origin HEAD:main');
    w.file('left-out', 'x\n');
    silent(w, 'git commit -qam new && git push');
    assert.match(refused(w.bash('git add -A && git commit -qm new && git push')), /would deliver what it stages/);
    const edited = w.bash("sed -i 's/new/old/' f && git commit -qam new && git push");
    assert.match(refused(edited), /sed in the same command changes what is committed/);
    assert.match(
      refused(w.bash('git pull --rebase && git push')),
      /git pull in the same command decides.*call of its own/,
    );
    silent(w, 'git checkout -q -b next && git push -u origin next');
  });

  it('asks nothing of commands that deliver nothing', () => {
    using w = deliverable({ delivery: { commit: 'require' } });
    w.cli(['config', 'accept']);
    for (const command of [
      'git commit --dry-run',
      'git commit --porcelain',
      'git push -n origin main',
      'git push --dry-run',
      'git push origin --delete old',
      'git push origin :old',
      'git log --oneline',
      "git tag -a v1 -m 'git push'",
      'echo git push',
      'gh pr view 3',
      'gh pr list',
      'grep -rn "git push origin main" .',
      'git stash list',
    ])
      silent(w, command);
    refused(w.bash('git commit -m x'));
    refused(w.bash('git push origin main'));
    refused(w.bash('git push'));
    refused(w.bash('git push -u origin HEAD'));
  });

  it('keeps to the policy of the project, and to the defaults while nobody accepted a laxer one', () => {
    using w = deliverable();
    silent(w, 'git commit --allow-empty -m x');
    assert.match(w.read('.claude/state/logs/delivery.log'), /ALLOWED git commit would deliver the index/);
    const rules = JSON.parse(w.read('.claude/project.json')) as object;
    w.file('.claude/project.json', JSON.stringify({ ...rules, delivery: { push: 'off', pr: 'warn' } }));
    refused(w.bash('git push'));
    w.cli(['config', 'accept']);
    silent(w, 'git push');
    silent(w, 'gh pr create --fill');
    assert.match(w.read('.claude/state/logs/delivery.log'), /ALLOWED gh pr create would deliver HEAD/);
  });

  it('binds only projects that are wired', () => {
    using w = new World();
    w.file('f', 'x\n').commitAll();
    silent(w, 'git push');
    silent(w, 'git commit -m x');
  });

  it('judges branches, tags and everything at once by each commit that is new to the remote', () => {
    using w = verified();
    w.git('push', '-q', 'origin', 'main');
    w.git('branch', 'red');
    w.git('tag', 'v1');
    silent(w, 'git push --all');
    silent(w, 'git push --tags');
    w.file('f', 'bad\n').git('commit', '-qam', 'bad');
    w.git('tag', 'v2');
    assert.match(refused(w.bash('git push --tags')), /v2/);
    refused(w.bash('git push --all'));
    refused(w.bash('git push --mirror'));
    refused(w.bash('git push origin red main'));
    silent(w, 'git push origin red v1');
    refused(w.bash(`git -C ${w.root} push origin main`));
    refused(w.bash(`cd /tmp && git --git-dir=${w.root}/.git push origin main`));
    refused(w.bash('sh -c "git push origin main"'));
  });
});

describe('deliver', () => {
  it('re-runs what is stale and says what would leave', () => {
    using w = verified();
    w.git('push', '-q', 'origin', 'main');
    w.git('switch', '-qc', 'task');
    w.file('f', 'good as new\n').file('new', 'x\n');
    w.git('add', '-A');
    w.git('commit', '-qm', 'the task');
    const dry = w.cli(['deliver', '--dry-run']);
    assert.equal(dry.code, 1, dry.out);
    assert.match(dry.out, /Publication requires current green evidence: the suite/);
    const done = w.cli(['deliver']);
    assert.equal(done.code, 0, done.out + done.err);
    assert.match(done.out, /proof +suite: green, run now/);
    assert.match(done.out, /~ f\n {2}\+ new/);
    assert.match(done.out, /since origin\/main/);
    assert.equal(w.cli(['deliver', '--dry-run']).code, 0);
    silent(w, 'git push -u origin task');
    assert.equal(remoteHead(w, 'task'), '', 'deliver pushes nothing itself');
  });

  it('stops at a red suite, a red check, and at work that is not committed', () => {
    using w = deliverable({
      checks: [
        { id: 'lint', command: ['sh', '-c', 'echo LINT $(cat f)'], runner: 'generic', success_pattern: '^LINT good$' },
      ],
    });
    assert.equal(w.cli(['deliver']).code, 0);
    w.file('f', 'good, not linted\n').git('commit', '-qam', 'x');
    const lint = w.cli(['deliver']);
    assert.equal(lint.code, 1);
    assert.match(lint.out, /Current diff does not have passing verification: check lint/);
    w.file('f', 'bad\n').git('commit', '-qam', 'x');
    assert.match(w.cli(['deliver']).out, /Current diff does not have passing verification: the suite FAILS/);
    w.file('f', 'good\n');
    const dirty = w.cli(['deliver']);
    assert.equal(dirty.code, 1);
    assert.match(dirty.out, /Publication requires current green evidence: .*the work tree differs from it \(f\)/);
  });

  it('finds secrets by rule and place, also in a commit on the way, and never prints one', () => {
    using w = verified();
    w.git('push', '-q', 'origin', 'main');
    w.file('conf.js', `const t = '${TOKEN}';\n`);
    w.git('add', '-A');
    w.git('commit', '-qm', 'conf');
    w.git('rm', '-q', 'conf.js');
    w.git('commit', '-qm', `no ${TOKEN}`, '-m', `it was\n${TOKEN}`);
    w.file('key.pem', `a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n`);
    w.file(`${TOKEN}.txt`, `${TOKEN}\n`);
    const ran = w.cli(['deliver']);
    assert.equal(ran.code, 1);
    assert.match(
      ran.out,
      /Blocking rule\/secret finding prevents publication: secret-material conf\.js:1 in commit \w{7} \(github-token\)/,
    );
    assert.match(ran.out, /secret-material commit message:1 in commit \w{7} \(github-token\)/);
    assert.match(ran.out, /secret-material commit message:4 in commit \w{7} \(github-token\)/);
    assert.match(ran.out, /secret-material key\.pem:2 \(private-key\)/);
    assert.doesNotMatch(ran.out + ran.err, /ghp_/);
  });

  it('stops at links that leave the repository and at blocking rules, and tells advisory ones', () => {
    using w = verified({
      rules: [
        {
          id: 'no-print',
          guidance: 'use the log',
          enforcement: 'blocking',
          paths: ['src/**'],
          forbidden_pattern: 'print\\(',
        },
        {
          id: 'sized',
          guidance: 'keep it small',
          enforcement: 'blocking',
          paths: ['*.txt'],
          command: 'test $(wc -c < big.txt) -lt 5',
        },
        { id: 'todo', guidance: 'file an issue', enforcement: 'advisory', paths: [], forbidden_pattern: 'LATER' },
        { id: 'style', guidance: 'write well', enforcement: 'prose' },
      ],
    });
    w.git('push', '-q', 'origin', 'main');
    w.file('src/a.js', 'ok\nprint(1) // LATER\n').file('other/a.js', 'print(1)\n').file('big.txt', 'too big\n');
    symlinkSync('/etc/hosts', join(w.root, 'hosts'));
    symlinkSync('src/a.js', join(w.root, 'inside'));
    w.git('add', '-A');
    w.git('commit', '-qm', 'x');
    const { code, out } = w.cli(['deliver']);
    assert.equal(code, 1);
    assert.match(out, /publication: no-print \(blocking\) src\/a\.js:2: use the log/);
    assert.match(out, /publication: sized \(blocking\) big\.txt: keep it small \(exit 1\)/);
    assert.match(out, /publication: external-symlink hosts:1/);
    assert.match(out, /note +todo \(advisory\) src\/a\.js:2/);
    assert.doesNotMatch(out, /other\/a\.js:1|symlink inside|style/);
  });

  it('names a checkout that is no place to deliver from, and changes nothing', () => {
    using w = verified();
    const before = () => w.sh('git status --porcelain=v2 --branch; git rev-parse HEAD').out;
    const says = (pattern: RegExp) => {
      const was = before();
      const ran = w.cli(['deliver']);
      assert.equal(ran.code, 1);
      assert.match(ran.out, pattern);
      assert.equal(before(), was);
    };
    w.git('switch', '-qc', 'side');
    w.file('f', 'good side\n').git('commit', '-qam', 'side');
    w.git('switch', '-q', 'main');
    w.file('f', 'good main\n').git('commit', '-qam', 'main');
    w.git('merge', 'side');
    says(/in the middle of a merge.*\n?.*|has conflicting files: f/);
    w.git('merge', '--abort');
    w.git('rebase', 'side');
    says(/in the middle of a rebase/);
    w.git('rebase', '--abort');
    w.git('checkout', '-q', '--detach');
    says(/has a detached HEAD/);
    w.git('switch', '-q', 'main');
    w.sh(`git clone -q --depth 1 --branch main file://${w.root} ${w.top}/shallow`);
    const shallow = w.cli(['deliver'], { cwd: join(w.top, 'shallow') });
    assert.equal(shallow.code, 1);
    assert.match(shallow.out, /is a shallow clone: `git fetch --unshallow`/);
  });

  it('asks for a suite or a check where there is none', () => {
    using w = deliverable({ test: { cmd: '' } });
    w.cli(['config', 'accept']);
    const ran = w.cli(['deliver']);
    assert.equal(ran.code, 1);
    assert.match(ran.out, /Publication requires current green evidence: neither a suite nor a green check/);
  });
});

describe('git hooks', () => {
  const HOOK = '#!/bin/sh\necho seen: $(cat)\n';

  function hooked(w: World): void {
    const ran = w.cli(['init', '--git-hooks']);
    assert.equal(ran.code, 0, ran.err);
  }

  it('hold a push from a terminal to the same evidence, and give git on to the hook that was there', () => {
    using w = deliverable();
    w.file('.git/hooks/pre-push', HOOK, 0o755);
    hooked(w);
    const no = w.git('push', 'origin', 'main');
    assert.notEqual(no.code, 0);
    assert.match(no.err, /Touchstone delivery: git push would deliver main/);
    assert.equal(remoteHead(w), '');
    w.cli(['verify']);
    const yes = w.git('push', 'origin', 'main');
    assert.equal(yes.code, 0, yes.err);
    assert.match(yes.out + yes.err, /seen: refs\/heads\/main \w{40} refs\/heads\/main 0{40}/);
    w.file('f', 'good, later\n');
    const commit = w.git('commit', '-qam', 'later');
    assert.equal(commit.code, 0);
    assert.match(commit.err, /git commit would deliver what is staged.*policy: warn/);
    assert.notEqual(w.git('push', 'origin', 'main').code, 0);
    assert.equal(w.git('push', 'origin', '--delete', 'main').code, 0);
  });

  it('look at what `commit -a` and `commit PATHS` would record', () => {
    using w = verified({ delivery: { commit: 'require' } });
    hooked(w);
    w.file('f', 'good, a\n').file('g', 'x\n');
    w.git('add', 'g');
    assert.notEqual(w.git('commit', '-qam', 'x').code, 0);
    w.cli(['verify']);
    assert.notEqual(w.git('commit', '-qm', 'f alone', 'f').code, 0);
    assert.notEqual(w.git('commit', '-qm', 'g alone').code, 0);
    const all = w.git('commit', '-qam', 'both');
    assert.equal(all.code, 0, all.err);
  });

  it('go into husky and lefthook where a project has them, and come out to the byte', () => {
    for (const [path, text] of [
      ['.husky/pre-push', 'npm test\n'],
      [
        'lefthook.yml',
        'pre-push:\n  parallel: true\n  commands:\n    lint:\n      run: true\ncommit-msg:\n  jobs:\n    - run: true\n',
      ],
      ['lefthook.yml', '# nothing yet'],
    ] as const) {
      using w = deliverable();
      w.file(path, text);
      hooked(w);
      assert.match(w.read(path), /hook pre-push --project '\.'/);
      assert.equal(existsSync(join(w.root, '.git/hooks/pre-push')), false);
      assert.equal(w.cli(['init', '--git-hooks']).code, 0);
      assert.equal(w.read(path).match(/hook pre-push/g)?.length, 1);
      assert.equal(w.cli(['uninstall']).code, 0);
      assert.equal(w.read(path), text);
      assert.equal(existsSync(join(w.root, '.husky/commit-msg')), false);
    }
  });

  it('take only their own lines out of a hook that was edited since, and leave other programs alone', () => {
    using w = deliverable();
    w.file('.git/hooks/pre-push', HOOK, 0o755).file('.git/hooks/commit-msg', '#!/usr/bin/env python3\n', 0o755);
    hooked(w);
    assert.equal(w.read('.git/hooks/commit-msg'), '#!/usr/bin/env python3\n');
    writeFileSync(join(w.root, '.git/hooks/pre-push'), `${w.read('.git/hooks/pre-push')}echo more\n`);
    chmodSync(join(w.root, '.git/hooks/pre-push'), 0o755);
    w.cli(['uninstall']);
    assert.equal(readFileSync(join(w.root, '.git/hooks/pre-push'), 'utf8'), `${HOOK}echo more\n`);
  });
});
