/** What a guard is: a pure answer to an event and a view of the state. The view reads nothing until it is asked. */
import type { Project } from '../config/project.ts';
import type { Change, Decision, Event, PathOp } from '../event.ts';
import type { Trace } from '../freeze/trace.ts';
import type { Invocation, Reading } from '../shell/effect.ts';
import type { Located } from '../state/paths.ts';
import type { Freshness } from '../verdict/freshness.ts';
import type { Standing } from '../verdict/standing.ts';

/** Judgements of settings, tests and reports: loaded only when a call touches such a file. */
export type Rules = {
  /** The refusal that a PASS claim in a report calls for; null where it may stand. */
  unprovenClaim(touch: Touch, rel: string, view: View, change: Change | undefined): Decision | null;
  /** Why the command starts an agent without hooks; null where it does not. */
  nestedAgent(invocation: Invocation, view: View): string | null;
} & Pick<typeof import('./settings-change.ts'), 'weakening'> &
  Pick<typeof import('./weaker-tests.ts'), 'weakerTests'> &
  Pick<typeof import('./writer-words.ts'), 'writerWords'> &
  Pick<typeof import('../verdict/standing.ts'), 'standing'>;

/** One path a call would change, by whichever route. */
export type Touch = {
  op: PathOp['op'];
  /** The tool's name, or the command inside a shell line (`rm`, `>`, `git checkout`). */
  via: string;
  shell: boolean;
  named: string;
  at: Located;
  /** Takes in everything below the path. */
  deep?: boolean;
  /** A tool that rewrites only what it finds wrong. */
  maybe?: boolean;
  /** A whole-tree git command that brings files back to what HEAD holds (stash, checkout ., reset --hard, clean). */
  tidies?: boolean;
  /** What a shell line would write, where its text tells it all. */
  content?: () => string | undefined;
  append?: boolean;
};

export type View = {
  root: string;
  home: string;
  project(): Project;
  projectFile(): 'ok' | 'missing' | 'corrupt';
  standing(): Standing;
  /** Whether the tree is the one the standing PASS was measured on. */
  freshness(): Freshness;
  /** Paths the call would change; patterns are expanded, what cannot be known is in `opaque`. */
  touches(): Touch[];
  reading(): Reading | null;
  /** Absolute patterns a shell line would write that name no single file. */
  globs(): { pattern: string; via: string; op: Touch['op'] }[];
  /** Text the shell reader could not read: deny only where it names something protected. */
  opaque(): string[];
  /** Content of a file as it is now; null where there is none or it is not text. */
  read(path: string): string | null;
  locate(path: string): Located;
  foldsCase(): boolean;
  /** Which of the files at root-relative `rels` `path` is another name (hard link) of. */
  sameFile(path: string, rels: readonly string[]): string | null;
  /** True where the path is a folder now. */
  isFolder(path: string): boolean;
  /** What is frozen; null where nothing is. */
  frozen(): Trace | null;
  /** The first file below a root-relative folder that `test` holds for; null where none does. */
  below(rel: string, test: (rel: string) => boolean): string | null;
  /** The root-relative frozen file that `path` is another name of. */
  hardLinked(path: string, test: (rel: string) => boolean): string | null;
  /** Root-relative paths refused in this turn. */
  refused(): string[];
  /** Whether a human allowed this once for a root-relative path; the call that goes through uses it up. */
  allowed(rel: string): boolean;
  /** What was answered with yes. */
  spent(): string[];
  /** Why the call leaves what the open stage may write; null where it does not, or no stage is open. */
  outOfScope(): string | null;
  rules(): Rules;
  /** Whether what the command would deliver may leave. */
  delivered(): Decision;
  /** What leaves without proof, where the policy says so much. */
  warned(): string[];
  /** Absolute paths of programs and scripts that hooks configured for this project run. */
  hookScripts(): string[];
};

export type Guard = { name: string; judge(event: Event, view: View): Decision };

/**
 * The root-relative names a touch stands for: as named and by real path, lower-cased where the volume folds case.
 * Empty where it lies outside the project.
 */
export function relNames(touch: Touch, view: View): string[] {
  const names = [touch.at.rel, touch.at.realRel].filter((r): r is string => r !== null);
  const unique = [...new Set(names)];
  return view.foldsCase() ? unique.map(n => n.toLowerCase()) : unique;
}

/** Whether removing, moving or overwriting `rel` takes `inner` with it. */
export function holds(rel: string, inner: string): boolean {
  return rel === '' || inner === rel || inner.startsWith(rel + '/');
}

/** Operations that take a whole folder with them. */
export function takesFolder(touch: Touch): boolean {
  if (touch.deep) return true;
  return touch.op === 'rename' || touch.op === 'link' || (touch.op === 'delete' && !touch.shell);
}
