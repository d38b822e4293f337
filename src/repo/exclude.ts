/**
 * What a fingerprint leaves out: our own state, and documents that lie in the claim globs. Writing the report must not
 * stale the verdict it reports, but `verify.ts` is code even where a claim glob such as `*verify*` matches it.
 */

export const STATE_FOLDER = '.claude/state/';

const DOCUMENT = /\.(?:md|markdown|mdown|txt|rst|adoc|asciidoc|org|ipynb|pdf|docx|odt)$/i;

const DOT = 0x2e;
/** Last letters of the document extensions above. */
const MAYBE_LAST = new Set(Buffer.from('dDnNtTcCgGbBfFxX'));

export type Exclusion = {
  /** Same text, same exclusion: part of a cache's name. */
  id: string;
  /** A cheap look at the bytes of a path, false only when `excludes` would be: 100,000 paths pass here. */
  maybe(bytes: Buffer, from: number, to: number): boolean;
  /** `path` from the top of the repository, forward slashes. */
  excludes(path: string): boolean;
};

export function exclusion(globs: readonly string[], prefix: string): Exclusion {
  const state = prefix + STATE_FOLDER;
  const pattern = globPattern(globs);
  const first = state.charCodeAt(0);
  return {
    maybe(bytes, from, to) {
      if (bytes[from] === first) return true;
      if (pattern === null) return false;
      for (let at = to - 1; at > from && at > to - 10; at--)
        if (bytes[at] === DOT) return MAYBE_LAST.has(bytes[to - 1]!);
      return false;
    },
    id: JSON.stringify([prefix, globs]),
    excludes(path) {
      if (path.startsWith(state)) return true;
      if (pattern === null || !DOCUMENT.test(path) || !path.startsWith(prefix)) return false;
      return pattern.test(path.slice(prefix.length));
    },
  };
}

/** One pattern for all globs over slash-separated paths; null for none. Dot files match like others. */
export function globPattern(globs: readonly string[]): RegExp | null {
  const sources = globs.flatMap(expandBraces).map(globSource);
  return sources.length > 0 ? new RegExp(`^(?:${sources.join('|')})$`) : null;
}

/** `a{b,c}` -> `ab`, `ac`; nested braces expand from the inside out. */
function expandBraces(glob: string): string[] {
  const inner = /\{([^{}]*,[^{}]*)\}/.exec(glob);
  if (!inner) return [glob];
  const [before, after] = [glob.slice(0, inner.index), glob.slice(inner.index + inner[0].length)];
  return inner[1]!.split(',').flatMap(option => expandBraces(before + option + after));
}

function globSource(glob: string): string {
  let source = '';
  const text = glob.replace(/^\.?\//, '');
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (text.startsWith('**/', i) && (i === 0 || text[i - 1] === '/')) {
      source += '(?:[^/]+/)*';
      i += 2;
    } else if (text.startsWith('**', i)) {
      source += '.*';
      i += 1;
    } else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (char === '[') {
      const close = text.indexOf(']', i + 2);
      if (close < 0) source += '\\[';
      else {
        const body = text
          .slice(i + 1, close)
          .replace(/^!/, '^')
          .replace(/\\/g, '\\\\');
        source += `[${body}]`;
        i = close;
      }
    } else source += char.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  }
  // A bare folder name means everything in it, as in every ignore file.
  return text.endsWith('/') ? source + '.*' : source;
}
