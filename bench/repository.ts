/** What the benches of git share: a generated repository, a cold bundle, and paired timing against bare node. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const CLEAN = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

export function scratch(): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export async function bundle(dir: string, source: string): Promise<string> {
  const outfile = join(dir, 'bench.cjs');
  const resolveDir = dirname(dirname(fileURLToPath(import.meta.url)));
  await build({
    stdin: { contents: source, resolveDir, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

export function repository(root: string, files: number, dirty: number): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env: CLEAN });
  for (let i = 0; i < files; i++) {
    const folder = join(root, `d${Math.floor(i / 100)}`);
    if (i % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${i % 100}.txt`), `file ${i}\n`);
  }
  git('init', '-q');
  git('config', 'gc.auto', '0');
  git('-c', 'core.looseCompression=0', 'add', '-A');
  git('-c', 'user.name=b', '-c', 'user.email=b@example.org', 'commit', '-q', '-m', 'all');
  git('gc', '-q');
  for (let i = 0; i < dirty; i++) appendFileSync(join(root, 'd1', `f${i}.txt`), 'dirty\n');
  return root;
}

/** Makes the next `git status` write the user's index anew. */
repository.touchIndex = (root: string): void => {
  const now = Date.now() / 1000;
  utimesSync(join(root, 'd2', 'f1.txt'), now, now - Math.random() * 1000 - 10);
  execFileSync('git', ['status', '--porcelain'], { cwd: root, env: CLEAN });
};

/** Median over rounds of (command / `node -e 0` of the same round), with its quartiles and peak memory. */
export function compare(rounds: number, argv: string[], before: () => void): string {
  const ratios: number[] = [];
  before();
  time(argv);
  for (let i = 0; i < rounds; i++) {
    before();
    const first = Math.random() < 0.5;
    const early = first ? time(['-e', '0']) : 0;
    const ours = time(argv);
    ratios.push(ours / (first ? early : time(['-e', '0'])));
  }
  ratios.sort((a, b) => a - b);
  const at = (q: number) => ratios[Math.floor((ratios.length - 1) * q)]!.toFixed(2);
  return `${at(0.5)} [${at(0.25)}..${at(0.75)}]`;
}

function time(argv: string[]): number {
  const start = process.hrtime.bigint();
  const run = spawnSync(process.execPath, argv, { env: CLEAN, stdio: ['ignore', 'ignore', 'inherit'] });
  if (run.status !== 0) throw new Error(`${argv.join(' ')} ended with ${run.status}`);
  return Number(process.hrtime.bigint() - start);
}
