import { refuse, runHook } from '../src/agents/hook.ts';
import { findSession } from '../src/gates/session.ts';
import { logDecision } from '../src/state/log.ts';
import { findRoot } from '../src/state/paths.ts';
import { refuseChange } from '../src/wiring.ts';

void runHook(
  'config-change',
  event => {
    const root = findRoot(event.cwd, event.projectDir);
    const why = refuseChange(event, root, findSession(root, event.session));
    if (why === null) return { exit: 0 };
    logDecision(root, 'hook-config', 'BLOCKED', why);
    return {
      exit: 2,
      stderr: `Touchstone hook-config: ${why}; the settings in force stay. A human runs: touchstone uninstall`,
    };
  },
  refuse,
);
