/** More of stages: rules, checks that misbehave, custom stages, questions, a killed finish. */
import assert from 'node:assert/strict';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  barred,
  checkCount,
  type Json,
  ok,
  PLAN,
  planned,
  redDone,
  refused,
  SUBTRACT_TEST,
  says,
  show,
  stageRecord,
  UNIT,
} from './stages-world.ts';
import { FIXED } from './world.ts';

test('a summary never counts: a stage whose check fails is refused whatever it says', () => {
  using w = redDone();
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', 'export const add = (a, b) => a * b;\n');
  const ran = w.cli(['stage', 'finish', '--summary', '{"status":"complete","summary":"5 passed, 0 failed"}']);
  assert.equal(ran.code, 1, show(ran));
  says(ran.out, ['Stage implement is NOT accepted (checks).', 'Checks did not pass:', ' - unit: ']);
  assert.equal(stageRecord(w, 'implement-0001').passed, false);
});

test('scope: a deletion, a mode, a link and a rename outside count; ignored output does not', () => {
  using w = redDone();
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED).file('out/build.js', 'x');
  w.sh('mv plan/prompt.md src/prompt.md; chmod +x package.json');
  symlinkSync('/etc/hostname', join(w.root, 'link'));
  const ran = barred(
    w,
    ['stage', 'finish'],
    'Plan/profile/skills changed; inspect the revision and resume --rebind',
    'prompt.md',
  );
  assert.match(ran.err, /Complete the approved plan file/);
  w.sh('mv src/prompt.md plan/prompt.md; mv .gitignore src/ignore');
  const refusal = refused(w, ' - app/.gitignore: outside', ' - app/link: outside', ' - app/package.json: outside');
  assert.match(refusal.out, / - app\/out\/build\.js: outside/, 'no longer ignored');
  w.sh('mv src/ignore .gitignore; rm link; chmod -x package.json');
  ok(w, 'stage', 'finish');
});

test('findings of every step are listed together, the first one named', () => {
  using w = redDone({
    stages: ['implement-tests', { id: 'notes', outputs: ['docs/notes.md'], after: ['implement-tests'] }, 'implement'],
  });
  ok(w, 'stage', 'start', 'notes');
  w.file('test/add.test.js', 'changed\n');
  const ran = refused(
    w,
    'Stage notes is NOT accepted (scope).',
    'Missing required custom output\n - app/docs/notes.md',
  );
  const order = ['Scope violation', 'Assertion-proven tests changed', 'Missing required custom output'];
  assert.deepEqual(
    [...order].sort((a, b) => ran.out.indexOf(a) - ran.out.indexOf(b)),
    order,
  );
  w.file('test/add.test.js', SUBTRACT_TEST).file('docs/notes.md', 'Notes.\n').file('src/add.js', FIXED);
  refused(w, ' - app/src/add.js: outside stage write contract');
});

test('a blocking rule stops the stage, an advisory one is noted; both stand in the record', () => {
  const rule = { guidance: 'Use the logger.', forbidden_pattern: 'console\\.', paths: ['src/**'] };
  using w = redDone(
    {},
    {
      rules: [
        { id: 'no-console', enforcement: 'blocking', ...rule },
        { id: 'no-todo', enforcement: 'advisory', guidance: 'Finish it.', forbidden_pattern: 'TODO' },
      ],
    },
  );
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', `${FIXED}// TODO\nconsole.log(1);\n`);
  refused(w, 'Blocking rule finding stops the stage:', / - no-console .*app\/src\/add\.js:3/, 'note: no-todo');
  const rules = stageRecord(w, 'implement-0001').rules as Json[];
  assert.deepEqual(
    rules.map(r => [r.rule, r.enforcement, r.path]),
    [
      ['no-console', 'blocking', 'app/src/add.js'],
      ['no-todo', 'advisory', 'app/src/add.js'],
    ],
  );
  w.file('src/add.js', `${FIXED}// TODO\n`);
  ok(w, 'stage', 'finish');
});

test('a check that changes repository files proves nothing', () => {
  const writer = { id: 'writer', command: ['node', 'write.mjs'], runner: 'generic', success_pattern: 'wrote it' };
  using w = planned({ checks: [UNIT, writer], outcomes: [{ id: 'o', checks: ['unit', 'writer'] }] });
  w.file(
    'write.mjs',
    "import { appendFileSync } from 'node:fs';\nappendFileSync('src/log.js', '//\\n');\nconsole.log('wrote it');\n",
  );
  w.commitAll('writer');
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED);
  const moved = 'Verification commands changed repository files; fix their output/cleanup configuration';
  refused(w, `${moved}\n - app/src/log.js`, `writer: ${moved}`);
  assert.equal(w.read('src/log.js'), '//\n', 'left in place');
});

test('a custom stage that names its checks proves those, and is no green evidence for all', () => {
  const other = {
    id: 'other',
    command: ['node', '-e', "console.log('fine indeed')"],
    runner: 'generic',
    success_pattern: '^fine indeed$',
  };
  using w = redDone({
    checks: [UNIT, other],
    outcomes: [{ id: 'o', checks: ['unit', 'other'] }],
    stages: ['implement-tests', { id: 'docs', outputs: ['docs/*.md'], checks: ['other'] }, 'implement'],
  });
  ok(w, 'stage', 'start', 'docs');
  refused(w, 'Missing required custom output');
  w.file('docs/deep/add.md', 'Adds.\n');
  ok(w, 'stage', 'finish');
  const record = stageRecord(w, 'docs-0002');
  assert.deepEqual([(record.checks as Json[]).map(c => c.id), record.complete], [['other'], false]);
  assert.equal(JSON.parse(w.cli(['stage', 'status', '--json']).out).green, 'none');
});

test('without a possible red the approved reason makes the test stage green, and freezes nothing', () => {
  using w = planned({ approved_no_red_reason: 'the behaviour exists', checks: [{ ...UNIT, phases: ['green'] }] });
  w.file('src/add.js', FIXED).commitAll('works');
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
  assert.equal(stageRecord(w, 'implement-tests-0001').phase, 'green');
  assert.match(ok(w, 'freeze', 'status').out, /Nothing is frozen/);
});

test('red needs the named test to fail on an assertion', () => {
  using w = planned();
  ok(w, 'plan', 'bind');
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('test/add.test.js', "import './gone.js';\n");
  refused(w, 'unit: setup/compile failure is not assertion evidence');
  w.file('test/add.test.js', SUBTRACT_TEST.replace('5', '-1'));
  refused(w, 'no observed assertion-level failure');
  w.file('test/add.test.js', SUBTRACT_TEST);
  ok(w, 'stage', 'finish');
});

test('starting an open stage again does not bless what it did', () => {
  using w = redDone();
  ok(w, 'stage', 'start', 'implement');
  w.file('other.txt', 'x').file('src/add.js', FIXED);
  ok(w, 'stage', 'start', 'implement');
  refused(w, ' - app/other.txt: outside stage write contract');
});

test('a stage that asks waits for its answer', () => {
  using w = redDone();
  barred(w, ['stage', 'answer', 'yes'], 'There is no pending input session to answer');
  ok(w, 'stage', 'start', 'implement');
  const waits = 'This run needs input; use answer with the requested response';
  barred(
    w,
    ['stage', 'finish', '--summary', 'Hm. {"status":"needs_input","question":"Which sign?"}'],
    waits,
    'Which sign?',
  );
  w.file('src/add.js', FIXED);
  barred(w, ['stage', 'finish'], waits);
  assert.equal(w.cli(['stage', 'answer', 'plus'], { env: { CLAUDECODE: '1' } }).code, 2);
  ok(w, 'stage', 'answer', 'plus');
  barred(
    w,
    ['stage', 'finish', '--summary', '{"status":"blocked","reason":"no power"}'],
    'is blocked: no power; nothing was judged',
  );
  ok(w, 'stage', 'finish');
});

test('one runner per project', () => {
  using w = redDone();
  ok(w, 'stage', 'start', 'implement');
  w.file('.claude/state/stages/runner.json', JSON.stringify({ pid: process.pid, start: null }));
  barred(w, ['stage', 'finish'], `One runner per project: process ${process.pid} is at work`);
  w.file('.claude/state/stages/runner.json', JSON.stringify({ pid: 2 ** 22 + 7, start: null }));
  w.file('src/add.js', FIXED);
  ok(w, 'stage', 'finish');
});

test('a finish that was killed is taken up where it was: what was proven of the same tree is not run again', () => {
  const once = (name: string, more = ''): Json => ({
    id: name,
    command: [
      'node',
      '-e',
      `require('fs').appendFileSync('out/${name}', 'x');${more}console.log('${name} holds true')`,
    ],
    runner: 'generic',
    success_pattern: `^${name} holds true$`,
  });
  const fatal =
    "if(!require('fs').existsSync('out/killed')){require('fs').writeFileSync('out/killed','');process.kill(process.ppid,'SIGKILL');setTimeout(()=>{},1e4)}else ";
  using w = redDone({
    checks: [UNIT, once('first'), once('second', fatal)],
    outcomes: [{ id: 'o', checks: ['unit', 'first', 'second'] }],
  });
  w.file('out/x', '');
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED);
  assert.equal(w.cli(['stage', 'finish']).code, null);
  assert.equal(existsSync(join(w.root, '.claude/state/evidence/stages/implement-0001.json')), false);
  const before = checkCount(w);
  const ran = ok(w, 'stage', 'finish', '--json');
  const record = JSON.parse(ran.out);
  assert.deepEqual([record.reused, record.passed, record.checks.length], [['unit', 'first'], true, 3]);
  assert.equal(w.read('out/first'), 'x', 'ran once');
  assert.equal(checkCount(w), before + 1);
});

test('after a kill, another tree is proven anew', () => {
  const fatal =
    "if(!require('fs').existsSync('out/killed')){require('fs').writeFileSync('out/killed','');process.kill(process.ppid,'SIGKILL')}else console.log('it holds')";
  const last = { id: 'last', command: ['node', '-e', fatal], runner: 'generic', success_pattern: '^it holds$' };
  using w = redDone({ checks: [UNIT, last], outcomes: [{ id: 'o', checks: ['unit', 'last'] }] });
  w.file('out/x', '');
  ok(w, 'stage', 'start', 'implement');
  w.file('src/add.js', FIXED);
  assert.equal(w.cli(['stage', 'finish']).code, null);
  w.file('src/add.js', `${FIXED}// other\n`);
  assert.deepEqual(JSON.parse(ok(w, 'stage', 'finish', '--json').out).reused, []);
});

test('a plan without acceptance is judged, and says that nobody accepted it', () => {
  using w = planned();
  w.file('.claude/plan.json', JSON.stringify({ ...PLAN, task: 'other' }, null, 1)).commitAll('unseen');
  assert.match(ok(w, 'plan', 'bind').out, /Nobody accepted these rules/);
  ok(w, 'stage', 'start', 'implement-tests');
  w.file('test/add.test.js', SUBTRACT_TEST);
  assert.match(ok(w, 'stage', 'finish').out, /Nobody accepted these rules/);
  assert.equal(stageRecord(w, 'implement-tests-0001').accepted, false);
});

test('a delivery holds the whole task to its plan: open and missing stages, scope, frozen tests', () => {
  using w = redDone({
    stages: ['implement-tests', 'implement', 'commit-and-push'],
    delivery: { commit_message: 'Add' },
    repositories: [
      { id: 'app', access: 'write', branch: 'main', base: 'trunk', paths: ['src/**'], test_paths: ['test/**'] },
    ],
  });
  const no = (...texts: string[]): void => {
    const ran = w.cli(['deliver']);
    assert.equal(ran.code, 1, show(ran));
    says(ran.out, texts);
  };
  no('stages of task adding are not complete: implement');
  barred(w, ['stage', 'start', 'commit-and-push'], 'the engine does it: touchstone deliver');
  ok(w, 'stage', 'start', 'implement');
  no('stage implement is open: touchstone stage finish');
  w.file('src/add.js', FIXED);
  ok(w, 'stage', 'finish');
  w.commitAll('work');
  ok(w, 'deliver');
  w.file('smuggled.txt', 'x').commitAll('more');
  no('Scope violation: app/smuggled.txt: outside stage write contract');
  w.git('reset', '-q', '--hard', 'HEAD~');
  w.file('test/add.test.js', SUBTRACT_TEST.replace('0), 0', '0), 1'));
  no('Assertion-proven tests changed after red evidence; revise the plan and rebind: app/test/add.test.js: rewritten');
});
