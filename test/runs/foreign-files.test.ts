import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listText, showText } from '../../src/cli/run-text.ts';
import { closeRun } from '../../src/runs/close.ts';
import { lookAt } from '../../src/runs/look.ts';
import { mayResume } from '../../src/runs/resume.ts';
import { SHAPES } from '../../src/runs/shapes.ts';
import { beginStaged, finishStaged } from '../../src/runs/staged.ts';
import { listRuns, readRun } from '../../src/runs/store.ts';

const ODD: unknown[] = [null, 5, 'x', [], [null], {}, true];

/** Every value with one field, at any depth to the third, replaced or left out. */
function spoiled(value: unknown, depth = 0): unknown[] {
  if (depth > 2 || value === null || typeof value !== 'object') return [];
  const found: unknown[] = [];
  const put = (key: string, changed: unknown): unknown =>
    Array.isArray(value) ? value.map((one, i) => (String(i) === key ? changed : one)) : { ...value, [key]: changed };
  for (const key of Object.keys(value)) {
    const { [key]: own, ...rest } = value as Record<string, unknown>;
    if (!Array.isArray(value)) found.push(rest);
    // One odd value a field is enough below the top: the kinds take turns.
    const odd = depth === 0 ? ODD : [ODD[found.length % ODD.length]];
    for (const one of odd) found.push(put(key, one));
    for (const inner of spoiled(own, depth + 1)) found.push(put(key, inner));
  }
  return found;
}

describe('files of a run that somebody edited', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-foreign-')));
  const dir = join(root, '.claude/state/runs/r');
  const kept = join(root, '.claude/state/kept');
  after(() => rmSync(root, { recursive: true, force: true }));
  before(async () => {
    mkdirSync(join(root, '.claude/state'), { recursive: true });
    writeFileSync(join(root, '.gitignore'), '.claude/state/\n');
    writeFileSync(join(root, '.claude/project.json'), '{"tasks": "tasks.md"}');
    writeFileSync(join(root, 'tasks.md'), '- [ ] 1. First\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], { cwd: root });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'first');
    const run = beginStaged(root, 'interactive-execution', {
      prompt: 'p',
      argv: [],
      taskId: '1',
      runId: 'r',
      session: 's',
    });
    writeFileSync(join(root, 'x.txt'), 'x\n');
    const report = {
      outcome: 'done',
      summary: 's',
      changedFiles: ['x.txt'],
      commandsReported: ['ls'],
      testsReported: [],
    };
    await finishStaged(root, run, {
      outcome: 'completed',
      message: 'I added `x.txt`.',
      report: { kind: 'report', report },
      sessionId: 's',
    });
    cpSync(dir, kept, { recursive: true });
  });
  const restore = () => {
    rmSync(dir, { recursive: true, force: true });
    cpSync(kept, dir, { recursive: true });
  };

  it('the run as it was is shown whole', () => {
    const read = readRun(root, 'r');
    assert.equal(read.kind, 'run');
    if (read.kind !== 'run') return;
    const look = lookAt(root, read.run, true);
    assert.deepEqual(look.diagnostics, []);
    assert.match(showText(look), /added {4}x\.txt/);
    assert.match(showText(look), /Last message\nI added `x\.txt`\.$/);
  });

  for (const name of ['run.json', ...Object.keys(SHAPES), 'evidence.json']) {
    it(`${name} is shown or told, never stumbled over`, () => {
      const file = join(dir, name === 'git-start.json' ? 'git-before.json' : name);
      const good = JSON.parse(readFileSync(file, 'utf8')) as unknown;
      const texts = [...ODD, ...spoiled(good)].map(value => JSON.stringify(value));
      if (name === 'evidence.json') rmSync(join(root, '.claude/state/evidence'), { recursive: true, force: true });
      for (const text of [...texts, '', '{', '\0\0']) {
        writeFileSync(join(dir, name), text);
        const { runs, diagnostics } = listRuns(root);
        assert.equal(typeof listText(runs), 'string', text);
        if (runs.length === 0) {
          assert.match(diagnostics[0]!.code, /^RUN_(?:UNREADABLE|INVALID_SHAPE)$/, text);
          continue;
        }
        const look = lookAt(root, runs[0]!, true);
        assert.equal(typeof showText(look), 'string', text);
        if (name !== 'run.json' && !text.startsWith('{"')) {
          const told = look.diagnostics.some(d => d.path.endsWith(`r/${name}`));
          assert.equal(told, !/^git-|request/.test(name), text);
        }
      }
      restore();
    });
  }

  it('a run that is closed, or asked to be resumed, over them says what it left out', async () => {
    const read = readRun(root, 'r');
    assert.equal(read.kind, 'run');
    if (read.kind !== 'run') return;
    const { finishedAt, ...open } = read.run;
    const cases: [string, unknown][] = [
      ['git-before.json', {}],
      ['git-before.json', { gitAvailable: true }],
      ['git-after.json', { gitAvailable: true }],
      ['runner-request.json', { protect: 5 }],
      ['runner-request.json', { specContext: {} }],
      ['runner-request.json', []],
    ];
    for (const [name, odd] of cases) {
      restore();
      rmSync(join(root, '.claude/state/evidence'), { recursive: true, force: true });
      writeFileSync(join(dir, name), JSON.stringify(odd));
      const what = `${name} ${JSON.stringify(odd)}`;
      assert.equal(mayResume(root, read.run).kind, 'refused', what);
      const closed = await closeRun(root, open, { outcome: 'completed', headMoves: 'event' });
      const told = closed.run.warnings.filter(text => text.includes(`runs/r/${name} `));
      assert.equal(told.length, 1, what);
      assert.match(told[0]!, /: it was left out$/);
    }
    restore();
  });

  it('a beginning that git knows no more leaves the commits untold, and says so', async () => {
    restore();
    rmSync(join(root, '.claude/state/evidence'), { recursive: true, force: true });
    const read = readRun(root, 'r');
    assert.equal(read.kind, 'run');
    if (read.kind !== 'run') return;
    const { finishedAt, ...open } = read.run;
    const path = join(dir, 'git-before.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), head: '1'.repeat(40) }));
    const closed = await closeRun(root, open, { outcome: 'completed', headMoves: 'event' });
    assert.match(closed.run.warnings.join('\n'), /git cannot tell what the commits of this run changed/);
    restore();
  });
});
