import { refuse, runHook } from '../src/agents/hook.ts';
import { judgeCall } from '../src/judge-call.ts';
import { engine, loaders } from '../src/load.ts';
import { findRoot } from '../src/state/paths.ts';

void runHook(
  'pre-tool',
  async event => {
    // What is dispatched writes by calls of its own: only its step's attempt begins here.
    if (/^(?:Agent|Task|Skill)$/.test(event.call?.tool ?? ''))
      await engine().dispatched(event, findRoot(event.cwd, event.projectDir));
    return judgeCall(event, loaders);
  },
  refuse,
);
