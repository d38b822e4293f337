import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from './project.ts';

/** How a project is most likely tested, told from the files present. Nothing is executed. */
export type DetectedTest = {
  cmd: string;
  /** Name in `src/runners/` where the output format is known; absent for "whatever the script prints". */
  runner?: string;
  frozenPaths: string[];
  /** The file that decided, for the report of `init`. */
  why: string;
};

/** A project's folder as detection looks at it. */
export type Folder = {
  has(...names: string[]): string | undefined;
  text(name: string): string;
  json(name: string): Record<string, unknown> | undefined;
  /** First entry of the folder whose name matches. */
  entry(pattern: RegExp, sub?: string): string | undefined;
};

export function folder(root: string): Folder {
  const text = (name: string): string => {
    try {
      const path = join(root, name);
      // A file of this name that is a device, or larger than any manifest, is not a manifest.
      const stat = statSync(path);
      return stat.isFile() && stat.size < 4_000_000 ? readFileSync(path, 'utf8').replace(/^\uFEFF/, '') : '';
    } catch {
      return '';
    }
  };
  return {
    text,
    has: (...names) => names.find(name => existsSync(join(root, name))),
    json(name) {
      try {
        const value: unknown = JSON.parse(text(name));
        return isRecord(value) ? value : undefined;
      } catch {
        return undefined;
      }
    },
    entry(pattern, sub = '.') {
      try {
        return readdirSync(join(root, sub))
          .sort()
          .find(name => pattern.test(name));
      } catch {
        return undefined;
      }
    },
  };
}
