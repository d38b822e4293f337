/**
 * What a finished tool call costs with its event line in an open run, as ratios to `node -e 0` in the same round:
 * `node --import tsx bench/post.ts [rounds]`. Needs a build. Nothing here asserts.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOOKS = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'hooks');
const rounds = Number(process.argv[2] ?? 30);
const WARM_UP = 3;
const TARGET = 1.3;

const work = mkdtempSync(join(tmpdir(), 'touchstone-post-'));
const project = join(work, 'project');
const env: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: work };

mkdirSync(join(project, 'src'), { recursive: true });
mkdirSync(join(project, '.claude'));
writeFileSync(join(project, 'src/a.js'), 'export const a = 1;\n');
writeFileSync(join(project, '.gitignore'), '.claude/state/\n');
writeFileSync(join(project, '.claude/project.json'), '{"test":{"cmd":"npm test"},"frozen":{"paths":["test/**"]}}\n');
spawnSync('git', ['init', '-q'], { cwd: project, env });

const payload = (event: string, more: object): string =>
  JSON.stringify({
    session_id: '00000000-0000-4000-8000-000000000000',
    transcript_path: join(work, 't.jsonl'),
    cwd: project,
    hook_event_name: event,
    ...more,
  });

function hook(name: string, input: string): string {
  const run = spawnSync(process.execPath, [join(HOOKS, `${name}.cjs`)], { cwd: project, env, input });
  return `${run.status} ${run.stdout}${run.stderr}`.trim();
}

hook('session-start', payload('SessionStart', { source: 'startup' }));
hook('user-prompt-submit', payload('UserPromptSubmit', { prompt: 'go on' }));

const edit = { file_path: join(project, 'src/a.js'), old_string: 'a = 1', new_string: 'a = 2' };
const variants = [
  { name: 'node -e 0', args: ['-e', '0'], input: '' },
  {
    name: 'post Edit',
    args: [join(HOOKS, 'post-tool-use.cjs')],
    input: payload('PostToolUse', { tool_name: 'Edit', tool_input: edit, tool_use_id: 'a', tool_response: {} }),
  },
  {
    name: 'post Bash, 20 kB',
    args: [join(HOOKS, 'post-tool-use.cjs')],
    input: payload('PostToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'ls -R src' },
      tool_use_id: 'b',
      tool_response: { stdout: 'src/some/file.js\n'.repeat(1200), stderr: '' },
    }),
  },
];

const ratios = new Map(variants.map(v => [v.name, [] as number[]]));
for (let round = 0; round < rounds + WARM_UP; round++) {
  const took = variants.map(v => {
    const from = process.hrtime.bigint();
    spawnSync(process.execPath, v.args, { cwd: project, env, input: v.input });
    return Number(process.hrtime.bigint() - from) / 1e6;
  });
  if (round >= WARM_UP) for (const [i, v] of variants.entries()) ratios.get(v.name)!.push(took[i]! / took[0]!);
}

const runs = join(project, '.claude/state/runs');
const [run] = readdirSync(runs);
const lines = readFileSync(join(runs, run!, 'events.jsonl'), 'utf8')
  .trim()
  .split('\n').length;
console.log(`node ${process.version}, ${rounds} rounds, ${lines} event lines in one run`);
for (const { name } of variants) {
  const sorted = ratios.get(name)!.sort((a, b) => a - b);
  const at = (q: number) => sorted[Math.floor(q * (sorted.length - 1))]!;
  const word = name.startsWith('post') ? (at(0.5) <= TARGET ? `ok (${TARGET})` : `OVER ${TARGET}`) : '';
  console.log(`${name.padEnd(18)} ${at(0.5).toFixed(2)}  (${at(0.25).toFixed(2)}-${at(0.75).toFixed(2)}) ${word}`);
}
rmSync(work, { recursive: true, force: true });
