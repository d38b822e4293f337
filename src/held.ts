/** What hooks load after a call that could write while something is frozen. Bundled as dist/held.cjs. */
import type { Project } from './config/project.ts';
import { afterFreeze, type Cause, sayAfter } from './freeze/after.ts';

/** What slipped past the guards into the frozen set, in words for the agent; null where nothing did. */
export function checkFrozenAfter(root: string, project: Project, cause: Cause): string | null {
  return sayAfter(afterFreeze(root, project, cause));
}
