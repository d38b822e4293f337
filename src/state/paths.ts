/** Where things are: the project root, the state folder, and what a path named by a tool really is. */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

export const STATE = '.claude/state';
export const PROJECT_FILE = '.claude/project.json';

/**
 * The nearest folder upward from `cwd` that holds `.claude/project.json`, else the nearest with `.git`,
 * else `fallback`, else `cwd` (design, section 4). Never starts git. A deleted `cwd` is walked by name.
 */
export function findRoot(cwd: string, fallback?: string): string {
  let git: string | undefined;
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    if (existsSync(join(dir, PROJECT_FILE))) return dir;
    if (git === undefined && existsSync(join(dir, '.git'))) git = dir;
    // A worktree is a project of its own: the main checkout above it does not answer for it.
    if (git !== undefined && isLinkedWorktree(git)) break;
    if (dirname(dir) === dir) break;
  }
  return git ?? fallback ?? resolve(cwd);
}

function isLinkedWorktree(dir: string): boolean {
  try {
    return lstatSync(join(dir, '.git')).isFile();
  } catch {
    return false;
  }
}

export function stateDir(root: string): string {
  return join(root, STATE);
}

export function statePath(root: string, ...parts: string[]): string {
  return join(root, STATE, ...parts);
}

/** This worktree's own git folder (HEAD, index), or null. Reads files, starts nothing. */
export function ownGitDir(root: string): string | null {
  for (let dir = resolve(root); ; dir = dirname(dir)) {
    const dot = join(dir, '.git');
    try {
      if (lstatSync(dot).isDirectory()) return dot;
      return resolve(
        dir,
        readFileSync(dot, 'utf8')
          .replace(/^gitdir:\s*/, '')
          .trim(),
      );
    } catch {
      if (dirname(dir) === dir) return null;
    }
  }
}

/** The git folder shared by all worktrees of `root`'s repository, or null. */
export function commonGitDir(root: string): string | null {
  const own = ownGitDir(root);
  if (own === null) return null;
  try {
    return resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim());
  } catch {
    return own;
  }
}

export type Located = {
  /** Absolute, `.` and `..` and `//` resolved by name only. */
  abs: string;
  /** The same with symlinks of every existing part followed. */
  real: string;
  /** Relative to the root with forward slashes, by name and by real path; null outside of it. */
  rel: string | null;
  realRel: string | null;
};

/** What `path`, as a tool named it, stands for. Unicode is compared in its composed form. */
export function locate(path: string, cwd: string, root: string, home = process.env.HOME ?? ''): Located {
  let named = path;
  if (home && (named === '~' || named.startsWith('~/'))) named = home + named.slice(1);
  const abs = resolve(cwd, named);
  const real = realOf(abs);
  return { abs, real, rel: relativeTo(root, abs), realRel: relativeTo(realOf(root), real) };
}

/** Follows symlinks of the deepest part that exists, also through a dangling last link. */
export function realOf(abs: string, hops = 0): string {
  const rest: string[] = [];
  for (let dir = abs; ; dir = dirname(dir)) {
    try {
      // The other form walks the path in script, a stat for each part.
      return join(realpathSync.native(dir), ...rest);
    } catch {
      const target = hops < 40 ? danglingTarget(dir) : null;
      if (target) return join(realOf(target, hops + 1), ...rest);
      if (dirname(dir) === dir) return abs;
      rest.unshift(basename(dir));
    }
  }
}

function danglingTarget(path: string): string | null {
  try {
    if (!lstatSync(path).isSymbolicLink()) return null;
    const { readlinkSync } = process.getBuiltinModule('node:fs');
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}

/** Plain ASCII is composed already; asking costs a hook its first use of ICU. */
function composed(path: string): string {
  return /[^\x00-\x7f]/.test(path) ? path.normalize('NFC') : path;
}

function relativeTo(root: string, abs: string): string | null {
  const a = composed(abs);
  const r = composed(root);
  if (a === r) return '';
  const prefix = r.endsWith(sep) ? r : r + sep;
  return a.startsWith(prefix) ? a.slice(prefix.length).split(sep).join('/') : null;
}

/** True where the volume under `root` does not tell case apart. */
export function foldsCase(root: string): boolean {
  try {
    const upper = statSync(join(root, '.CLAUDE'), { throwIfNoEntry: false });
    const lower = upper && statSync(join(root, '.claude'));
    return lower !== undefined && upper!.ino === lower.ino && upper!.dev === lower.dev;
  } catch {
    return false;
  }
}
