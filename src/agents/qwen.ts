import type { Agent } from './agent.ts';

/** Qwen Code 0.24: Claude Code's events with tool names of its own. */
export const qwen: Agent = {
  name: 'qwen',
  recognise: payload =>
    (typeof payload.timestamp === 'string' && typeof payload.permission_mode === 'string') ||
    String(payload.transcript_path).includes('/.qwen/'),
  events: {
    SessionStart: 'session-start',
    UserPromptSubmit: 'user-prompt',
    PreToolUse: 'pre-tool',
    PostToolUse: 'post-tool',
    PostToolUseFailure: 'post-tool-failure',
    Stop: 'stop',
    SessionEnd: 'session-end',
  },
  tools: { write_file: 'write', edit: 'edit', run_shell_command: 'shell' },
};
