/**
 * A private repository under `.claude/state/vault.git` that holds frozen bytes and a stat cache of them. It needs no
 * repository of the user's, sees through ignore files, filters and index flags, and answers "what moved?" in one start of
 * git (performance.md, section 5b).
 */
import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GitResult, git, TRUSTLESS } from './git.ts';
import { joinNul, openable, splitNul } from './names.ts';

export type VaultEntry = { path: string; mode: string; oid: string };
export type Moved = { path: string; how: 'rewritten' | 'added' | 'deleted' | 'mode' | 'retargeted' };

/** Caches that tools leave beside tests; nothing anybody wrote. */
const CACHES = [
  '**/__pycache__/**',
  '**/.pytest_cache/**',
  '**/.cache/**',
  '**/*.pyc',
  '**/node_modules/**',
  '**/.DS_Store',
  '**/.vitest/**',
  '**/.nyc_output/**',
];

export function vaultDir(root: string): string {
  return join(root, '.claude', 'state', 'vault.git');
}

export function hasVault(root: string): boolean {
  return existsSync(join(vaultDir(root), 'index'));
}

/** Takes in every file the patterns and names cover. Names what it could not take; never follows a link. */
export function fillVault(
  root: string,
  patterns: readonly string[],
  names: readonly string[],
): { entries: VaultEntry[]; left: string[] } {
  const dir = vaultDir(root);
  create(dir, root);
  rmSync(join(dir, 'index'), { force: true });
  const listed = splitNul(must(vault(root, ['ls-files', '-o', '-z', '--', ...pathspecs(patterns, names)])));
  const left = listed.filter(path => path.endsWith('/'));
  const files = listed.filter(path => !path.endsWith('/'));
  if (files.length > 0) {
    const added = vault(
      root,
      ['add', '-f', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'],
      joinNul(files.map(f => `:(literal)${f}`)),
    );
    if (!added.ok && added.code !== 'git-failed') throw new Error(added.message);
  } else must(vault(root, ['read-tree', '--empty']));
  const entries = readIndex(root);
  const held = new Set(entries.map(e => e.path));
  left.push(...files.filter(f => !held.has(f)));
  return { entries, left };
}

/** Makes the present content of the vault a commit, and keeps it in the user's repository where there is one. */
export function sealVault(root: string, message: string, keepIn: { gitDir: string; ref: string } | null): string {
  const tree = must(vault(root, ['write-tree']))
    .toString()
    .trim();
  const who = {
    GIT_AUTHOR_NAME: 'touchstone',
    GIT_AUTHOR_EMAIL: 'touchstone@localhost',
    GIT_COMMITTER_NAME: 'touchstone',
    GIT_COMMITTER_EMAIL: 'touchstone@localhost',
  };
  const commit = must(vault(root, ['commit-tree', tree, '-m', message], '', who))
    .toString()
    .trim();
  must(vault(root, ['update-ref', 'refs/heads/frozen', commit]));
  if (keepIn)
    git(
      [
        '--git-dir',
        keepIn.gitDir,
        'fetch',
        '-q',
        '--no-tags',
        '--no-write-fetch-head',
        vaultDir(root),
        `+refs/heads/frozen:${keepIn.ref}`,
      ],
      { cwd: root },
    );
  return commit;
}

/** Puts the vault back from the copy in the user's repository; false where there is none. */
export function recoverVault(root: string, from: { gitDir: string; ref: string }): boolean {
  create(vaultDir(root), root);
  const fetched = vault(root, [
    'fetch',
    '-q',
    '--no-tags',
    '--no-write-fetch-head',
    from.gitDir,
    `+${from.ref}:refs/heads/frozen`,
  ]);
  return fetched.ok && vault(root, ['read-tree', 'refs/heads/frozen']).ok;
}

/** Everything under the patterns that is not as it was taken in. One start of git where nothing moved. */
export function movedSince(root: string, patterns: readonly string[], names: readonly string[]): Moved[] | null {
  const listed = vault(root, ['ls-files', '-z', '-t', '-m', '-d', '-o', '--', ...pathspecs(patterns, names)]);
  if (!listed.ok) return null;
  const tagged = splitNul(listed.stdout);
  if (tagged.length === 0) return [];
  const before = new Map(readIndex(root).map(e => [e.path, e]));
  const deleted = new Set(tagged.filter(t => t.startsWith('R ')).map(t => t.slice(2)));
  const moved = new Map<string, Moved>();
  for (const tag of tagged) {
    const path = tag.slice(2).replace(/\/$/, '');
    if (tag.startsWith('? ')) moved.set(path, { path, how: 'added' });
    else if (deleted.has(path)) moved.set(path, { path, how: 'deleted' });
    else moved.set(path, { path, how: manner(root, path, before.get(path)) });
  }
  return [...moved.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Writes the kept bytes, modes and links back; files that were not there are the caller's to remove. */
export function putBack(root: string, paths: readonly string[]): void {
  if (paths.length > 0) must(vault(root, ['checkout-index', '-f', '-u', '-z', '--stdin'], joinNul(paths)));
}

function readIndex(root: string): VaultEntry[] {
  return splitNul(must(vault(root, ['ls-files', '-s', '-z']))).map(line => {
    const [head = '', path = ''] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)];
    const [mode = '', oid = ''] = head.split(' ');
    return { path, mode, oid };
  });
}

function manner(root: string, path: string, before: VaultEntry | undefined): Moved['how'] {
  const stat = lstatSync(openable(root, path), { throwIfNoEntry: false });
  if (!before || !stat) return 'rewritten';
  if (before.mode === '120000' || stat.isSymbolicLink()) return 'retargeted';
  const now = stat.isFile() ? vault(root, ['hash-object', '--no-filters', '--', join(root, path)]) : null;
  return now?.ok && now.stdout.toString().trim() === before.oid ? 'mode' : 'rewritten';
}

function create(dir: string, root: string): void {
  if (!existsSync(join(dir, 'HEAD'))) {
    mkdirSync(dir, { recursive: true });
    must(git(['init', '-q', '--bare', '--template=', dir], { cwd: root }));
  }
  mkdirSync(join(dir, 'info'), { recursive: true });
  // The highest attributes of all: raw bytes, whatever the project's own say.
  writeFileSync(join(dir, 'info', 'attributes'), '* -text -filter -ident -eol -working-tree-encoding -crlf -diff\n');
}

function vault(root: string, args: string[], input: string | Buffer = '', env: Record<string, string> = {}): GitResult {
  const own = [
    '-c',
    'core.bare=false',
    '-c',
    'core.excludesFile=/dev/null',
    '-c',
    'core.autocrlf=false',
    '-c',
    'core.attributesFile=/dev/null',
    '-c',
    'core.ignoreCase=false',
    '-c',
    'core.precomposeUnicode=false',
    '-c',
    'core.symlinks=true',
  ];
  return git([...TRUSTLESS, ...own, `--git-dir=${vaultDir(root)}`, `--work-tree=${root}`, ...args], {
    cwd: root,
    input,
    env,
  });
}

function must(result: GitResult): Buffer {
  if (!result.ok) throw new Error(result.message);
  return result.stdout;
}

/** Git's own globs know no braces. */
function pathspecs(patterns: readonly string[], names: readonly string[]): string[] {
  const globs = patterns.flatMap(expandBraces).flatMap(glob => {
    const plain = glob.replace(/^\.\//, '').replace(/\/$/, '/**');
    return plain.endsWith('/**')
      ? [`:(glob)${plain}`, `:(literal)${plain.slice(0, -3)}`].filter(s => s !== ':(literal)')
      : [`:(glob)${plain}`];
  });
  return [
    ...globs,
    ...names.map(n => `:(literal)${n}`),
    ...CACHES.map(c => `:(exclude,glob)${c}`),
    ':(exclude,glob).claude/state/**',
  ];
}

function expandBraces(glob: string): string[] {
  const inner = /\{([^{}]*,[^{}]*)\}/.exec(glob);
  if (!inner) return [glob];
  const [before, after] = [glob.slice(0, inner.index), glob.slice(inner.index + inner[0].length)];
  return inner[1]!.split(',').flatMap(option => expandBraces(before + option + after));
}
