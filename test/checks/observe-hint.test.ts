import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { mayBeRun } from '../../src/checks/observe-hint.ts';
import { type Project, readProject } from '../../src/config/project.ts';
import type { Event } from '../../src/event.ts';

describe('hint of a run', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'touchstone-hint-'));
    writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts: { test: 'vitest run' } }));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const project = (cmd: string, raw: Record<string, unknown> = {}): Project => {
    const base = readProject(root).project;
    return { ...base, raw, test: { ...base.test, cmd } };
  };
  const call = (command: string): Event => ({
    kind: 'post-tool',
    agent: 'claude-code',
    session: 'S',
    cwd: root,
    call: { tool: 'Bash', writes: [], command, input: {} },
    result: { text: '', failed: false, background: false },
  });

  it('is given by every spelling of the suite', () => {
    for (const command of ['npm test', 'npm t | tail', 'npm run test', 'CI=1 npx vitest run', 'cd x && pnpm test']) {
      assert.ok(mayBeRun(call(command), root, project('npm test')), command);
    }
    assert.ok(mayBeRun(call('python -m pytest -q'), root, project('cd api && python3 -m pytest')));
  });

  it('is not given by other commands', () => {
    for (const command of [
      'git status',
      'npm install',
      'ls test',
      'npx tsc',
      'cat vitest.config.ts',
      'npm run build',
    ]) {
      assert.ok(!mayBeRun(call(command), root, project('npm test')), command);
    }
    assert.ok(!mayBeRun(call('npm test'), root, project('')));
  });

  it('is given by declared checks, by argv or by name', () => {
    const raw = {
      commands: { e2e: ['npx', 'playwright', 'test'] },
      checks: [
        { id: 'a', command: 'e2e' },
        { id: 'b', command: ['ruff', 'check'] },
      ],
    };
    assert.ok(mayBeRun(call('npx playwright test'), root, project('', raw)));
    assert.ok(mayBeRun(call('ruff check'), root, project('', raw)));
    assert.ok(!mayBeRun(call('ruff format'), root, project('', raw)));
  });

  it('is not given before a call has run, nor by tools without a command', () => {
    const { result: _, ...before } = call('npm test');
    assert.ok(!mayBeRun(before, root, project('npm test')));
    const { call: __, ...batch } = call('npm test');
    assert.ok(!mayBeRun(batch, root, project('npm test')));
  });
});
