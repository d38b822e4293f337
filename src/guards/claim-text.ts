/** PASS claims in the text of a claim artifact (seed 003, spec/003 section 2, and its known gaps). Pure text. */
import { jsonClaims } from './claim-json.ts';
import { fold, strip } from './claim-letters.ts';
import { inSegments, isBare, isLabel, labelled, marked, standsAlone, statesGood } from './claim-words.ts';

export type Claim = { line: number; text: string };

/** Every line (1-based) that states PASS as the verdict. Fences, quotes, templates, case rows and negations are none. */
export function passClaims(content: string): Claim[] {
  const text = fold(content);
  const whole = jsonClaims(text, inside => proseClaims(inside).map(claim => claim.text));
  return whole === null ? proseClaims(text) : whole.map(claim => ({ line: 1, text: claim }));
}

function proseClaims(content: string): Claim[] {
  const lines = content.split(/\r\n|[\r\n\u2028\u2029\u0085]/);
  const closing =
    content.includes('```') || content.includes('~~~') ? closers(lines) : lines.map(() => ({ '`': 0, '~': 0 }));
  const claims: Claim[] = [];
  let fence: string | null = null;
  let label = false;
  let header: string[] | null = null;
  let rows = -1;
  lines.forEach((raw, i) => {
    const marker = /^\s{0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
    if (fence) {
      if (marker?.startsWith(fence)) fence = null;
      return;
    }
    if (marker && closing[i]![marker[0] as '`' | '~'] >= marker.length) {
      fence = marker;
      return;
    }
    if (/^\s{0,3}>/.test(raw) || raw.trim() === '') return;
    const claim = (): number => claims.push({ line: i + 1, text: raw.trim() });
    if (/^\s*\|.*\|\s*$/.test(raw)) {
      const cells = raw.trim().slice(1, -1).split('|').map(strip);
      if (/^[\s|:-]+$/.test(raw)) return;
      if (claimsInRow(cells, header)) claim();
      header ??= cells;
      return;
    }
    header = null;
    const indent = raw.length - raw.trimStart().length;
    if (indent < rows) rows = -1;
    const item = CASE_ITEM.exec(raw);
    if (item) rows = item[1]!.length;
    if (indent === rows && /^\s*(?:status|result|outcome)\s*:/i.test(raw)) return;
    const line = strip(raw);
    const pending = label;
    label = false;
    if (isBare(line)) claim();
    else if (pending && standsAlone(line)) claim();
    else if (isLabel(line.replace(/\s*[:=]$/, ''))) {
      if (marked(raw)) claim();
      else label = true;
    } else if (labelled(line) || marked(raw) || inSegments(raw)) claim();
    else if (/^\s*\{.*\}[,\s]*$/.test(raw)) {
      for (const text of jsonClaims(raw.trim().replace(/,$/, ''), () => []) ?? []) claims.push({ line: i + 1, text });
    }
  });
  return claims;
}

/** An item of a YAML list that is about one case; its other keys stand as far in as its first. */
const CASE_ITEM = /^(\s*-\s+)(?:name|test|case|id|title|file|step|check|suite)\s*:/i;

/** Whether an edit adds a claim: one that was there already is not this call's doing. */
export function gainsClaim(before: string | null, after: string): Claim | null {
  const had = new Map<string, number>();
  for (const claim of passClaims(before ?? '')) had.set(claim.text, (had.get(claim.text) ?? 0) + 1);
  for (const claim of passClaims(after)) {
    const left = had.get(claim.text) ?? 0;
    if (left === 0) return claim;
    had.set(claim.text, left - 1);
  }
  return null;
}

/** A row counts when its own first cell is a verdict's label; a row per test case is a result, not the verdict. */
function claimsInRow(cells: string[], header: string[] | null): boolean {
  const own = isLabel(cells[0]!);
  if (cells.length < 2 || header === null) return cells.length === 2 && own && statesGood(cells[1]!);
  if (own && cells.slice(1).some(statesGood)) return true;
  // `| Verdict | Exit code |`: the only row below is the verdict itself.
  const column = /^(?:(?:overall|final)\s+)?(?:verdict|outcome)$/i.test(header[0]!);
  return (
    column &&
    statesGood(cells[0]!) &&
    !header.some(cell => /\b(?:test|case|check|item|name|file|step|suite|id)s?\b/i.test(cell))
  );
}

/** For each line, the longest closing fence of either mark at or after it: a fence that never closes is no fence. */
function closers(lines: string[]): { '`': number; '~': number }[] {
  const longest = { '`': 0, '~': 0 };
  const out: { '`': number; '~': number }[] = [];
  for (let i = lines.length - 1; i >= 0; i--) {
    out[i] = { ...longest };
    const run = /^\s{0,3}(`{3,}|~{3,})\s*$/.exec(lines[i]!)?.[1];
    if (run) longest[run[0] as '`' | '~'] = Math.max(longest[run[0] as '`' | '~'], run.length);
  }
  return out;
}
