import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../../src/install/places.ts';

export const PACKAGE = join(import.meta.dirname, '../..');
export const CLI = join(PACKAGE, 'dist/cli.cjs');

export type Ran = { code: number | null; stdout: string; stderr: string };

/** An environment without anybody's marks in it: neither a human's settings nor an agent's. */
export function bare(home: string, more: Env = {}): Env {
  return { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...more };
}

export function run(command: string, args: string[], cwd: string, env: Env, uid?: number): Ran {
  const ran = spawnSync(command, args, { cwd, env, uid, encoding: 'utf8', input: '' });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr + (ran.error ? String(ran.error) : '') };
}

/** Runs our command line as a child of no one here: these tests may themselves be run by an agent. */
export async function asHuman(args: string[], cwd: string, env: Env): Promise<Ran> {
  const dir = mkdtempSync(join(tmpdir(), 'touchstone-human-'));
  try {
    // The inner shell waits until its parent is gone, and with it the line up to this process.
    const script =
      '( while kill -0 $$ 2>/dev/null; do sleep 0.02; done; cd "$1" || exit; dir=$2; shift 2; ' +
      '"$@" >"$dir/out" 2>"$dir/err" </dev/null; echo $? >"$dir/rc.new"; mv "$dir/rc.new" "$dir/rc" ) &';
    spawn('sh', ['-c', script, 'sh', cwd, dir, process.execPath, CLI, ...args], { env, stdio: 'ignore' });
    for (let i = 0; !existsSync(join(dir, 'rc')); i++) {
      if (i > 1200) throw new Error(`no answer from touchstone ${args.join(' ')}`);
      await sleep(50);
    }
    const read = (name: string) => readFileSync(join(dir, name), 'utf8');
    return { code: Number(read('rc')), stdout: read('out'), stderr: read('err') };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
