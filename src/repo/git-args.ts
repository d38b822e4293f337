/** The words of a git command, sorted: flags, their values, revisions or paths before `--`, paths after it. */
export type GitWords = {
  /** Every flag by its long or short name, bundled short ones apart. */
  flags: Set<string>;
  values: Map<string, string>;
  words: string[];
  /** Words after `--`; null where there is no `--`. */
  paths: string[] | null;
};

/** `valued`: flags that take the next word, such as `-b` or `--source`. */
export function gitWords(args: readonly string[], valued: string): GitWords {
  const takes = new Set(valued.split(' '));
  const found: GitWords = { flags: new Set(), values: new Map(), words: [], paths: null };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') {
      found.paths = args.slice(i + 1);
      break;
    }
    if (arg.startsWith('--')) {
      const cut = arg.indexOf('=');
      const name = cut < 0 ? arg : arg.slice(0, cut);
      found.flags.add(name);
      if (cut >= 0) found.values.set(name, arg.slice(cut + 1));
      else if (takes.has(name)) found.values.set(name, args[++i] ?? '');
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let at = 1; at < arg.length; at++) {
        const name = `-${arg[at]}`;
        found.flags.add(name);
        if (!takes.has(name)) continue;
        found.values.set(name, at + 1 < arg.length ? arg.slice(at + 1) : (args[++i] ?? ''));
        break;
      }
    } else found.words.push(arg);
  }
  return found;
}

export const has = (words: GitWords, ...names: string[]): boolean => names.some(name => words.flags.has(name));

export const value = (words: GitWords, ...names: string[]): string | undefined =>
  names.map(name => words.values.get(name)).find(found => found !== undefined);
