/** One runner per project: a stage command works alone, and a killed one does not bar the next. */
import { rmSync } from 'node:fs';
import { isRecord } from '../config/project.ts';
import { isAlive, self } from '../runs/owner.ts';
import type { Owner } from '../runs/types.ts';
import { readJson, writeJson } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { statePath } from '../state/paths.ts';
import { StageError } from './error.ts';
import { STAGES } from './task-state.ts';

export async function alone<T>(root: string, work: () => Promise<T> | T): Promise<T> {
  const path = statePath(root, STAGES, 'runner.json');
  await withLock(root, 'stages', () => {
    const read = readJson<Owner>(path, value =>
      isRecord(value) && typeof value.pid === 'number' ? null : 'is malformed',
    );
    if (read.kind === 'value' && isAlive(read.value)) {
      throw new StageError(
        'busy',
        `One runner per project: process ${read.value.pid} is at work on this plan; wait for it to end`,
      );
    }
    writeJson(path, self());
  });
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
