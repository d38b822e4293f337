/** Verdicts in JSON: a key that names one, outside the rows of single cases. */
import { strip } from './claim-letters.ts';
import { isBare, isLabel, statesGood } from './claim-words.ts';

const CASE = /^(?:name|test|title|case|id|file|path|suite|step|check|tool|assertion)$/i;
const WHOLE = /^(?:summary|overall|result|results|verification|report|suite|tests?|run|meta|data)$/i;
const MAX_DEPTH = 8;

/** The statements of a JSON text, or null where it is none; `prose` reads longer strings. */
export function jsonClaims(text: string, prose: (text: string) => string[]): string[] | null {
  const trimmed = text.trim();
  if (!/^(?:\{[\s\S]*\}|\[[\s\S]*\])$/.test(trimmed)) return null;
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return null;
  }
  const found: string[] = [];
  walk(value, found, prose, 0);
  return found;
}

function walk(value: unknown, found: string[], prose: (text: string) => string[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'string' && isBare(item)) found.push(item);
    return;
  }
  const entries = Object.entries(value);
  const cells = (value as { cells?: unknown }).cells;
  if (Array.isArray(cells)) {
    for (const cell of cells as { source?: unknown }[]) {
      const source = Array.isArray(cell?.source) ? cell.source.join('') : cell?.source;
      if (typeof source === 'string') found.push(...prose(source));
    }
    return;
  }
  const ofCase = entries.some(([key]) => CASE.test(key));
  for (const [key, item] of entries) {
    const label = strip(key.replace(/([a-z])(?=[A-Z])/g, '$1 ').replace(/[_-]/g, ' '));
    if (typeof item === 'string') {
      if (item.includes('\n')) found.push(...prose(item));
      else if (isLabel(label) && (!ofCase || /verdict|overall/i.test(label)) && statesGood(strip(item)))
        found.push(`${label}: ${item}`);
    } else if (WHOLE.test(label) || isLabel(label)) walk(item, found, prose, depth + 1);
  }
}
