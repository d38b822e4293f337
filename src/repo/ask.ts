/** Questions to git about one folder, answered as absolute paths. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { git, TRUSTLESS } from './git.ts';
import type { Repository } from './locate.ts';
import { splitNul } from './names.ts';

/** One question's surroundings; `null` answers mean git refused to say. */
export type Ask = {
  repo: Repository;
  cwd: string;
  /** NUL-separated answer of a git command, as absolute paths. */
  list(...args: string[]): string[] | null;
  /** The same, verbatim. */
  raw(...args: string[]): string[] | null;
  /** Files that differ: between two trees, or between a tree (or the index) and the work tree. */
  diff(...args: string[]): string[] | null;
  /** First line of a file in the git folder. */
  note(...name: string[]): string | null;
};

/** `objects`: a folder of objects that is looked at as well. */
export function asker(repo: Repository, cwd: string, objects?: string): Ask {
  const env = objects === undefined ? {} : { env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects } };
  const raw = (...args: string[]) => {
    const result = git([...TRUSTLESS, ...args], { cwd, timeoutMs: 20_000, maxBytes: 256 << 20, ...env });
    return result.ok ? splitNul(result.stdout) : null;
  };
  const list = (...args: string[]) => raw(...args)?.map(path => join(repo.top, path)) ?? null;
  return {
    repo,
    cwd,
    raw,
    list,
    diff: (...args) => list('diff', '--name-only', '-z', '--no-renames', '--no-relative', '--no-ext-diff', ...args),
    note: (...name) => {
      try {
        return readFileSync(join(repo.gitDir, ...name), 'utf8')
          .split('\n')[0]!
          .trim();
      } catch {
        return null;
      }
    },
  };
}

/** All that hold, or null when one is null. */
export function union(...parts: (string[] | null)[]): string[] | null {
  return parts.includes(null) ? null : parts.flatMap(part => part!);
}

/** A path as the command names it, from its own folder. */
export const named = (ask: Ask, path: string): string => resolve(ask.cwd, path);
