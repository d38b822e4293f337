/**
 * Path patterns of a plan (spec of seed 000, section 1): a shell glob, case-sensitive, whose `*` crosses `/`; `x/**`
 * matches x as well. They are kept as regular expressions in text form, so that a hook needs no glob code for them.
 */

export function patternSource(pattern: string): string {
  const clean = tidy(pattern);
  const body = translate(clean);
  const folder = /^(.+)\/\*\*$/.exec(clean)?.[1];
  return folder === undefined ? `^${body}$` : `^(?:${body}|${translate(folder)})$`;
}

export function matcher(patterns: readonly string[]): (path: string) => boolean {
  const found = patterns.map(pattern => new RegExp(patternSource(pattern), 'su'));
  return path => found.some(re => re.test(path));
}

/** Null where the pattern can be used. */
export function patternWrong(pattern: string): string | null {
  try {
    matcher([pattern]);
    return null;
  } catch {
    return `is no pattern: ${pattern}`;
  }
}

export const isGlob = (pattern: string): boolean => /[*?[]/.test(pattern);

function tidy(pattern: string): string {
  const plain = pattern.replace(/^(?:\.\/)+/, '').replace(/\/{2,}/g, '/');
  return plain.endsWith('/') ? `${plain}**` : plain;
}

function translate(pattern: string): string {
  let out = '';
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!;
    const close = c === '[' ? pattern.indexOf(']', i + (/[!\]]/.test(pattern[i + 1] ?? '') ? 2 : 1)) : -1;
    if (c === '*') out += '.*';
    else if (c === '?') out += '.';
    else if (close > 0) {
      const body = pattern.slice(i + 1, close).replace(/[\\\]^[]/g, '\\$&');
      out += body.startsWith('!') ? `[^${body.slice(1)}]` : `[${body}]`;
      i = close;
    } else out += c.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  return out.replace(/(?:\.\*)+/g, '.*');
}

const MOST_FORMS = 16;

/** The same set, or a little more, in globs whose `*` stays inside a folder: what a freeze is told. */
export function freezeGlobs(pattern: string): string[] {
  let forms = [''];
  for (const part of tidy(pattern).split('/')) {
    const ways = part === '**' || !part.includes('*') ? [part] : crossing(part);
    forms = forms.flatMap(form => ways.map(way => (form === '' ? way : `${form}/${way}`))).slice(0, MOST_FORMS);
  }
  return forms;
}

/** `a*b` -> `a*b` and `a*` + any folders + `*b`. */
function crossing(part: string): string[] {
  const stars = [...part.matchAll(/\*+/g)].map(m => m.index);
  return [part, ...stars.map(at => `${part.slice(0, at)}*/**/*${part.slice(at).replace(/^\*+/, '')}`)];
}
