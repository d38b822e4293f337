/** Which files the actions of a `find` reach, against find itself. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readCommand } from '../../src/shell/index.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-find-')));
after(() => rmSync(root, { recursive: true, force: true }));
for (const file of ['a.ts', 'a.bak', 'tests/a.ts', 'tests/deep/b.ts', 'src/empty.ts', 'src/full.ts', 'src/x.bak']) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), file.includes('empty') ? '' : 'text\n');
}
mkdirSync(join(root, 'hollow'));

const deleted = (command: string): string[] => {
  const { effects } = readCommand(command, { cwd: root, root });
  const paths = effects.flatMap(e => (e.op === 'delete' && e.target.kind === 'path' ? [e.target.path] : []));
  return [...new Set(paths)].sort();
};

const really = (expression: string): string[] => {
  const run = spawnSync('bash', ['-c', `find ${expression} -print`], { cwd: root, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const names = run.stdout.split('\n').filter(Boolean);
  return names.map(name => join(root, name)).sort();
};

describe('find', () => {
  for (const expression of [
    'src -empty -type f',
    '. -empty',
    ". -path ./tests -prune -o -name '*.ts'",
    '. \\( -name tests -o -name hollow \\) -prune -o -type f',
    ". -name '*.bak' -o -false -o -name 'b.*'",
    ". -type f ! -name '*.ts'",
    ". -type f -not -path './tests/*'",
    '. -mindepth 2 -maxdepth 2 -type f',
    ". -true -name 'a.*'",
  ])
    it(`reaches what it really reaches: ${expression}`, () => {
      assert.deepEqual(deleted(`find ${expression} -exec rm -r {} \\;`), really(expression));
      assert.deepEqual(deleted(`find ${expression} -print | xargs rm -r`), really(expression));
    });

  it('takes a test it cannot know as met, and as not met', () => {
    const all = [join(root, 'tests/a.ts'), join(root, 'tests/deep/b.ts')];
    for (const test of [
      '-newer a.ts',
      '! -newer a.ts',
      '-newer a.ts -o -true',
      '-size +9 -a -mtime -1',
      '-regex nothing',
    ])
      assert.deepEqual(deleted(`find tests -type f \\( ${test} \\) -exec rm {} +`), all, test);
    assert.deepEqual(deleted('find tests -type f -newer a.ts -o -name "*.ts" -delete'), all);
  });

  it('deletes what -delete reaches, prune or not', () => {
    assert.deepEqual(deleted("find . -name tests -prune -o -name 'b.ts' -delete"), [join(root, 'tests/deep/b.ts')]);
  });
});
