/** `/touchstone allow <path>`: a human lets one weakening edit of one file through, once, within the hour. */
import { matchAny } from '../config/glob.ts';
import { isSettingsFile } from '../freeze/settings.ts';
import { readTrace, writeTrace } from '../freeze/trace.ts';
import { appendLine } from '../state/atomic.ts';
import { locate, statePath } from '../state/paths.ts';
import { allowPurpose, announce } from '../state/token.ts';

const LIFE_MS = 3_600_000;

/** The path as guards name it, or what is wrong; null where the prompt asks for nothing of the kind. */
export function parseAllow(prompt: string, root: string): { path: string } | { wrong: string } | null {
  const match = /^\s*\/touchstone\s+allow\b[ \t]*(.*)/.exec(prompt);
  if (!match) return null;
  const words = match[1]!
    .trim()
    .split(/\s+/)
    .filter(w => w !== '');
  const word = words[0]?.replace(/^["'`]+|["'`.,;]+$/g, '') ?? '';
  if (word === '') return { wrong: 'names no path: /touchstone allow <path>' };
  if (/[*?{]/.test(word)) return { wrong: 'names a pattern; one file at a time: /touchstone allow <path>' };
  const at = locate(word, root, root);
  return { path: at.rel ?? at.abs };
}

export function allow(root: string, path: string, session: string): void {
  announce(root, allowPurpose(path), LIFE_MS);
  appendLine(
    statePath(root, 'consent', 'log.jsonl'),
    JSON.stringify({ at: new Date().toISOString(), act: 'allow', who: 'prompt', session, paths: [path] }),
  );
}

/** The allowed edit goes through: settings that a freeze holds are open from here on, until new red evidence. */
export function openAllowed(root: string, rel: string): void {
  const trace = readTrace(root, []);
  if (trace === null || !isSettingsFile(rel) || matchAny(trace.thawed, rel) !== null) return;
  writeTrace(root, { ...trace, thawed: [...trace.thawed, rel] });
}
