/** The task list: a markdown file with checkboxes. Read byte by byte, edited by one character (spec/002, section 8). */
import { basename, dirname } from 'node:path';

export type TaskState = 'open' | 'done' | 'other';

export type Task = {
  id: string;
  title: string;
  /** 0-based. */
  line: number;
  /** The line as it stands, without its line end. */
  text: string;
  /** Offset of the state character in the file's text. */
  at: number;
  state: TaskState;
  optional: boolean;
  /** Requirements the task names below itself. */
  refs: string[];
};

const BOX = /^(\s*(?:[-*+]|\d+[.)])\s+\[)([ xX~-])\](\*?)\s+(\S.*?)\s*$/;
const ID =
  /^(?:\*\*|`)?(\d+(?:\.\d+)*|[A-Za-z]{1,12}[-_]?\d+(?:\.\d+)*)(?:\*\*|`)?(?=[.):\s])[.):]?(?:\*\*|`)?\s+(.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const REFS = /^\s*(?:[-*+]\s+)?_?\*{0,2}requirements?\*{0,2}:\s*([^_]+)_?\s*$/i;

export function readTasks(text: string): Task[] {
  const tasks: Task[] = [];
  let offset = 0;
  let fence: string | null = null;
  text.split('\n').forEach((raw, line) => {
    const start = offset;
    offset += raw.length + 1;
    const here = raw.replace(/\r$/, '');
    const mark = FENCE.exec(here);
    if (fence !== null) {
      if (mark && mark[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = null;
      return;
    }
    if (mark) {
      fence = mark[1]!;
      return;
    }
    const box = BOX.exec(here);
    if (box) {
      const named = ID.exec(box[4]!);
      const title = named ? named[2]! : box[4]!;
      const state = box[2] === ' ' ? 'open' : /[xX]/.test(box[2]!) ? 'done' : 'other';
      const id = named ? named[1]! : slug(title);
      tasks.push({
        id,
        title,
        line,
        text: here,
        at: start + box[1]!.length,
        state,
        optional: box[3] === '*',
        refs: [],
      });
      return;
    }
    const refs = REFS.exec(here)?.[1];
    if (refs !== undefined)
      tasks.at(-1)?.refs.push(
        ...refs
          .split(/[,;]/)
          .map(ref => ref.trim())
          .filter(ref => ref !== ''),
      );
  });
  return tasks;
}

function slug(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'task'
  );
}

/** `specs/login/tasks.md` speaks of "login", `docs/plan.md` of "plan". */
export function specNameOf(file: string): string {
  const base = basename(file).replace(/\.[^.]*$/, '');
  const folder = basename(dirname(file));
  return base.toLowerCase() === 'tasks' && folder !== '' && folder !== '.' ? folder : base;
}

/** Who the task is, whatever state its box is in. */
export function taskFingerprint(task: Task): string {
  return sha256(JSON.stringify([task.id, task.title, task.refs]));
}

/** The plan without the progress made on it. */
export function planHash(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { at } of readTasks(text)) {
    parts.push(text.slice(from, at), ' ');
    from = at + 1;
  }
  return sha256(parts.join('') + text.slice(from));
}

export function sha256(data: string | Uint8Array): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(data).digest('hex');
}

export type Tick = { kind: 'edited'; text: string; before: string; after: string } | { kind: 'refused'; why: string };

/** Ticks the one box of the task that was recorded; nothing else may differ. */
export function tick(text: string, recorded: Pick<Task, 'line' | 'text'>): Tick {
  const task = readTasks(text).find(t => t.line === recorded.line && t.text === recorded.text);
  if (task === undefined)
    return { kind: 'refused', why: `line ${recorded.line + 1} is not the recorded task any more` };
  if (task.state === 'done') return { kind: 'refused', why: 'the box is ticked already' };
  const edited = `${text.slice(0, task.at)}x${text.slice(task.at + 1)}`;
  const after = edited.split('\n')[task.line]!.replace(/\r$/, '');
  return { kind: 'edited', text: edited, before: task.text, after };
}
