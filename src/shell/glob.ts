import { join } from 'node:path';
import { ANY, BRACKET, hasGlob, plain, STAR, UNKNOWN } from './marks.ts';
import type { TreePort } from './port.ts';

const LIMIT = 4000;
/** For patterns whose `*` crosses slashes. */
export const ANY_CHAR = '[\\s\\S]';
const quote = (c: string): string => c.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** One path component, or a whole text, as a regular expression source. Unknown parts may be anything. */
export function toRegex(text: string, any = '[^/]'): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === STAR || c === UNKNOWN) out += `${any}*`;
    else if (c === ANY) out += any;
    else if (c === BRACKET) {
      const end = text.indexOf(']', i + 2);
      if (end < 0) out += '\\[';
      else {
        let set = plain(text.slice(i + 1, end)).replace(/\\/g, '\\\\');
        if (set[0] === '!' || set[0] === '^') set = `^${set.slice(1)}`;
        set = set.replace(/\[:(\w+):\]?/g, (_, k) => (k === 'digit' ? '0-9' : k === 'upper' ? 'A-Z' : 'a-zA-Z0-9'));
        out += `[${set.replace(/\[/g, '\\[')}]`;
        i = end;
      }
    } else out += quote(c);
  }
  return out;
}

export function matcher(pattern: string, any?: string, flags = 's'): (text: string) => boolean {
  try {
    const regex = new RegExp(`^${toRegex(pattern, any)}$`, flags);
    return text => regex.test(text);
  } catch {
    return () => true;
  }
}

/** Everything below a folder, folders included, without dependencies and git's own files; null when there is too much. */
export function below(tree: TreePort, dir: string, limit = LIMIT, depth = 40): string[] | null {
  const found: string[] = [];
  const queue: [string, number][] = [[dir, 0]];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [at, level] = next;
    for (const name of tree.list(at)) {
      if (name === 'node_modules' || name === '.git') continue;
      const path = join(at, name);
      found.push(path);
      if (found.length > limit) return null;
      if (level < depth && tree.isDirectory(path) && tree.realpath(path) === join(tree.realpath(at), name))
        queue.push([path, level + 1]);
    }
  }
  return found;
}

/** Pathname expansion. Without a match the word stays what it was, as in bash. */
export function expand(tree: TreePort, cwd: string, word: string, globstar = false): string[] {
  if (!hasGlob(word)) return [word];
  const steps = word.split('/');
  let bases: string[] = [word.startsWith('/') ? '/' : ''];
  if (word.startsWith('/')) steps.shift();
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!;
    const next: string[] = [];
    const last = i === steps.length - 1;
    if (!hasGlob(step) && !step.includes(UNKNOWN)) {
      for (const base of bases) next.push(base + step + (last ? '' : '/'));
    } else if (globstar && step === STAR + STAR) {
      for (const base of bases) {
        next.push(base);
        const at = join(cwd, base || '.');
        const root = base.startsWith('/') ? base : at;
        for (const path of below(tree, root, LIMIT) ?? [])
          if (last || tree.isDirectory(path))
            next.push(base + path.slice(root.length + (root.endsWith('/') ? 0 : 1)) + (last ? '' : '/'));
      }
    } else {
      const test = matcher(step);
      for (const base of bases) {
        const at = base.startsWith('/') ? base : join(cwd, base || '.');
        for (const name of tree.list(at)) {
          if (name.startsWith('.') && !step.startsWith('.')) continue;
          if (!test(name)) continue;
          if (!last && !tree.isDirectory(join(at, name))) continue;
          next.push(base + name + (last ? '' : '/'));
        }
        if (next.length > LIMIT) break;
      }
    }
    bases = next.slice(0, LIMIT);
  }
  const found = bases.filter(base => base !== '' && tree.exists(base.startsWith('/') ? base : join(cwd, base)));
  return found.length > 0 ? found : [plain(word)];
}
