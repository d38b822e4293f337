/** Opening frozen paths: a human's act, logged with who and why; the red proof is to be renewed before they freeze again. */
import { appendLine } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { statePath } from '../state/paths.ts';
import { readTrace, writeTrace } from './trace.ts';

export type ThawRequest = { paths: string[]; reason: string };

export type ThawBy = { who: 'prompt' | 'terminal'; session: string | null };

/** `/touchstone thaw <paths> <reason>`: paths are the first words that look like paths; the rest is the reason. */
export function parseThaw(prompt: string): ThawRequest | { wrong: string } | null {
  const match = /^\s*\/touchstone\s+thaw\b[ \t]*(.*)$/m.exec(prompt);
  if (!match || prompt.trimStart().indexOf('/touchstone') !== 0) return null;
  const words = match[1]!
    .trim()
    .split(/\s+/)
    .filter(w => w !== '');
  const end = words.findIndex(w => !/[/*.]/.test(w.replace(/[.,;:!?]+$/, '')));
  const paths = end < 0 ? words : words.slice(0, end);
  const reason = end < 0 ? '' : words.slice(end).join(' ');
  if (paths.length === 0) return { wrong: 'names no path: /touchstone thaw <paths> <reason>' };
  if (reason === '') return { wrong: 'gives no reason: /touchstone thaw <paths> <reason>' };
  return { paths, reason };
}

/** Returns the paths that are open now; null where nothing is frozen. */
export async function thaw(
  root: string,
  configured: readonly string[],
  request: ThawRequest,
  by: ThawBy,
): Promise<string[] | null> {
  return withLock(root, 'freeze', () => {
    const trace = readTrace(root, configured);
    if (trace === null) return null;
    const thawed = [...new Set([...trace.thawed, ...request.paths.map(p => p.replace(/^\.\//, ''))])];
    appendLine(
      statePath(root, 'consent', 'log.jsonl'),
      JSON.stringify({ at: new Date().toISOString(), act: 'thaw', ...by, ...request }),
    );
    writeTrace(root, { ...trace, thawed });
    return thawed;
  });
}
