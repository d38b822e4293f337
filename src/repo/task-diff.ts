/** What a task changed: from where its branch left the default branch to the work tree, and what passed through on the way. */
import { git, splitNul, TRUSTLESS } from './git.ts';

export type Base = { ref: string; commit: string };

export type TaskFile = {
  /** From the top of the repository. */
  path: string;
  kind: 'added' | 'changed' | 'deleted';
  link: boolean;
  /** The base's own version; null where it has none. */
  baseBlob: string | null;
};

/** Content that a commit of the task held and the work tree no longer does: it leaves with the history. */
export type Passed = { path: string; blob: string; commit: string };

function ask(root: string, args: string[]): string | null {
  const asked = git([...TRUSTLESS, ...args], { cwd: root, timeoutMs: 60_000 });
  return asked.ok ? asked.stdout.toString('utf8') : null;
}

/** The default branch of the remote, else a local one; on that branch itself, what its upstream has. Null: no base at all. */
export function taskBase(root: string, branch: string | null): Base | null {
  const format = '--format=%(refname)%00%(symref)%00%(objectname)';
  const listed = ask(root, ['for-each-ref', format, 'refs/remotes/', 'refs/heads/main', 'refs/heads/master']) ?? '';
  const refs = new Map<string, { to: string; id: string }>();
  for (const line of listed.split('\n')) {
    const [name = '', to = '', id = ''] = line.split('\0');
    if (name !== '') refs.set(name, { to, id });
  }
  const head = [...refs].find(([name, { to }]) => name.endsWith('/HEAD') && to !== '')?.[1].to;
  const names = ['refs/remotes/origin/main', 'refs/remotes/origin/master', 'refs/heads/main', 'refs/heads/master'];
  const own = branch === null ? null : `refs/heads/${branch}`;
  for (const name of [...(head ? [head] : []), ...names]) {
    const known = refs.get(name);
    if (known === undefined || name === own) continue;
    const commit = mergeBase(root, known.id);
    if (commit !== null) return { ref: name.replace(/^refs\/(?:remotes|heads)\//, ''), commit };
  }
  return null;
}

export function mergeBase(root: string, rev: string, of = 'HEAD'): string | null {
  return ask(root, ['merge-base', rev, of])?.trim() || null;
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const RAW = ['--raw', '-z', '--no-renames', '--no-abbrev', '--no-relative', '--no-ext-diff', '--ignore-submodules=all'];

/** From the base (null: the empty tree) to the work tree, untracked files included; null where git cannot tell. */
export function taskFiles(root: string, base: string | null): TaskFile[] | null {
  const diff = ask(root, ['diff', ...RAW, base ?? EMPTY_TREE, '--', ':(top)']);
  const others = ask(root, ['ls-files', '-z', '--others', '--exclude-standard', '--full-name', '--', ':(top)']);
  if (diff === null || others === null) return null;
  const found = rawLines(diff).map(({ path, status, mode, before }) => ({
    path,
    kind: status === 'D' ? ('deleted' as const) : status === 'A' ? ('added' as const) : ('changed' as const),
    link: mode === '120000',
    baseBlob: /^0+$/.test(before) ? null : before,
  }));
  const known = new Set(found.map(file => file.path));
  const added = others.split('\0').filter(path => path !== '' && !known.has(path) && !path.endsWith('/'));
  return [...found, ...added.map(path => ({ path, kind: 'added' as const, link: false, baseBlob: null }))];
}

/** Blobs that commits between the base and HEAD brought. */
export function passedThrough(root: string, base: string | null): Passed[] {
  const range = base === null ? ['HEAD'] : [`${base}..HEAD`];
  const log = ask(root, ['log', '-m', '-r', ...RAW, '--format=%x00commit %H', ...range, '--']);
  if (log === null) return [];
  const found = new Map<string, Passed>();
  for (const part of log.split('\0commit ').slice(1)) {
    const commit = part.slice(0, part.search(/[^0-9a-f]|$/));
    for (const { path, mode, after } of rawLines(part.slice(commit.length).replace(/^[\0\n]+/, ''))) {
      if (/^0+$/.test(after) || mode === '160000') continue;
      found.set(`${after} ${path}`, { path, blob: after, commit });
    }
  }
  return [...found.values()];
}

type Raw = { path: string; status: string; mode: string; before: string; after: string };

function rawLines(text: string): Raw[] {
  const parts = text.split('\0');
  const found: Raw[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const match = /^\n?:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])/.exec(parts[i]!);
    if (!match) continue;
    const [, was, is, before, after, status] = match;
    found.push({
      path: parts[i + 1]!,
      status: status!,
      mode: /^0+$/.test(is!) ? was! : is!,
      before: before!,
      after: after!,
    });
  }
  return found;
}

/** Contents by blob id, in one question; ids that git does not know are left out. */
export function blobs(root: string, ids: readonly string[]): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  if (ids.length === 0) return found;
  const asked = git([...TRUSTLESS, 'cat-file', '--batch'], { cwd: root, input: `${[...new Set(ids)].join('\n')}\n` });
  if (!asked.ok) return found;
  const bytes = asked.stdout;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) break;
    const [id = '', type, size] = bytes.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    const length = Number(size);
    if (type === 'blob') found.set(id, bytes.subarray(at, at + length));
    at += length + 1;
  }
  return found;
}

/** Text of a file of a revision, from the project's folder; null where it has none. */
export function fileAt(root: string, rev: string, path: string): string | null {
  const asked = git([...TRUSTLESS, 'cat-file', 'blob', `${rev}:./${path}`], { cwd: root });
  return asked.ok ? asked.stdout.toString('utf8') : null;
}

/** Subjects of the commits that would leave, newest first. */
export function commitsSince(root: string, base: string | null): string[] {
  const said = ask(root, ['log', '--format=%h %s', base === null ? 'HEAD' : `${base}..HEAD`, '--']);
  return said === null ? [] : splitNul(Buffer.from(said.trimEnd().replaceAll('\n', '\0'))).filter(line => line !== '');
}
