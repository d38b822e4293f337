/** Stages through the built command line: what each may change, in which order it is judged, what its evidence says. */
import assert from 'node:assert/strict';
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
} from './stages-world.ts';
import { FIXED } from './world.ts';

const APP = (PLAN.repositories as Json[])[0]!;

test('red, frozen, green, reviewed: every stage leaves a record of the tree it saw', () => {
  using w = greenDone();
  ok(w, 'stage', 'start', 'review');
  const said = '{"status": "complete", "summary": "All tests pass, trust me."}';
  ok(w, 'stage', 'finish', '--summary', said);
  const red = stageRecord(w, 'implement-tests-0001');
  assert.deepEqual([red.passed, red.phase, red.changes], [true, 'red', { app: ['test/add.test.js'] }]);
  const green = stageRecord(w, 'implement-0001');
  const [check] = green.checks as Json[];
  assert.deepEqual(
    [green.passed, green.phase, green.complete, green.changes, green.rules, check!.repository, check!.problems],
    [true, 'green', true, { app: ['src/add.js'] }, [], 'app', []],
  );
  assert.equal(green.fingerprint, w.cli(['fingerprint']).out.trim());
  const review = stageRecord(w, 'review-0001');
  assert.deepEqual([review.passed, review.changes, review.summary], [true, { app: [] }, said]);
  const status = JSON.parse(ok(w, 'stage', 'status', '--json').out);
  assert.deepEqual(
    status.stages.map((s: Json) => s.state),
    ['complete', 'complete', 'complete'],
  );
  assert.deepEqual([status.green, status.frozen], ['fresh', 1]);
  assert.match(ok(w, 'freeze', 'status').out, /proven by evidence\/stages\/implement-tests-0001\.json/);
  w.file('src/add.js', `${FIXED}// more\n`);
  assert.equal(JSON.parse(w.cli(['stage', 'status', '--json']).out).green, 'stale');
});

test('scope: files, HEAD, branch and index are named one per line and nothing is rolled back', () => {
  using w = redDone();
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED).file('other.txt', 'mine\n').file('package.json', '{"type":"module"}\n');
  w.sh('git rm -q --cached src/add.js; rm plan/deferred.md; git checkout -q -- plan/deferred.md');
  w.git('switch', '-q', '-c', 'elsewhere');
  w.git('commit', '-q', '--no-verify', '-m', 'hidden');
  const ran = refused(
    w,
    'Stage implement is NOT accepted (scope).',
    'Scope violation; changes retained for inspection:',
    '\n - app: stage changed Git HEAD or branch\n',
    '\n - app: stage changed the Git index\n',
    '\n - app/other.txt: outside stage write contract\n',
    '\n - app/package.json: outside stage write contract\n',
  );
  assert.doesNotMatch(ran.out, /app\/plan\/deferred|app\/src\/add\.js: outside/);
  assert.equal(w.read('other.txt'), 'mine\n');
  assert.equal(w.git('branch', '--show-current').out.trim(), 'elsewhere');
  const record = stageRecord(w, 'implement-0001');
  assert.deepEqual([record.passed, record.checks], [false, []]);
  w.sh('rm -f other.txt src/add.js && git switch -q main && git checkout -q -- package.json');
  w.file('src/add.js', FIXED);
  ok(w, 'stage', 'finish');
});

test('frozen tests: a rewrite, an addition and a deletion are named after the scope', () => {
  using w = redDone({
    repositories: [{ id: 'app', access: 'write', paths: ['src/**', 'test/**'], test_paths: ['test/**'] }],
  });
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED).file('test/extra.test.js', '');
  w.file('test/add.test.js', SUBTRACT_TEST.replace('5', '6'));
  const text = 'Assertion-proven tests changed after red evidence; revise the plan and rebind';
  refused(w, `(frozen).\n${text}\n`, ' - app/test/add.test.js: rewritten', ' - app/test/extra.test.js: added');
  w.sh('rm test/*');
  refused(w, text, ' - app/test/add.test.js: deleted');
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
});

test('changes that existed before the task are nobody else to touch', () => {
  using w = planned();
  w.file('src/draft.js', 'mine\n').file('src/add.js', 'export const add = (a, b) => a - b; // mine\n');
  assert.match(ok(w, 'plan', 'bind').out, /no stage may touch:\n {2}app\/src\/add\.js\n {2}app\/src\/draft\.js/);
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED);
  refused(
    w,
    'Stage implement is NOT accepted (pre-existing).',
    ' - app: a stage touched pre-existing user changes: src/add.js',
  );
  w.file('src/add.js', 'export const add = (a, b) => a - b; // mine\n');
  w.sh('rm src/draft.js');
  refused(w, ' - app: a stage touched pre-existing user changes: src/draft.js');
});

test('stages go one at a time and in their order', () => {
  using w = planned({ limits: { attempts_per_route: 1 } });
  barred(w, ['stage', 'start', 'implement'], 'Cannot resume a task without run state');
  ok(w, 'plan', 'bind');
  barred(w, ['stage', 'finish'], 'no stage is open');
  barred(w, ['stage', 'start', 'implement'], 'it waits for implement-tests');
  barred(w, ['stage', 'start', 'deploy'], 'the plan has no such stage (there: implement-tests, implement, review)');
  ok(w, 'stage', 'start', 'implement-tests');
  assert.match(ok(w, 'stage', 'start', 'implement-tests').out, /is open still/);
  barred(w, ['stage', 'start', 'implement'], 'stage implement-tests is open since');
  w.file('test/add.test.js', 'broken(\n');
  refused(w, 'Checks did not pass');
  w.file('test/add.test.js', SUBTRACT_TEST);
  barred(w, ['stage', 'finish'], 'used its 1 attempts');
});

test('live: writes outside of the open stage are refused, by tool and by shell, and only while it is open', () => {
  using w = planned({ repositories: [APP, { id: 'spec', path: '../spec', access: 'read' }] });
  const spec = sister(w, 'spec');
  assert.equal(w.write('notes.txt', 'x').code, 0);
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  const no = (ran: { code: number | null; err: string }, text: string): void => {
    assert.equal(ran.code, 2, text);
    says(ran.err, [/^Touchstone scope: /, text, 'Run: touchstone stage status']);
  };
  no(w.write('src/add.js', 'x'), 'Write would change app/src/add.js: stage implement-tests may not write there.');
  no(w.edit('package.json', '{', '{ '), 'app/package.json');
  no(w.bash('echo 1 > notes.txt'), 'app/notes.txt');
  no(w.bash('cd src && rm add.js'), 'app/src/add.js');
  no(w.bash(`echo 1 >> ${spec}/src/lib.js`), 'repository spec is read-only in this plan');
  for (const command of ['git add -A', 'git commit -m x', 'git switch -c y', `git -C ${spec} pull`, 'git stash'])
    no(w.bash(command), 'would move HEAD, the branch or the index');
  for (const command of [
    'git status',
    'git commit --dry-run',
    'git stash list',
    'git reset -q',
    'mkdir -p out && echo 1 > out/log',
    'echo 1 > /tmp/touchstone-scope-elsewhere',
    'node --test',
    'grep -r add src',
  ])
    assert.deepEqual([command, w.bash(command).code], [command, 0]);
  assert.equal(w.write('test/add.test.js', SUBTRACT_TEST).code, 0);
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
  assert.equal(w.write('notes.txt', 'x').code, 0);
  w.file('.claude/state/stages/open.json', '{"torn');
  no(w.write('src/add.js', 'x'), 'app/src/add.js'.slice(4));
});
