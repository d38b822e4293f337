/** Runs where the project, its names or its files are not as one would like them. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { agent, changed, evidenceOf, file, ids, runOf, runProject, TASKS } from './runs-project.ts';
import { FIXED, type World } from './world.ts';

const FIX = `printf '%s\\n' '${FIXED.trim()}' > src/add.js`;
const UNIT = { tasks: 'specs/login/tasks.md', verification: [{ name: 'unit', argv: ['node', '--test'] }] };

const run = (w: World, ...args: string[]) => w.cli(['run', ...args]);
const last = (w: World): string => ids(w).at(-1)!;

describe('a project in a folder of a larger repository', () => {
  it('tells sessions apart, reads claims from its own root, and protects its own paths only', () => {
    using w = runProject({ test: { cmd: '' }, execution: { protectedPaths: ['gen/'] } });
    // The repository begins one folder up.
    w.sh('rm -rf .git && git init -q .. && printf "home/\\n" > ../.gitignore && git add -A .. && git commit -qm all');
    const a = agent(w, 'A');
    const b = agent(w, 'B');
    a.prompt('first');
    b.prompt('second');
    a.write('a.txt', 'a\n');
    b.write('src/b.txt', 'b\n');
    w.sh('mkdir -p ../gen && echo x > ../gen/theirs.txt');
    a.stop('I added `a.txt` and `src/c.txt`.');
    w.file('gen/ours.txt', 'x');
    b.stop('I added `src/b.txt`.');
    const [first, second] = ids(w);
    assert.deepEqual(changed(w, first!), ['gen/theirs.txt', 'project/a.txt']);
    assert.deepEqual(evidenceOf(w, first!).violations, []);
    assert.deepEqual(
      evidenceOf(w, first!).claimChecks.map(c => [c.text, c.reason]),
      [
        ['a.txt', 'supported'],
        ['src/c.txt', 'no_result'],
      ],
    );
    assert.deepEqual(evidenceOf(w, second!).violations, ['protected path added: project/gen/ours.txt']);
    assert.equal(changed(w, second!).includes('project/a.txt'), false);
  });
});

describe('names', () => {
  it('with brackets, spaces and unicode are protected, ticked and shown as any other', () => {
    const list = 'specs/[a] é {b}/tasks.md';
    using w = runProject({ ...UNIT, tasks: list, execution: { protectedPaths: ['gen/[id]/'] } });
    w.file(list, TASKS).file('.gitignore', '.claude/state/\ngen/\n').file('gen/[id]/p.ts', '1\n');
    w.git('add', '-A');
    w.git('commit', '-qm', 'list');
    assert.equal(run(w, '--task', '2', '--', 'sh', '-c', `${FIX}; echo '- [ ] 9. More' >> '${list}'`).code, 6);
    assert.deepEqual(evidenceOf(w, last(w)).violations, [`protected path modified: ${list}`]);
    w.git('checkout', '-q', '.');
    assert.equal(run(w, '--task', '2', '--', 'sh', '-c', `${FIX}; echo 2 > 'gen/[id]/p.ts'`).code, 6);
    assert.deepEqual(evidenceOf(w, last(w)).violations, ['protected path modified: gen/[id]/p.ts']);
    w.git('checkout', '-q', '.');
    const touch = `${FIX}; printf 'q\\n' >> 'é "q".txt'; git add -A`;
    assert.equal(run(w, '--task', '2', '--', 'sh', '-c', touch).code, 0);
    assert.equal(w.read(list), TASKS.replace('- [ ] 2.', '- [x] 2.'));
    const diff = run(w, 'diff', last(w));
    assert.match(diff.out, /\+q/);
    assert.equal(diff.err, '');
  });

  it('of files and records do not drive the terminal', () => {
    using w = runProject(UNIT);
    w.file('a\x1b[31mb.txt', 'x');
    const dirty = run(w, '--task', '1', '--', 'true');
    assert.deepEqual([dirty.code, /the tree is dirty: a.*b\.txt/.test(dirty.err)], [1, true]);
    const id = run(w, 'begin').out.trim();
    const path = join(w.root, '.claude/state/runs', id, 'run.json');
    writeFileSync(path, JSON.stringify({ ...runOf(w, id), runId: 'x\x1b[31m' }));
    const shown = run(w, 'show', id);
    assert.match(shown.err, /says it is run x/);
    const listed = run(w, 'list');
    assert.match(listed.err, /says it is run x/);
    assert.equal((dirty.err + shown.err + listed.err + listed.out).includes('\x1b'), false);
  });

  it('a run id that is none says what is wrong with it', () => {
    using w = runProject(UNIT);
    const cases: [string, RegExp][] = [
      ['../../x', /run id "\.\.\/\.\.\/x" holds "\/": use letters, digits/],
      ['a'.repeat(150), /run id "a{40}\.\.\." has 150 characters: use 100 at most/],
      ['a..b', /run id "a\.\.b" holds "\.\.": use single dots/],
      ['.x', /run id "\.x" begins with "\.": begin with a letter or a digit/],
      ['', /run id "" is empty/],
    ];
    for (const [id, says] of cases) {
      for (const args of [
        ['begin', '--id', id],
        ['show', id],
        ['diff', id],
        ['resume', id, '--', 'true'],
      ]) {
        const ran = run(w, ...args);
        assert.deepEqual([ran.code, says.test(ran.err)], [2, true], `${args.join(' ')}: ${ran.err}`);
      }
    }
    assert.deepEqual(ids(w), []);
  });
});

describe('tasks', () => {
  it('one with parts below it is not begun, and is named by its parts', () => {
    using w = runProject(UNIT);
    w.file(
      'specs/login/tasks.md',
      '- [ ] 1. Whole\n  - [ ] 1.1 Part\n  - [x] 1.2 Part\n- [ ] 2. Flat\n- [ ] 2.1 Below\n',
    );
    w.git('commit', '-qam', 'parts');
    for (const [id, parts] of [
      ['1', '1.1, 1.2'],
      ['2', '2.1'],
    ]) {
      const ran = run(w, '--task', id!, '--', 'true');
      assert.deepEqual(
        [ran.code, ran.err],
        [1, `touchstone: run: task ${id} is made of ${parts}: name one of those\n`],
      );
    }
    assert.equal(run(w, '--task', '1.1', '--', 'sh', '-c', FIX).code, 0);
  });

  it('a list in another encoding and with other line ends changes by one byte', () => {
    using w = runProject(UNIT);
    const before = Buffer.concat([
      Buffer.from('# T\r\n\r\n- [ ] 1. Caf'),
      Buffer.from([0xe9, 0x0d, 0x0a, 0xff, 0x0d, 0x0a]),
    ]);
    writeFileSync(join(w.root, 'specs/login/tasks.md'), before);
    w.git('commit', '-qam', 'latin');
    const ran = run(w, '--task', '1', '--', 'sh', '-c', FIX);
    assert.equal(ran.code, 0, ran.out + ran.err);
    const after = readFileSync(join(w.root, 'specs/login/tasks.md'));
    const differs = [...before].flatMap((byte, i) => (after[i] === byte ? [] : [i]));
    assert.deepEqual([after.length, differs, after[differs[0]!]], [before.length, [before.indexOf('[') + 1], 0x78]);
  });

  it('a record that cannot be stored verifies nothing, and ticks nothing', () => {
    using w = runProject(UNIT);
    rmSync(join(w.root, '.claude/state/evidence'), { recursive: true, force: true });
    writeFileSync(join(w.root, '.claude/state/evidence'), 'in the way\n');
    assert.equal(run(w, '--task', '1', '--', 'sh', '-c', FIX).code, 1);
    const { status, reasons } = evidenceOf(w, last(w));
    assert.equal(status, 'implemented-unverified');
    assert.match(reasons.join(), /the evidence record could not be stored \(E\w+\)/);
    assert.equal(w.read('specs/login/tasks.md'), TASKS);
    assert.deepEqual([runOf(w, last(w)).evidenceStatus, runOf(w, last(w)).applied], [status, false]);
  });

  it('a list that changes while it is verified is left alone, and the record says so as the run does', () => {
    const slow = {
      name: 'unit',
      argv: ['sh', '-c', 'chmod 444 specs/login/tasks.md; mv specs/login specs/x; ln -s x specs/login'],
    };
    using w = runProject({ ...UNIT, verification: [slow] });
    run(w, '--task', '1', '--', 'sh', '-c', FIX);
    const { status } = evidenceOf(w, last(w));
    assert.equal(status, 'implemented-unverified');
    assert.equal(runOf(w, last(w)).evidenceStatus, status);
    assert.equal(w.read('specs/x/tasks.md'), TASKS);
  });

  it('a list on another disk than the state is ticked too', t => {
    using w = runProject(UNIT);
    let other: string;
    try {
      other = mkdtempSync('/dev/shm/touchstone-');
    } catch {
      return t.skip('no second file system here');
    }
    try {
      if (statSync(other).dev === statSync(w.root).dev) return t.skip('no second file system here');
      w.sh(`cp specs/login/tasks.md ${other}/ && git rm -rq specs && mkdir specs`);
      symlinkSync(other, join(w.root, 'specs/login'));
      w.git('add', '-A');
      w.git('commit', '-qm', 'elsewhere');
      const ran = run(w, '--task', '1', '--', 'sh', '-c', FIX);
      assert.equal(ran.code, 0, ran.out + ran.err);
      assert.equal(readFileSync(join(other, 'tasks.md'), 'utf8'), TASKS.replace('- [ ] 1.', '- [x] 1.'));
      assert.deepEqual(readdirSync(other), ['tasks.md']);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });
});

describe('a repository that git cannot look at', () => {
  it('has nothing attributed to a run, before or after', () => {
    using w = runProject({ test: { cmd: '' } });
    w.file('mine.txt', 'of the person\n');
    const a = agent(w, 'A');
    const index = readFileSync(join(w.root, '.git/index'));
    writeFileSync(join(w.root, '.git/index'), 'torn');
    a.prompt('go');
    writeFileSync(join(w.root, '.git/index'), index);
    a.write('x.txt', 'x\n');
    a.stop('I added `x.txt`.');
    writeFileSync(join(w.root, '.git/index'), index);
    a.prompt('again');
    writeFileSync(join(w.root, '.git/index'), 'torn');
    a.stop('Nothing.');
    for (const id of ids(w)) {
      const { changedFiles, status, reasons, violations, warnings } = evidenceOf(w, id);
      assert.deepEqual([changedFiles, status, violations], [[], 'no-change', []]);
      assert.match(reasons.join(), /no repository state was captured/);
      assert.match(runOf(w, id).warnings.join('\n'), /GIT_STATUS_FAILED: git status failed in /);
      assert.match(warnings.join('\n'), /no git state was captured/);
    }
  });
});

describe('a project that was never wired', () => {
  it('keeps what its agent was asked and said out of its commits', () => {
    using w = runProject();
    w.sh('rm -rf .claude && git rm -rq --cached .claude .gitignore && rm .gitignore && git commit -qm bare');
    run(w, '--prompt', 'a secret', '--', 'sh', '-c', 'cat; echo x > x.txt; git add -A');
    assert.equal(w.git('status', '--porcelain').out, 'A  x.txt\n');
    assert.deepEqual(changed(w, last(w)), ['x.txt']);
  });

  it('and has no git: what was not seen is not called unchanged', () => {
    using w = runProject();
    w.sh('rm -rf .git');
    run(w, '--', 'sh', '-c', 'echo x > x.txt');
    const { skipped } = file<{ skipped: string }>(w, last(w), 'verification.json');
    assert.equal(skipped, 'the repository could not be looked at');
  });
});

describe('rules that break during a run', () => {
  it('are its violation, and it is closed all the same', () => {
    using w = runProject(UNIT);
    assert.equal(run(w, '--task', '1', '--', 'sh', '-c', `${FIX}; echo '{' > .claude/project.json`).code, 6);
    assert.deepEqual([ids(w).length, runOf(w, last(w)).lifecycleStatus], [1, 'COMPLETED']);
    assert.deepEqual(evidenceOf(w, last(w)).violations, ['protected path modified: .claude/project.json']);
    w.git('checkout', '-q', '.');
    const id = run(w, 'begin').out.trim();
    w.file('.claude/project.json', '{"verification": "npm test"}');
    assert.equal(run(w, 'finish', id).code, 6);
    assert.equal(runOf(w, id).lifecycleStatus, 'COMPLETED');
  });
});

describe('a harness that asks twice', () => {
  it('gets the answer it got the first time', () => {
    using w = runProject({ ...UNIT, verification: [{ name: 'unit', argv: ['false'] }] });
    const outcomes: [string[], number][] = [
      [[], 0],
      [['--outcome', 'blocked'], 1],
      [['--outcome', 'malformed-output'], 4],
      [['--outcome', 'timed-out'], 5],
      [['--outcome', 'permission-denied'], 6],
    ];
    for (const [more, code] of outcomes) {
      const id = run(w, 'begin').out.trim();
      const first = run(w, 'finish', id, ...more, '--json');
      const again = run(w, 'finish', id, '--json');
      assert.deepEqual([first.code, again.code], [code, code], first.err + again.err);
      assert.deepEqual(JSON.parse(again.out), JSON.parse(first.out));
      assert.match(again.err, /is finished already/);
    }
  });

  it('finds in the result what every result has', () => {
    using w = runProject(UNIT);
    const id = run(w, 'begin', '--session', 's1').out.trim();
    run(w, 'finish', id, '--message', 'Hello.');
    const { durationMs, ...rest } = file<Record<string, unknown>>(w, id, 'runner-result.json');
    assert.equal(typeof durationMs, 'number');
    assert.deepEqual(rest, {
      outcome: 'completed',
      failureReason: null,
      process: null,
      report: null,
      sessionId: 's1',
      resumeSupported: true,
      warnings: [],
      message: 'Hello.',
    });
  });
});

describe('what a run left', () => {
  it('is shown with the last message on demand, and with what all records of the task amount to', () => {
    using w = runProject({ ...UNIT, test: { cmd: '' } });
    agent(w, 'A').prompt('go');
    agent(w, 'A').stop('The answer is azure.');
    assert.doesNotMatch(run(w, 'show', last(w)).out, /azure/);
    assert.match(run(w, 'show', last(w), '--verbose').out, /Last message\nThe answer is azure\.$/m);
    run(w, '--task', '1', '--', 'sh', '-c', FIX);
    const id = last(w);
    assert.match(run(w, 'show', id).out, new RegExp(`Task proof +valid \\(run ${id}\\)`));
    const records = join(w.root, '.claude/state/evidence/runs/login/1');
    writeFileSync(join(records, 'odd.json'), '{}');
    writeFileSync(join(records, 'copy.json'), readFileSync(join(records, `${id}.json`)));
    const shown = run(w, 'show', id);
    assert.match(shown.err, /EVIDENCE_INVALID_SHAPE .*odd\.json: has schemaVersion/);
    assert.match(shown.err, /EVIDENCE_INVALID_SHAPE .*copy\.json: says it is run /);
    w.git('add', '-A');
    w.git('commit', '-qm', 'done');
    w.file('specs/login/tasks.md', w.read('specs/login/tasks.md').replace('Second', 'Another'));
    assert.match(run(w, 'show', id).out, /Task proof +stale/);
    // An acceptance follows the runs of its task.
    run(w, '--task', '2', '--allow-dirty', '--', 'true');
    const before = last(w);
    assert.equal(w.cli(['accept', '--task', '2', '--reason', 'seen']).code, 0);
    assert.deepEqual([runOf(w, last(w)).kind, runOf(w, last(w)).parentRunId], ['manual-acceptance', before]);
  });
});
