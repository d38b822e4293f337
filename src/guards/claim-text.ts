/** PASS claims in the text of a claim artifact (seed 003, spec/003 section 2, and its known gaps). Pure text. */

const LABEL =
  /^(?:(?:overall|final|suite|test|tests|gate|verification|verify|qa|review|ci|build)\s+)*(?:verdict|status|result|results|outcome|conclusion|verify|verification|overall|gate|decision|tests?|suite)$/i;
const GOOD =
  /^(?:(?:overall|final|full|conditional|provisional|unconditional|a|clean|all)\s+)*(?:pass|passed|passes|passing|success|successful|succeeded|approved|accepted|green|all\s+green|verified|ok)\b/i;
const BARE = /^(?:PASS|PASSED)$/;
const NEGATED =
  /\b(?:not|no|never|cannot|can't|didn't|did\s+not|isn't|is\s+not|un|non|without|fail(?:ed|s|ing|ure)?|pending|unknown|tbd|todo|if|only|unless|when|until|criteria|or|todo)\b/i;

/** Letters that only look like the ones of PASS: full-width forms fold by NFKC, these do not. */
const LOOKALIKES: Record<string, string> = {
  А: 'A',
  а: 'a',
  Р: 'P',
  р: 'p',
  Ѕ: 'S',
  ѕ: 's',
  Α: 'A',
  Ρ: 'P',
  ɑ: 'a',
  Е: 'E',
  е: 'e',
  Т: 'T',
  О: 'O',
  о: 'o',
  С: 'C',
  с: 'c',
  Ε: 'E',
  Τ: 'T',
  Ο: 'O',
};

const DECORATION = /\p{Extended_Pictographic}|\u{fe0f}|[\u2713\u2714\u2611\u221a]/gu;

export type Claim = { line: number; text: string };

/** Every line (1-based) that states PASS as the verdict. Fences, quotes, templates, case rows and negations are none. */
export function passClaims(content: string): Claim[] {
  const lines = fold(content).split(/\r\n|\r|\n/);
  const closing =
    content.includes('```') || content.includes('~~~') ? closers(lines) : lines.map(() => ({ '`': 0, '~': 0 }));
  const claims: Claim[] = [];
  let fence: string | null = null;
  let label = false;
  let header: string[] | null = null;
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
    if (/^\s*\|.*\|\s*$/.test(raw)) {
      const cells = raw.trim().slice(1, -1).split('|').map(strip);
      if (/^[\s|:-]+$/.test(raw)) return;
      if (claimsInRow(cells, header)) claims.push({ line: i + 1, text: raw.trim() });
      header ??= cells;
      return;
    }
    header = null;
    const line = strip(raw);
    const pending = label;
    label = false;
    if (BARE.test(line)) claims.push({ line: i + 1, text: raw.trim() });
    else if (pending && statesGood(line)) claims.push({ line: i + 1, text: raw.trim() });
    else if (LABEL.test(line.replace(/\s*[:=]$/, ''))) label = true;
    else if (labelled(line)) claims.push({ line: i + 1, text: raw.trim() });
  });
  return claims;
}

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

function labelled(line: string): boolean {
  const match = /^(.{2,40}?)\s*(?:[:=]|\s[-\u2013\u2014]\s|\bis\b|->|\u2192)\s*(.+)$/i.exec(line);
  return match !== null && LABEL.test(strip(match[1]!)) && statesGood(strip(match[2]!));
}

function statesGood(value: string): boolean {
  const good = GOOD.exec(value);
  if (!good) return false;
  // "PASS or FAIL", "PASS | FAIL", "PASS only if", "PASS needs a run": a rule or a template, not a verdict.
  const rest = value.slice(good[0].length);
  if (/^\s+(?:needs|requires|must|may|should|means)\b/.test(rest)) return false;
  return !NEGATED.test(rest) && !/^\s*[|/]/.test(rest) && !/[<{[]/.test(rest.slice(0, 3));
}

/** A row counts when its own first cell is a verdict's label; a row per test case is a result, not the verdict. */
function claimsInRow(cells: string[], header: string[] | null): boolean {
  if (cells.length < 2 || header === null) return cells.length === 2 && LABEL.test(cells[0]!) && statesGood(cells[1]!);
  return LABEL.test(cells[0]!) && cells.slice(1).some(statesGood);
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

/** Takes off what decorates a line: headings, list marks, emphasis, code ticks, emoji, struck-out text. */
function strip(text: string): string {
  let line = text
    .replace(/~~[^~]*~~/g, ' ')
    .replace(/<!--.*?-->/g, ' ')
    .replace(/<\/?[a-z][^>]*>/gi, ' ');
  line = line.replace(/^\s*(?:[-*+\u2022]\s+|\d{1,3}[.)]\s+|#{1,6}\s*)+/, '');
  line = line.replace(/^\[[ xX]\]\s*/, m => (/[xX]/.test(m) ? '' : m));
  line = line.replace(/[*_`"'\u201c\u201d]+/g, '').replace(DECORATION, ' ');
  return line
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!,;]+$/, '')
    .trim();
}

function fold(text: string): string {
  const folded = /[^\x00-\x7f]/.test(text)
    ? text.normalize('NFKC').replace(/[\u0370-\u03ff\u0400-\u04ff\u0251]/g, c => LOOKALIKES[c] ?? c)
    : text;
  return folded.replace(/[\u200b-\u200d\u2060\ufeff]/g, '');
}
