/** Which changes of a git command only take back what was never committed. */
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { test } from 'node:test';
import { wouldChange } from '../../src/repo/oracle.ts';
import { takenBack } from '../../src/repo/takes-back.ts';
import { sandbox } from './sandbox.ts';

test('a commit that is gone back to loses what it holds, and takes back what it does not know of', t => {
  const s = sandbox(t);
  s.write('wiring.json', 'one');
  s.write('notes.txt', 'one');
  s.git('add', '-A');
  s.git('commit', '-qm', 'one');
  s.write('notes.txt', 'two');
  s.git('commit', '-qam', 'two');
  s.write('wiring.json', 'of my own');
  const back = (...argv: string[]): [string[], string[]] => {
    const answer = wouldChange(argv, s.root);
    assert.equal(answer.kind, 'paths');
    const paths = answer.kind === 'paths' ? answer.paths : [];
    const name = (path: string): string => relative(s.root, path);
    return [paths.map(name), [...takenBack(argv, s.root, paths)].map(name)];
  };
  const both = ['notes.txt', 'wiring.json'];
  assert.deepEqual(back('reset', '--hard', 'HEAD~1'), [both, ['wiring.json']]);
  assert.deepEqual(back('reset', '-q', '--hard'), [['wiring.json'], ['wiring.json']]);
  assert.deepEqual(back('checkout', '-f', 'HEAD~1'), [both, ['wiring.json']]);
  assert.deepEqual(back('switch', '--discard-changes', '--detach', 'HEAD~1'), [both, ['wiring.json']]);
  assert.deepEqual(back('checkout', 'HEAD~1', '--', '.'), [both, ['wiring.json']]);
  assert.deepEqual(back('restore', '--source=HEAD~1', '.'), [both, ['wiring.json']]);
  assert.deepEqual(back('checkout', '.'), [['wiring.json'], ['wiring.json']]);
  // A path that is named is meant.
  assert.deepEqual(back('checkout', 'HEAD~1', '--', 'wiring.json'), [['wiring.json'], []]);
  assert.deepEqual(back('restore', 'wiring.json'), [['wiring.json'], []]);
  s.write('wiring.json', 'committed');
  s.git('commit', '-qam', 'three');
  assert.deepEqual(back('reset', '--hard', 'HEAD~1'), [['wiring.json'], []]);
});
