import { applyInsertions, type Span } from './json-splice.ts';

export const IGNORE_LINE = '.claude/state/';

/** Patterns that keep the state folder out of git, without anchors before and a slash behind. */
const COVERING = new Set([
  '.claude',
  '.claude/*',
  '.claude/**',
  '.claude/state',
  '.claude/state/*',
  '.claude/state/**',
  '*',
  '**',
]);

/** Does a rule of this file already cover the state folder? The last rule that speaks of it decides, as in git. */
export function coversState(text: string): boolean {
  let covered = false;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.replace(/^\uFEFF/, '').replace(/(?<!\\)\s+$/, '');
    if (line === '' || line.startsWith('#')) continue;
    const negated = line.startsWith('!');
    const pattern = line
      .slice(negated ? 1 : 0)
      .replace(/^(?:\*\*)?\//, '')
      .replace(/\/$/, '');
    if (COVERING.has(pattern)) covered = !negated;
  }
  return covered;
}

export function addIgnoreLine(text: string): { text: string; spans: Span[] } {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const open = text !== '' && !/\n$/.test(text) ? eol : '';
  return applyInsertions(text, [{ at: text.length, text: `${open}${IGNORE_LINE}${eol}` }]);
}

/** Where the file was edited since: our line alone goes. */
export function dropIgnoreLine(text: string): string {
  const lines = text.split(/(?<=\n)/);
  const at = lines.findLastIndex(line => line.trimEnd() === IGNORE_LINE);
  return at < 0 ? text : lines.filter((_, i) => i !== at).join('');
}
