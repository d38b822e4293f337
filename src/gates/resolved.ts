/** How many tasks the engine saw resolved: finished stages, and tasks whose evidence was accepted. Nobody's word counts. */
import { readdirSync } from 'node:fs';
import { isRecord } from '../config/project.ts';
import { readJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';

const EVIDENCE = 'evidence/runs';
const ACCEPTED = ['verified', 'manually-accepted'];

export function resolvedTasks(root: string): number {
  const stages = readJson<{ completed: object }>(statePath(root, 'stages/task.json'), value =>
    isRecord(value) && isRecord(value.completed) ? null : 'has no stages',
  );
  let resolved = stages.kind === 'value' ? Object.keys(stages.value.completed).length : 0;
  for (const spec of names(statePath(root, EVIDENCE))) {
    for (const task of names(statePath(root, EVIDENCE, spec))) {
      const folder = statePath(root, EVIDENCE, spec, task);
      if (names(folder).some(name => isAccepted(`${folder}/${name}`))) resolved++;
    }
  }
  return resolved;
}

function isAccepted(path: string): boolean {
  return (
    readJson(path, value => (isRecord(value) && ACCEPTED.includes(String(value.status)) ? null : 'is not accepted'))
      .kind === 'value'
  );
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
