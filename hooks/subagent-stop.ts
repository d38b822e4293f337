import { letGo, runHook } from '../src/agents/hook.ts';
import { suite } from '../src/load.ts';
import { findRoot } from '../src/state/paths.ts';

void runHook(
  'subagent-stop',
  event => {
    const text = suite().answerSubagent(event, findRoot(event.cwd, event.projectDir));
    return text === null ? { exit: 0 } : { exit: 2, stderr: text };
  },
  letGo,
);
