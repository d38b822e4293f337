import { readFileSync } from 'node:fs';
import type { Env } from './places.ts';

export type InsideAgent = { inside: false } | { inside: true; why: string };

/**
 * Variables that an agent sets for the commands it starts. Variables that people export for themselves (keys, provider
 * choices, an editor's socket for the agent) are not among them: a human's own terminal must pass.
 */
const MARKS: readonly string[] = [
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_PID',
  'AI_AGENT',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_THREAD_ID',
  'CODEX_CI',
  'GEMINI_CLI',
  'QWEN_CODE',
  'CURSOR_AGENT',
  'OPENCODE',
  'CLINE_ACTIVE',
  'COPILOT_CLI',
  'AUGMENT_AGENT',
  'GOOSE_TERMINAL',
  'KIRO_AGENT_PATH',
  'AMP_CURRENT_THREAD_ID',
];

/** Programs that are agents, by the name they run under. Editors that merely hold a terminal are not. */
const PROGRAMS = new Set([
  'claude',
  'codex',
  'gemini',
  'qwen',
  'opencode',
  'cursor-agent',
  'copilot',
  'amp',
  'aider',
  'goose',
  'droid',
  'kiro-cli',
  'auggie',
  'crush',
]);

/** Packages whose entry file an interpreter runs under a name that says nothing (`cli.js`, `index.js`). */
const PACKAGES =
  /[\\/](?:@anthropic-ai[\\/]claude-code|@openai[\\/]codex|@google[\\/]gemini-cli|@qwen-code[\\/]qwen-code|@github[\\/]copilot|@sourcegraph[\\/]amp|opencode-ai)[\\/]/;
const INTERPRETERS = /^(?:node|nodejs|bun|deno|python[\d.]*|MainThread)$/;

export type Process = { ppid: number; comm: string; argv: string[]; env: Env };

/** Reads one process; `null` where it is gone, or the system has no /proc. */
export type ReadProcess = (pid: number) => Process | null;

/** Is this process one that an agent started, at whatever remove? */
export function insideAgent(
  env: Env = process.env,
  pid: number = process.ppid,
  read: ReadProcess = procReader('/proc'),
): InsideAgent {
  const own = markOf(env);
  if (own) return { inside: true, why: `${own} is set` };
  const seen = new Set<number>();
  for (let at = pid; at > 0 && !seen.has(at); ) {
    seen.add(at);
    const parent = read(at);
    if (!parent) break;
    const mark = markOf(parent.env);
    if (mark) return { inside: true, why: `${mark} is set for process ${at} above this one` };
    const program = agentProgram(parent);
    if (program) return { inside: true, why: `process ${at} above this one is ${program}` };
    at = parent.ppid;
  }
  return { inside: false };
}

function markOf(env: Env): string | undefined {
  return MARKS.find(name => env[name] !== undefined && env[name] !== '' && env[name] !== '0');
}

function agentProgram({ comm, argv }: Process): string | undefined {
  const name = baseName(argv[0] ?? comm);
  if (PROGRAMS.has(name)) return name;
  if (PROGRAMS.has(comm)) return comm;
  if (!INTERPRETERS.test(name) && !INTERPRETERS.test(comm)) return undefined;
  // An interpreter: the first operand is the program it runs.
  const script = argv.slice(1).find(word => !word.startsWith('-'));
  if (script === undefined) return undefined;
  const program = baseName(script).replace(/\.[cm]?js$|\.py$/, '');
  if (PROGRAMS.has(program)) return program;
  return PACKAGES.test(script) ? (PACKAGES.exec(script)?.[0].slice(1, -1) ?? script) : undefined;
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/\.exe$/i, '');
}

export function procReader(root: string): ReadProcess {
  return pid => {
    try {
      const stat = readFileSync(`${root}/${pid}/stat`, 'utf8');
      // The name stands in parentheses and may hold anything, parentheses too.
      const close = stat.lastIndexOf(')');
      const comm = stat.slice(stat.indexOf('(') + 1, close);
      const ppid = Number(stat.slice(close + 2).split(' ')[1]);
      return { ppid, comm, argv: words(`${root}/${pid}/cmdline`), env: variables(`${root}/${pid}/environ`) };
    } catch {
      return null;
    }
  };
}

function words(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}

/** Another user's process hides its environment: its name still tells. */
function variables(path: string): Env {
  return Object.fromEntries(
    words(path).map(entry => {
      const eq = entry.indexOf('=');
      return [entry.slice(0, eq), entry.slice(eq + 1)];
    }),
  );
}
