import { afterCall } from '../src/after-call.ts';
import { letGo, runHook } from '../src/agents/hook.ts';

void runHook('post-tool', afterCall, letGo);
