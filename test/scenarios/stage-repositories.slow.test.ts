/** Stages over several repositories, over checkouts in no fit state, and what a rebind keeps and drops. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  barred,
  greenDone,
  type Json,
  ok,
  PLAN,
  planned,
  redDone,
  refused,
  SUBTRACT_TEST,
  says,
  sister,
  stageRecord,
  UNIT,
} from './stages-world.ts';
import { FIXED } from './world.ts';

const APP = (PLAN.repositories as Json[])[0]!;

const LIB_CHECK = {
  id: 'lib-content',
  repository: 'lib',
  command: ['grep', '-c', 'two', 'src/lib.js'],
  runner: 'generic',
  success_pattern: '^1$',
};

const TWO: Json = {
  repositories: [
    APP,
    { id: 'lib', path: '../lib', access: 'write', paths: ['src/**'], test_paths: ['test/**'] },
    { id: 'spec', path: '../spec', access: 'read' },
  ],
  checks: [UNIT, LIB_CHECK],
  outcomes: [{ id: 'o', checks: ['unit', 'lib-content'] }],
};

test('several repositories: each with its fingerprint, its checks, its contract', () => {
  using w = planned(TWO);
  const [lib, spec] = [sister(w, 'lib'), sister(w, 'spec')];
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED);
  w.sh('echo changed >> src/lib.js; echo x > test/lib.test.js', spec);
  w.sh('echo two >> src/lib.js; echo weaker > test/lib.test.js; git add src/lib.js', lib);
  refused(
    w,
    ' - lib: stage changed the Git index',
    ' - lib/test/lib.test.js: outside stage write contract',
    ' - spec/src/lib.js: outside stage write contract',
    ' - spec/test/lib.test.js: outside stage write contract',
    'Assertion-proven tests changed after red evidence; revise the plan and rebind\n - lib/test/lib.test.js: rewritten',
  );
  w.sh('git checkout -q -- .', spec);
  w.sh('git reset -q; git checkout -q -- test', lib);
  ok(w, 'stage', 'finish');
  const record = stageRecord(w, 'implement-0002');
  assert.deepEqual(Object.keys(record.trees as Json), ['app', 'lib', 'spec']);
  assert.deepEqual(record.changes, { app: ['src/add.js'], lib: ['src/lib.js'], spec: [] });
  assert.deepEqual(
    (record.checks as Json[]).map(c => [c.id, c.repository, c.passed]),
    [
      ['unit', 'app', true],
      ['lib-content', 'lib', true],
    ],
  );
  assert.match(String(record.fingerprint), /^[0-9a-f]{64}$/);
  assert.equal(w.sh('ls -A', lib).out.split('\n').includes('.claude'), false, 'nothing of ours in the sister');
  assert.equal(JSON.parse(w.cli(['stage', 'status', '--json']).out).green, 'fresh');
  w.sh('echo more >> src/lib.js', lib);
  assert.equal(JSON.parse(w.cli(['stage', 'status', '--json']).out).green, 'stale');
});

test('a checkout that is missing, busy, detached, shallow or in conflict is named, and nothing is changed', () => {
  using w = planned({ repositories: [APP, { id: 'lib', path: '../lib', access: 'write', paths: ['**'] }] });
  const state = (): string => w.sh('find .claude/state/stages -type f | sort').out;
  const bars = (...texts: (RegExp | string)[]): void => {
    const before = state();
    barred(w, ['plan', 'bind'], ...texts);
    assert.equal(state(), before);
  };
  bars('repository lib (../lib) is missing; check it out there');
  const lib = sister(w, 'lib');
  const inLib = (command: string): void => void w.sh(command, lib);
  inLib('git checkout -q --detach');
  bars('repository lib (../lib) has a detached HEAD');
  inLib(
    'git switch -q main; git switch -q -c side; echo a > src/lib.js; git commit -qam a; git switch -q main; echo b > src/lib.js; git commit -qam b; git merge -q side',
  );
  bars('repository lib (../lib) is in the middle of a merge', 'has conflicting files: src/lib.js');
  inLib('git merge --abort; git switch -q side; git rebase -q main');
  bars('repository lib (../lib) is in the middle of a rebase', 'has conflicting files: src/lib.js');
  inLib('git rebase --abort; git cherry-pick main');
  bars('is in the middle of a cherry-pick');
  inLib('git cherry-pick --abort; git switch -q main');
  w.sh(`mv lib whole && git clone -q --depth 1 file://${w.top}/whole lib`, w.top);
  bars('repository lib (../lib) is a shallow clone');
  w.sh('rm -rf lib && mkdir lib', w.top);
  bars('repository lib (../lib) is in no git repository');
  w.sh('git init -q', lib);
  bars('repository lib (../lib) has no commit yet');
  w.sh('rm -rf lib && mv whole lib', w.top);
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  inLib('git merge -q side');
  barred(w, ['stage', 'finish'], 'is in the middle of a merge');
});

test('a read-only checkout may be detached; the branch of a plan is held', () => {
  using w = planned({
    repositories: [
      { ...APP, branch: 'task' },
      { id: 'lib', path: '../lib', access: 'read' },
    ],
  });
  w.sh('git checkout -q --detach', sister(w, 'lib'));
  barred(w, ['plan', 'bind'], 'repository app (.) is on main; the plan says task');
  w.git('switch', '-q', '-c', 'task');
  ok(w, 'plan', 'bind');
});

test('a nested repository of the plan answers for itself', () => {
  using w = planned({ repositories: [APP, { id: 'inner', path: 'inner', access: 'write', paths: ['src/**'] }] });
  w.sh('mkdir -p inner/src && cd inner && git init -q -b main && echo 1 > src/a && git add -A && git commit -q -m i');
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED).file('inner/src/a', '2').file('inner/b', '3');
  assert.deepEqual(refused(w, ' - inner/b: outside stage write contract').out.match(/outside stage/g)?.length, 1);
  w.sh('rm inner/b');
  ok(w, 'stage', 'finish');
  assert.deepEqual(stageRecord(w, 'implement-0002').changes, { app: ['src/add.js'], inner: ['src/a'] });
});

test('a project below the top of its repository: what lies beside it is outside', () => {
  using w = redDone();
  const below = join(w.top, 'mono');
  w.sh(`mkdir -p ${below} && cp -r . ${below}/app && rm -rf ${below}/app/.git ${below}/app/.claude/state`);
  w.sh('git init -q -b main && git add -A && git commit -q --no-verify -m mono', below);
  const cli = (...args: string[]) => w.cli(args, { cwd: join(below, 'app') });
  assert.equal(cli('plan', 'bind').code, 0);
  assert.equal(cli('stage', 'start', 'implement-tests').code, 0);
  w.sh('echo x > beside.txt', below);
  const ran = cli('stage', 'finish');
  assert.equal(ran.code, 1);
  says(ran.out, [' - app/../beside.txt: outside stage write contract']);
});

test('rebind: the old binding is archived, all falls with the plan, and the red tests are written anew', () => {
  using w = greenDone();
  const old = JSON.parse(ok(w, 'stage', 'status', '--json').out).binding;
  w.file('plan/requirements.md', 'Other requirements.\n');
  const drift = 'Plan/profile/skills changed; inspect the revision and resume --rebind';
  barred(w, ['stage', 'start', 'review'], drift, ' - plan/requirements.md');
  assert.deepEqual(JSON.parse(ok(w, 'stage', 'status', '--json').out).drift, ['plan/requirements.md']);
  assert.equal(w.cli(['plan', 'rebind'], { env: { CLAUDECODE: '1' } }).code, 2);
  assert.equal(w.bash('touchstone plan rebind').code, 2);
  assert.match(
    ok(w, 'plan', 'rebind').out,
    /To be done again: implement-tests, implement\.\nThe red evidence was dropped/,
  );
  const revision = JSON.parse(w.read(`.claude/state/stages/revisions/${old}.json`));
  assert.deepEqual(
    [revision.sha256, revision.binding_sha256, revision.completed, revision.invalidate_from],
    [old, old, ['implement-tests', 'implement'], 'implement-tests'],
  );
  assert.equal(revision.texts['plan/requirements.md'], 'The requirements of the task.\n');
  const status = JSON.parse(ok(w, 'stage', 'status', '--json').out);
  assert.deepEqual([status.drift, status.green, status.frozen], [[], 'none', 0]);
  ok(w, 'stage', 'start', 'implement-tests');
  assert.equal(w.write('test/add.test.js', SUBTRACT_TEST).code, 0, 'the frozen test is open');
  w.file('src/add.js', 'export const add = (a, b) => a - b;\n');
  refused(w, ' - app/src/add.js: outside stage write contract');
  w.file('src/add.js', FIXED).file('test/add.test.js', SUBTRACT_TEST.replace('3), 5', '3), 6'));
  ok(w, 'stage', 'finish');
  assert.equal(w.write('test/add.test.js', SUBTRACT_TEST).code, 2, 'and frozen again');
});

test("rebind: revised plan files are the human's, no stage is blamed for them", () => {
  using w = redDone();
  w.file('plan/deferred.md', 'More.\n').file('.claude/project.json', JSON.stringify({ test: { cmd: 'node --test' } }));
  barred(w, ['stage', 'start', 'implement'], ' - .claude/project.json', ' - plan/deferred.md');
  ok(w, 'config', 'accept');
  ok(w, 'plan', 'rebind');
  ok(w, 'stage', 'start', 'implement-tests');
  ok(w, 'stage', 'finish');
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED);
  ok(w, 'stage', 'finish');
  assert.equal(ok(w, 'plan', 'rebind').out, 'Nothing changed since the plan was bound.\n');
});

test('rebind: a skill takes down its own stage and what follows, and the red proof stays', () => {
  const skill = '.claude/skills/implement.md';
  const plan = { stages: ['implement-tests', { id: 'implement', skill }, 'review'] };
  using w = planned(plan);
  w.file(skill, 'Be careful.\n').commitAll('skill');
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED);
  ok(w, 'stage', 'finish');
  w.file(skill, 'Be more careful.\n');
  barred(w, ['stage', 'start', 'review'], ` - ${skill}`);
  assert.match(ok(w, 'plan', 'rebind').out, /To be done again: implement\.\n$/);
  const status = JSON.parse(ok(w, 'stage', 'status', '--json').out);
  assert.deepEqual(
    [status.frozen, status.green, status.stages[0].state, status.stages[1].state],
    [1, 'none', 'complete', 'ready'],
  );
  w.file('test/add.test.js', 'weaker\n');
  ok(w, 'stage', 'start', 'implement');
  refused(w, ' - app/test/add.test.js: rewritten');
});

test('rebind: other repositories or another task are a new task', () => {
  using w = redDone();
  const renamed = (more: Json): void => {
    w.file('.claude/plan.json', JSON.stringify({ ...PLAN, ...more }));
  };
  const text = 'Repository membership/checkout changes require a new task ID';
  renamed({ repositories: [APP, { id: 'lib', path: '../lib', access: 'read' }] });
  sister(w, 'lib');
  barred(w, ['plan', 'rebind'], text);
  renamed({ task: 'second' });
  barred(w, ['plan', 'rebind'], text);
  assert.equal(w.cli(['plan', 'bind'], { env: { CLAUDECODE: '1' } }).code, 2, 'an agent does not change the task');
  ok(w, 'plan', 'bind');
  const status = JSON.parse(ok(w, 'stage', 'status', '--json').out);
  assert.deepEqual([status.task, status.frozen, status.stages[0].state], ['second', 0, 'ready']);
  assert.equal(w.sh('ls .claude/state/stages/revisions | wc -l').out.trim(), '1');
});

test('rebind: needs a bound plan and a plan without faults', () => {
  using w = planned();
  barred(w, ['plan', 'rebind'], 'Cannot resume a task without run state');
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('.claude/plan.json', '{');
  barred(w, ['plan', 'rebind'], 'does not parse');
  barred(w, ['stage', 'finish'], 'Plan/profile/skills changed', 'does not parse');
});
