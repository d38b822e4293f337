import { afterCall } from '../src/after-call.ts';
import { letGo, runHook } from '../src/agents/hook.ts';
import { noted } from '../src/note-run.ts';

const failed = /post-tool-use-failure\.\w+$/.test(process.argv[1] ?? '');

void runHook(failed ? 'post-tool-failure' : 'post-tool', event => afterCall(noted(event)), letGo);
