import { delivery } from './delivery.ts';
import { frozenTests } from './frozen-tests.ts';
import type { Guard } from './guard.ts';
import { hookConfig } from './hook-config.ts';
import { humanVerbs } from './human-verbs.ts';
import { passClaim } from './pass-claim.ts';
import { phase } from './phase.ts';
import { runnerConfig } from './runner-config.ts';
import { scope } from './scope.ts';
import { stateFiles } from './state-files.ts';

/** In order: the first refusal is the one the agent hears, the cheap and absolute rules come first. */
export const GUARDS: readonly Guard[] = [
  humanVerbs,
  stateFiles,
  hookConfig,
  phase,
  frozenTests,
  scope,
  runnerConfig,
  passClaim,
  delivery,
];
