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

export type Task = {
  files: TaskFile[];
  /** What differs from HEAD, untracked files included. */
  uncommitted: string[];
};

/** From the base (null: the empty tree) to the work tree; the files are looked at once. Null where git cannot tell. */
export function taskFiles(root: string, base: string | null): Task | null {
  const committed = ask(root, ['diff-tree', '-r', ...RAW, base ?? EMPTY_TREE, 'HEAD']);
  const status = [
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=none',
  ];
  const now = ask(root, status);
  if (committed === null || now === null) return null;
  const files = new Map<string, TaskFile>();
  for (const { path, status, mode, before } of rawLines(committed)) {
    const kind = status === 'D' ? 'deleted' : status === 'A' ? 'added' : 'changed';
    files.set(path, { path, kind, link: mode === '120000', baseBlob: /^0+$/.test(before) ? null : before });
  }
  const uncommitted: string[] = [];
  for (const line of now.split('\0')) {
    const ours = /^1 (\S)(\S) \S+ \S+ \S+ (\d+) ([0-9a-f]+) \S+ ([\s\S]+)$/.exec(line);
    const path = ours?.[5] ?? /^(?:u (?:\S+ ){9}|\? )([\s\S]+)$/.exec(line)?.[1];
    if (path === undefined) continue;
    uncommitted.push(path);
    if (path.endsWith('/')) continue;
    const blob = files.has(path) ? files.get(path)!.baseBlob : ours && !/^0+$/.test(ours[4]!) ? ours[4]! : null;
    const gone = ours !== null && (ours[2] === 'D' || (ours[1] === 'D' && ours[2] === '.'));
    const kind = gone ? 'deleted' : blob === null ? 'added' : 'changed';
    files.set(path, { path, kind, link: ours?.[3] === '120000', baseBlob: blob });
  }
  const all = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files: all, uncommitted: [...new Set(uncommitted)].sort() };
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
