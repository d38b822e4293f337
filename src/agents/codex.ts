import type { Agent } from './agent.ts';

/** Codex 0.171: the same events, its edits arrive as a patch text in `command`. */
export const codex: Agent = {
  name: 'codex',
  recognise: payload => typeof payload.turn_id === 'string' || String(payload.transcript_path).includes('/.codex/'),
  events: {
    SessionStart: 'session-start',
    UserPromptSubmit: 'user-prompt',
    PreToolUse: 'pre-tool',
    PostToolUse: 'post-tool',
    Stop: 'stop',
    SessionEnd: 'session-end',
  },
  tools: { apply_patch: 'patch', Bash: 'shell' },
};
