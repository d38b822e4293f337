import { mkdirSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { isRecord } from '../config/project.ts';
import { readJson, setAside, writeJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import type { Span } from './json-splice.ts';

/** What `init` did to the project, kept so that `uninstall` can undo it to the byte. */
export const RECORD_FILE = 'install.json';

export type FileKind = 'settings' | 'gitignore' | 'project' | 'skill' | 'git-hook';

export type FileRecord = {
  /** Relative to the root, or absolute outside of it. */
  path: string;
  kind: FileKind;
  /** The file was there before; `spans` are then the stretches that were put into it. */
  existed: boolean;
  spans: Span[];
  /** Of the text that `init` left: while it still holds, undoing is exact. */
  sha256: string;
};

export type InstallRecord = {
  schema: 1;
  files: FileRecord[];
  /** Folders that `init` made, outermost first. */
  dirs: string[];
};

export function readRecord(root: string): InstallRecord | null {
  const read = readJson<InstallRecord>(statePath(root, RECORD_FILE), shape);
  if (read.kind === 'value') return read.value;
  if (read.kind === 'corrupt') setAside(statePath(root, RECORD_FILE));
  return null;
}

export function writeRecord(root: string, record: InstallRecord): void {
  mkdirSync(statePath(root), { recursive: true });
  writeJson(statePath(root, RECORD_FILE), record);
}

export function removeRecord(root: string): void {
  rmSync(statePath(root, RECORD_FILE), { force: true });
}

export function recordPath(root: string, path: string): string {
  const inside = relative(root, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

export function recordedFile(root: string, file: FileRecord): string {
  return isAbsolute(file.path) ? file.path : join(root, file.path);
}

function shape(value: unknown): string | null {
  if (!isRecord(value) || value.schema !== 1) return 'is not an install record of this version';
  const { files, dirs } = value;
  if (!Array.isArray(dirs) || dirs.some(d => typeof d !== 'string')) return 'has no list of folders';
  if (!Array.isArray(files)) return 'has no list of files';
  const good = files.every(
    f =>
      isRecord(f) &&
      typeof f.path === 'string' &&
      typeof f.kind === 'string' &&
      typeof f.existed === 'boolean' &&
      typeof f.sha256 === 'string' &&
      Array.isArray(f.spans) &&
      f.spans.every(s => isRecord(s) && typeof s.at === 'number' && typeof s.length === 'number'),
  );
  return good ? null : 'has a malformed file entry';
}
