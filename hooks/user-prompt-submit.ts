import { letGo, runHook } from '../src/agents/hook.ts';
import { engine } from '../src/load.ts';
import { findRoot } from '../src/state/paths.ts';

void runHook(
  'user-prompt',
  async event => ({ exit: 0, stdout: await engine().promptSubmitted(event, findRoot(event.cwd, event.projectDir)) }),
  letGo,
);
