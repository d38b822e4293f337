/** A delivery over the repositories of a plan, through the built command line: judged one by one, proven once, resumed after a kill. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { STAGE_SCHEMAS } from '../../src/stages/schema.ts';
import { type Json, ok, planned, says, show, sister } from './stages-world.ts';
import type { World } from './world.ts';

const APP = { id: 'app', access: 'write', paths: ['src/**'], test_paths: ['test/**'] };

/** A line in a log outside of every repository for each time a check ran. */
const counted = (id: string, repository: string, holds: string): Json => ({
  id,
  repository,
  command: ['sh', '-c', `echo ${id} >> "$0"; ${holds} && echo it holds`, '../runs.log'],
  runner: 'generic',
  success_pattern: '^it holds$',
});

const PARTS: Json = {
  stages: ['implement'],
  repositories: [
    { id: 'lib', path: '../lib', access: 'write', paths: ['src/**'] },
    { id: 'tool', path: '../tool', access: 'write', paths: ['src/**'] },
    APP,
    { id: 'spec', path: '../spec', access: 'read' },
  ],
  checks: [
    counted('lib-two', 'lib', 'grep -q two src/lib.js'),
    counted('tool-two', 'tool', 'if test -e ../killer; then rm ../killer; kill -9 $PPID; fi; grep -q two src/lib.js'),
    counted('app-good', 'app', 'grep -q good src/new.js'),
  ],
  outcomes: [{ id: 'o', checks: ['lib-two', 'tool-two', 'app-good'] }],
};

const runs = (w: World): string[] => {
  const log = w.sh('cat ../runs.log 2>/dev/null; rm -f ../runs.log');
  return log.out.split('\n').filter(line => line !== '');
};

/** All three parts changed and committed, each with a remote; nothing of it proven. */
function several(project: Json = {}): World & { lib: string; tool: string; spec: string } {
  const w = planned(PARTS, { test: { cmd: '' }, checks: [], ...project });
  const folders = { lib: sister(w, 'lib'), tool: sister(w, 'tool'), spec: sister(w, 'spec') };
  for (const name of ['lib', 'tool']) {
    w.sh(`git init -q --bare -b main ${name}.git && cd ${name} && git remote add origin ../${name}.git`, w.top);
    w.sh('git push -q -u origin main', join(w.top, name));
  }
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement');
  w.sh('echo two >> src/lib.js', folders.lib);
  w.sh('echo two >> src/lib.js', folders.tool);
  w.file('src/new.js', 'good\n');
  ok(w, 'stage', 'finish');
  for (const folder of [folders.lib, folders.tool, w.root]) w.sh('git add -A && git commit -qm work', folder);
  runs(w);
  return Object.assign(w, folders);
}

const deliver = (w: World, ...more: string[]) => w.cli(['deliver', ...more]);

const states = (w: World): Record<string, string> => {
  const report = JSON.parse(deliver(w, '--dry-run', '--json').out) as { repositories: { id: string; state: string }[] };
  return Object.fromEntries(report.repositories.map(r => [r.id, r.state]));
};

/** A change that every later fingerprint shows, so that nothing proven before holds. */
const move = (folder: string, w: World): void => void w.sh('echo more >> src/lib.js && git commit -qam more', folder);

test('what the accepted stage proved of all trees together is not run again', () => {
  using w = several();
  const done = ok(w, 'deliver');
  says(done.out, [
    'proof     lib/lib-two: green at this tree',
    /part {6}lib \(\.\.\/lib\): ready, 1 commits, at \w{7}/,
    /part {6}tool \(\.\.\/tool\): ready/,
    /part {6}app \(\.\): ready/,
    /part {6}spec \(\.\.\/spec\): unchanged/,
    'Ready to leave: git -C ../lib push, git -C ../tool push, git push (main), gh pr create',
  ]);
  assert.deepEqual(runs(w), []);
  assert.equal(w.sh('ls -A .claude 2>/dev/null', w.lib).out, '', 'nothing of ours in a sister');
});

test('a kill between two repositories: what was proven is not run again, what has left is not looked at again', () => {
  using w = several();
  move(w.lib, w);
  const dry = deliver(w, '--dry-run');
  assert.equal(dry.code, 1);
  says(dry.out, ['lib: Publication requires current green evidence: no green run of lib-two at these trees']);
  assert.deepEqual(runs(w), [], 'a dry run runs nothing');
  writeFileSync(join(w.top, 'killer'), '');
  assert.equal(deliver(w).code, null, 'killed');
  assert.deepEqual(runs(w), ['lib-two', 'tool-two']);
  const kept = JSON.parse(readFileSync(join(w.root, '.claude/state/stages/delivery.json'), 'utf8'));
  STAGE_SCHEMAS.delivery.parse(kept);
  assert.deepEqual(Object.keys(kept.repositories), ['lib']);
  assert.match(kept.repositories.lib.fingerprint, /^[0-9a-f]{64}$/);
  const resumed = ok(w, 'deliver');
  assert.deepEqual(runs(w), ['tool-two', 'app-good']);
  says(resumed.out, [
    'lib/lib-two: green at this tree',
    'tool/tool-two: green, run now',
    'app/app-good: green, run now',
  ]);
  ok(w, 'deliver');
  assert.deepEqual(runs(w), []);
  w.sh('git push -q', w.lib);
  assert.equal(states(w).lib, 'left');
  // What is still here is proven anew beside its new neighbours; what is gone is gone.
  move(w.tool, w);
  const rest = ok(w, 'deliver');
  says(rest.out, ['proof     lib/lib-two: has left', /part {6}lib \(\.\.\/lib\): left/]);
  assert.deepEqual(runs(w), ['tool-two', 'app-good']);
});

test('each part is judged on its own: a red one does not hold back a green one, and is named', () => {
  using w = several();
  w.sh('echo one > src/lib.js && git commit -qam broken', w.tool);
  const ran = deliver(w);
  assert.equal(ran.code, 1, show(ran));
  says(ran.out, [
    /refused {3}tool: Current diff does not have passing verification: check tool-two: .*\(\.claude\/state\/evidence/,
    'Ready on their own: lib',
  ]);
  assert.deepEqual(runs(w), ['lib-two', 'tool-two', 'app-good']);
  w.sh('git revert --no-edit HEAD', w.tool);
  ok(w, 'deliver');
  assert.deepEqual(runs(w), [], 'the very trees that the stage proved');
});

test('secrets and rules are looked for in every part, and a secret is not printed', () => {
  using w = several({
    rules: [
      {
        id: 'no-print',
        guidance: 'use the log',
        enforcement: 'blocking',
        repositories: ['tool'],
        forbidden_pattern: 'print',
      },
    ],
  });
  const token = `ghp_${'0123456789abcdefghijABCDEFGHIJ012345'}`;
  w.sh(`echo "const t='${token}'; // print" >> src/lib.js && git commit -qam t`, w.lib);
  w.sh('git revert --no-edit HEAD', w.lib);
  w.sh('echo print >> src/lib.js && git commit -qam p', w.tool);
  w.file('src/new.js', 'good print\n').git('commit', '-qam', 'p');
  const ran = deliver(w);
  assert.equal(ran.code, 1, show(ran));
  says(ran.out, [
    /lib: Blocking rule\/secret finding prevents publication: secret-material src\/lib\.js:\d in commit \w{7} \(github-token\)/,
    /tool: Blocking rule\/secret finding prevents publication: no-print \(blocking\) src\/lib\.js:\d: use the log/,
  ]);
  assert.doesNotMatch(ran.out + ran.err, /ghp_|no-print \(blocking\) src\/new\.js/);
  assert.deepEqual(runs(w), ['app-good']);
});

test('a part that is read-only and changed, unfit, or not committed is refused by name', () => {
  using w = several();
  w.sh('echo x >> src/lib.js', w.spec);
  const read = deliver(w);
  assert.equal(read.code, 1, show(read));
  says(read.out, ['Scope violation: spec/src/lib.js: outside stage write contract']);
  assert.deepEqual(Object.values(states(w)).includes('ready'), false, 'a broken contract holds back all of it');
  w.sh('git commit -qam x', w.spec);
  says(deliver(w).out, ['Scope violation: spec/src/lib.js: outside stage write contract']);
  w.sh('git reset -q --hard HEAD~', w.spec);
  w.sh('git switch -q -c side HEAD~ && echo s > src/lib.js && git commit -qam s && git merge -q main', w.tool);
  says(deliver(w).out, [
    'tool: ../tool is in the middle of a merge: `git merge --continue` or `--abort`',
    'tool: ../tool has conflicting files: src/lib.js',
  ]);
  w.sh('git merge --abort; git switch -q main', w.tool);
  w.sh('echo three >> src/lib.js', w.lib);
  const dirty = deliver(w);
  says(dirty.out, ['note      lib: not committed, so not delivered: src/lib.js']);
  w.sh('git commit -qam three && echo four >> src/lib.js', w.lib);
  says(deliver(w).out, ['must run at what is committed; commit, stash or ignore lib/src/lib.js']);
  w.sh('mv lib away', w.top);
  const gone = deliver(w);
  assert.equal(gone.code, 1);
  says(gone.out, [/repository lib \(\.\.\/lib\): |lib: \.\.\/lib is missing: check it out there/]);
});

test('a push out of a part is held to the delivery that found it fit', () => {
  using w = several();
  const push = (folder: string, more = '') => w.bash(`cd ${folder} && git push${more}`);
  const why = push(w.lib);
  assert.equal(why.code, 2, show(why));
  says(why.err, [
    /git push: it would deliver HEAD \(\w{7}\) of repository lib, which no delivery of task adding found fit/,
  ]);
  assert.equal(push(w.lib, ' --dry-run').code, 0);
  assert.equal(push(w.lib, ' origin --delete old').code, 0);
  assert.equal(w.bash(`git -C ${w.lib} commit --allow-empty -m x`).code, 0);
  says(push(w.spec).err, ['git push: repository spec is read-only in this plan.']);
  ok(w, 'deliver');
  assert.equal(push(w.lib).code, 0);
  assert.equal(push(w.tool, ' origin HEAD:main').code, 0);
  says(w.bash(`cd ${w.lib} && git commit --allow-empty -m x && git push`).err, [
    'decides what leaves of repository lib',
  ]);
  w.sh('git branch older HEAD~; git commit -q --allow-empty -m more', w.lib);
  assert.equal(push(w.lib).code, 2);
  assert.equal(push(w.lib, ' origin older').code, 0, 'the remote has it already');
});
