/** The real Claude Code client, in a folder of its own, driven by the scripted model of the shared harness. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** How the client treats hooks was measured on this version; a newer one needs the harness's probes first. */
export const CLIENT_VERSION = '2.1.332';

export type ToolCallSeen = {
  run: number;
  name: string;
  input: Record<string, unknown>;
  is_error: boolean;
  blocked_by: 'hook' | 'permission' | null;
  result: string;
};
export type HookSeen = {
  event: string;
  name: string;
  exit_code: number;
  outcome: string;
  stdout: string;
  stderr: string;
};
export type Summary = {
  ok: boolean;
  runs: {
    exit_code: number | null;
    timed_out: boolean;
    client_version: string;
    final_result: string;
    hooks: HookSeen[];
  }[];
  tool_calls: ToolCallSeen[];
  feedback: { run: number; role: string; text: string }[];
};
export type Scenario = {
  prompt?: string;
  turns?: unknown[];
  runs?: unknown[];
  timeout_s?: number;
  env?: Record<string, string>;
};

export type Client = { run(project: string, scenario: Scenario, work: string): Promise<Summary> };

/** The client ready to run, or why it cannot. `TOUCHSTONE_CLIENT_REQUIRED=1` (the gate sets it) makes that a failure. */
export function realClient(): { client: Client } | { missing: string } {
  const found = prepare();
  if ('missing' in found && process.env.TOUCHSTONE_CLIENT_REQUIRED === '1') {
    throw new Error(`the real client is required: ${found.missing}`);
  }
  return found;
}

function prepare(): { client: Client } | { missing: string } {
  const harness = resolve(ROOT, process.env.TOUCHSTONE_HARNESS ?? '../shared/harness');
  const script = join(harness, 'run-scenario.mjs');
  if (!existsSync(script)) return { missing: `no run-scenario.mjs in ${harness}` };
  const isolated = namespaces();
  if (isolated) return { missing: isolated };
  const folder = process.env.TOUCHSTONE_CLIENT_DIR ?? join(ROOT, '.cache', `client-${CLIENT_VERSION}`);
  const installed = install(folder);
  if (installed) return { missing: installed };
  return { client: { run: (project, scenario, work) => runScenario(script, folder, project, scenario, work) } };
}

/** The harness needs its own network, process and mount namespaces; says what this machine refuses. */
function namespaces(): string | null {
  const user = process.getuid?.() === 0 ? [] : ['-U', '-r'];
  const probe = spawnSync(
    'unshare',
    [
      ...user,
      '-n',
      '-p',
      '-m',
      '-f',
      '--mount-proc',
      '--',
      'sh',
      '-c',
      'ip link set lo up && mount -t tmpfs tmpfs /mnt',
    ],
    { encoding: 'utf8', timeout: 20_000 },
  );
  if (probe.status === 0) return null;
  return `no namespaces here (${(probe.error?.message ?? probe.stderr).trim() || `unshare ended with ${probe.status}`})`;
}

/** Installed beside and renamed into place: a folder that is there is whole. */
function install(folder: string): string | null {
  const scope = join(folder, 'node_modules', '@anthropic-ai');
  if (existsSync(scope)) return null;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, 'package.json'), '{"private":true}\n');
  const npm = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      fresh,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `@anthropic-ai/claude-code@${CLIENT_VERSION}`,
    ],
    { cwd: fresh, encoding: 'utf8', timeout: 600_000 },
  );
  if (npm.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    return `npm could not install the client (${(npm.error?.message ?? npm.stderr).trim().split('\n').slice(-3).join(' ')})`;
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return null;
}

async function runScenario(
  script: string,
  client: string,
  project: string,
  scenario: Scenario,
  work: string,
): Promise<Summary> {
  const file = join(work, 'scenario.json');
  const out = join(work, 'out');
  writeFileSync(file, JSON.stringify(scenario));
  const child = spawn(process.execPath, [script, project, file, '--client', client, '--out', out], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (d: string) => (stdout += d));
  child.stderr.setEncoding('utf8').on('data', (d: string) => (stderr += d));
  const code = await new Promise(done => child.on('close', done));
  if (code !== 0) throw new Error(`run-scenario.mjs ended with ${code}: ${stderr.slice(-2000)}`);
  writeFileSync(join(work, 'summary.json'), stdout);
  return JSON.parse(stdout) as Summary;
}
