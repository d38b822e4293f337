/** Finds the repository around a folder by reading files: starting git to ask would cost as much as the answer. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

export type Repository = {
  kind: 'worktree';
  /** The folder whose content git tracks. */
  top: string;
  /** This worktree's own git folder (HEAD, index). */
  gitDir: string;
  /** Shared by all worktrees (objects, refs, config). */
  commonDir: string;
  /** From `top` to the folder that was asked about: '' or 'a/b/' with forward slashes. */
  prefix: string;
};
export type Location = Repository | { kind: 'bare'; gitDir: string } | { kind: 'none' };

export function locate(folder: string): Location {
  let start: string;
  try {
    start = realpathSync(folder);
  } catch {
    return { kind: 'none' };
  }
  for (let dir = start; ; ) {
    const gitDir = gitDirAt(dir);
    if (gitDir) {
      const prefix = relative(dir, start).split(sep).join('/');
      return { kind: 'worktree', top: dir, gitDir, commonDir: commonDirOf(gitDir), prefix: prefix ? prefix + '/' : '' };
    }
    if (isGitDir(dir)) return { kind: 'bare', gitDir: dir };
    const up = dirname(dir);
    if (up === dir) return { kind: 'none' };
    dir = up;
  }
}

function gitDirAt(dir: string): string | null {
  const dot = join(dir, '.git');
  const what = kindOf(dot);
  if (what === 'folder') return isGitDir(dot) ? dot : null;
  if (what !== 'file') return null;
  const pointer = /^gitdir: (.+?)\r?\n?$/s.exec(text(dot) ?? '')?.[1];
  if (!pointer) return null;
  const target = isAbsolute(pointer) ? pointer : resolve(dir, pointer);
  return isGitDir(target) ? target : null;
}

function isGitDir(dir: string): boolean {
  // A linked worktree's folder has HEAD and commondir; objects and refs live in the common one.
  if (text(join(dir, 'HEAD')) === null) return false;
  const common = commonDirOf(dir);
  return kindOf(join(common, 'objects')) === 'folder' && kindOf(join(common, 'refs')) === 'folder';
}

function commonDirOf(gitDir: string): string {
  const pointer = text(join(gitDir, 'commondir'))?.trim();
  return pointer ? resolve(gitDir, pointer) : gitDir;
}

export type Head = { commit: string | null; branch: string | null; detached: boolean };

/** HEAD without git; null where the refs are in a form that only git reads (reftable). */
export function readHead(repo: Repository): Head | null {
  const raw = text(join(repo.gitDir, 'HEAD'))?.trim();
  if (raw === undefined) return null;
  if (/^[0-9a-f]{40,64}$/.test(raw)) return { commit: raw, branch: null, detached: true };
  let ref: string | undefined = /^ref: (.+)$/.exec(raw)?.[1];
  if (!ref || kindOf(join(repo.commonDir, 'reftable')) === 'folder') return null;
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : ref;
  for (let hops = 0; hops < 5; hops++) {
    const loose: string | undefined = (text(join(repo.gitDir, ref)) ?? text(join(repo.commonDir, ref)))?.trim();
    if (loose === undefined) return { commit: packed(repo.commonDir, ref), branch, detached: false };
    const next: string | undefined = /^ref: (.+)$/.exec(loose)?.[1];
    if (!next) return { commit: /^[0-9a-f]{40,64}$/.test(loose) ? loose : null, branch, detached: false };
    ref = next;
  }
  return null;
}

/** What a ref names, without git: `undefined` where only git can tell. */
export function readRef(repo: Repository, ref: string): string | null | undefined {
  if (kindOf(join(repo.commonDir, 'reftable')) === 'folder') return undefined;
  const loose = text(join(repo.commonDir, ref))?.trim();
  if (loose === undefined) return packed(repo.commonDir, ref);
  return loose.startsWith('ref: ') ? readRef(repo, loose.slice(5)) : loose;
}

function packed(commonDir: string, ref: string): string | null {
  for (const line of (text(join(commonDir, 'packed-refs')) ?? '').split('\n')) {
    if (line.endsWith(ref) && line[line.length - ref.length - 1] === ' ') return line.split(' ')[0] ?? null;
  }
  return null;
}

function kindOf(path: string): 'file' | 'folder' | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? (stat.isDirectory() ? 'folder' : 'file') : null;
}

function text(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
