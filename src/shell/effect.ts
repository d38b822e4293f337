/** What a shell command would do to files, as far as a static reading can tell (issue of the frozen tests; design 5). */

export type Op = 'write' | 'create' | 'delete' | 'rename' | 'mode' | 'link';

/** A git command whose effect only git can tell. Paths are absolute; an empty list means the whole work tree. */
export type GitTarget = {
  kind: 'git';
  verb: string;
  /** Everything after `git` and its global options, the verb included. */
  argv: string[];
  cwd: string;
  /** `--work-tree`, `GIT_WORK_TREE`. */
  workTree?: string;
  /** Pathspecs the command names, made absolute where they are plain paths. */
  paths: string[];
};

export type Target =
  | { kind: 'path'; path: string }
  /** A pattern that could not be expanded against the real tree; absolute, `*` `**` `?` `[..]` only. */
  | { kind: 'glob'; pattern: string }
  | GitTarget
  /** Writes somewhere the text does not say. */
  | { kind: 'unknown' };

export type Effect = {
  op: Op;
  target: Target;
  /** The command or redirection that does it, as one word (`rm`, `>`, `git checkout`, `python -c`). */
  via: string;
  /** Offsets into the command text, when it lies in the text itself. */
  span?: [number, number];
  /** The operation takes in everything below the path (`rm -r`, `mv` of a folder, `chmod -R`). */
  deep?: true;
  /** Reached through a folder operand of a tool that rewrites only what it finds wrong (formatters). */
  maybe?: true;
  /** The bytes that would be written, where the text tells them all. */
  content?: () => string | undefined;
  append?: true;
};

/** Why the exit status of a program cannot be seen in the exit status of the whole command. */
export type Mask = 'pipe' | 'or' | 'then' | 'background' | 'negated' | 'condition' | 'substitution' | 'wrapper';

/** A program the command would start, with its literal argv (wrappers peeled off). */
export type Invocation = {
  argv: string[];
  cwd: string;
  span?: [number, number];
  masked?: Mask;
  /** The program text it reads from its standard input. */
  code?: string;
  /** Variables set for this call alone. */
  env?: Record<string, string>;
};

/** Work about to leave the tree: `git commit`, `git push`, `gh pr create` and the like. */
export type Delivery = {
  verb: 'commit' | 'push' | 'pr';
  argv: string[];
  cwd: string;
  noVerify: boolean;
  dryRun: boolean;
  span?: [number, number];
};

/** A git call made so that the repository's hooks do not run. */
export type HookSkip = { verb: string; how: string; span?: [number, number] };

export type Reading = {
  effects: Effect[];
  invocations: Invocation[];
  deliveries: Delivery[];
  hookSkips: HookSkip[];
  /** Script files that would be run, absolute, whether or not they could be read. */
  scripts: string[];
  /** Parts the reader could not parse: their text, so that a guard can look for protected names. */
  opaque: string[];
};
