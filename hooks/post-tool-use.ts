import { afterCall } from '../src/after-call.ts';
import { letGo, runHook } from '../src/agents/hook.ts';
import { noted } from '../src/note-run.ts';

void runHook('post-tool', event => afterCall(noted(event)), letGo);
