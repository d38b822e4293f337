/**
 * What fifty gates cost, as ratios to `node -e 0` in the same round: `node --import tsx bench/gates.ts [rounds]`.
 * And what gates add to the stop hook: the same hook in the same project with and without `gate.stop`. Needs a build.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CLI = join(ROOT, 'dist', 'cli.cjs');
const rounds = Number(process.argv[2] ?? 15);
const GATES = 50;
const work = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const env = {
  PATH: process.env.PATH ?? '',
  HOME: work,
  GIT_AUTHOR_NAME: 'B',
  GIT_AUTHOR_EMAIL: 'b@example.invalid',
  GIT_COMMITTER_NAME: 'B',
  GIT_COMMITTER_EMAIL: 'b@example.invalid',
};

type Variant = { name: string; cwd: string; command: string[]; input?: string; exit: number };

const node = process.execPath;
const run = (cwd: string, command: string[], input = '') =>
  spawnSync(command[0]!, command.slice(1), { cwd, env, input, encoding: 'utf8' });

/** A verified project with markers in place, one gate in ten waiting for the suite. */
function project(name: string, gated: boolean): string {
  const dir = join(work, name);
  const gates = Object.fromEntries(
    Array.from({ length: GATES }, (_, i) => [
      `step${i}`,
      { marker: true, surface: 'all-runtime', ...(i % 10 === 0 ? { verdict: true } : { after: ['step0'] }) },
    ]),
  );
  mkdirSync(join(dir, '.claude/state/markers'), { recursive: true });
  mkdirSync(join(dir, 'src'));
  for (let i = 0; i < 200; i++) writeFileSync(join(dir, 'src', `f${i}.js`), `export const n = ${i};\n`);
  writeFileSync(join(dir, '.gitignore'), '.claude/state/\n');
  const rules = {
    test: { cmd: "printf '1..1\\nok 1 - a\\n'" },
    ...(gated ? { gates, gate: { stop: ['step0'] } } : {}),
  };
  writeFileSync(join(dir, '.claude/project.json'), JSON.stringify(rules));
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'b'],
  ])
    run(dir, ['git', ...args]);
  run(dir, [node, CLI, 'config', 'accept']);
  run(dir, [node, join(ROOT, 'dist/hooks/session-start.cjs')], event(dir, 'SessionStart', { source: 'startup' }));
  writeFileSync(join(dir, 'src/f0.js'), 'export const n = -1;\n');
  run(dir, [node, CLI, 'verify']);
  if (gated) {
    for (let i = 0; i < GATES; i++) writeFileSync(join(dir, `.claude/state/markers/step${i}.pass`), '');
    run(dir, [node, CLI, 'gate', 'eval']);
  }
  return dir;
}

function event(cwd: string, name: string, more: object): string {
  return JSON.stringify({ session_id: 'S', cwd, hook_event_name: name, ...more });
}

const stop = (cwd: string) =>
  event(cwd, 'Stop', { stop_hook_active: false, last_assistant_message: 'Noted.', background_tasks: [] });

const gated = project('gated', true);
const plain = project('plain', false);
const hook = [node, join(ROOT, 'dist/hooks/stop.cjs')];
const variants: Variant[] = [
  { name: 'node -e 0', cwd: gated, command: [node, '-e', '0'], exit: 0 },
  { name: `gate eval, ${GATES}`, cwd: gated, command: [node, CLI, 'gate', 'eval'], exit: 0 },
  { name: 'stop', cwd: plain, command: hook, input: stop(plain), exit: 0 },
  { name: 'stop, one gate', cwd: gated, command: hook, input: stop(gated), exit: 0 },
];

const times = new Map(variants.map(v => [v.name, [] as number[]]));
for (let round = -2; round < rounds; round++) {
  for (const v of [...variants].sort(() => Math.random() - 0.5)) {
    const from = process.hrtime.bigint();
    const ran = run(v.cwd, v.command, v.input);
    const ms = Number(process.hrtime.bigint() - from) / 1e6;
    if (round >= 0) times.get(v.name)!.push(ms);
    if (ran.status !== v.exit) console.log(`${v.name}: exit ${ran.status} ${ran.stdout}${ran.stderr}`.slice(0, 300));
  }
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;
const ratio = (name: string, to: string) => median(times.get(name)!.map((ms, i) => ms / times.get(to)![i]!));
const say = (what: string, value: number, most: number) =>
  console.log(`${what}: ${value.toFixed(2)} (target ${most.toFixed(2)}: ${value <= most ? 'ok' : 'OVER'})`);
for (const v of variants) console.log(`${v.name.padEnd(16)} ${median(times.get(v.name)!).toFixed(1).padStart(8)} ms`);
say(`gate eval of ${GATES} / node -e 0`, ratio(`gate eval, ${GATES}`, 'node -e 0'), 2.5);
say('stop with a gate / stop', ratio('stop, one gate', 'stop'), 1.15);
rmSync(work, { recursive: true, force: true });
