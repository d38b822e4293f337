import type { Op } from './effect.ts';

/** One command: which of its words name files it changes. Flag lists are blank-separated: `o t output target-directory`. */
export type Row = {
  /** What happens to the chosen operands; `write` when not said. */
  op?: Op;
  /** Which operands: every one, all but the first, the first, the last, the second, or none. */
  on?: 'all' | 'rest' | 'first' | 'last' | 'second' | 'third' | 'none';
  /** Sources and a destination that may be a folder: the written path is destination/basename(source). */
  into?: true;
  /** `host:path` lies on another machine. */
  far?: true;
  /** What happens to the sources. */
  from?: Op;
  /** Flags that take a value. */
  val?: string;
  /** Flags whose value may only be glued on (`-i.bak`). */
  glued?: string;
  /** Flags whose value is a file that is written. */
  out?: string;
  /** Flags whose value is the folder written into. */
  dir?: string;
  /** Does something only with one of these flags. */
  when?: string;
  /** Does nothing with one of these flags. */
  unless?: string;
  /** First operand is a program unless one of these flags gave it. */
  code?: string;
  /** Takes in everything below a folder: always, or with one of these flags. */
  deep?: true | string;
  /** Folder operands are searched for files with these endings (formatters). */
  ext?: string;
  /** Endings to look for where a folder has none of `ext`. */
  orExt?: string;
  /** Flags with patterns of files that a sweep leaves out. */
  skip?: string;
  /** Files that list more of them, and the flag that names another. */
  ignores?: string;
  /** What stands in for missing operands. */
  base?: string;
  /** Long options start with a single dash (openssl, terraform). */
  single?: true;
  /** Leading words before the operands (`biome check`, `ruff format`). */
  sub?: string;
};

export type Parsed = { flags: Map<string, string[]>; operands: string[] };
