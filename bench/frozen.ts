/**
 * The check of a large frozen set where nothing moved, as ratios to `node -e 0` in the same round:
 * `node --import tsx bench/frozen.ts [files] [rounds]`. Needs a build. Nothing here asserts.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist');
const files = Number(process.argv[2] ?? 5000);
const rounds = Number(process.argv[3] ?? 20);

const work = mkdtempSync(join(tmpdir(), 'touchstone-frozen-'));
const root = join(work, 'project');
const env = { PATH: process.env.PATH ?? '', HOME: work, CLAUDE_PROJECT_DIR: root };
for (let i = 0; i < files; i++) {
  const dir = join(root, `tests/d${i % 50}`);
  if (i < 50) mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `t${i}.test.js`), '// a line of a test\n'.repeat(140));
}
writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"node --test"}}\n');
execFileSync('git', ['init', '-q'], { cwd: root, env });
for (const args of [['init'], ['freeze', '--paths', 'tests/**']])
  execFileSync(process.execPath, [join(DIST, 'cli.cjs'), ...args], { cwd: root, env, stdio: 'ignore' });

const input = (event: string, tool: string, tool_input: object) =>
  JSON.stringify({
    session_id: 's',
    transcript_path: join(work, 't.jsonl'),
    cwd: root,
    hook_event_name: event,
    tool_name: tool,
    tool_input,
    tool_response: { stdout: '', stderr: '' },
  });
const write = input('PreToolUse', 'Write', { file_path: join(root, 'src/a.js'), content: 'export const a = 1;\n' });
const command = { command: 'python3 make.py' };
const variants = [
  { name: 'node -e 0', args: ['-e', '0'], input: '' },
  { name: 'one path, before', args: [join(DIST, 'hooks/pre-tool-use.cjs')], input: write },
  {
    name: 'a script, before',
    args: [join(DIST, 'hooks/pre-tool-use.cjs')],
    input: input('PreToolUse', 'Bash', command),
  },
  { name: 'all, after', args: [join(DIST, 'hooks/post-tool-use.cjs')], input: input('PostToolUse', 'Bash', command) },
];
const ratios = variants.map((): number[] => []);
for (let round = -3; round < rounds; round++) {
  const took = variants.map(v => {
    const from = process.hrtime.bigint();
    spawnSync(process.execPath, v.args, { cwd: root, env, input: v.input });
    return Number(process.hrtime.bigint() - from);
  });
  // What was written this second is compared in full until it has aged.
  if (round < 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  else for (const [i, list] of ratios.entries()) list.push(took[i]! / took[0]!);
}
for (const [i, { name }] of variants.entries()) {
  const sorted = ratios[i]!.sort((a, b) => a - b);
  const at = (q: number) => sorted[Math.floor(q * (sorted.length - 1))]!.toFixed(2);
  console.log(`${name.padEnd(18)} ${at(0.5)}  (${at(0.25)}-${at(0.75)})`);
}
rmSync(work, { recursive: true, force: true });
