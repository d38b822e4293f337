/**
 * Path globs: `*` and `?` stay inside a segment, `**` crosses them, `[...]`, `{a,b}`, dotfiles match.
 * `x/**` matches everything under x and x itself. Own code because the library costs four fifths of the
 * hook's byte budget; a property test holds it to the library's answers (decision 0002).
 */

/** Unicode mode takes V8 ten times as long to compile, and matters only to what counts or names characters. */
const WIDE = /[?]|[^\x00-\x7f]/;

const cache = new Map<string, RegExp>();

export function globToRegExp(glob: string, fold = false): RegExp {
  const key = (fold ? 'i:' : 's:') + glob;
  let re = cache.get(key);
  if (!re) {
    re = new RegExp('^' + translate(normalise(glob)) + '$', (fold ? 'is' : 's') + (WIDE.test(glob) ? 'u' : ''));
    cache.set(key, re);
  }
  return re;
}

/** `path` is relative to the project root, with forward slashes. */
export function matchGlob(glob: string, path: string, fold = false): boolean {
  if (!fold && !cache.has('s:' + glob) && !path.startsWith(lead(glob))) return false;
  return globToRegExp(glob, fold).test(path);
}

export function matchAny(globs: readonly string[], path: string, fold = false): string | null {
  for (const glob of globs) if (matchGlob(glob, path, fold)) return glob;
  return null;
}

/** What every match begins with: enough to pass most paths by without compiling anything. */
function lead(glob: string): string {
  const end = glob.search(/[*?[\]{}\\]|\/\/|^\.\/|$/);
  return glob.slice(0, end).replace(/\/$/, '');
}

/** The folder a glob cannot leave: everything before its first wildcard segment. */
export function globBase(glob: string): string {
  const parts = normalise(glob).split('/');
  const wild = parts.findIndex(p => /[*?[{]/.test(p));
  return (wild < 0 ? parts : parts.slice(0, wild)).join('/');
}

function normalise(glob: string): string {
  const slashed = glob.replace(/^\.\//, '').replace(/\/{2,}/g, '/');
  return slashed.endsWith('/') ? slashed + '**' : slashed;
}

function translate(glob: string): string {
  let out = '';
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i]!;
    if (c === '*') {
      if (glob[i + 1] !== '*') {
        out += '[^/]*';
        continue;
      }
      const opensSegment = i === 0 || glob[i - 1] === '/';
      while (glob[i + 1] === '*') i++;
      if (opensSegment && glob[i + 1] === '/') {
        out += '(?:[^/]+/)*';
        i++;
      } else if (opensSegment && i + 1 === glob.length) {
        if (out.endsWith('/')) out = out.slice(0, -1) + '(?:/.*)?';
        else out += '.*';
      } else out += '[^/]*';
    } else if (c === '?') out += '[^/]';
    else if (c === '[') {
      const end = closing(glob, i);
      if (end < 0) out += '\\[';
      else {
        out += bracket(glob.slice(i + 1, end));
        i = end;
      }
    } else if (c === '{' && glob.indexOf('}', i) > 0) {
      depth++;
      out += '(?:';
    } else if (c === '}' && depth > 0) {
      depth--;
      out += ')';
    } else if (c === ',' && depth > 0) out += '|';
    else if (c === '\\' && i + 1 < glob.length) out += literal(glob[++i]!);
    else out += literal(c);
  }
  return out + ')'.repeat(depth);
}

function closing(glob: string, open: number): number {
  let from = open + 1;
  if (glob[from] === '!' || glob[from] === '^') from++;
  const end = glob.indexOf(']', glob[from] === ']' ? from + 1 : from);
  return end > 0 && !glob.slice(open, end).includes('/') ? end : -1;
}

function bracket(body: string): string {
  const negated = body[0] === '!' || body[0] === '^';
  const set = (negated ? body.slice(1) : body).replace(/[\\\]^[&~|]/g, '\\$&');
  return negated ? `[^/${set}]` : `[${set}]`;
}

function literal(c: string): string {
  return /[\\^$.*+?()[\]{}|]/.test(c) ? '\\' + c : c;
}
