import { letGoUnjudged, runHook } from '../src/agents/hook.ts';
import { suite } from '../src/load.ts';
import { closeRun } from '../src/note-run.ts';
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
    const stderr = (await closeRun(event, root)) ?? undefined;
    if (answer.kind === 'release') return { exit: 0, stdout: JSON.stringify({ systemMessage: answer.text }), stderr };
    return { exit: 0, stderr };
  },
  letGoUnjudged,
);
