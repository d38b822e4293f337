import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { judge } from '../../src/checks/judge.ts';
import { read } from '../../src/runners/read.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';
import { redProject } from './world.ts';

const dir = corpus('verify-pass-guard');
const skip = dir === null ? NO_CORPUS : false;

type Case = {
  id: string;
  last_test_result: string | null;
  tool_name: string;
  file_path: string;
  tool_input: Record<string, unknown>;
  before?: string;
  expect: 'allow' | 'deny';
  improved_expect?: 'allow' | 'deny';
  message_contains?: string;
};

test('the pass-guard corpus, every improved answer taken', { skip }, () => {
  const { cases } = JSON.parse(readFileSync(join(dir!, 'cases.json'), 'utf8')) as { cases: Case[] };
  using w = redProject();
  w.cli(['init', '.']);
  const config = JSON.parse(w.read('.claude/project.json'));
  w.file('.claude/project.json', JSON.stringify({ ...config, verdict: { trust: 'any' } }));
  assert.equal(w.cli(['config', 'accept']).code, 0);
  for (const c of cases) {
    w.sh('rm -rf docs out .claude/state/last_test_result .claude/state/verdict.json');
    if (c.before !== undefined) w.file(c.file_path, c.before);
    if (c.last_test_result !== null) w.file('.claude/state/last_test_result', c.last_test_result);
    const name = c.tool_name === 'NotebookEdit' ? 'notebook_path' : 'file_path';
    const ran = w.pre(c.tool_name, { ...c.tool_input, [name]: join(w.root, c.file_path) });
    assert.equal(ran.code === 2 ? 'deny' : 'allow', c.improved_expect ?? c.expect, `${c.id}: ${ran.err}`);
    if (c.message_contains) assert.ok(ran.err.includes(c.message_contains), `${c.id}: ${ran.err}`);
  }
});

test('under the default trust no hand-written PASS opens anything', { skip }, () => {
  const { cases } = JSON.parse(readFileSync(join(dir!, 'cases.json'), 'utf8')) as { cases: Case[] };
  using w = redProject();
  w.cli(['init', '.']);
  const passes = cases.filter(c => c.last_test_result?.startsWith('PASS\n') && c.expect === 'allow');
  assert.ok(passes.length > 0);
  for (const c of passes) {
    w.file('.claude/state/last_test_result', c.last_test_result!);
    assert.equal(w.pre(c.tool_name, { ...c.tool_input, file_path: join(w.root, c.file_path) }).code, 2, c.id);
  }
});

test('the verdict rules of the contract', { skip }, () => {
  const { cases } = JSON.parse(readFileSync(join(dir!, 'verdict-rules.json'), 'utf8')) as {
    cases: {
      id: string;
      exit_code: number | null;
      output: string;
      expect: string;
      configured?: boolean;
      timed_out?: boolean;
    }[];
  };
  for (const c of cases.filter(c => c.configured !== false)) {
    const { report } = read(c.output);
    const verdict = judge(report, { exitCode: c.exit_code, reason: c.timed_out ? 'timeout' : null });
    assert.equal(verdict.suite, c.expect, c.id);
  }
});
