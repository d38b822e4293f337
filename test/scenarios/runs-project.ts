/** A project whose runs are looked at: wired state, accepted rules, and the files of each run as values. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidenceRecord, RunEvent, RunRecord } from '../../src/runs/types.ts';
import { type Ran, redProject, type World } from './world.ts';

export const TASKS = '# Tasks\n\n- [ ] 1. Make add add\n  - _Requirements: 1.1_\n- [ ] 2. Second\n- [x] 3. Third\n';

export function runProject(config: object = {}): World {
  const world = redProject()
    .file('.gitignore', '.claude/state/\n')
    .file('.claude/project.json', `${JSON.stringify({ test: { cmd: 'node --test' }, ...config }, null, 2)}\n`)
    .file('specs/login/tasks.md', TASKS);
  world.git('add', '-A');
  world.git('commit', '-qm', 'config');
  const accepted = world.cli(['config', 'accept']);
  if (accepted.code !== 0) throw new Error(accepted.err);
  return world;
}

export const runsDir = (w: World): string => join(w.root, '.claude/state/runs');

export function runs(w: World): RunRecord[] {
  const listed = w.cli(['run', 'list', '--json']);
  return (JSON.parse(listed.out) as { runs: RunRecord[] }).runs;
}

export function ids(w: World): string[] {
  try {
    return readdirSync(runsDir(w)).sort();
  } catch {
    return [];
  }
}

export function file<T>(w: World, id: string, name: string): T {
  return JSON.parse(readFileSync(join(runsDir(w), id, name), 'utf8')) as T;
}

export const runOf = (w: World, id: string): RunRecord => file(w, id, 'run.json');
export const evidenceOf = (w: World, id: string): EvidenceRecord => file(w, id, 'evidence.json');

export function events(w: World, id: string): RunEvent[] {
  const text = readFileSync(join(runsDir(w), id, 'events.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as RunEvent);
}

export const changed = (w: World, id: string): string[] =>
  evidenceOf(w, id)
    .changedFiles.filter(f => f.modifiedDuringRun)
    .map(f => f.path);

/** One agent's hooks, by session. */
export function agent(w: World, session: string, subagent?: string) {
  const base = {
    session_id: session,
    ...(subagent === undefined ? {} : { agent_id: subagent, agent_type: 'general' }),
  };
  const send = (hook: string, name: string, more: object): Ran =>
    w.hook(hook, { hook_event_name: name, ...base, ...more });
  return {
    start: (source = 'startup') => send('session-start', 'SessionStart', { source }),
    end: () => send('session-end', 'SessionEnd', { reason: 'exit' }),
    prompt: (prompt: string) => send('user-prompt-submit', 'UserPromptSubmit', { prompt }),
    write: (path: string, text: string) => {
      w.file(path, text);
      return send('post-tool-use', 'PostToolUse', {
        tool_name: 'Write',
        tool_input: { file_path: join(w.root, path), content: text },
        tool_use_id: 'w',
        tool_response: {},
      });
    },
    bash: (command: string, stdout = '') =>
      send('post-tool-use', 'PostToolUse', {
        tool_name: 'Bash',
        tool_input: { command },
        tool_use_id: 'b',
        tool_response: { stdout, stderr: '', interrupted: false },
      }),
    fail: (command: string, error: string) =>
      send('post-tool-use-failure', 'PostToolUseFailure', {
        tool_name: 'Bash',
        tool_input: { command },
        tool_use_id: 'f',
        error,
      }),
    stop: (last_assistant_message: string, more: object = {}) =>
      send('stop', 'Stop', { stop_hook_active: false, last_assistant_message, background_tasks: [], ...more }),
    subagentStop: (last_assistant_message: string) =>
      send('subagent-stop', 'SubagentStop', { stop_hook_active: false, last_assistant_message, background_tasks: [] }),
  };
}
