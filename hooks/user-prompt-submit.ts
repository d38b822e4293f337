import { letGo, runHook } from '../src/agents/hook.ts';
import { engine } from '../src/load.ts';
import { findRoot } from '../src/state/paths.ts';

void runHook(
  'user-prompt',
  async event => {
    const root = findRoot(event.cwd, event.projectDir);
    const told = await engine().promptSubmitted(event, root);
    const run = await engine().openTurn(event, root);
    return { exit: 0, stdout: [told, run].filter(text => text !== '').join('\n') };
  },
  letGo,
);
