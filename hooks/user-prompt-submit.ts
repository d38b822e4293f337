import { letGoAloud, runHook } from '../src/agents/hook.ts';
import { engine } from '../src/load.ts';
import { findRoot } from '../src/state/paths.ts';

void runHook(
  'user-prompt',
  async event => {
    const root = findRoot(event.cwd, event.projectDir);
    let broken = '';
    const told = await engine()
      .promptSubmitted(event, root)
      .catch((error: Error) => {
        broken = `Touchstone: ${error.message.split('\n')[0]}. Run: touchstone doctor`;
        return '';
      });
    const run = await engine().openTurn(event, root);
    const text = [told, broken, run].filter(part => part !== '').join('\n');
    if (broken === '' && run === '') return { exit: 0, stdout: text };
    // Plain text reaches the agent alone.
    const output = { hookEventName: 'UserPromptSubmit', additionalContext: text };
    return { exit: 0, stdout: JSON.stringify({ systemMessage: text, hookSpecificOutput: output }) };
  },
  letGoAloud,
);
