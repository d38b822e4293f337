/**
 * What a hook start costs, as ratios to `node -e 0` of the same node in the same round: `node --import tsx bench/hooks.ts [rounds]`.
 * Every round starts each variant once, in random order, in a bare environment; the figure is the median of the rounds' ratios.
 * Needs a build. Nothing here asserts: a busy machine must not fail a suite.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const HOOKS = join(ROOT, 'dist', 'hooks');
const rounds = Number(process.argv[2] ?? 30);
const WARM_UP = 2;
const OWN_RUNS = 9;

type Variant = { name: string; command: string[]; input: string; target?: number; rss?: boolean };

const work = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const project = join(work, 'project');
const env: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: work };

/** A wired project with a red verdict, as in the middle of a day's work. */
function prepare(): void {
  mkdirSync(join(project, 'src'), { recursive: true });
  mkdirSync(join(project, '.claude'));
  writeFileSync(join(project, 'src/a.js'), 'export const a = 1;\n');
  writeFileSync(join(project, '.gitignore'), '.claude/state/\n');
  writeFileSync(join(project, '.claude/project.json'), `${JSON.stringify({ test: { cmd: 'exit 1' } }, null, 2)}\n`);
  spawnSync('git', ['init', '-q'], { cwd: project, env });
  const cli = join(ROOT, 'dist', 'cli.cjs');
  if (existsSync(cli)) spawnSync(process.execPath, [cli, 'verify'], { cwd: project, env });
}

function payload(
  event: string,
  tool: string,
  input: Record<string, unknown>,
  more: Record<string, unknown> = {},
): string {
  return `${JSON.stringify({
    session_id: '00000000-0000-4000-8000-000000000000',
    transcript_path: join(work, 't.jsonl'),
    cwd: project,
    permission_mode: 'default',
    hook_event_name: event,
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_1',
    ...more,
  })}\n`;
}

// Beyond plain words: a loop, conditions, a pipe, a subshell.
const COMPLEX = 'for f in src/*.js; do node --check "$f" && echo "$f ok" || (echo bad | tee log.txt); done';

/** The usual guard: a shell script that asks jq once for each field. */
const JQ_GUARD = `input=$(cat)
tool=$(echo "$input" | jq -r .tool_name)
file=$(echo "$input" | jq -r '.tool_input.file_path // empty')
text=$(echo "$input" | jq -r '.tool_input.content // empty')
cwd=$(echo "$input" | jq -r .cwd)
case "$file" in *verify*) grep -q PASS <<<"$text" && [ "$(head -1 "$cwd/.claude/state/last_test_result")" != PASS ] && exit 2;; esac
exit 0
`;

function variants(): Variant[] {
  const node = process.execPath;
  const hook = (name: string) => [node, join(HOOKS, `${name}.cjs`)];
  const file = join(project, 'src/a.js');
  const write = payload('PreToolUse', 'Write', { file_path: file, content: 'export const a = 2;\n' });
  const edit = { file_path: file, old_string: 'a = 1', new_string: 'a = 2', replace_all: false };
  const big = 'const line = "some source text of an ordinary length";\n'.repeat(20_000).slice(0, 1_000_000);
  const list: Variant[] = [
    { name: 'node -e 0', command: [node, '-e', '0'], input: '', rss: true },
    { name: 'pre Write', command: hook('pre-tool-use'), input: write, target: 1.1, rss: true },
    {
      name: 'pre Edit',
      command: hook('pre-tool-use'),
      input: payload('PreToolUse', 'Edit', edit),
      target: 1.1,
      rss: true,
    },
    {
      name: 'pre Bash, plain',
      command: hook('pre-tool-use'),
      input: payload('PreToolUse', 'Bash', { command: 'git status --short' }),
      target: 1.1,
      rss: true,
    },
    {
      // Plain words too, but what it runs stands in package.json: the reader looks there.
      name: 'pre Bash, script',
      command: hook('pre-tool-use'),
      input: payload('PreToolUse', 'Bash', { command: 'npm run build' }),
      target: 1.25,
      rss: true,
    },
    {
      name: 'pre Bash, parsed',
      command: hook('pre-tool-use'),
      input: payload('PreToolUse', 'Bash', { command: COMPLEX }),
      target: 1.25,
      rss: true,
    },
    {
      name: 'pre Write, 1 MB',
      command: hook('pre-tool-use'),
      input: payload('PreToolUse', 'Write', { file_path: file, content: big }),
      target: 1.6,
      rss: true,
    },
    {
      name: 'post Edit',
      command: hook('post-tool-use'),
      input: payload('PostToolUse', 'Edit', edit, { tool_response: { filePath: file } }),
      rss: true,
    },
    {
      name: 'post Bash',
      command: hook('post-tool-use'),
      input: payload(
        'PostToolUse',
        'Bash',
        { command: 'ls src' },
        { tool_response: { stdout: 'a.js', stderr: '', interrupted: false } },
      ),
      rss: true,
    },
  ];
  if (spawnSync('jq', ['--version']).status === 0) {
    const script = join(work, 'guard.sh');
    writeFileSync(script, JQ_GUARD);
    list.push({ name: '4 x jq guard', command: ['bash', script], input: write });
  }
  return list.filter(v => !v.command[1]!.endsWith('.cjs') || existsSync(v.command[1]!));
}

function start(v: Variant, command = v.command) {
  const from = process.hrtime.bigint();
  const run = spawnSync(command[0]!, command.slice(1), { cwd: project, env, input: v.input });
  return { ms: Number(process.hrtime.bigint() - from) / 1e6, run };
}

const median = (values: number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const mid = sorted.length >> 1;
  return sorted.length % 2 ? sorted[mid]! : (sorted[mid - 1]! + sorted[mid]!) / 2;
};

function shuffled<T>(items: readonly T[]): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

type Own = { mb: number[]; cpu: number[] };

/** Peak memory and processor time, told by the process itself as it exits: a preloaded line is cheaper than any tool around it. */
function ownWords(list: Variant[]): Map<string, Own> {
  const preload = join(work, 'own.cjs');
  const told = join(work, 'own');
  writeFileSync(
    preload,
    `process.on('exit',()=>require('fs').writeFileSync(${JSON.stringify(told)},JSON.stringify(process.resourceUsage())));`,
  );
  const seen = new Map(list.map(v => [v.name, { mb: [], cpu: [] } as Own]));
  for (let i = 0; i < OWN_RUNS; i++) {
    for (const v of shuffled(list)) {
      rmSync(told, { force: true });
      start(v, [v.command[0]!, '-r', preload, ...v.command.slice(1)]);
      if (!existsSync(told)) continue;
      const usage = JSON.parse(readFileSync(told, 'utf8')) as NodeJS.ResourceUsage;
      seen.get(v.name)!.mb.push(usage.maxRSS / 1024);
      seen.get(v.name)!.cpu.push(usage.userCPUTime + usage.systemCPUTime);
    }
  }
  return seen;
}

prepare();
const all = variants();
const times = new Map(all.map(v => [v.name, [] as number[]]));
const noise = new Set<string>();
for (let round = 0; round < rounds + WARM_UP; round++) {
  for (const v of shuffled(all)) {
    const { ms, run } = start(v);
    if (round >= WARM_UP) times.get(v.name)!.push(ms);
    if (run.status !== 0 || run.stdout.length || run.stderr.length) {
      noise.add(`${v.name}: exit ${run.status} ${run.stdout}${run.stderr}`.trim().slice(0, 200));
    }
  }
}

const bare = times.get('node -e 0')!;
const ratios = (name: string, to: number[]) => times.get(name)!.map((ms, i) => ms / to[i]!);
const own = ownWords(all.filter(v => v.rss));
const bareOwn = own.get('node -e 0')!;
const word = (value: number, target?: number) => (target === undefined ? '' : value <= target ? 'ok' : 'OVER');
console.log(`node ${process.version}, ${rounds} rounds`);
console.log(
  `${'variant'.padEnd(20)} ${'ms'.padStart(7)} ${'ratio'.padStart(6)} ${'quartiles'.padStart(11)} ${'target'.padStart(7)}        ${'cpu'.padStart(6)} ${'peak MB'.padStart(8)} ${'(+4)'.padStart(6)}`,
);
for (const v of all) {
  const r = ratios(v.name, bare);
  const sorted = [...r].sort((a, b) => a - b);
  const at = (q: number) => sorted[Math.floor(q * (sorted.length - 1))]!.toFixed(2);
  const mine = own.get(v.name);
  const more = mine ? median(mine.mb) - median(bareOwn.mb) : Number.NaN;
  const memory = mine
    ? `${(median(mine.cpu) / median(bareOwn.cpu)).toFixed(2).padStart(6)} ${median(mine.mb).toFixed(1).padStart(8)} ${`+${more.toFixed(1)}`.padStart(6)} ${word(more, 4)}`
    : '';
  console.log(
    `${v.name.padEnd(20)} ${median(times.get(v.name)!).toFixed(1).padStart(7)} ${median(r).toFixed(2).padStart(6)} ${`${at(0.25)}-${at(0.75)}`.padStart(11)} ${(v.target?.toFixed(2) ?? '').padStart(7)} ${word(median(r), v.target).padEnd(5)} ${memory}`,
  );
}
const guard = times.get('4 x jq guard');
if (guard && times.has('pre Write')) {
  const share = median(ratios('pre Write', guard));
  console.log(`pre Write / 4 x jq guard: ${share.toFixed(2)} (target 0.55: ${word(share, 0.55)})`);
}
for (const line of noise) console.log(`not silent: ${line}`);
rmSync(work, { recursive: true, force: true });
