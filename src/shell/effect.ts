/** What a shell command would do to files, as far as a static reading can tell (issue of the frozen tests; design 5). */

export type Effect = {
  op: 'write' | 'create' | 'delete' | 'rename' | 'mode' | 'link';
  target:
    | { kind: 'path'; path: string }
    /** A pattern that could not be expanded against the real tree. */
    | { kind: 'glob'; pattern: string }
    /** Writes somewhere the text does not say. */
    | { kind: 'unknown' };
  /** The command or redirection that does it, as one word (`rm`, `>`, `git checkout`, `python -c`). */
  via: string;
  /** Offsets into the command text, when it lies in the text itself. */
  span?: [number, number];
};

/** A program the command would start, with its literal argv (wrappers peeled off). */
export type Invocation = { argv: string[]; cwd: string; span?: [number, number] };

export type Reading = {
  effects: Effect[];
  invocations: Invocation[];
  /** Parts the reader could not parse: their text, so that a guard can look for protected names. */
  opaque: string[];
};
