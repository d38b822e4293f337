/** Git commands that move files about: stash, clean, rm, mv, apply, worktree, submodule. */
import { readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type Ask, named, union } from './ask.ts';
import { type GitWords, gitWords, has, value } from './git-args.ts';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

export function stash(ask: Ask, args: readonly string[]): string[] | null {
  const verb = args[0] === undefined || args[0].startsWith('-') ? 'push' : args[0];
  const words = gitWords(verb === args[0] ? args.slice(1) : args, '-m --message --pathspec-from-file');
  switch (verb) {
    case 'push':
    case 'save': {
      const paths = verb === 'save' ? [] : [...words.words, ...(words.paths ?? [])];
      if (has(words, '-S', '--staged')) return ask.diff('--cached', '--', ...paths);
      const tracked = ask.diff('HEAD', '--', ...paths);
      if (!has(words, '-u', '--include-untracked', '-a', '--all')) return tracked;
      const ignored = has(words, '-a', '--all') ? [] : ['--exclude-standard'];
      return union(tracked, untracked(ask, ignored, paths));
    }
    case 'pop':
    case 'apply':
      return stashed(ask, words.words[0]);
    case 'branch': {
      const entry = stashName(words.words[1]);
      return union(ask.diff('HEAD', `${entry}^1`, '--'), stashed(ask, words.words[1]));
    }
    case 'drop':
    case 'clear':
    case 'list':
    case 'show':
    case 'create':
    case 'store':
      return [];
    default:
      return null;
  }
}

const stashName = (word: string | undefined): string =>
  word === undefined ? 'stash@{0}' : /^\d+$/.test(word) ? `stash@{${word}}` : word;

function stashed(ask: Ask, word: string | undefined): string[] | null {
  const entry = stashName(word);
  return ask.list('stash', 'show', '--include-untracked', '--name-only', '--no-renames', '-z', entry);
}

function untracked(ask: Ask, how: string[], paths: readonly string[]): string[] | null {
  const where = paths.length > 0 ? paths : [':(top)'];
  return ask.list('ls-files', '--others', '-z', '--full-name', ...how, '--', ...where);
}

export function clean(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '-e --exclude');
  if (has(words, '-n', '--dry-run')) return [];
  const how = has(words, '-X')
    ? ['--ignored', '--exclude-standard']
    : [...(has(words, '-x') ? [] : ['--exclude-standard'])];
  const spared = value(words, '-e', '--exclude');
  if (spared !== undefined && !has(words, '-X')) how.push(`--exclude=${spared}`);
  const folders = has(words, '-d');
  if (!folders) how.push('--directory');
  // Unlike `stash`, it looks only below the folder it starts in.
  const paths = [...words.words, ...(words.paths ?? [])];
  const found = untracked(ask, how, paths.length > 0 ? paths : ['.']);
  return folders ? found : (found?.filter(path => !path.endsWith('/')) ?? null);
}

export function remove(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '--pathspec-from-file');
  if (has(words, '--cached', '-n', '--dry-run')) return [];
  if (has(words, '--pathspec-from-file')) return null;
  return ask.list('ls-files', '-z', '--full-name', '--', ...words.words, ...(words.paths ?? []));
}

export function move(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args, '');
  if (has(words, '-n', '--dry-run')) return [];
  const operands = [...words.words, ...(words.paths ?? [])].map(path => named(ask, path));
  const target = operands.pop();
  if (target === undefined || operands.length === 0) return null;
  const listed = ask.list('ls-files', '-z', '--full-name', '--', ...operands);
  if (listed === null) return null;
  const into = isFolder(target);
  const landed = operands.flatMap(source => {
    const base = into ? join(target, basename(source)) : target;
    return listed.flatMap(file => {
      const rest = relative(source, file);
      return rest === '' ? [base] : rest.startsWith('..') ? [] : [join(base, rest)];
    });
  });
  return [...listed, ...landed];
}

export function apply(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(
    args,
    '-p -C --directory --exclude --include --whitespace --build-fake-ancestor --patch-format',
  );
  if (has(words, '--abort', '--quit', '--show-current-patch'))
    return has(words, '--abort') && ask.note('rebase-apply', 'next') !== null ? ask.diff('HEAD', '--') : [];
  if (has(words, '--continue', '--skip', '--resolved', '-r')) return null;
  const looksOnly = has(words, '--check', '--stat', '--numstat', '--summary') && !has(words, '--apply');
  if (looksOnly || has(words, '--cached')) return [];
  const files = [...words.words, ...(words.paths ?? [])];
  if (files.length === 0 || files.includes('-')) return null;
  const shape = shapeOf(words);
  const listed = ask.raw('apply', '--numstat', '-z', ...shape.flags, '--', ...files);
  if (listed === null) return null;
  // A rename is listed under its new name alone.
  const old = files.flatMap(file => renamedFrom(named(ask, file)).map(path => shape.folder + path));
  // Inside a sub-folder git takes the paths from there only where the patch was made so: both are possible.
  const paths = [...listed.map(line => line.replace(/^\S+\t\S+\t/, '')), ...old];
  return paths.flatMap(path => [join(ask.repo.top, path), join(ask.cwd, path)]);
}

/** `git diff A B | git apply`: what the command that made the patch lists. Only what names commits and paths is passed on. */
export function printed(ask: Ask, [verb, ...args]: readonly string[]): string[] | null {
  const words = gitWords(args, '-O -U -S -G -l --max-count --src-prefix --dst-prefix --format --pretty');
  const spec = words.paths ?? [];
  const log = (...which: string[]) =>
    ask.list('log', '-m', '--format=', '--name-only', '-z', '--no-renames', '--no-ext-diff', ...which, '--', ...spec);
  const first = words.words[0];
  switch (verb) {
    case 'diff': {
      const cached = has(words, '--cached', '--staged') ? ['--cached'] : [];
      return ask.diff(...cached, ...words.words, '--', ...spec) ?? ask.diff(...cached, '--', ...words.words, ...spec);
    }
    case 'diff-tree':
      return first === undefined
        ? null
        : words.words.length > 1
          ? ask.diff(...words.words, '--', ...spec)
          : log('-1', first);
    case 'show':
      return log('--no-walk', ...(words.words.length > 0 ? words.words : ['HEAD']));
    case 'stash': {
      const entry = stashName(words.words[1]);
      return first === 'show' ? ask.diff(`${entry}^1`, entry, '--') : null;
    }
    case 'format-patch':
    case 'log': {
      const count = args.find(arg => /^-\d+$/.test(arg));
      const since = verb === 'format-patch' && count === undefined && first !== undefined && !first.includes('..');
      return log(...(count ? [count] : []), ...(since ? [`${first}..HEAD`] : words.words));
    }
    default:
      return null;
  }
}

function shapeOf(words: GitWords): { flags: string[]; folder: string } {
  const strip = value(words, '-p');
  const folder = value(words, '--directory');
  const flags = [
    ...(strip === undefined ? [] : [`-p${strip}`]),
    ...(folder === undefined ? [] : [`--directory=${folder}`]),
    ...(has(words, '-R', '--reverse') ? ['-R'] : []),
  ];
  return { flags, folder: folder === undefined ? '' : folder.replace(/\/?$/, '/') };
}

function renamedFrom(patch: string): string[] {
  try {
    return [...readFileSync(patch, 'utf8').matchAll(/^rename from (.+)$/gm)].map(match => match[1]!);
  } catch {
    return [];
  }
}

export function worktree(ask: Ask, args: readonly string[]): string[] | null {
  const words = gitWords(args.slice(1), '-b -B --reason --expire');
  const [first, second] = words.words;
  switch (args[0]) {
    case 'add':
    case 'remove':
      return first === undefined ? null : [named(ask, first)];
    case 'move':
      return first === undefined || second === undefined ? null : [named(ask, first), named(ask, second)];
    default:
      return [];
  }
}

export function submodule(ask: Ask, args: readonly string[]): string[] | null {
  const verb = args.find(arg => !arg.startsWith('-')) ?? 'status';
  const words = gitWords(args.slice(args.indexOf(verb) + 1), '-b --reference --depth -j --jobs --name');
  if (verb === 'add') {
    const [url, path] = words.words;
    const folder = path ?? basename(url ?? '').replace(/\.git$/, '');
    return folder === '' ? null : [named(ask, folder), join(ask.repo.top, '.gitmodules')];
  }
  if (verb === 'foreach') return null;
  if (verb !== 'update' && verb !== 'deinit' && verb !== 'absorbgitdirs') return [];
  const staged = ask.raw('ls-files', '--stage', '-z', '--full-name', '--', ...words.words, ...(words.paths ?? []));
  return (
    staged
      ?.filter(line => line.startsWith('160000 '))
      .map(line => join(ask.repo.top, line.slice(line.indexOf('\t') + 1))) ?? null
  );
}
