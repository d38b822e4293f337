/** What the readers of sed and perl programs share. */

/** Literal text, or the number of a group (0: the whole match). */
export type Replacement = (string | number)[];
export type Substitution = { kind: 's'; re: RegExp; by: Replacement; nth: number; all: boolean; print: boolean };

/** Caught where a program is read: it does more than line edits. */
export const beyond = (): never => {
  throw new Error('more than line edits');
};

export const LETTERS: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
