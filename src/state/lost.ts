/**
 * What the state folder did not take is remembered where there is room: beside the files of git, else in the temporary
 * folder. The next record that can be written tells it.
 */
import { appendFileSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownGitDir } from './paths.ts';

export type Lost = { at: string; key: string; what: string; why: string };

const MOST_BYTES = 64 * 1024;

function places(root: string): string[] {
  const git = ownGitDir(root);
  const { tmpdir } = process.getBuiltinModule('node:os');
  const spare = `touchstone-lost-${Buffer.from(root).toString('base64url').slice(-120)}.jsonl`;
  return [...(git === null ? [] : [join(git, 'touchstone', 'lost.jsonl')]), join(tmpdir(), spare)];
}

/** True the first time that this is lost under this key: whoever would say it at each call says it once. */
export function rememberLost(root: string, key: string, what: string, error: unknown): boolean {
  const why = (error as NodeJS.ErrnoException).code ?? 'error';
  if (recallLost(root).some(lost => lost.key === key && lost.what === what)) return false;
  const line = `${JSON.stringify({ at: new Date().toISOString(), key, what, why } satisfies Lost)}\n`;
  for (const path of places(root)) {
    try {
      // A file that somebody else laid there, or a link, is not written to.
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat && (!stat.isFile() || stat.size > MOST_BYTES || stat.uid !== process.getuid?.())) continue;
      if (!stat) mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, line, { mode: 0o600, flag: stat ? 'a' : 'ax' });
      break;
    } catch {
      // The next place may have room.
    }
  }
  return true;
}

export function recallLost(root: string): Lost[] {
  return places(root).flatMap(linesOf);
}

/** All but what `keep` names is told and gone. */
export function forgetLost(root: string, keep: (lost: Lost) => boolean): void {
  for (const path of places(root)) {
    const lines = linesOf(path);
    if (lines.length === 0) continue;
    const left = lines.filter(keep);
    try {
      rmSync(path, { force: true });
      if (left.length > 0)
        appendFileSync(path, left.map(lost => `${JSON.stringify(lost)}\n`).join(''), { mode: 0o600, flag: 'ax' });
    } catch {
      // Told again by the next record.
    }
  }
}

function linesOf(path: string): Lost[] {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > 2 * MOST_BYTES) return [];
    return readFileSync(path, 'utf8').split('\n').flatMap(lostOf);
  } catch {
    return [];
  }
}

function lostOf(line: string): Lost[] {
  try {
    const { at, key, what, why } = JSON.parse(line) as Lost;
    return [at, key, what, why].every(part => typeof part === 'string') ? [{ at, key, what, why }] : [];
  } catch {
    return [];
  }
}
