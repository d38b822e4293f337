import { letGoAloud, runHook } from '../src/agents/hook.ts';
import { suite } from '../src/load.ts';
import { closeRun, saying } from '../src/note-run.ts';
import { logDecision } from '../src/state/log.ts';
import { findRoot } from '../src/state/paths.ts';

void runHook(
  'subagent-stop',
  async event => {
    const root = findRoot(event.cwd, event.projectDir);
    const text = suite().answerSubagent(event, root);
    if (text !== null) {
      logDecision(root, 'stop', 'BLOCKED', text.split('\n')[0]!);
      return { exit: 2, stderr: text };
    }
    return saying({ exit: 0 }, event.subagent === undefined ? null : await closeRun(event, root));
  },
  letGoAloud,
);
