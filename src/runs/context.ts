/** The task a run is about, as the task list has it now. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBytes } from '../state/atomic.ts';
import { RunError } from './error.ts';
import { planHash, readTasks, sha256, specNameOf, type Task, taskFingerprint } from './tasks.ts';
import type { SpecContext } from './types.ts';

export type TaskList = { file: string; spec: string; bytes: Buffer; tasks: Task[] };

export function readTaskList(root: string, file: string | null): TaskList {
  if (file === null) {
    throw new RunError('no-task-list', 'no task list: name a markdown file as "tasks" in .claude/project.json');
  }
  const read = readBytes(join(root, file));
  if (read.kind === 'bytes') return { file, spec: specNameOf(file), bytes: read.bytes, tasks: readTasks(read.bytes) };
  const why = read.kind === 'missing' ? 'is missing' : read.why;
  throw new RunError('no-task-list', `task list ${file} ${why}: correct "tasks" in .claude/project.json`);
}

export function findTask(list: TaskList, id: string): Task {
  const found = list.tasks.filter(task => task.id === id);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    throw new RunError(
      'ambiguous-task',
      `task ${id}: ${list.file} has ${found.length} tasks of that id; make them unique`,
    );
  }
  const known = list.tasks.map(task => task.id);
  const shown = known.slice(0, 20).join(', ') + (known.length > 20 ? ` and ${known.length - 20} more` : '');
  throw new RunError('unknown-task', `task ${id}: no such task in ${list.file} (there: ${shown || 'none'})`);
}

export function contextOf(root: string, list: TaskList, task: Task): SpecContext {
  const folder = dirname(join(root, list.file));
  return {
    documentHash: hashOf(folder, ['requirements.md', 'bugfix.md']),
    designHash: hashOf(folder, ['design.md']),
    tasksPlanHash: planHash(list.bytes),
    taskFingerprint: taskFingerprint(task),
    taskText: task.title,
  };
}

function hashOf(folder: string, names: string[]): string | null {
  for (const name of names) {
    try {
      return sha256(readFileSync(join(folder, name)));
    } catch {
      // Not every list has the documents beside it.
    }
  }
  return null;
}

/** The context now, or null where list or task are gone. */
export function contextNow(
  root: string,
  file: string | null,
  id: string,
): { list: TaskList; task: Task; context: SpecContext } | null {
  try {
    const list = readTaskList(root, file);
    const task = findTask(list, id);
    return { list, task, context: contextOf(root, list, task) };
  } catch (error) {
    if (error instanceof RunError) return null;
    throw error;
  }
}
