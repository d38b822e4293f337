/** Small readers of settings text, enough to cut out the parts that decide about tests. Linear, never throwing. */

/** Comments out of JSON, strings untouched, trailing commas dropped. */
export function stripJsonComments(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"') {
      const end = stringEnd(text, i);
      out += text.slice(i, end);
      i = end - 1;
    } else if (c === '/' && text[i + 1] === '/') {
      while (i + 1 < text.length && text[i + 1] !== '\n') i++;
    } else if (c === '/' && text[i + 1] === '*') {
      const end = text.indexOf('*/', i + 2);
      i = end < 0 ? text.length : end + 1;
    } else out += c;
  }
  return out.replace(/,(\s*[}\]])/g, '$1');
}

/** `key: value` pairs of a JavaScript or JSON settings file, values cut by balanced brackets; comments do not count. */
export function balancedValues(text: string, keys: readonly string[]): string {
  const code = withoutComments(text);
  const wanted = new RegExp(`(?:^|[\\s{,(])["']?(${keys.join('|')})["']?\\s*:`, 'g');
  const found: string[] = [];
  for (const match of code.matchAll(wanted)) {
    const from = match.index + match[0].length;
    found.push(`${match[1]}: ${code.slice(from, valueEnd(code, from)).replace(/\s+/g, ' ').trim()}`);
  }
  return found.sort().join('\n');
}

/** The text without the objects under these keys. */
export function withoutObjects(text: string, keys: readonly string[]): string {
  const code = withoutComments(text);
  const wanted = new RegExp(`(?<=[\\s{,(])["']?(?:${keys.join('|')})["']?\\s*:\\s*(?=\\{)`, 'g');
  let out = '';
  let at = 0;
  for (const match of code.matchAll(wanted)) {
    if (match.index < at) continue;
    out += code.slice(at, match.index);
    at = valueEnd(code, match.index + match[0].length);
  }
  return out + code.slice(at);
}

/** Sections of a TOML file whose dotted name fits, `[[arrays]]` included, comments and blank lines dropped. */
export function tomlSections(text: string, name: RegExp): string {
  return sections(
    text,
    line => /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1]?.replace(/["'\s]/g, ''),
    name,
    /^\s*(?:#.*)?$/,
  );
}

export function iniSections(text: string, name: RegExp): string {
  return sections(text, line => /^\[([^\]]+)\]\s*$/.exec(line)?.[1], name, /^\s*(?:[#;].*)?$/);
}

/** Rule and recipe of the targets whose name fits. */
export function makeRecipe(text: string, target: RegExp): string {
  const out: string[] = [];
  let inside = false;
  for (const line of text.split(/\r?\n/)) {
    const rule = /^([^\s:#=][^:=]*):(?!=)/.exec(line)?.[1];
    if (rule !== undefined) inside = rule.split(/\s+/).some(name => target.test(name));
    else if (line !== '' && !/^[\t ]/.test(line)) inside = false;
    if (inside && line.trim() !== '') out.push(line);
  }
  return out.join('\n');
}

function sections(text: string, header: (line: string) => string | undefined, name: RegExp, noise: RegExp): string {
  const out: string[] = [];
  let inside = false;
  for (const line of text.split(/\r?\n/)) {
    const found = header(line);
    if (found !== undefined) inside = name.test(found);
    if (inside && !noise.test(line)) out.push(line.trimEnd());
  }
  return out.join('\n');
}

/** Blanks comments of JavaScript while leaving strings alone. */
function withoutComments(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"' || c === "'" || c === '`') {
      const end = stringEnd(text, i);
      out += text.slice(i, end);
      i = end - 1;
    } else if (c === '/' && text[i + 1] === '/' && text[i - 1] !== ':') {
      while (i + 1 < text.length && text[i + 1] !== '\n') i++;
    } else if (c === '/' && text[i + 1] === '*') {
      const end = text.indexOf('*/', i + 2);
      i = end < 0 ? text.length : end + 1;
    } else out += c;
  }
  return out;
}

function stringEnd(text: string, from: number): number {
  const quote = text[from];
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return i + 1;
  }
  return text.length;
}

function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"' || c === "'" || c === '`') i = stringEnd(text, i) - 1;
    else if (c === '[' || c === '{' || c === '(') depth++;
    else if (c === ']' || c === '}' || c === ')') {
      if (depth === 0) return i;
      depth--;
    } else if ((c === ',' || c === '\n') && depth === 0 && text.slice(from, i).trim() !== '') return i;
  }
  return text.length;
}
