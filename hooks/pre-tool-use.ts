import { refuse, runHook } from '../src/agents/hook.ts';
import { judgeCall } from '../src/judge-call.ts';
import { loaders } from '../src/load.ts';

void runHook('pre-tool', event => judgeCall(event, loaders), refuse);
