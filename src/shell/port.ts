import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** The few questions the reader asks of the real tree. */
export type TreePort = {
  exists(path: string): boolean;
  isDirectory(path: string): boolean;
  /** Names in a folder, sorted; empty when it cannot be read. */
  list(dir: string): string[];
  /** Null when missing, not a plain file, or larger than `limit` bytes. */
  readText(path: string, limit?: number): string | null;
  readBytes(path: string, limit?: number): Uint8Array | null;
  realpath(path: string): string;
};

export const SMALL_FILE = 64 * 1024;

export const diskPort: TreePort = {
  exists: path => existsSync(path),
  isDirectory(path) {
    try {
      return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    } catch {
      // A loop of links, a folder that may not be entered.
      return false;
    }
  },
  list(dir) {
    try {
      return readdirSync(dir).sort();
    } catch {
      return [];
    }
  },
  readText: (path, limit = SMALL_FILE) => {
    const bytes = diskPort.readBytes(path, limit);
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  },
  readBytes(path, limit = SMALL_FILE) {
    try {
      const stat = statSync(path);
      return stat.isFile() && stat.size <= limit ? readFileSync(path) : null;
    } catch {
      return null;
    }
  },
  realpath(path) {
    try {
      return realpathSync.native(path);
    } catch {
      return path;
    }
  },
};

export type ShellContext = {
  cwd: string;
  root: string;
  env?: Record<string, string | undefined>;
  home?: string;
  fs?: TreePort;
};
