import { letGo, runHook } from '../src/agents/hook.ts';
import { findSession } from '../src/gates/session.ts';
import { engine } from '../src/load.ts';
import { findRoot } from '../src/state/paths.ts';

void runHook(
  'session-end',
  async event => {
    const root = findRoot(event.cwd, event.projectDir);
    if (findSession(root, event.session)) {
      await engine().updateSession(root, event.session, session => {
        session.endedAt = new Date().toISOString();
      });
    }
    const closed = await engine().sessionEnded(event, root);
    return closed === '' ? { exit: 0 } : { exit: 0, stderr: closed };
  },
  letGo,
);
