import { afterCall } from '../src/after-call.ts';
import { letGoAloud, runHook } from '../src/agents/hook.ts';
import { noted, saying } from '../src/note-run.ts';

const failed = /post-tool-use-failure\.\w+$/.test(process.argv[1] ?? '');

void runHook(
  failed ? 'post-tool-failure' : 'post-tool',
  event => {
    const note = noted(event);
    return saying(afterCall(event), note);
  },
  letGoAloud,
);
