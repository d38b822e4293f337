import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Ran, redProject, World } from './world.ts';

const CLAIM = { content: 'PASS\n' };

function refusedInOneLine(ran: Ran, what: string): void {
  assert.equal(ran.code, 2, `${what}: ${ran.err}`);
  assert.equal(ran.out, '', what);
  assert.equal(ran.err.trim().split('\n').length, 1, what);
}

test('a payload that cannot be judged is refused, never let through', () => {
  using w = redProject();
  w.cli(['init', '.']);
  const broken: [string, string | Buffer][] = [
    ['empty stdin', ''],
    ['half JSON', '{"tool_name":"Write","tool_input":{"file_pa'],
    ['JSON array', '[{"tool_name":"Write"}]'],
    ['JSON string', '"Write"'],
    ['null', 'null'],
    ['wrong types', JSON.stringify({ cwd: w.root, tool_name: 'Write', tool_input: { file_path: 5, content: 'x' } })],
    ['tool_input a list', JSON.stringify({ cwd: w.root, tool_name: 'Write', tool_input: ['a'] })],
    ['tool_name a number', JSON.stringify({ cwd: w.root, tool_name: 7, tool_input: {} })],
    ['no tool', JSON.stringify({ cwd: w.root, hook_event_name: 'SomethingNew' })],
    ['event name a number', JSON.stringify({ cwd: w.root, hook_event_name: 1, tool_name: 'Write', tool_input: {} })],
    ['command a list', JSON.stringify({ cwd: w.root, tool_name: 'Bash', tool_input: { command: ['ls'] } })],
    ['binary', Buffer.from([0xff, 0xfe, 0x00, 0x01, 0x80])],
    [
      'larger than 8 MiB',
      JSON.stringify({
        cwd: w.root,
        tool_name: 'Write',
        tool_input: { file_path: 'a', content: 'x'.repeat(9 * 1024 * 1024) },
      }),
    ],
  ];
  for (const [what, input] of broken) refusedInOneLine(w.hook('pre-tool-use', input), what);
});

test('the same payloads never block the hooks that only watch', () => {
  using w = redProject();
  w.cli(['init', '.']);
  for (const hook of [
    'post-tool-use',
    'post-tool-use-failure',
    'post-tool-batch',
    'stop',
    'subagent-stop',
    'session-start',
    'session-end',
    'user-prompt-submit',
  ]) {
    for (const input of ['', '{"a', '[]', 'null', '{"hook_event_name":"X"}']) {
      assert.equal(w.hook(hook, input).code, 0, `${hook} on ${JSON.stringify(input)}`);
    }
  }
});

test('odd but valid payloads are survived', () => {
  using w = redProject();
  w.cli(['init', '.']);
  const fine: [string, string, object][] = [
    ['2 MB content', 'Write', { file_path: join(w.root, 'big.txt'), content: 'PASS\n'.repeat(400_000) }],
    ['NUL bytes', 'Write', { file_path: join(w.root, 'a.txt'), content: 'a\u0000b\u0000' }],
    ['NUL in the path', 'Write', { file_path: `${w.root}/a\u0000b`, content: 'x' }],
    ['an unknown tool', 'SomethingNew', { any: [1, { thing: true }] }],
    ['a Monitor without a command', 'Monitor', { description: 'd', ws: { url: 'ws://x' } }],
    ['an empty command', 'Bash', { command: '' }],
    ['an unterminated quote', 'Bash', { command: "echo 'x" }],
  ];
  for (const [what, tool, input] of fine) {
    const ran = w.pre(tool, input);
    assert.deepEqual([ran.code, ran.out, ran.err], [0, '', ''], what);
  }
});

test('a statefile that is not one reads as no evidence or FAIL, never as PASS', () => {
  using w = redProject();
  w.cli(['init', '.']);
  const path = '.claude/state/last_test_result';
  const pass = 'PASS\n2026-05-12T18:30:00Z\nnpm test\n0\n';
  const bad: [string, string][] = [
    ['CRLF', pass.replaceAll('\n', '\r\n')],
    ['three lines', 'PASS\n2026-05-12T18:30:00Z\nnpm test\n'],
    ['five lines', `${pass}more\n`],
    ['exit 1', pass.replace('\n0\n', '\n1\n')],
    ['binary', '\u0000\u0001'],
  ];
  for (const [what, text] of bad) {
    w.file(path, text);
    refusedInOneLine(w.pre('Write', { file_path: join(w.root, 'docs/verify/a.md'), ...CLAIM }), what);
    assert.notEqual(JSON.parse(w.cli(['status', '--json']).out).verdict, 'PASS', what);
  }
  w.file(path, pass.replace('npm test', 'x'.repeat(65 * 1024 * 1024)));
  const large = w.pre('Write', { file_path: join(w.root, 'docs/verify/a.md'), ...CLAIM });
  refusedInOneLine(large, 'larger than 64 MB');
  assert.match(large.err, /is too large/);
  w.sh(`rm ${path}`);
  mkdirSync(join(w.root, path));
  refusedInOneLine(w.pre('Write', { file_path: join(w.root, 'docs/verify/a.md'), ...CLAIM }), 'a directory');
  assert.equal(w.cli(['verify']).code, 1);
  assert.match(w.read(path), /^FAIL\n/);
  w.sh(`rm ${path}`);
  w.file('elsewhere', pass);
  symlinkSync(join(w.root, 'elsewhere'), join(w.root, path));
  refusedInOneLine(w.pre('Write', { file_path: join(w.root, 'docs/verify/a.md'), ...CLAIM }), 'a symlink');
  w.cli(['verify']);
  assert.equal(w.read('elsewhere'), pass, 'a stamp replaces a link, it does not write through it');
});

test('corrupt state is kept aside byte for byte', () => {
  using w = redProject();
  w.cli(['init', '.']);
  w.file('.claude/state/verdict.json', '{"schema": 1, "verd');
  w.file('.claude/state/session.json', 'nonsense');
  w.cli(['verify']);
  w.hook('session-start', { hook_event_name: 'SessionStart', source: 'startup' });
  const kept = w.sh('cat .claude/state/verdict.json.corrupt-* .claude/state/session.json.corrupt-*').out;
  assert.equal(kept, '{"schema": 1, "verdnonsense');
});

test('a disk that takes no state changes no decision', () => {
  using w = redProject();
  w.cli(['init', '.']);
  // A file where the folder should be refuses every write, for root too.
  w.sh('rm -rf .claude/state && echo x > .claude/state');
  refusedInOneLine(w.pre('Write', { file_path: join(w.root, 'docs/verify/a.md'), ...CLAIM }), 'no state folder');
  assert.equal(w.write('src/b.js', 'x').code, 0);
  const verify = w.cli(['verify']);
  assert.equal(verify.code, 2);
  assert.equal(verify.err.trim().split('\n').length, 1, verify.err);
});

test('no git at all, and a repository without commits', () => {
  using plain = new World();
  plain
    .file('package.json', '{"type":"module","scripts":{"test":"node --test"}}')
    .file('a.test.js', "import test from 'node:test';\ntest('a', () => {});\n");
  plain.cli(['init', '.']);
  assert.equal(plain.cli(['verify']).code, 0);
  assert.equal(plain.write('docs/verify/a.md', 'PASS').code, 0);
  plain.file('b.js', '1');
  assert.match(plain.write('docs/verify/a.md', 'PASS').err, /stale/);

  using empty = new World();
  empty
    .file('package.json', '{"type":"module","scripts":{"test":"node --test"}}')
    .file('a.test.js', "import test from 'node:test';\ntest('a', () => {});\n");
  empty.git('init', '-q');
  empty.cli(['init', '.']);
  assert.equal(empty.cli(['verify']).code, 0);
  assert.equal(empty.write('docs/verify/a.md', 'PASS').code, 0);
});

test('a payload that comes late and in halves through a non-blocking pipe is read whole', async () => {
  using w = redProject();
  w.cli(['init', '.']);
  const { spawn } = await import('node:child_process');
  const { DIST, cleanEnv } = await import('./world.ts');
  const payload = JSON.stringify({
    cwd: w.root,
    tool_name: 'Bash',
    tool_input: { command: `echo x > .claude/state/last_test_result\n# ${'x'.repeat(200_000)}` },
  });
  const child = spawn(process.execPath, [join(DIST, 'hooks/pre-tool-use.cjs')], {
    cwd: w.root,
    env: cleanEnv(w.home),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const code = new Promise(done => child.once('exit', done));
  await new Promise(done => setTimeout(done, 150));
  child.stdin.write(payload.slice(0, 90_000));
  await new Promise(done => setTimeout(done, 50));
  child.stdin.end(payload.slice(90_000));
  assert.equal(await code, 2);
});
