import { insideAgent } from '../install/agent-env.ts';
import { UsageError } from './command.ts';

/** Refuses a human's verb inside an agent's process tree, whatever route called it there. */
export function humanOnly(verb: string): void {
  const agent = insideAgent();
  if (agent.inside) {
    throw new UsageError(
      'human-only',
      `${verb}: refused inside an agent (${agent.why}); a human runs it in a terminal of their own`,
    );
  }
}
