/** `touchstone plan validate|bind`: everything wrong at once, each with its place and its cure (seed 000, plan contract). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barred, type Json, ok, PLAN, planned, replan, says, show, UNIT } from './stages-world.ts';

test('a good plan has no fault, and is bound once', () => {
  using w = planned();
  assert.match(ok(w, 'plan', 'validate').out, /\.claude\/plan\.json: valid/);
  ok(w, 'plan', 'bind');
  barred(w, ['plan', 'bind'], 'A task run exists; use resume, answer, or a new task ID');
});

test('every fault of a bad plan is named in one pass, with place and cure', () => {
  using w = planned();
  w.file('plan/deferred.md', ' \n');
  const repository = (more: Json) => ({
    id: 'app',
    access: 'write',
    paths: ['src/**'],
    test_paths: ['test/**'],
    ...more,
  });
  replan(w, {
    schema_version: 2,
    task: 'Has Spaces',
    plan_files: ['plan/prompt.md', '/etc/passwd', '../up.md', 'plan/deferred.md'],
    repositories: [
      repository({ paths: ['/abs/**', 'a/../../b', 'src/**'] }),
      repository({}),
      { id: 'lib', path: '../lib', access: 'borrow' },
    ],
    stages: [
      { id: 'a', after: ['b'], outputs: ['out/a.md'] },
      { id: 'b', after: ['a'], outputs: ['out/b.md'] },
      { id: 'idle', after: [] },
      'implement-tests',
      'implement-tests',
      { id: 'check-up', outputs: ['x.md'], checks: ['nobody'] },
      'commit-and-push',
      'draft-pr',
    ],
    checks: [
      { ...UNIT, phases: ['green'] },
      { ...UNIT, command: ['true'], phases: [] },
      { id: 'g', command: ['true'], runner: 'generic', phases: ['red', 'green'] },
      { id: 'r', command: ['true'], phases: ['red'], identities: ['x'], repository: 'nowhere' },
    ],
    outcomes: [
      { id: 'none', checks: [] },
      { id: 'gone', checks: ['missing'] },
      { id: 'never-green', checks: ['r'] },
    ],
    limits: { attempts_per_route: 6, timeout_seconds: 0, tool_timeout_seconds: 7201, inactivity_seconds: 3601 },
    approved_no_red_reason: '',
    delivery: { title: 'Only a title' },
    wishes: true,
  });
  const ran = w.cli(['plan', 'validate']);
  assert.equal(ran.code, 1, show(ran));
  says(ran.out, [
    'at schema_version: Expected pipeline schema_version 1;',
    /at task: is not a task ID/,
    /at plan_files\.1: a plan file is not relative: \/etc\/passwd/,
    /at plan_files\.2: a plan file leaves the project by "\.\."/,
    'at plan_files.3: Complete the approved plan file: plan/deferred.md (it is empty)',
    'Complete the approved plan file: requirements.md',
    'Complete the approved plan file: implementation.md',
    /at repositories\.0\.paths\.0: a pattern is not relative: \/abs/,
    /at repositories\.0\.paths\.1: a pattern leaves the project by "\.\."/,
    /at repositories\.1: the id "app" stands twice/,
    /at repositories\.2\.access: is neither read nor write/,
    'stages wait for each other in a circle: a -> b -> a',
    /at stages\.2: stage "idle" owns nothing/,
    /at stages\.4\.id: stage "implement-tests" stands twice, at stages\.3 too/,
    'the stages must include implement',
    'stage "check-up" names unknown checks: nobody',
    'Checks require red and/or green phases',
    /at checks\.1\.id: Check IDs must be unique and use participating repositories: "unit" is the id of checks\.0 too/,
    /at checks\.3\.repository: Check IDs must be unique and use participating repositories: "nowhere" takes no part/,
    /at checks\.2\.success_pattern: generic checks need an explicit success_pattern/,
    /at checks\.2\.identities: red proof needs expected test identities/,
    /at checks\.2\.failure_pattern: generic red proof needs an assertion failure_pattern/,
    /at outcomes\.0\.checks: Map each planned outcome to executable checks/,
    /at outcomes\.1\.checks: Every outcome must reference existing checks: missing/,
    /at outcomes\.2\.checks: Every outcome needs a green check/,
    /at limits\.attempts_per_route: is not a whole number from 1 to 5/,
    /at limits\.timeout_seconds: is not a whole number from 1 to 86400/,
    /at limits\.inactivity_seconds: is not a whole number from 1 to 3600/,
    /at limits\.tool_timeout_seconds: is not a whole number from 1 to 7200/,
    /at approved_no_red_reason: is not a reason/,
    'at delivery.commit_message: Delivery needs an approved commit_message',
    'at delivery: Draft PR delivery needs a title and a body_file',
    /at repositories\.0\.branch: Delivery requires an explicit non-base task branch/,
    'at wishes: warning: is no key of a plan',
  ]);
  for (const line of ran.out.trim().split('\n')) assert.match(line, /^\.claude\/plan\.json at \S+: .+; \S/, line);
  barred(w, ['plan', 'bind'], 'Expected pipeline schema_version 1', 'owns nothing');
  assert.equal(w.sh('ls .claude/state/stages 2>/dev/null').out.includes('task.json'), false);
});

test('a test-first stage needs a red check, or an approved reason to have none', () => {
  using w = planned();
  replan(w, { checks: [{ ...UNIT, phases: ['green'] }] });
  const ran = w.cli(['plan', 'validate']);
  assert.equal(ran.code, 1);
  says(ran.out, ['at checks: Test-authoring stage requires assertion-level red checks']);
  replan(w, { checks: [{ ...UNIT, phases: ['green'] }], approved_no_red_reason: 'moves files only' });
  ok(w, 'plan', 'validate');
});

test('a delivery on a base branch is refused, on a task branch it is not', () => {
  using w = planned();
  const plan = (branch: string, base?: string): Json => ({
    stages: ['implement-tests', 'implement', 'commit-and-push'],
    delivery: { commit_message: 'Add' },
    repositories: [{ ...(PLAN.repositories as Json[])[0], branch, ...(base ? { base } : {}) }],
  });
  for (const [branch, base] of [['main'], ['develop', 'develop']] as const) {
    replan(w, plan(branch, base));
    const ran = w.cli(['plan', 'validate']);
    assert.equal(ran.code, 1);
    says(ran.out, ['Delivery requires an explicit non-base task branch']);
  }
  replan(w, plan('feature/add', 'develop'));
  ok(w, 'plan', 'validate');
});

test('a text that does not parse, a YAML plan, a missing plan and a plan that is no object', () => {
  using w = planned();
  w.file('.claude/plan.json', '{"schema_version": 1,');
  says(w.cli(['plan', 'validate']).out, [/\.claude\/plan\.json: does not parse: not JSON \(/]);
  w.file('.claude/plan.json', '[]');
  says(w.cli(['plan', 'validate']).out, ['is not a JSON object']);
  w.sh('rm .claude/plan.json');
  says(w.cli(['plan', 'validate']).out, ['.claude/plan.json: there is none']);
  w.file('.claude/plan.yaml', 'task: x\n');
  const ran = w.cli(['plan', 'validate']);
  assert.equal(ran.code, 1);
  says(ran.out, ['.claude/plan.yaml is not read; write the plan as JSON']);
});

test('checks of project.json serve a plan, and their faults are said of that file', () => {
  using w = planned({ checks: [] }, { checks: [UNIT] });
  ok(w, 'plan', 'validate');
  w.file('.claude/project.json', JSON.stringify({ test: { cmd: 'npm test' }, checks: [{ ...UNIT, runner: 'nope' }] }));
  const ran = w.cli(['plan', 'validate']);
  assert.equal(ran.code, 1);
  says(ran.out, [/^\.claude\/project\.json at checks\.0\.runner: unknown runner "nope"/m]);
});
