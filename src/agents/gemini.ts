import type { Agent } from './agent.ts';

/** Gemini CLI 0.61: other event names; the final message is `prompt_response`. */
export const gemini: Agent = {
  name: 'gemini',
  recognise: payload =>
    /^(?:Before|After)(?:Tool|Agent)$|^PreCompress$/.test(String(payload.hook_event_name)) ||
    String(payload.transcript_path).includes('/.gemini/'),
  events: {
    SessionStart: 'session-start',
    BeforeAgent: 'user-prompt',
    BeforeTool: 'pre-tool',
    AfterTool: 'post-tool',
    AfterAgent: 'stop',
    SessionEnd: 'session-end',
  },
  tools: { write_file: 'write', replace: 'edit', run_shell_command: 'shell' },
  fields: { message: 'prompt_response' },
};
