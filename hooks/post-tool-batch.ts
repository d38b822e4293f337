import { afterCall } from '../src/after-call.ts';
import { letGoAloud, runHook } from '../src/agents/hook.ts';

// Exit 2 would end the whole turn here: what was found goes to the agent as context instead.
void runHook(
  'post-tool-batch',
  event => {
    const { stderr } = afterCall(event);
    if (stderr === undefined) return { exit: 0 };
    const output = { hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: stderr } };
    return { exit: 0, stdout: JSON.stringify(output) };
  },
  letGoAloud,
);
