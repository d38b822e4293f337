/**
 * The parts of a conftest.py that are held: each fixture by itself, and the rest as one. A new fixture that nothing uses
 * yet, an import or a comment changes none of them.
 */

type Statement = { indent: number; text: string };

/** By the name of the fixture; the empty name is the rest. Null where the text cannot be cut into statements. */
export function conftestParts(text: string): Map<string, string> | null {
  const all = statements(text.replace(/\r\n?/g, '\n'));
  if (all === null) return null;
  const parts = new Map<string, string>([['', '']]);
  const add = (name: string, lines: Statement[]): void => {
    const body = lines.map(({ indent, text: t }) => ' '.repeat(indent) + t).join('\n');
    parts.set(name, parts.get(name) ? `${parts.get(name)}\n${body}` : body);
  };
  for (let i = 0; i < all.length; ) {
    let end = i + 1;
    let head = all[i]!;
    let fixture = false;
    while (head.indent === 0 && head.text.startsWith('@') && end < all.length) {
      fixture ||= /^@(?:pytest\.)?fixture\b(?!.*\bautouse\b)/s.test(head.text);
      head = all[end++]!;
    }
    while (end < all.length && all[end]!.indent > 0) end++;
    const block = all.slice(i, end);
    const name = /^(?:async\s+)?def\s+(\w+)/.exec(head.text)?.[1] ?? '';
    if (!harmlessImport(block)) add(fixture && !/^pytest_|^$/.test(name) ? name : '', block);
    i = end;
  }
  return parts;
}

function harmlessImport([only, more]: Statement[]): boolean {
  if (!only || more || !/^(?:import|from)\s/.test(only.text)) return false;
  return !/\*|;|\bpytest_|\bcollect_ignore/.test(only.text);
}

/** Logical lines without comments; a text that stands alone says nothing. */
function statements(text: string): Statement[] | null {
  const out: Statement[] = [];
  let now = '';
  let depth = 0;
  const close = (): void => {
    const line = now.trim();
    const alone = /^[rbuRBU]{0,2}(?:"""|'''|"|')/.test(line) && literalEnd(line, line.search(/["']/)) === line.length;
    if (line !== '' && !alone)
      out.push({ indent: /^[ \t]*/.exec(now)![0].replace(/\t/g, '        ').length, text: line });
    now = '';
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"' || c === "'") {
      const end = literalEnd(text, i);
      if (end < 0) return null;
      now += text.slice(i, end);
      i = end - 1;
    } else if (c === '#') {
      while (i + 1 < text.length && text[i + 1] !== '\n') i++;
    } else if (c === '\\' && text[i + 1] === '\n') i++;
    else if (c === '\n') {
      if (depth === 0) close();
    } else {
      if (/[([{]/.test(c)) depth++;
      else if (/[)\]}]/.test(c) && --depth < 0) return null;
      now += c;
    }
  }
  close();
  return depth === 0 ? out : null;
}

/** Past the closing quote of the literal that opens at `from`; -1 where it is left open. */
function literalEnd(text: string, from: number): number {
  const quote = text.startsWith(text[from]!.repeat(3), from) ? text[from]!.repeat(3) : text[from]!;
  for (let i = from + quote.length; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '\n' && quote.length === 1) return -1;
    else if (text.startsWith(quote, i)) return i + quote.length;
  }
  return -1;
}
