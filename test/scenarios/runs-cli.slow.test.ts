import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { changed, evidenceOf, file, ids, runOf, runProject, runsDir, TASKS } from './runs-project.ts';
import { FIXED, type World } from './world.ts';

const FIX = `printf '%s\\n' '${FIXED.trim()}' > src/add.js; echo 'Fixed src/add.js. All tests pass.'`;
const UNIT = { tasks: 'specs/login/tasks.md', verification: [{ name: 'unit', argv: ['node', '--test'] }] };

const run = (w: World, ...args: string[]) => w.cli(['run', ...args]);
const last = (w: World): string => ids(w).at(-1)!;

describe('touchstone run -- <agent>', () => {
  it('a verified task: evidence first, then one box', () => {
    using w = runProject(UNIT);
    const ran = run(w, '--task', '1', '--prompt', 'make it add', '--', 'sh', '-c', `cat > /dev/null; ${FIX}`);
    assert.equal(ran.code, 0, ran.err);
    const id = last(w);
    assert.deepEqual(runOf(w, id).evidenceStatus, 'verified');
    assert.equal(w.read('specs/login/tasks.md'), TASKS.replace('- [ ] 1.', '- [x] 1.'));
    assert.deepEqual(file(w, id, 'checkbox-update.json'), {
      filePath: 'specs/login/tasks.md',
      line: 2,
      before: '- [ ] 1. Make add add',
      after: '- [x] 1. Make add add',
      approvalRehashed: false,
    });
    assert.ok(existsSync(join(w.root, `.claude/state/evidence/runs/login/1/${id}.json`)));
    assert.deepEqual(readdirSync(join(runsDir(w), id)).sort(), [
      'changed-files.json',
      'checkbox-update.json',
      'diff.patch',
      'events.jsonl',
      'evidence.json',
      'git-after.json',
      'git-before.json',
      'prompt.md',
      'raw-stderr.log',
      'raw-stdout.log',
      'report.json',
      'run.json',
      'runner-request.json',
      'runner-result.json',
      'verification-unit.stderr.log',
      'verification-unit.stdout.log',
      'verification.json',
    ]);
    assert.equal(readFileSync(join(runsDir(w), id, 'prompt.md'), 'utf8'), 'make it add');
    assert.match(readFileSync(join(runsDir(w), id, 'raw-stdout.log'), 'utf8'), /^Fixed/);
    // Prompt and raw output are shown on demand only.
    assert.doesNotMatch(run(w, 'show', id).out, /make it add\n|^Fixed/m);
    assert.match(run(w, 'show', id, '--verbose').out, /Prompt\nmake it add\n\nRaw stdout\nFixed src\/add\.js/);
    assert.match(run(w, 'diff', id).out, /^\+export const add = \(a, b\) => a \+ b;$/m);
    // The same task is done now.
    const again = run(w, '--task', '1', '--', 'true');
    assert.deepEqual([again.code, ids(w).length], [1, 1]);
    assert.match(again.err, /task 1 is done already/);
  });

  const exits: [string, string[], number, string][] = [
    ['fails', ['--', 'sh', '-c', 'exit 3'], 4, 'failed'],
    ['is not there', ['--', 'no-such-agent-here'], 3, 'failed'],
    ['takes too long', ['--timeout', '1', '--', 'sleep', '30'], 5, 'timed-out'],
    ['answers a question', ['--', 'echo', 'Because.'], 0, 'no-change'],
    ['changes nothing for a task', ['--task', '1', '--', 'true'], 1, 'no-change'],
    ['breaks the suite', ['--task', '1', '--', 'sh', '-c', 'echo x > src/add.js'], 1, 'implemented-unverified'],
    ['is not verified', ['--task', '1', '--no-verify', '--', 'sh', '-c', FIX], 1, 'implemented-unverified'],
    ['commits', ['--', 'sh', '-c', `${FIX}; git commit -qam x`], 6, 'implemented-unverified'],
    [
      'edits the task list',
      ['--task', '1', '--', 'sh', '-c', 'sed -i s/1/9/ specs/login/tasks.md'],
      6,
      'implemented-unverified',
    ],
    [
      'touches a protected path',
      ['--', 'sh', '-c', `${FIX}; echo >> .claude/project.json`],
      6,
      'implemented-unverified',
    ],
    [
      'may not do what it wants',
      ['--', 'echo', '{"type":"result","is_error":true,"permission_denials":[{}]}'],
      6,
      'failed',
    ],
    ['was asked for JSON', ['--', 'echo', 'hello', '--output-format', 'json'], 4, 'failed'],
  ];
  for (const [name, args, code, status] of exits) {
    it(`an agent that ${name}: exit ${code}, ${status}`, () => {
      using w = runProject(UNIT);
      const ran = run(w, ...args);
      assert.deepEqual([ran.code, runOf(w, last(w)).evidenceStatus], [code, status], ran.out + ran.err);
      assert.equal(w.read('specs/login/tasks.md').includes('- [x] 1.'), false);
      assert.deepEqual(readdirSync(join(w.root, '.claude/state/open-runs')), []);
    });
  }

  it('whose first word is one of our verbs is still the agent', () => {
    using w = runProject(UNIT);
    w.file('bin/list', '#!/bin/sh\necho "$@"\n', 0o755);
    w.cli(['run', '--', 'list', 'show'], { env: { PATH: `${w.root}/bin:${process.env.PATH}` } });
    assert.equal(readFileSync(join(runsDir(w), last(w), 'raw-stdout.log'), 'utf8'), 'show\n');
  });

  it('claims are read from a report, kept verbatim, never credited', () => {
    using w = runProject(UNIT);
    const report = {
      outcome: 'completed',
      summary: 'All done',
      changedFiles: ['src/add.js', 'src/other.js'],
      commandsReported: ['npm run lint'],
      testsReported: [{ name: 'adds', status: 'passed' }],
    };
    writeFileSync(join(w.top, 'claims.json'), JSON.stringify(report));
    const at = ['--claims', join(w.top, 'claims.json')];
    const none = run(w, ...at, '--', 'true');
    assert.equal(none.code, 0);
    assert.match(
      evidenceOf(w, last(w)).warnings.join('\n'),
      /claimed 2 changed file\(s\) but the repository shows none/,
    );
    run(w, ...at, '--', 'sh', '-c', 'echo y > y.txt');
    const { runnerClaims, claimChecks, status } = evidenceOf(w, last(w));
    assert.deepEqual(runnerClaims, { ...report, statements: [] });
    assert.deepEqual(
      claimChecks.map(c => [c.kind, c.reason]),
      [
        ['file', 'no_result'],
        ['file', 'no_result'],
        ['command', 'no_command'],
        ['tests', 'failed_exit'],
      ],
    );
    assert.equal(status, 'implemented-unverified');
    writeFileSync(join(w.top, 'claims.json'), '{"changedFiles": 1}');
    run(w, ...at, '--', 'sh', '-c', FIX);
    assert.match(evidenceOf(w, last(w)).reasons.join(), /the structured report did not validate/);
  });

  it('a task does not begin on a dirty tree, unless it is allowed to', () => {
    using w = runProject(UNIT);
    w.file('dirty.txt', 'x');
    const refused = run(w, '--task', '1', '--', 'sh', '-c', FIX);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /the tree is dirty: dirty\.txt/);
    assert.deepEqual(ids(w), []);
    assert.equal(run(w, '--task', '1', '--allow-dirty', '--', 'sh', '-c', FIX).code, 0);
    assert.deepEqual(changed(w, last(w)), ['src/add.js']);
    assert.match(runOf(w, last(w)).warnings.join('\n'), /allowed on a dirty tree/);
  });

  it('a patch over the limit is not kept, and that is told', () => {
    using w = runProject({ ...UNIT, execution: { maximumPatchBytes: 50 } });
    run(w, '--', 'sh', '-c', FIX);
    assert.equal(existsSync(join(runsDir(w), last(w), 'diff.patch')), false);
    assert.match(
      runOf(w, last(w)).warnings.join('\n'),
      /patch exceeded the configured limit of 50 bytes and was not retained/,
    );
    assert.match(run(w, 'diff', last(w)).err, /patch exceeded the configured limit/);
    assert.deepEqual(changed(w, last(w)), ['src/add.js']);
  });

  it('raw output is kept up to a size, and that is told', () => {
    using w = runProject({ ...UNIT, execution: { maximumOutputBytes: 1000 } });
    run(w, '--', 'sh', '-c', 'yes | head -c 100000');
    assert.equal(readFileSync(join(runsDir(w), last(w), 'raw-stdout.log')).length, 1000);
    assert.match(runOf(w, last(w)).warnings.join('\n'), /raw-stdout\.log: 1000 of 100000 bytes were kept/);
  });

  it('without accepted rules nothing is verified', () => {
    using w = runProject(UNIT);
    w.sh('rm -f .claude/state/accepted.json; rm -rf .git/touchstone');
    assert.equal(run(w, '--', 'sh', '-c', FIX).code, 1);
    assert.match(evidenceOf(w, last(w)).reasons.join(), /nobody accepted the rules/);
  });

  it('a pass is used again at exactly the same tree only', () => {
    using w = runProject({ test: { cmd: 'echo ran >> ../suite-runs; node --test' } });
    const count = () => w.sh('cat ../suite-runs 2>/dev/null | wc -l').out.trim();
    run(w, '--', 'sh', '-c', FIX);
    assert.equal(evidenceOf(w, last(w)).status, 'verified');
    assert.equal(count(), '1');
    // Away and back in one run: nothing changed. Then a change that ends at the proven tree.
    w.file('src/add.js', 'export const add = 0;\n');
    run(w, '--', 'sh', '-c', FIX);
    assert.equal(count(), '1');
    assert.equal(evidenceOf(w, last(w)).verificationCommands[0]!.reused, 'reused-evidence');
    run(w, '--', 'sh', '-c', 'echo "// more" >> src/add.js');
    assert.equal(count(), '2');
  });
});

describe('touchstone run begin, finish, abort', () => {
  it('serve another harness', () => {
    using w = runProject(UNIT);
    const id = run(w, 'begin', '--task', '1', '--session', 's1').out.trim();
    assert.equal(runOf(w, id).lifecycleStatus, 'AWAITING_AGENT_CHANGES');
    assert.match(run(w, 'list').out, /\(in progress\)/);
    w.file('src/add.js', FIXED);
    assert.equal(run(w, 'finish').code, 0);
    assert.deepEqual([runOf(w, id).evidenceStatus, runOf(w, id).applied], ['verified', true]);
    // Once finished it stays as it is.
    assert.equal(run(w, 'finish', id).code, 0);
    assert.equal(run(w, 'abort', id, '--reason', 'late').code, 1);
  });

  it('abort needs a reason and resets nothing', () => {
    using w = runProject(UNIT);
    const id = run(w, 'begin').out.trim();
    w.file('x.txt', 'x');
    assert.equal(run(w, 'abort', id).code, 2);
    assert.equal(run(w, 'abort', id, '--reason', 'wrong idea').code, 0);
    assert.deepEqual(
      [runOf(w, id).lifecycleStatus, runOf(w, id).abortReason, runOf(w, id).evidenceStatus, w.read('x.txt')],
      ['ABORTED', 'wrong idea', 'cancelled', 'x'],
    );
  });

  it('an id of your own is taken once, and is never a path', () => {
    using w = runProject(UNIT);
    assert.equal(run(w, 'begin', '--id', 'mine-1').out.trim(), 'mine-1');
    const twice = run(w, 'begin', '--id', 'mine-1');
    assert.deepEqual([twice.code, /Run ids must be unique/.test(twice.err)], [2, true]);
    assert.equal(runOf(w, 'mine-1').lifecycleStatus, 'AWAITING_AGENT_CHANGES');
    for (const id of ['../x', '/tmp/x', '..', 'a/../b']) {
      assert.equal(run(w, 'begin', '--id', id).code, 2);
      assert.equal(run(w, 'show', id).code, 2);
    }
    assert.deepEqual(ids(w), ['mine-1']);
  });
});

describe('touchstone run list, show, resume', () => {
  it('newest first, by an unambiguous beginning', () => {
    using w = runProject(UNIT);
    assert.equal(run(w, 'list').out, 'No runs recorded yet.\n');
    run(w, 'begin', '--id', 'aa-1');
    run(w, 'begin', '--id', 'aa-2');
    const listed = JSON.parse(run(w, 'list', '--json').out);
    assert.equal(listed.schema, 'touchstone.run-list/1');
    assert.deepEqual(
      listed.runs.map((r: { runId: string }) => r.runId),
      ['aa-2', 'aa-1'],
    );
    assert.equal(run(w, 'show', 'aa').code, 2);
    assert.equal(run(w, 'show', 'zz').code, 2);
    assert.equal(JSON.parse(run(w, 'show', 'aa-1', '--json').out).schema, 'touchstone.run-show/1');
  });

  it('what an agent said does not drive the terminal', () => {
    using w = runProject({ test: { cmd: '' } });
    writeFileSync(join(w.top, 'c.json'), JSON.stringify({ changedFiles: ['\u001b]0;owned\u0007\u001b[2Jsrc/x.ts'] }));
    const shown = run(w, '--claims', join(w.top, 'c.json'), '--', 'sh', '-c', 'echo x > x.txt').out;
    assert.doesNotMatch(shown, /\u001b|\u0007/);
    assert.match(shown, /no_result +file: src\/x\.ts/);
  });

  it('resume: from the state the run left, by a session that can be taken up', () => {
    using w = runProject(UNIT);
    const result = (session: string) => `echo '{"type":"result","result":"ok","session_id":"${session}"}'`;
    run(w, '--task', '1', '--', 'sh', '-c', `echo half > half.txt; ${result('s-9')}`);
    const id = last(w);
    assert.deepEqual([runOf(w, id).sessionId, runOf(w, id).resumeSupported], ['s-9', true]);
    w.file('half.txt', 'other\n');
    const diverged = run(w, 'resume', id, '--', 'true');
    assert.equal(diverged.code, 1);
    assert.match(diverged.err, /not as the run left it: half\.txt/);
    w.file('half.txt', 'half\n');
    assert.equal(run(w, 'resume', id, '--', 'sh', '-c', `${FIX}; ${result('s-9')}`).code, 0);
    const next = last(w);
    assert.deepEqual([runOf(w, next).kind, runOf(w, next).parentRunId], ['task-resume', id]);
    // The first run's beginning stays the base line.
    assert.deepEqual(changed(w, next), ['half.txt', 'src/add.js']);
    const verified = run(w, 'resume', next, '--', 'true');
    assert.deepEqual([verified.code, /verified already/.test(verified.err)], [1, true]);
    run(w, '--', 'echo', 'no session');
    assert.match(run(w, 'resume', last(w), '--', 'true').err, /no session id/);
  });
});

describe('touchstone accept', () => {
  it('is a human’s act: record, then box, under an id of its own', () => {
    using w = runProject(UNIT);
    run(w, '--task', '2', '--', 'sh', '-c', 'echo x > x.txt');
    const of = last(w);
    const done = w.cli(['accept', '--task', '2', '--reason', 'seen by eye', '--run', of.slice(0, 14)]);
    assert.equal(done.code, 0, done.err);
    assert.match(done.out, /MANUALLY ACCEPTED.*Nothing was verified/);
    const id = last(w);
    assert.notEqual(id, of);
    const evidence = evidenceOf(w, id);
    assert.deepEqual(
      [evidence.status, evidence.runner, evidence.changedFiles, evidence.verificationSkipped, evidence.warnings],
      ['manually-accepted', 'local-user', [], true, ['manual acceptance: no automated verification was performed']],
    );
    assert.deepEqual(
      [evidence.manualAcceptance?.actor, evidence.manualAcceptance?.reason, evidence.manualAcceptance?.referencedRunId],
      ['local-user', 'seen by eye', of],
    );
    assert.equal(w.read('specs/login/tasks.md'), TASKS.replace('- [ ] 2.', '- [x] 2.'));
    assert.match(w.cli(['run', 'show', id]).out, /MANUALLY ACCEPTED: nothing was verified/);
    assert.ok(existsSync(join(w.root, `.claude/state/evidence/runs/login/2/${of}.json`)));
  });

  it('refuses: no reason, no task, unknown, done, a run of another task', () => {
    using w = runProject(UNIT);
    const accept = (...args: string[]) => w.cli(['accept', ...args]).code;
    assert.equal(accept('--task', '1'), 2);
    assert.equal(accept('--task', '1', '--reason', '  '), 2);
    assert.equal(accept('--reason', 'x'), 2);
    assert.equal(accept('--task', '77', '--reason', 'x'), 2);
    assert.equal(accept('--task', '3', '--reason', 'x'), 1);
    run(w, '--', 'true');
    assert.equal(accept('--task', '1', '--reason', 'x', '--run', last(w)), 2);
    assert.equal(w.read('specs/login/tasks.md'), TASKS);
    assert.equal(ids(w).length, 1);
  });

  it('is refused inside an agent', () => {
    using w = runProject(UNIT);
    const ran = w.cli(['accept', '--task', '1', '--reason', 'x'], { env: { CLAUDECODE: '1' } });
    assert.deepEqual(
      [ran.code, /refused inside an agent/.test(ran.err), w.read('specs/login/tasks.md')],
      [2, true, TASKS],
    );
  });
});
