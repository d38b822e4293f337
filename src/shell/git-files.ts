import { ANY_CHAR, below, matcher } from './glob.ts';
import type { Machine, Scope, Text } from './machine.ts';
import { activate, isKnown, UNKNOWN } from './marks.ts';

/** Files a pathspec stands for: a plain path, or what its pattern meets in the tree. */
export function tracked(m: Machine, scope: Scope, word: string): string[] {
  if (!/[*?[]/.test(word)) return [word];
  const at = scope.cwd[0]!;
  const test = matcher(activate(word.replace(/^:\([^)]*\)/, '')), ANY_CHAR);
  const found = (below(m.tree, at) ?? []).filter(file => test(file.slice(at.length + 1)));
  return found.length > 0 ? found : [word];
}

/** What `git ls-files` prints. */
export function listFiles(m: Machine, scope: Scope, operands: string[]): Text {
  return () => {
    const at = scope.cwd[0]!;
    const all = isKnown(at) ? below(m.tree, at, 2000) : null;
    if (all === null) return UNKNOWN;
    const names = all.filter(file => !m.tree.isDirectory(file)).map(file => file.slice(at.length + 1));
    const tests = operands.map(word =>
      /[*?[]/.test(word)
        ? matcher(activate(word), ANY_CHAR)
        : (name: string) => name === word.replace(/\/$/, '') || name.startsWith(`${word.replace(/\/$/, '')}/`),
    );
    const out = names.filter(name => tests.length === 0 || operands.includes('.') || tests.some(test => test(name)));
    return out.length > 0 ? `${out.join('\n')}\n` : '';
  };
}
