import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { agent, changed, events, evidenceOf, ids, runOf, runProject, runs, runsDir } from './runs-project.ts';
import { cleanEnv, DIST, type World } from './world.ts';

const stateOf = (w: World, ...names: string[]): string => join(w.root, '.claude/state', ...names);

/** No file of this process may grow beyond so many 512-byte blocks: what a full disk does, without needing one. */
function limited(w: World, blocks: number, args: string[], input = '') {
  return spawnSync(
    '/bin/bash',
    ['-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, 'bash', process.execPath, ...args],
    {
      cwd: w.root,
      env: cleanEnv(w.home),
      input,
      encoding: 'utf8',
    },
  );
}

describe('runs on a disk that takes nothing', () => {
  for (const folder of ['runs', 'open-runs', 'tmp', 'evidence']) {
    it(`a file in place of ${folder}: the guards answer as ever, and the hooks say what was not kept`, () => {
      using w = runProject({ test: { cmd: '' } });
      rmSync(stateOf(w, folder), { recursive: true, force: true });
      writeFileSync(stateOf(w, folder), 'not a folder\n');
      const a = agent(w, 'A');
      const began = a.prompt('go');
      assert.equal(began.code, 0);
      const call = a.write('x.txt', 'x\n');
      assert.equal(call.code, 0);
      assert.equal(w.write('.claude/state/last_test_result', 'PASS\n').code, 2);
      assert.equal(w.bash('rm -rf .claude/state/runs').code, 2);
      const ended = a.stop('Done.');
      assert.equal(ended.code, 0);
      const said = began.out + began.err + ended.err;
      assert.match(said, /was not kept|not kept:/, JSON.stringify([began, ended]));
      if (folder === 'evidence') {
        const [id] = ids(w);
        assert.match(runOf(w, id!).notKept!.join(), /evidence\/runs\/session\/A\/.*ENOTDIR|EEXIST/);
        assert.deepEqual(changed(w, id!), ['x.txt']);
      }
    });
  }

  it('a disk that fills up on the way: the record says which files are missing', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    a.prompt('go');
    w.file('src/add.js', `// ${'x'.repeat(40_000)}\n`);
    const payload = { session_id: 'A', cwd: w.root, hook_event_name: 'Stop', last_assistant_message: 'Done.' };
    const ended = limited(w, 16, [join(DIST, 'hooks/stop.cjs')], JSON.stringify(payload));
    assert.equal(ended.status, 0, ended.stderr);
    const [id] = ids(w);
    assert.match(runOf(w, id!).notKept!.join(), /diff\.patch \(EFBIG\)/);
    assert.match(ended.stderr, /not kept: diff\.patch/);
    assert.deepEqual(changed(w, id!), ['src/add.js']);
    assert.equal(existsSync(join(runsDir(w), id!, 'diff.patch')), false);
    assert.match(w.cli(['run', 'show', id!]).out, /Not kept\n {2}diff\.patch/);
  });
});

describe('runs and foreign input', () => {
  it('records that others left are told and skipped', () => {
    using w = runProject({ test: { cmd: '' } });
    agent(w, 'A').prompt('go');
    mkdirSync(join(runsDir(w), 'foreign'));
    writeFileSync(join(runsDir(w), 'foreign', 'run.json'), '\u0000\u0001 not json \u001b[31m');
    writeFileSync(stateOf(w, 'open-runs', 'odd.json'), '{"run": "../../../etc", "session": "x"}');
    writeFileSync(stateOf(w, 'open-runs', 'torn.json'), '{"run"');
    const listed = w.cli(['run', 'list']);
    assert.equal(listed.code, 0);
    assert.match(listed.err, /RUN_UNREADABLE .*foreign\/run\.json: is not JSON/);
    assert.equal(listed.err.match(/an unreadable pointer to a run was kept aside/g)?.length, 2);
    assert.equal(runs(w).length, 1);
    assert.equal(w.cli(['run', 'show', 'foreign']).code, 2);
    assert.equal(agent(w, 'A').stop('Done.').code, 0);
  });

  it('session ids are text, whatever they hold', () => {
    using w = runProject({ test: { cmd: '' } });
    for (const session of ['../../../../tmp/x', '', 'a/b\\c', '\u0000', 'S'.repeat(5000)]) {
      const a = agent(w, session);
      const before = ids(w).length;
      assert.equal(a.prompt('go').code, 0);
      a.write('y.txt', `${session.length}\n`);
      assert.equal(a.stop('Done.').code, 0);
      const all = ids(w);
      assert.equal(all.length, before + 1);
      assert.deepEqual(
        [runOf(w, all.at(-1)!).sessionId, runOf(w, all.at(-1)!).lifecycleStatus],
        [session, 'COMPLETED'],
      );
    }
    assert.equal(w.git('status', '--short', '--', ':!y.txt').out, '');
  });

  it('a clock that jumps: no negative time, order kept, nothing lost', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    a.prompt('go');
    const [id] = ids(w);
    const path = join(runsDir(w), id!, 'run.json');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    writeFileSync(path, JSON.stringify({ ...runOf(w, id!), createdAt: tomorrow }));
    a.write('x.txt', 'x\n');
    utimesSync(join(w.root, 'x.txt'), new Date(0), new Date(0));
    a.stop('Done.');
    assert.deepEqual([runOf(w, id!).durationMs, runOf(w, id!).lifecycleStatus], [0, 'COMPLETED']);
    a.prompt('again');
    assert.deepEqual(
      runs(w).map(r => r.runId),
      ids(w).reverse(),
    );
  });

  it('a record whose times are no times is shown all the same', () => {
    using w = runProject({ test: { cmd: '' } });
    w.cli(['run', 'begin', '--id', 'odd']);
    const path = join(runsDir(w), 'odd', 'run.json');
    writeFileSync(path, JSON.stringify({ ...runOf(w, 'odd'), createdAt: 'long ago' }));
    assert.equal(w.cli(['run', 'list']).code, 0);
    assert.equal(w.cli(['run', 'finish', 'odd']).code, 0);
    assert.equal(runOf(w, 'odd').durationMs, 0);
  });

  it('claims of ten megabytes are read, cut and told', () => {
    using w = runProject({ test: { cmd: '' } });
    const files = Array.from({ length: 100_000 }, (_, i) => `${'x'.repeat(95)}/${i}.ts`);
    writeFileSync(join(w.top, 'c.json'), JSON.stringify({ changedFiles: files, summary: 'All done.' }));
    assert.equal(w.cli(['run', '--claims', join(w.top, 'c.json'), '--', 'sh', '-c', 'echo x > x.txt']).code, 1);
    const [id] = ids(w);
    const { runnerClaims, warnings } = evidenceOf(w, id!);
    assert.deepEqual([runnerClaims.truncated, runnerClaims.changedFiles.length], [true, 1000]);
    assert.match(warnings.at(-1)!, /and \d+ more claims without support/);
    // The whole of it stays beside the record.
    const result = JSON.parse(readFileSync(join(runsDir(w), id!, 'runner-result.json'), 'utf8'));
    assert.equal(result.report.changedFiles.length, 100_000);
    assert.ok(readFileSync(join(runsDir(w), id!, 'evidence.json')).length < 1_000_000);
  });

  it('a last message of seven megabytes ends the turn as any other', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    a.prompt('go');
    a.write('x.txt', 'x\n');
    const from = Date.now();
    assert.equal(a.stop('I updated `y.txt` and ran `npm test`. '.repeat(190_000)).code, 0);
    assert.ok(Date.now() - from < 20_000, `${Date.now() - from} ms`);
    const [id] = ids(w);
    assert.equal(runOf(w, id!).lifecycleStatus, 'COMPLETED');
  });

  it('secrets in a command and in what it prints do not reach the events', () => {
    using w = runProject({ test: { cmd: '' } });
    const a = agent(w, 'A');
    a.prompt('go');
    const token = `ghp_${'a1B2'.repeat(9)}`;
    a.bash(`curl -H "Authorization: Bearer ${token}" https://api.example.invalid`, `token=${token}\n`);
    const [id] = ids(w);
    const text = JSON.stringify(events(w, id!));
    assert.doesNotMatch(text, /ghp_a1B2/);
    assert.match(text, /curl -H/);
  });

  it('works without git, without a commit, on a detached head', () => {
    using w = runProject({ test: { cmd: '' } });
    w.git('checkout', '-q', '--detach');
    const a = agent(w, 'A');
    a.prompt('go');
    a.write('x.txt', 'x\n');
    a.stop('Done.');
    assert.deepEqual(changed(w, ids(w)[0]!), ['x.txt']);
    w.sh('rm -rf .git && git init -q');
    a.prompt('no commit yet');
    a.write('z.txt', 'z\n');
    a.stop('Done.');
    assert.deepEqual(changed(w, ids(w)[1]!), ['z.txt']);
    assert.match(runOf(w, ids(w)[1]!).warnings.join(), /GIT_NO_HEAD/);
    w.sh('rm -rf .git');
    a.prompt('no git');
    a.write('z2.txt', 'z\n');
    a.stop('I added `z2.txt`.');
    const { status, warnings } = evidenceOf(w, ids(w)[2]!);
    assert.equal(status, 'no-change');
    assert.match(warnings.join(), /no git state was captured: nothing can be attributed/);
    assert.match(runOf(w, ids(w)[2]!).warnings.join(), /GIT_UNAVAILABLE/);
  });
});
