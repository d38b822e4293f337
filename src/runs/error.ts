/** A fault of use: the command line prints its one line and ends with 2. */
export class RunError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
