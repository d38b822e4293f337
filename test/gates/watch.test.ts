import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readProject } from '../../src/config/project.ts';
import { checkWatched, sayFindings, takeBaseline } from '../../src/gates/watch.ts';
import { appendLine, writeJson } from '../../src/state/atomic.ts';
import { announce, consume } from '../../src/state/token.ts';

const CAUSE = { session: 'S', tool: 'Bash', command: 'x' };
const SETTINGS = JSON.stringify({
  hooks: {
    Stop: [{ hooks: [{ type: 'command', command: 'node', args: ['/opt/touchstone/dist/hooks/stop.cjs'] }] }],
  },
});

describe('what changed behind the guards', () => {
  let root: string;
  const home = process.env.HOME;

  const file = (rel: string, text: string): void => {
    mkdirSync(dirname(join(root, rel)), { recursive: true });
    writeFileSync(join(root, rel), text);
  };
  const check = (proven = false) =>
    checkWatched(root, readProject(root).project, () => proven, CAUSE).map(f => `${f.rule} ${f.path} ${f.what}`);

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-watch-')));
    process.env.HOME = join(root, 'home');
    execFileSync('git', ['init', '-q', root]);
    file('.claude/project.json', '{"test":{"cmd":"true"}}');
    file('.claude/settings.json', SETTINGS);
    file('.claude/hooks/own.sh', '#!/bin/sh\n');
    file('.husky/pre-commit', '#!/bin/sh\n');
    file('docs/verification/report.md', '# Report\n\nVERDICT: FAIL\n');
    writeJson(join(root, '.claude/state/verdict.json'), { verdict: 'FAIL' });
    takeBaseline(root, readProject(root).project);
  });
  afterEach(() => {
    process.env.HOME = home;
    rmSync(root, { recursive: true, force: true });
  });

  it('is silent where nothing changed, and about what Touchstone wrote itself', () => {
    assert.deepEqual(check(), []);
    writeJson(join(root, '.claude/state/verdict.json'), { verdict: 'PASS' });
    appendLine(join(root, '.claude/state/violations.jsonl'), '{}');
    announce(root, 'wiring');
    assert.deepEqual(check(), []);
    assert.equal(consume(root, 'wiring'), true);
    assert.deepEqual(check(), []);
  });

  it('names a forged state file, keeps it aside, tells it once and records it', () => {
    file('.claude/state/verdict.json', '{"verdict":"PASS"}');
    assert.deepEqual(check(), ['state-files .claude/state/verdict.json was changed by something else']);
    assert.equal(existsSync(join(root, '.claude/state/verdict.json')), false);
    assert.equal(
      readdirSync(join(root, '.claude/state')).some(n => n.startsWith('verdict.json.corrupt-')),
      true,
    );
    assert.match(readFileSync(join(root, '.claude/state/violations.jsonl'), 'utf8'), /"rule":"state-files"/);
    assert.deepEqual(check(), []);
  });

  it('sees a write that puts size and time back', () => {
    const path = join(root, '.claude/state/verdict.json');
    const text = readFileSync(path, 'utf8');
    const { atime, mtime } = { atime: new Date(1000), mtime: new Date(1000) };
    utimesSync(path, atime, mtime);
    assert.deepEqual(check(), []);
    writeFileSync(path, text.replace('FAIL', 'PASS'));
    utimesSync(path, atime, mtime);
    assert.deepEqual(check(), ['state-files .claude/state/verdict.json was changed by something else']);
  });

  it('names foreign files and forged tokens', () => {
    file('.claude/state/gates/review.json', '{"verdict":"PASS"}');
    file('.claude/state/consent/allow-aa-bb.token', '9999999999999\n');
    assert.deepEqual(check().sort(), [
      'state-files .claude/state/consent/allow-aa-bb.token was put there by something else',
      'state-files .claude/state/gates/review.json was put there by something else',
    ]);
    assert.deepEqual(
      readdirSync(join(root, '.claude/state/consent')).filter(n => n.endsWith('.token')),
      [],
    );
  });

  it('takes a hand-written FAIL and the marks of the agent, not a hand-written PASS', () => {
    file('.claude/state/last_test_result', 'FAIL\n2026-11-30T10:00:00Z\nnpm test\n1\n');
    file('.claude/state/markers/review.pass', '');
    file('.claude/state/logs/x.log', 'x');
    assert.deepEqual(check(), []);
    file('.claude/state/last_test_result', 'PASS\n2026-11-30T10:00:00Z\nnpm test\n0\n');
    assert.deepEqual(check(), ['state-files .claude/state/last_test_result says PASS, and no run of ours wrote it']);
  });

  it('names a state that was dated ahead, made read-only or taken away', () => {
    const path = join(root, '.claude/state/verdict.json');
    utimesSync(path, new Date(), new Date(Date.now() + 3_600_000));
    assert.deepEqual(check(), ['state-files .claude/state/verdict.json is dated into the future']);
    writeJson(path, {});
    chmodSync(path, 0o444);
    assert.deepEqual(check(), ['state-files .claude/state/verdict.json was made read-only']);
    writeJson(path, {});
    check();
    rmSync(join(root, '.claude/state'), { recursive: true });
    assert.match(check().join('\n'), /verdict\.json is gone/);
  });

  it('names hook scripts that changed, lost their exec bit or went', () => {
    appendFileSync(join(root, '.husky/pre-commit'), 'exit 0\n');
    rmSync(join(root, '.claude/hooks/own.sh'));
    file('.git/hooks/post-merge', '#!/bin/sh\n');
    file('.husky/_/husky.sh', '#!/bin/sh\n');
    assert.deepEqual(check().sort(), [
      'hook-config .claude/hooks/own.sh is gone',
      'hook-config .husky/pre-commit was changed',
    ]);
    chmodSync(join(root, '.husky/pre-commit'), 0o755);
    assert.deepEqual(check(), ['hook-config .husky/pre-commit was changed']);
  });

  it('names settings that lost our hooks, other settings pass', () => {
    file('.claude/settings.json', JSON.stringify({ ...JSON.parse(SETTINGS), model: 'x' }));
    assert.deepEqual(check(), []);
    file('.claude/settings.json', '{}');
    file('.claude/settings.local.json', '{"disableAllHooks":true}');
    assert.deepEqual(check().sort(), [
      "hook-config .claude/settings.json lost 1 of Touchstone's hooks",
      'hook-config .claude/settings.local.json sets disableAllHooks',
    ]);
  });

  it('names other rules and another hooks folder', () => {
    file('.claude/project.json', '{"test":{"cmd":"echo ok"}}');
    execFileSync('git', ['-C', root, 'config', 'core.hooksPath', '/dev/null']);
    assert.deepEqual(check().sort(), [
      'hook-config .claude/project.json was changed: nobody accepted these rules',
      'hook-config .git/config sends git to other hooks',
    ]);
  });

  it('names a git folder that was replaced, once', () => {
    rmSync(join(root, '.git'), { recursive: true });
    execFileSync('git', ['init', '-q', root]);
    assert.deepEqual(check(), ['hook-config .git was replaced, and with it its hooks and what was known of them']);
    assert.deepEqual(check(), []);
  });

  it('names a report that gained a claim, unless it is proven', () => {
    file('docs/verification/report.md', '# Report\n\nVERDICT: PASS\n');
    assert.deepEqual(check(true), []);
    file('docs/verification/other.md', 'Status: PASS\n');
    const found = checkWatched(root, readProject(root).project, () => false, CAUSE);
    assert.equal(
      sayFindings(found),
      'Touchstone pass-claim: docs/verification/other.md gained "Status: PASS", which nothing proves. It is on record. Next: take the claim out, or prove it: touchstone verify.',
    );
  });
});
