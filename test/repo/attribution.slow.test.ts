import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { attribution } from '../../src/repo/attribution.ts';
import { committedChanges } from '../../src/repo/patch.ts';
import { snapshot } from '../../src/repo/snapshot.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

const SEQUENCES = Number(process.env.TOUCHSTONE_SEQUENCES ?? 2000);

/** The oracle: every file's own bytes, its executable bit or its link target. It asks git nothing. */
function copy(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (dir: string): void => {
    for (const name of readdirSync(dir)) {
      if (name === '.git' || name === '.claude') continue;
      const path = join(dir, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) walk(path);
      else if (stat.isSymbolicLink()) found.set(relative(root, path), `link ${readlinkSync(path)}`);
      else found.set(relative(root, path), `${stat.mode & 0o100 ? 'exec' : 'file'} ${readFileSync(path, 'latin1')}`);
    }
  };
  walk(root);
  return found;
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const NAMES = ['a', 'b', 'd/c', 'd/e f', 'd/g/é', 'run.sh', 'h"i', 'j\nk'];
const TEXTS = ['one\n', 'two\n', '', 'bytes \0 here', 'one\r\n'];

type Log = { words: string[]; staged: boolean };

function step(s: Sandbox, random: () => number, original: Map<string, string>, log: Log): void {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const name = pick(NAMES);
  const path = s.path(name);
  const isFolder = existsSync(path) && lstatSync(path).isDirectory();
  if (isFolder) return;
  const there = lstatSync(path, { throwIfNoEntry: false });
  const said = (what: string): void => {
    log.words.push(`${what} ${JSON.stringify(name)}`);
  };
  const kind = pick([
    'edit',
    'edit',
    'edit',
    'delete',
    'revert',
    'rename',
    'mode',
    'link',
    'stage',
    'unstage',
    'commit',
  ]);
  switch (kind) {
    case 'edit':
      if (there) rmSync(path);
      s.write(name, pick(TEXTS));
      return said('edit');
    case 'delete':
      rmSync(path, { force: true });
      return said('delete');
    case 'revert': {
      const was = original.get(name);
      rmSync(path, { force: true });
      if (was?.startsWith('link ')) symlinkSync(was.slice(5), path);
      else if (was !== undefined) {
        s.write(name, '');
        rmSync(path);
        mkdirSync(dirname(path), { recursive: true });
        s.write(name, Buffer.from(was.slice(5), 'latin1').toString('utf8'));
        chmodSync(path, was.startsWith('exec') ? 0o755 : 0o644);
      }
      return said('revert');
    }
    case 'rename': {
      const to = pick(NAMES);
      if (!there || to === name) return;
      mkdirSync(dirname(s.path(to)), { recursive: true });
      renameSync(path, s.path(to));
      return said(`rename to ${JSON.stringify(to)}`);
    }
    case 'mode':
      if (!there?.isFile()) return;
      chmodSync(path, there.mode & 0o100 ? 0o644 : 0o755);
      return said('mode');
    case 'link':
      rmSync(path, { force: true });
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(pick(['a', 'nowhere', '/etc/passwd']), path);
      return said('link');
    case 'stage':
      log.staged = true;
      s.git('add', '-A');
      return said('stage');
    case 'unstage':
      log.staged = true;
      s.git('reset', '-q');
      return said('unstage');
    case 'commit':
      log.staged = true;
      s.git('commit', '-q', '--allow-empty', random() < 0.5 ? '-a' : '--no-verify', '-m', 'x');
      return said('commit');
  }
}

test(`attribution agrees with plain file copies over ${SEQUENCES} random sequences`, t => {
  const s = sandbox(t);
  let changes = 0;
  let still = 0;
  let unstaged = 0;
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const random = generator(seed);
    const log: Log = { words: [`seed ${seed}`], staged: false };
    const original = copy(s.root);
    const some = (upTo: number): void => {
      for (let i = Math.floor(random() * upTo); i > 0; i--) step(s, random, original, log);
    };
    some(6);
    log.words.push('--- run');
    log.staged = false;
    const bytesBefore = copy(s.root);
    const before = snapshot(s.root);
    some(8);
    const bytesAfter = copy(s.root);
    const after = snapshot(s.root);
    const committed =
      before.head === after.head ? [] : committedChanges(s.root, before.head ?? null, after.head ?? 'HEAD');
    assert.ok(committed);
    const result = attribution(before, after, { headMoves: 'event', committed });

    const truth = [...new Set([...bytesBefore.keys(), ...bytesAfter.keys()])].filter(
      path => bytesBefore.get(path) !== bytesAfter.get(path),
    );
    const told = new Set(result.changedFiles.filter(file => file.modifiedDuringRun).map(file => file.path));
    const story = log.words.join('\n');
    for (const path of truth) assert.ok(told.has(path), `not told: ${JSON.stringify(path)}\n${story}`);
    changes += truth.length;
    // Staging alone is the table's delta: only there may a file be told whose bytes stayed.
    if (!log.staged) {
      assert.deepEqual([...told].sort(), truth.sort(), story);
      unstaged++;
    }
    for (const file of result.changedFiles) {
      if (!file.modifiedDuringRun) still++;
      if (!file.modifiedDuringRun) assert.equal(bytesBefore.get(file.path), bytesAfter.get(file.path), story);
      if (file.renamedFrom !== undefined) {
        assert.equal(bytesBefore.has(file.renamedFrom), true, story);
        assert.equal(bytesBefore.get(file.renamedFrom)?.slice(4), bytesAfter.get(file.path)?.slice(4), story);
      }
    }
  }
  t.diagnostic(`${changes} changed files told, ${still} carried over unchanged, ${unstaged} sequences without staging`);
  assert.ok(changes > SEQUENCES && still > SEQUENCES / 4 && unstaged > SEQUENCES / 10);
});
