import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STATE } from '../../state/paths.ts';
import type { Env } from '../places.ts';
import { type Check, type Context, fail, firstLine, ok, type Ran, type Result, runCommand } from './check.ts';
import { parsed } from './settings-files.ts';
import { type Wired, wiredHandlers } from './wiring.ts';

/** Runs every wired command as the client would, from the root and from below it. */
export const hooksFire: Check = {
  name: 'hooks-fire',
  run(ctx) {
    const wired = wiredHandlers(ctx);
    if (wired.length === 0) return [fail('no hook to try', 'run touchstone init')];
    const found: Result[] = [];
    let tried = 0;
    for (const entry of wired) {
      for (const { cwd, input, judge } of trials(ctx, entry)) {
        const ran = runHook(ctx, entry, cwd, input);
        tried++;
        const wrong = judge(ran);
        if (wrong) found.push(fail(`${entry.path}: the ${entry.event} hook, run from ${cwd}, ${wrong}`, cure(ran)));
      }
    }
    if (!wired.some(w => w.event === 'PreToolUse'))
      found.push(fail('no PreToolUse hook to try', 'run touchstone init'));
    return found.length
      ? found
      : [ok(`${tried} runs of the hooks as configured: a forged verdict is refused, a harmless call passes`)];
  },
};

type Trial = { cwd: string; input: string; judge(ran: Ran): string | undefined };

function trials({ root }: Context, entry: Wired): Trial[] {
  if (entry.event !== 'PreToolUse') return [{ cwd: root, input: UNREADABLE, judge: ran => notAnswered(entry, ran) }];
  const below = subFolder(root);
  const bad = (below ? [root, below] : [root]).map(cwd => ({ cwd, input: knownBad(root, cwd), judge: notDenied }));
  return [...bad, { cwd: root, input: harmless(root), judge: notPassed }];
}

/** A write that every installation must refuse: a verdict by hand. */
export function knownBad(root: string, cwd: string): string {
  const content = 'PASS\n2026-01-01T00:00:00Z\ntrue\n0\n';
  return call(cwd, 'Write', { file_path: join(root, STATE, 'last_test_result'), content });
}

/** A guard that refuses this refuses everything. */
function harmless(cwd: string): string {
  return call(cwd, 'Bash', { command: 'ls', description: 'List files' });
}

function call(cwd: string, tool: string, input: Record<string, unknown>): string {
  return JSON.stringify({
    session_id: 'touchstone-doctor',
    transcript_path: '',
    cwd,
    permission_mode: 'bypassPermissions',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'touchstone-doctor',
  });
}

/** Half a payload: no hook acts on it, each says so in its own words. */
const UNREADABLE = '{"session_id":"touchstone-doctor","hook_event_name":';

/** Hooks whose own failure must refuse. */
const CLOSED = new Set(['PreToolUse', 'ConfigChange']);

function runHook(ctx: Context, { handler, scope }: Wired, cwd: string, input: string): Ran {
  const projectDir = ctx.root;
  const fill = (word: string) => (scope === 'plugin' ? word : word.replaceAll('${CLAUDE_PROJECT_DIR}', projectDir));
  return runCommand(fill(handler.command), handler.args.map(fill), {
    cwd,
    env: clientEnv(ctx, projectDir),
    input,
    seconds: Math.min(handler.timeout ?? 30, 30),
  });
}

/** What a hook finds around it: little of its own, and all that a settings file or the user's shell puts there. */
export function clientEnv(ctx: Context, projectDir: string): Env {
  const env: Env = { CLAUDE_PROJECT_DIR: projectDir, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'touchstone-doctor' };
  for (const name of [
    'PATH',
    'HOME',
    'USERPROFILE',
    'SystemRoot',
    'TMPDIR',
    'LANG',
    'NODE_OPTIONS',
    'NODE_EXTRA_CA_CERTS',
  ]) {
    if (ctx.env[name] !== undefined) env[name] = ctx.env[name];
  }
  for (const { value } of [...parsed(ctx)].reverse()) {
    for (const [name, text] of Object.entries((value.env as Record<string, unknown> | undefined) ?? {})) {
      env[name] = String(text);
    }
  }
  return env;
}

function notDenied(ran: Ran): string | undefined {
  // Exit 2 without a word of ours is a shell or an interpreter that found no script: open for every other event.
  if (ran.code === 2) return speaks(ran) ? undefined : `does not answer (${outcome(ran)})`;
  if (deniesInJson(ran.stdout)) return undefined;
  return `let a forged verdict through (${outcome(ran)})`;
}

function deniesInJson(stdout: string): boolean {
  try {
    const out = JSON.parse(stdout) as { hookSpecificOutput?: { hookEventName?: string; permissionDecision?: string } };
    const { hookEventName, permissionDecision } = out.hookSpecificOutput ?? {};
    return hookEventName === 'PreToolUse' && permissionDecision === 'deny';
  } catch {
    return false;
  }
}

function notAnswered(entry: Wired, ran: Ran): string | undefined {
  if (CLOSED.has(entry.event) && ran.code !== 2) return `went on over a payload it cannot read (${outcome(ran)})`;
  // Exit 0 without a word of ours may be any program.
  if ((ran.code === 0 || ran.code === 2) && speaks(ran)) return undefined;
  return `does not answer (${outcome(ran)})`;
}

function speaks(ran: Ran): boolean {
  return /^touchstone\b/im.test(ran.stderr);
}

function notPassed(ran: Ran): string | undefined {
  if (ran.code === 0 && ran.stdout.trim() === '') return undefined;
  return `does not let a harmless call pass in silence (${outcome(ran)})`;
}

function outcome(ran: Ran): string {
  if (ran.error === 'ETIMEDOUT') return 'no answer in time';
  // A hook that ends before it reads leaves a broken pipe behind, and its own exit code.
  if (ran.error && ran.code === null) return `cannot be started: ${ran.error}`;
  if (ran.signal) return `killed by ${ran.signal}`;
  const said = firstLine(ran.stderr);
  return `exit ${ran.code}${said ? `: ${said}` : ''}`;
}

function cure(ran: Ran): string {
  if (ran.code === 9) return 'NODE_OPTIONS holds a flag that node refuses: unset it';
  if (ran.error === 'ENOENT' || ran.code === 1) return 'install Touchstone again, then run touchstone init';
  return 'run touchstone init; if it stays, report it';
}

function subFolder(root: string): string | undefined {
  const entry = readdirSync(root, { withFileTypes: true }).find(e => e.isDirectory() && e.name !== '.git');
  return entry && join(root, entry.name);
}
