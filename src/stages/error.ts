/** A stage command that cannot go on: one line that says what, where, and what to do. */
export class StageError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
