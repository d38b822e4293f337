import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { findRoot } from '../state/paths.ts';
import { age } from './age.ts';
import { type CliCommand, print } from './command.ts';
import { readStatus, type Status } from './status.ts';

/** One short line for the client's status line; the client's JSON comes on stdin and is used when it can be read. */
export const statusline: CliCommand = {
  define(command: Command) {
    command.option('--no-color', 'plain text').action((options: { color: boolean }) => {
      const { cwd, projectDir } = place();
      let line: string;
      try {
        line = statusText(readStatus(findRoot(cwd, projectDir)), options.color && !process.env.NO_COLOR);
      } catch {
        // A display must not break the terminal it is shown in.
        line = 'touchstone: run touchstone doctor';
      }
      print(line);
    });
  },
};

export function statusText(now: Status, color: boolean): string {
  const paint = (code: number, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const parts = [verdict(now, paint)];
  if (now.stampedAt) parts.push(age(now.stampedAt));
  if (now.streak > 1) parts.push(`FAIL x${now.streak}`);
  if (now.wired.length === 0) parts.push(paint(31, 'not wired'));
  if (now.unverified) parts.push(paint(33, 'last end unverified'));
  return parts.join(' · ');
}

function verdict(now: Status, paint: (code: number, text: string) => string): string {
  if (now.verdict === 'PASS') {
    return now.tree === 'fresh'
      ? paint(32, 'PASS')
      : paint(33, now.tree === 'moved' ? 'PASS (stale)' : 'PASS (tree unknown)');
  }
  if (now.verdict === 'FAIL') return paint(31, 'FAIL');
  return paint(33, now.verdict === 'NONE' ? 'no verdict' : now.verdict.toLowerCase());
}

function place(): { cwd: string; projectDir?: string } {
  if (process.stdin.isTTY) return { cwd: process.cwd() };
  try {
    const input = JSON.parse(readFileSync(0, 'utf8')) as { cwd?: unknown; workspace?: { project_dir?: unknown } };
    const projectDir = input.workspace?.project_dir;
    return {
      cwd: typeof input.cwd === 'string' ? input.cwd : process.cwd(),
      projectDir: typeof projectDir === 'string' ? projectDir : undefined,
    };
  } catch {
    return { cwd: process.cwd() };
  }
}
