import { letGoAloud, runHook } from '../src/agents/hook.ts';
import { engine } from '../src/load.ts';
import { findRoot } from '../src/state/paths.ts';
import { wiredNow } from '../src/wiring.ts';

void runHook(
  'session-start',
  async event => {
    const root = findRoot(event.cwd, event.projectDir);
    const told = await engine().sessionStart(event, root, wiredNow(root));
    const closed = await engine().sessionBegan(event, root);
    return { exit: 0, stdout: [told, closed].filter(text => text !== '').join('\n') };
  },
  letGoAloud,
);
