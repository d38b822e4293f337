/**
 * Files of runs: `.claude/state/runs/<id>/`, and one small pointer for each open run, by which the post-tool hooks find
 * theirs. Everything is put in place from `.claude/state/tmp/`, so that a run directory never holds half a file.
 */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { statePath } from './paths.ts';

export const RUNS = 'runs';
const OPEN = 'open-runs';
const TMP = 'tmp';

export function runPath(root: string, runId: string, ...names: string[]): string {
  return statePath(root, RUNS, runId, ...names);
}

let serial = 0;

/** Named for its process: what a dead one left can be told from what a live one is writing. */
function tempName(root: string): string {
  const dir = statePath(root, TMP);
  const made = mkdirSync(dir, { recursive: true });
  // A project that was never wired ignores nothing yet: prompts and outputs must not go with the next commit.
  if (made !== undefined && !existsSync(statePath(root, '.gitignore')))
    writeFileSync(statePath(root, '.gitignore'), '*\n');
  return join(dir, `${process.pid}.${Date.now().toString(36)}.${serial++}.tmp`);
}

export function writeWhole(path: string, data: string | Uint8Array, mode = 0o644): void {
  const fd = openSync(path, 'wx', mode);
  try {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let off = 0; off < bytes.length; ) off += writeSync(fd, bytes, off);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Whole or not at all. `fresh` refuses to replace what is there (EEXIST). */
export function placeFile(
  root: string,
  path: string,
  data: string | Uint8Array,
  options: { mode?: number; fresh?: boolean } = {},
): void {
  const temp = tempName(root);
  try {
    writeWhole(temp, data, options.mode);
    mkdirSync(dirname(path), { recursive: true });
    if (options.fresh) linkFresh(temp, path);
    else renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

function linkFresh(temp: string, path: string): void {
  try {
    linkSync(temp, path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Some file systems have no hard links; there the look before the rename has to do.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    if (existsSync(path)) throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST' });
    renameSync(temp, path);
    return;
  }
  unlinkSync(temp);
}

/** A folder to fill before it appears under its name; `settle` makes it appear, once. */
export function stageFolder(root: string): string {
  const dir = tempName(root);
  mkdirSync(dir);
  return dir;
}

export function settle(staged: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  // rename() would replace an empty folder.
  if (existsSync(target)) throw Object.assign(new Error(`${target} exists`), { code: 'EEXIST' });
  renameSync(staged, target);
}

/** Left by processes that are gone; names them. */
export function sweepTemporary(root: string, alive: (pid: number) => boolean): string[] {
  const swept: string[] = [];
  for (const name of namesIn(statePath(root, TMP))) {
    const pid = /^(\d+)\.\w+\.\d+\.tmp$/.exec(name)?.[1];
    if (pid === undefined || Number(pid) === process.pid || alive(Number(pid))) continue;
    rmSync(statePath(root, TMP, name), { recursive: true, force: true });
    swept.push(name);
  }
  return swept;
}

/** Set on a growing file that the disk took no line for: a mode finds room where no byte does. */
const LINES_LOST = 0o100;

/**
 * One line of a growing file in one write. A line torn by a crash is ended first, so that it costs itself and not its
 * neighbour. Throws where the folder is not there.
 */
export function appendWhole(path: string, line: string): void {
  const fd = openSync(path, 'a+', 0o600);
  try {
    const { size } = fstatSync(fd);
    let lead = '';
    if (size > 0) {
      const last = Buffer.allocUnsafe(1);
      readSync(fd, last, 0, 1, size - 1);
      if (last[0] !== 0x0a) lead = '\n';
    }
    const bytes = Buffer.from(`${lead}${line}\n`);
    if (writeSync(fd, bytes) < bytes.length)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  } catch (error) {
    fchmodSync(fd, 0o600 | LINES_LOST);
    throw error;
  } finally {
    closeSync(fd);
  }
}

export function lostLines(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & LINES_LOST) !== 0;
}

/** An agent's session id is somebody else's text: as a file name it keeps only what every disk takes. */
export function openKey(session: string, subagent?: string): string {
  return subagent === undefined ? safe(session) : `${safe(session)}+${safe(subagent)}`;
}

function safe(text: string): string {
  if (/^[A-Za-z0-9_-]{1,80}$/.test(text)) return text;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return `x${Buffer.from(text).toString('hex').slice(0, 64)}.${hash.toString(16)}`;
}

/** `by` is the process that wrote it: a pointer may be a moment ahead of its run. */
export type OpenRun = { run: string; session: string; subagent?: string; by?: number };

export function readOpen(root: string, key: string): OpenRun | null {
  try {
    const value: unknown = JSON.parse(readFileSync(statePath(root, OPEN, `${key}.json`), 'utf8'));
    const open = value as Partial<OpenRun> | null;
    if (typeof open?.run !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(open.run)) return null;
    return typeof open.session === 'string' ? (open as OpenRun) : null;
  } catch {
    return null;
  }
}

export function writeOpen(root: string, key: string, open: OpenRun): void {
  placeFile(root, statePath(root, OPEN, `${key}.json`), `${JSON.stringify({ ...open, by: process.pid })}\n`);
}

export function removeOpen(root: string, key: string): void {
  rmSync(statePath(root, OPEN, `${key}.json`), { force: true });
}

/** Keys of every pointer, readable or not. */
export function openKeys(root: string): string[] {
  return namesIn(statePath(root, OPEN))
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length));
}

export function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
