import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { RUN_SCHEMAS } from '../../src/runs/schema.ts';
import { agent, changed, events, evidenceOf, file, ids, runOf, runProject, runs, runsDir } from './runs-project.ts';
import { FIXED } from './world.ts';

const silent = (ran: { code: number | null; out: string; err: string }) => {
  assert.deepEqual([ran.code, ran.out, ran.err], [0, '', '']);
};

describe('runs that open and close by themselves', () => {
  it('a turn: prompt, calls, stop, with what happened beside what was said', () => {
    using w = runProject();
    const a = agent(w, 'A');
    a.start();
    silent(a.prompt('fix add, please'));
    silent(a.write('src/add.js', FIXED));
    silent(a.bash('ls src', 'add.js\n'));
    w.file('note.txt', 'left by a command\n');
    silent(a.fail('npx tsc', 'Exit code 2\nsrc/a.ts: error'));
    silent(a.stop('Fixed `src/add.js` and updated `lib/none.js`. I ran `npm run e2e`.'));
    const [id, ...more] = ids(w);
    assert.deepEqual(more, []);
    const run = runOf(w, id!);
    assert.deepEqual(
      [run.kind, run.sessionId, run.outcome, run.lifecycleStatus, run.evidenceStatus],
      ['agent-turn', 'A', 'completed', 'COMPLETED', 'verified'],
    );
    assert.equal(readFileSync(join(runsDir(w), id!, 'prompt.md'), 'utf8'), 'fix add, please');
    assert.deepEqual(changed(w, id!), ['note.txt', 'src/add.js']);
    assert.deepEqual(
      events(w, id!).map(e => [e.type, e.tool, e.exit, e.failed]),
      [
        ['run-start', undefined, undefined, undefined],
        ['tool', 'Write', undefined, undefined],
        ['tool', 'Bash', undefined, undefined],
        ['tool', 'Bash', 2, true],
      ],
    );
    const evidence = evidenceOf(w, id!);
    // The stop gate ran the suite itself: that is the verification, and no word of the message is.
    assert.deepEqual(
      evidence.verificationCommands.map(c => [c.name, c.passed, c.exitCode]),
      [['suite', true, 0]],
    );
    assert.deepEqual(evidence.runnerClaims.changedFiles, ['src/add.js', 'lib/none.js']);
    assert.deepEqual(
      evidence.claimChecks.filter(c => c.kind === 'file' || c.kind === 'command').map(c => [c.text, c.reason]),
      [
        ['src/add.js', 'supported'],
        ['lib/none.js', 'no_result'],
        ['npm run e2e', 'no_command'],
      ],
    );
    assert.deepEqual(file(w, id!, '../../evidence/runs/session/A/' + id + '.json'), evidence);
    assert.match(readFileSync(join(runsDir(w), id!, 'diff.patch'), 'utf8'), /\+export const add = \(a, b\) => a \+ b;/);
    assert.deepEqual(readdirSync(join(w.root, '.claude/state/tmp')), []);
    assert.deepEqual(readdirSync(join(w.root, '.claude/state/open-runs')), []);
  });

  it('every file keeps to its schema', () => {
    using w = runProject();
    const a = agent(w, 'A');
    a.prompt('go');
    a.write('src/add.js', FIXED);
    a.stop('Done.');
    const [id] = ids(w);
    const schemas = {
      'run.json': 'run',
      'runner-request.json': 'run-request',
      'runner-result.json': 'run-result',
      'git-before.json': 'run-snapshot',
      'git-after.json': 'run-snapshot',
      'changed-files.json': 'run-changes',
      'verification.json': 'run-verification',
      'evidence.json': 'run-evidence',
      'report.json': 'run-report',
    };
    for (const [name, schema] of Object.entries(schemas)) {
      const parsed = RUN_SCHEMAS[schema]!.safeParse(file(w, id!, name));
      assert.equal(parsed.error?.message, undefined, name);
    }
    for (const event of events(w, id!)) assert.ok(RUN_SCHEMAS['run-event']!.safeParse(event).success);
  });

  it('a refused end keeps the run open; the next stop closes it', () => {
    using w = runProject();
    const a = agent(w, 'A');
    a.start();
    a.prompt('break it');
    a.write('src/add.js', 'export const add = () => 0;\n');
    assert.equal(a.stop('All tests pass.').code, 2);
    const [id] = ids(w);
    assert.equal(runOf(w, id!).finishedAt, undefined);
    a.write('src/add.js', FIXED);
    assert.equal(a.stop('Now they do.').code, 0);
    assert.deepEqual(ids(w), [id]);
    assert.equal(runOf(w, id!).evidenceStatus, 'verified');
  });

  it('a turn that changed nothing is no change, whatever it claims', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    a.prompt('what is this?');
    a.stop('Done. I updated `src/add.js`; all tests pass.');
    const [id] = ids(w);
    const { status, warnings } = evidenceOf(w, id!);
    assert.equal(status, 'no-change');
    assert.match(warnings.join('\n'), /the runner claimed 1 changed file\(s\) but the repository shows none/);
    assert.match(warnings.join('\n'), /claim without support \(no_command\): tests/);
  });

  it('a commit is an event here, and its files are still the run’s', () => {
    using w = runProject();
    const a = agent(w, 'A');
    a.prompt('commit it');
    a.write('src/add.js', FIXED);
    w.file('src/extra.js', 'export const extra = 1;\n');
    w.git('commit', '-qam', 'fix');
    a.bash('git commit -qam fix');
    a.stop('Committed.');
    const [id] = ids(w);
    const evidence = evidenceOf(w, id!);
    assert.deepEqual(evidence.violations, []);
    assert.deepEqual(changed(w, id!), ['src/add.js', 'src/extra.js']);
    const shown = w.cli(['run', 'diff', id!]);
    assert.match(shown.out, /^\+export const add = \(a, b\) => a \+ b;$[\s\S]*^\+export const extra = 1;$/m);
    assert.equal(shown.err, '');
    assert.equal(events(w, id!).filter(e => e.type === 'head-moved').length, 1);
    assert.notEqual(evidence.repository.headBefore, evidence.repository.headAfter);
  });

  it('protected files are violations everywhere, ignored by git or not', () => {
    using w = runProject({ test: { cmd: '' }, execution: { protectedPaths: ['secrets/'] } });
    w.file('.gitignore', '.claude/state/\nsecrets/\n').file('secrets/key', 'a');
    const a = agent(w, 'A');
    a.prompt('go');
    w.file('secrets/key', 'b').file('.claude/project.json', '{"test":{"cmd":""}}');
    a.stop('Done.');
    const [id] = ids(w);
    assert.deepEqual(evidenceOf(w, id!).violations, [
      'protected path modified: .claude/project.json',
      'protected path modified: secrets/key',
    ]);
  });
});

describe('a record that takes no line', () => {
  it('is said once to the user, and told by the record when it is closed', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    a.prompt('go');
    const [id] = ids(w);
    const lines = join(runsDir(w), id!, 'events.jsonl');
    const kept = readFileSync(lines);
    rmSync(lines);
    mkdirSync(lines);
    const said = a.bash('ls', 'a\n');
    assert.equal(said.code, 0);
    const { systemMessage } = JSON.parse(said.out) as { systemMessage: string };
    assert.match(
      systemMessage,
      /^Touchstone: this call is not in the record of its run.*EISDIR.*\.claude\/state writable$/,
    );
    silent(a.bash('ls', 'a\n'));
    assert.equal(w.write('.claude/state/last_test_result', 'PASS').code, 2);
    rmdirSync(lines);
    writeFileSync(lines, kept);
    silent(a.bash('pwd', '/\n'));
    const ended = a.stop('Noted.');
    assert.deepEqual(JSON.parse(ended.out), { systemMessage: `run ${id}: not kept: lines of events.jsonl` });
    assert.deepEqual(runOf(w, id!).notKept, ['lines of events.jsonl']);
    assert.match(
      evidenceOf(w, id!).warnings.join('\n'),
      /^not kept at 20[^ ]+Z: lines of events\.jsonl \(EISDIR, A\)$/m,
    );
    assert.deepEqual(
      events(w, id!).map(e => e.command),
      [undefined, 'pwd'],
    );
    // Told once: the next record has lost nothing.
    a.prompt('again');
    silent(a.stop('Noted.'));
    assert.equal(runOf(w, ids(w)[1]!).notKept, undefined);
  });

  it('a prompt whose run could not be opened is told by the next record, of whatever session', () => {
    using w = runProject({ test: { cmd: '' } });
    const folder = join(w.root, '.claude/state/tmp');
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, 'in the way\n');
    const said = agent(w, 'A').prompt('go');
    assert.equal(said.code, 0);
    assert.match(
      (JSON.parse(said.out) as { systemMessage: string }).systemMessage,
      /the record of this run was not kept/,
    );
    rmSync(folder);
    const b = agent(w, 'B');
    b.prompt('go');
    b.stop('Noted.');
    const [id] = ids(w);
    assert.match(evidenceOf(w, id!).warnings.join('\n'), /^not kept at 20[^ ]+Z: the run of a prompt \(E[A-Z]+, A\)$/m);
    assert.equal(runOf(w, id!).notKept, undefined);
  });
});

describe('sessions beside each other', () => {
  it('two runs at once in one worktree are told apart', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    const b = agent(w, 'B');
    a.prompt('first');
    b.prompt('second');
    a.write('a.txt', 'a\n');
    b.write('b.txt', 'b\n');
    b.write('both.txt', 'b\n');
    a.write('both.txt', 'a\n');
    a.stop('I added `a.txt`.');
    b.stop('I added `a.txt` and `b.txt`.');
    const [first, second] = ids(w);
    assert.deepEqual([runOf(w, first!).sessionId, runOf(w, second!).sessionId], ['A', 'B']);
    assert.deepEqual(changed(w, first!), ['a.txt', 'both.txt']);
    assert.deepEqual(changed(w, second!), ['b.txt', 'both.txt']);
    assert.match(evidenceOf(w, first!).warnings.join('\n'), /"b\.txt" was written by run .* at the same time/);
    assert.deepEqual(
      evidenceOf(w, second!)
        .claimChecks.filter(c => c.kind === 'file')
        .map(c => [c.text, c.reason]),
      [
        ['a.txt', 'no_result'],
        ['b.txt', 'supported'],
      ],
    );
  });

  it('a subagent’s first call opens a child, its stop closes it', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    const sub = agent(w, 'A', 'sub-1');
    a.prompt('delegate');
    a.write('main.txt', 'm\n');
    sub.write('sub.txt', 's\n');
    sub.bash('ls', 'x');
    sub.subagentStop('I added `sub.txt`.');
    a.stop('I added `main.txt`; a helper added `sub.txt`.');
    const [parent, child] = ids(w);
    const run = runOf(w, child!);
    assert.deepEqual(
      [run.kind, run.subagentId, run.parentRunId, run.lifecycleStatus],
      ['subagent-turn', 'sub-1', parent, 'COMPLETED'],
    );
    assert.deepEqual(
      events(w, child!).map(e => e.tool),
      [undefined, 'Write', 'Bash'],
    );
    assert.deepEqual(changed(w, parent!), ['main.txt', 'sub.txt']);
  });

  it('a crashed run is closed by the next session, with what is known', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    a.prompt('go');
    a.write('half.txt', 'h\n');
    const [id] = ids(w);
    const began = agent(w, 'B').start();
    assert.match(began.out, new RegExp(`run ${id} was left open .*closed as interrupted`));
    const run = runOf(w, id!);
    assert.deepEqual(
      [run.outcome, run.lifecycleStatus, run.evidenceStatus],
      ['interrupted', 'INTERRUPTED', 'cancelled'],
    );
    assert.deepEqual(changed(w, id!), ['half.txt']);
    assert.equal(runs(w).length, 1);
    // Should the session live after all, what it does next is a run of its own.
    a.write('more.txt', 'm\n');
    a.stop('Done.');
    const [, next] = ids(w);
    assert.equal(runOf(w, next!).parentRunId, id);
  });

  it('a run of a process that lives is left alone by other sessions and commands', () => {
    using w = runProject({ test: { cmd: '' } });
    agent(w, 'A').prompt('go');
    const [id] = ids(w);
    const path = join(runsDir(w), id!, 'run.json');
    const { owner, ...rest } = runOf(w, id!);
    assert.ok(owner);
    // Another client, still running: process 1 stands for it.
    writeFileSync(path, JSON.stringify({ ...rest, owner: { pid: 1, start: null } }));
    agent(w, 'B').start();
    assert.equal(w.cli(['run', 'list']).err, '');
    assert.equal(runOf(w, id!).finishedAt, undefined);
    // Gone: any command closes it and says so.
    writeFileSync(path, JSON.stringify({ ...rest, owner: { pid: 4_194_304, start: null } }));
    assert.match(w.cli(['run', 'list']).err, /was left open \(its process is gone\): closed as interrupted/);
    assert.equal(runOf(w, id!).outcome, 'interrupted');
  });

  it('the next prompt, and the end of a session, close what was left', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    a.prompt('one');
    assert.match(a.prompt('two').out, /closed as interrupted/);
    a.end();
    assert.deepEqual(
      ids(w).map(id => runOf(w, id).lifecycleStatus),
      ['INTERRUPTED', 'INTERRUPTED'],
    );
  });

  it('a compaction in the middle of a turn closes nothing', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    a.prompt('long work');
    a.start('compact');
    const [id] = ids(w);
    assert.equal(runOf(w, id!).finishedAt, undefined);
  });

  it('a project that Touchstone does not know gets no state', () => {
    using w = runProject();
    w.sh('rm -rf .claude');
    const a = agent(w, 'A');
    a.prompt('go');
    a.write('x.txt', 'x');
    a.stop('Done.');
    assert.equal(existsSync(join(w.root, '.claude')), false);
  });
});
