import { readProject } from '../config/project.ts';
import { hasBaseline, takeBaseline } from '../gates/watch.ts';
import { insideAgent } from '../install/agent-env.ts';

/** A human's command says that things are as they should be; an agent's only where nothing was said yet. */
export function settleBaseline(root: string): void {
  if (!insideAgent().inside || !hasBaseline(root)) takeBaseline(root, readProject(root).project);
}
