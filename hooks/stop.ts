import { letGo, runHook } from '../src/agents/hook.ts';
import { suite } from '../src/load.ts';
import { findRoot } from '../src/state/paths.ts';

void runHook(
  'stop',
  async event => {
    const answer = await suite().stopGate(event, findRoot(event.cwd, event.projectDir));
    if (answer.kind === 'block') return { exit: 2, stderr: answer.text };
    if (answer.kind === 'release') return { exit: 0, stdout: JSON.stringify({ systemMessage: answer.text }) };
    return { exit: 0 };
  },
  letGo,
);
