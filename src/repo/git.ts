/** Starts git. Nothing else in the product does. */

export type GitFailure = {
  ok: false;
  code: 'git-missing' | 'git-timeout' | 'git-too-much-output' | 'git-failed';
  /** One line: which git command, where, and git's own first complaint. */
  message: string;
  exitCode: number | null;
  stdout: Buffer;
  stderr: string;
};
export type GitSuccess = { ok: true; stdout: Buffer; stderr: string };
export type GitResult = GitSuccess | GitFailure;

export type GitOptions = {
  cwd: string;
  /** Added after the caller's own GIT_* variables were dropped. */
  env?: Record<string, string>;
  input?: string | Buffer;
  timeoutMs?: number;
  maxBytes?: number;
};

/**
 * Settings under which git may be asked about a tree it does not trust: no hooks of the project, no file monitor,
 * no cache that believes what it was told, and stat data compared in full whatever the project's own settings say.
 */
export const TRUSTLESS: readonly string[] = [
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.splitIndex', 'false'],
  ['core.trustctime', 'true'],
  ['core.checkStat', 'default'],
  // Marks whatever git looks at as never to be looked at again.
  ['core.ignoreStat', 'false'],
  // On Windows neither exists and claiming otherwise would make every clean tree differ from its commit.
  ...(process.platform === 'win32'
    ? []
    : [
        ['core.fileMode', 'true'],
        ['core.symlinks', 'true'],
      ]),
  // Where names differ by case a new file would pass for the one of the other case.
  ...(process.platform === 'linux' ? [['core.ignoreCase', 'false']] : []),
  // `post-index-change` would run for our private index as well.
  ['core.hooksPath', process.platform === 'win32' ? 'NUL' : '/dev/null'],
  ['core.safecrlf', 'false'],
  ['core.looseCompression', '0'],
  ['core.quotePath', 'false'],
  ['index.sparse', 'false'],
  ['advice.addEmbeddedRepo', 'false'],
  ['add.ignoreErrors', 'false'],
  ['gc.auto', '0'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** A hook runs inside `git commit` with GIT_DIR and GIT_INDEX_FILE set: they must not decide what we look at. */
function environment(extra: Record<string, string> | undefined): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (value !== undefined && !key.toUpperCase().startsWith('GIT_')) env[key] = value;
  }
  env.LC_ALL = 'C';
  env.GIT_OPTIONAL_LOCKS = '0';
  env.GIT_TERMINAL_PROMPT = '0';
  return Object.assign(env, extra);
}

export function git(args: readonly string[], options: GitOptions): GitResult {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const run = spawnSync('git', args as string[], {
    cwd: options.cwd,
    env: environment(options.env),
    input: options.input ?? '',
    timeout: options.timeoutMs ?? 120_000,
    killSignal: 'SIGKILL',
    maxBuffer: options.maxBytes ?? 1 << 30,
    windowsHide: true,
  });
  const errno = (run.error as NodeJS.ErrnoException | undefined)?.code;
  return answer(args, options.cwd, {
    errno,
    status: run.status,
    stdout: run.stdout ?? Buffer.alloc(0),
    stderr: run.stderr?.toString('utf8') ?? '',
  });
}

/** The same without waiting, for questions that do not need each other's answers. */
export function gitLater(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise(resolve => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let size = 0;
    let errno: string | undefined;
    const child = spawn('git', args as string[], {
      cwd: options.cwd,
      env: environment(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const stop = (why: string) => {
      errno ??= why;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop('ETIMEDOUT'), options.timeoutMs ?? 120_000);
    child.stdout.on('data', (part: Buffer) => {
      size += part.length;
      if (size > (options.maxBytes ?? 1 << 30)) stop('ENOBUFS');
      else stdout.push(part);
    });
    child.stderr.on('data', (part: Buffer) => stderr.push(part));
    child.on('error', error => {
      errno ??= (error as NodeJS.ErrnoException).code;
    });
    child.on('close', status => {
      clearTimeout(timer);
      const said = { errno, status, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') };
      resolve(answer(args, options.cwd, said));
    });
  });
}

type Ended = { errno: string | undefined; status: number | null; stdout: Buffer; stderr: string };

function answer(args: readonly string[], cwd: string, { errno, status, stdout, stderr }: Ended): GitResult {
  if (errno === undefined && status === 0) return { ok: true, stdout, stderr };
  const code =
    errno === 'ENOENT'
      ? 'git-missing'
      : errno === 'ETIMEDOUT'
        ? 'git-timeout'
        : errno === 'ENOBUFS'
          ? 'git-too-much-output'
          : 'git-failed';
  const said = stderr.split('\n').find(line => line.trim() !== '') ?? (errno ? String(errno) : `exit ${status}`);
  return {
    ok: false,
    code,
    message: `git ${verbOf(args)} failed in ${cwd}: ${said.trim()}`,
    exitCode: status,
    stdout,
    stderr,
  };
}

function verbOf(args: readonly string[]): string {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '-c' || arg === '-C') i++;
    else if (!arg.startsWith('-')) return arg;
  }
  return '';
}

/** The tree before the first commit, by the length of the repository's ids. */
export const EMPTY_TREE = {
  20: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  32: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const;
