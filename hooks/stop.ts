import { letGoUnjudged, runHook } from '../src/agents/hook.ts';
import { suite } from '../src/load.ts';
import { closeRun, saying } from '../src/note-run.ts';
import { logDecision } from '../src/state/log.ts';
import { findRoot } from '../src/state/paths.ts';

void runHook(
  'stop',
  async event => {
    const root = findRoot(event.cwd, event.projectDir);
    const answer = await suite().stopGate(event, root);
    if (answer.kind === 'block') {
      logDecision(root, 'stop', 'BLOCKED', answer.text.split('\n')[0]!);
      return { exit: 2, stderr: answer.text };
    }
    const note = await closeRun(event, root);
    const said = [answer.kind === 'release' ? answer.text : null, note].filter(text => text !== null);
    return saying({ exit: 0 }, said.length > 0 ? said.join('\n') : null);
  },
  letGoUnjudged,
);
