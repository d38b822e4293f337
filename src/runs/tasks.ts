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
  /** Offset of the state character in the file, in bytes. */
  at: number;
  state: TaskState;
  optional: boolean;
  /** Requirements the task names below itself. */
  refs: string[];
};

const BOX = /^(\s*(?:[-*+]|\d+[.)])\s+\[)([ xX~-])\](\*?)\s+(\S.*?)\s*$/;
const ID =
  /^(?:\*\*|`)?(\d+(?:\.\d+)*|[A-Za-z]{1,12}[-_]?\d+(?:\.\d+)*)(?:\*\*|`)?(?=[.):\s])[.):]?(?:\*\*|`)?\s+(.*)$/;
const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/;
const REFS = /^\s*(?:[-*+]\s+)?_?\*{0,2}requirements?\*{0,2}:\s*([^_]+)_?\s*$/i;

export function readTasks(source: Uint8Array | string): Task[] {
  const tasks: Task[] = [];
  let fence: { mark: string; inside: boolean } | null = null;
  linesOf(Buffer.from(source)).forEach(({ start, text }, line) => {
    const here = text.replace(/\r$/, '');
    const mark = FENCE.exec(here);
    // A fence inside a list item ends with the item, closed or not.
    if (fence?.inside && /^\S/.test(here)) fence = null;
    if (fence !== null) {
      if (mark && mark[2]!.startsWith(fence.mark) && mark[3]!.trim() === '') fence = null;
      return;
    }
    if (mark) {
      fence = { mark: mark[2]!, inside: mark[1]!.length > 3 };
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
        at: start + Buffer.byteLength(box[1]!),
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

/** By bytes: a list in another encoding is edited as exactly as any. */
function linesOf(bytes: Buffer): { start: number; text: string }[] {
  const lines: { start: number; text: string }[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    lines.push({ start, text: bytes.toString('utf8', start, end) });
    start = end + 1;
  }
  return lines;
}

/** Tasks below another one: deeper in the list, or numbered under it. */
export function subtasksOf(tasks: readonly Task[], of: Task): Task[] {
  const depth = (task: Task): number => task.text.length - task.text.trimStart().length;
  const after = tasks.slice(tasks.indexOf(of) + 1);
  const end = after.findIndex(task => depth(task) <= depth(of));
  const below = new Set(end < 0 ? after : after.slice(0, end));
  return tasks.filter(task => below.has(task) || task.id.startsWith(`${of.id}.`));
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
export function planHash(source: Uint8Array | string): string {
  const bytes = Buffer.from(source);
  for (const { at } of readTasks(source)) bytes[at] = 0x20;
  return sha256(bytes);
}

export function sha256(data: string | Uint8Array): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(data).digest('hex');
}

export type Tick = { kind: 'edited'; bytes: Buffer; before: string; after: string } | { kind: 'refused'; why: string };

/** Ticks the one box of the task that was recorded; nothing else may differ. */
export function tick(source: Uint8Array | string, recorded: Pick<Task, 'line' | 'text'>): Tick {
  const task = readTasks(source).find(t => t.line === recorded.line && t.text === recorded.text);
  if (task === undefined)
    return { kind: 'refused', why: `line ${recorded.line + 1} is not the recorded task any more` };
  if (task.state === 'done') return { kind: 'refused', why: 'the box is ticked already' };
  const bytes = Buffer.from(source);
  bytes[task.at] = 0x78;
  return { kind: 'edited', bytes, before: task.text, after: linesOf(bytes)[task.line]!.text.replace(/\r$/, '') };
}
