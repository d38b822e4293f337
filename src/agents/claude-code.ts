import type { Agent } from './agent.ts';

/** Claude Code 2.1.x, measured (protocols, sections 1.4 and 1.5). MultiEdit is gone there and kept for older clients. */
export const claudeCode: Agent = {
  name: 'claude-code',
  recognise: () => true,
  events: {
    SessionStart: 'session-start',
    UserPromptSubmit: 'user-prompt',
    PreToolUse: 'pre-tool',
    PostToolUse: 'post-tool',
    PostToolUseFailure: 'post-tool-failure',
    PostToolBatch: 'post-tool-batch',
    Stop: 'stop',
    SubagentStop: 'subagent-stop',
    ConfigChange: 'config-change',
    SessionEnd: 'session-end',
  },
  tools: {
    Write: 'write',
    Edit: 'edit',
    MultiEdit: 'multi-edit',
    NotebookEdit: 'notebook',
    Bash: 'shell',
    Monitor: 'shell',
    PowerShell: 'powershell',
  },
};
