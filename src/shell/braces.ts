/** Splits a brace text at its top-level commas, quotes respected; null when it is no list. */
export function braceList(body: string): string[] | null {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  let quote = '';
  for (let i = 0; i < body.length; i++) {
    const c = body[i]!;
    if (c === '\\' && quote !== "'") i++;
    else if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'" || c === '`') quote = c;
    else if (c === '{' || c === '(') depth++;
    else if (c === '}' || c === ')') depth--;
    else if (c === ',' && depth === 0) {
      items.push(body.slice(from, i));
      from = i + 1;
    }
  }
  items.push(body.slice(from));
  return items.length > 1 ? items : null;
}

export function braceRange(body: string): string[] | null {
  const found = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(body);
  if (!found) return null;
  const letters = /^[A-Za-z]$/.test(found[1]!);
  const value = (text: string): number => (letters ? text.charCodeAt(0) : Number(text));
  const [a, b] = [value(found[1]!), value(found[2]!)];
  const step = Math.max(1, Math.abs(Number(found[3] ?? 1)));
  const width = letters || !/^-?0\d/.test(found[1]!) ? 0 : found[1]!.length;
  const out: string[] = [];
  for (let i = a; a <= b ? i <= b : i >= b; i += a <= b ? step : -step) {
    if (out.length > 256) break;
    out.push(letters ? String.fromCharCode(i) : String(i).padStart(width, '0'));
  }
  return out;
}
