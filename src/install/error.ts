/** What stops an installation, in one line: what is wrong, where, what to do. Exit code 2 at the command line. */
export class InstallError extends Error {
  readonly code: InstallErrorCode;

  constructor(code: InstallErrorCode, message: string) {
    super(message);
    this.name = 'InstallError';
    this.code = code;
  }
}

export type InstallErrorCode =
  | 'no-such-folder'
  | 'settings-unparsable'
  | 'settings-shape'
  | 'not-readable'
  | 'not-writable'
  | 'inside-agent'
  | 'not-built';
