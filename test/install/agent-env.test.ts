import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { insideAgent, type Process, procReader } from '../../src/install/agent-env.ts';
import { project, write } from './project.ts';

const nobody = () => null;

function chain(...processes: Partial<Process>[]) {
  return (pid: number): Process | null => {
    const found = processes[pid - 100];
    return found ? { ppid: pid + 1, comm: 'sh', argv: [], env: {}, ...found } : null;
  };
}

test('a variable that an agent sets for its commands is a mark', () => {
  for (const name of [
    'CLAUDECODE',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SESSION_ID',
    'AI_AGENT',
    'CODEX_SANDBOX',
    'GEMINI_CLI',
    'QWEN_CODE',
    'CURSOR_AGENT',
  ]) {
    assert.deepEqual(insideAgent({ [name]: '1' }, 100, nobody), { inside: true, why: `${name} is set` });
  }
});

test('what people set for themselves is none', () => {
  const env = {
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CODE_SSE_PORT: '4711',
    CLAUDE_CODE_OAUTH_TOKEN: 'x',
    CLAUDE_CONFIG_DIR: '/x',
    CODEX_HOME: '/x',
    GEMINI_API_KEY: 'x',
    CURSOR_TRACE_ID: 'x',
    CLAUDECODE: '',
    TERM_PROGRAM: 'vscode',
  };
  assert.deepEqual(insideAgent(env, 100, nobody), { inside: false });
});

test('a mark or an agent anywhere above is found', () => {
  const cases: [Partial<Process>, RegExp][] = [
    [{ env: { CLAUDECODE: '1' } }, /CLAUDECODE is set for process 102/],
    [{ comm: 'claude', argv: ['claude', '-p'] }, /process 102 above this one is claude/],
    [{ comm: 'codex', argv: ['/usr/lib/codex'] }, /codex/],
    [{ comm: 'node', argv: ['node', '--max-old-space-size=8192', '/usr/bin/gemini'] }, /gemini/],
    [
      { comm: 'node', argv: ['/usr/bin/node', '/x/node_modules/@anthropic-ai/claude-code/cli.js'] },
      /@anthropic-ai\/claude-code/,
    ],
    [{ comm: 'MainThread', argv: ['node', '/x/node_modules/@qwen-code/qwen-code/dist/cli.js'] }, /qwen-code/],
    [{ comm: 'aider', argv: ['/usr/bin/python3', '/home/u/.local/bin/aider'] }, /aider/],
    [{ comm: 'python3', argv: ['/usr/bin/python3.12', '/home/u/.local/bin/aider'] }, /aider/],
  ];
  for (const [above, why] of cases) {
    const found = insideAgent({}, 100, chain({}, {}, above, {}));
    assert.ok(found.inside);
    assert.match(found.why, why);
  }
});

test('editors, shells and files that merely carry the name are no agents', () => {
  for (const above of [
    { comm: 'cursor', argv: ['/usr/share/cursor/cursor'] },
    { comm: 'code', argv: ['/usr/share/code/code'] },
    { comm: 'vim', argv: ['vim', '/home/u/claude'] },
    { comm: 'node', argv: ['node', '/home/u/server.js', 'claude'] },
    { comm: 'bash', argv: ['bash', '/home/u/claude-notes.sh'] },
    { comm: 'tmux: server', argv: ['tmux'] },
  ]) {
    assert.deepEqual(insideAgent({}, 100, chain({}, above)), { inside: false });
  }
});

test('a ring of processes ends', () => {
  const ring = (pid: number): Process => ({ ppid: pid === 5 ? 6 : 5, comm: 'sh', argv: [], env: {} });
  assert.deepEqual(insideAgent({}, 5, ring), { inside: false });
});

test('a process is read with parentheses and spaces in its name', t => {
  const root = project(t);
  write(root, {
    '7/stat': '7 (a) b (c) S 3 7 7 0 -1',
    '7/cmdline': 'node\0/x y/cli.js\0-p\0',
    '7/environ': 'A=1\0B=x=y\0',
  });
  assert.deepEqual(procReader(root)(7), {
    ppid: 3,
    comm: 'a) b (c',
    argv: ['node', '/x y/cli.js', '-p'],
    env: { A: '1', B: 'x=y' },
  });
  assert.equal(procReader(root)(8), null);
});

test('a real child whose parent carried the mark is inside, though the mark was taken from it', async t => {
  if (process.platform !== 'linux') return t.skip('reads /proc');
  const probe = `import { insideAgent } from ${JSON.stringify(join(import.meta.dirname, '../../src/install/agent-env.ts'))}; console.log(JSON.stringify(insideAgent()));`;
  const script = `env -u CLAUDECODE ${JSON.stringify(process.execPath)} --import tsx --input-type=module -e '${probe}'; true`;
  const child = spawn('sh', ['-c', script], {
    env: { PATH: process.env.PATH, CLAUDECODE: '1' },
    cwd: join(import.meta.dirname, '../..'),
  });
  let out = '';
  child.stdout.on('data', chunk => {
    out += chunk;
  });
  await new Promise(done => child.on('close', done));
  assert.match(out, /"inside":true,"why":"CLAUDECODE is set for process \d+ above this one"/);
});
