/** What a task changed: from where its branch left the default branch to the work tree, and what passed through on the way. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { settings } from './config-text.ts';
import { EMPTY_TREE, git, gitLater, TRUSTLESS } from './git.ts';
import { locate, type Repository, readRef } from './locate.ts';
import { commitOf } from './tips.ts';

export type Base = { ref: string; commit: string };

export type TaskFile = {
  /** From the top of the repository. */
  path: string;
  kind: 'added' | 'changed' | 'deleted';
  /** The base's own version; null where it has none. */
  baseBlob: string | null;
  /** A repository recorded by its commit: what lies in it counts as it. */
  submodule: boolean;
};

/** Content that a commit of the task held and the work tree no longer does: it leaves with the history. */
export type Passed = { path: string; blob: string; commit: string };

export type Task = {
  files: TaskFile[];
  /** What differs from HEAD, untracked files included. */
  uncommitted: string[];
  /** The commits that would leave, newest first: short id and subject. */
  commits: string[];
  passed: Passed[];
  messages: Message[];
};

/** What a commit says leaves with it. */
export type Message = { commit: string; text: string };

/** What a replaced object or a setting of the project would show in its place does not count: the real one leaves. */
const PLAINLY = [
  ...TRUSTLESS,
  '-c',
  'log.diffMerges=separate',
  '-c',
  'log.showSignature=false',
  '--no-replace-objects',
];

async function later(root: string, args: string[]): Promise<string | null> {
  const asked = await gitLater([...PLAINLY, ...args], { cwd: root, timeoutMs: 60_000 });
  return asked.ok ? asked.stdout.toString('utf8') : null;
}

export function mergeBase(root: string, rev: string, of = 'HEAD'): string | null {
  const asked = git([...PLAINLY, 'merge-base', rev, of], { cwd: root, timeoutMs: 60_000 });
  return asked.ok ? asked.stdout.toString('utf8').trim() || null : null;
}

/** The default branch of the remote, else a local one; on that branch itself, what its upstream has. */
function baseRefs(root: string, branch: string | null): Base[] {
  const repo = locate(root);
  if (repo.kind !== 'worktree') return [];
  const remote = remoteHead(repo);
  const names = ['refs/remotes/origin/main', 'refs/remotes/origin/master', 'refs/heads/main', 'refs/heads/master'];
  const own = branch === null ? null : `refs/heads/${branch}`;
  return [...new Set([...(remote ? [remote] : []), ...names])].flatMap(ref => {
    const commit = ref === own ? null : readRef(repo, ref);
    if (commit === null) return [];
    const asked = commit ?? commitOf(root, ref);
    return asked ? [{ ref: ref.replace(/^refs\/(?:remotes|heads)\//, ''), commit: asked }] : [];
  });
}

/** Where the first remote that tells its default branch says it is. */
function remoteHead(repo: Repository): string | null {
  const folder = join(repo.commonDir, 'refs', 'remotes');
  let remotes: string[] = [];
  try {
    remotes = readdirSync(folder).sort();
  } catch {
    // No remote was ever fetched.
  }
  for (const remote of remotes) {
    try {
      const to = /^ref: (refs\/remotes\/.+)$/m.exec(readFileSync(join(folder, remote, 'HEAD'), 'utf8'))?.[1];
      if (to !== undefined) return to;
    } catch {
      // It does not tell.
    }
  }
  return null;
}

/** `from` is where the task left its base. Null: no base at all. */
export function taskBase(root: string, branch: string | null): Base | null {
  for (const { ref, commit } of baseRefs(root, branch)) {
    const from = mergeBase(root, commit);
    if (from !== null) return { ref, commit: from };
  }
  return null;
}

const RAW = [
  '--raw',
  '-z',
  '--no-renames',
  '--no-abbrev',
  '--no-relative',
  '--no-ext-diff',
  '--ignore-submodules=dirty',
];
const STATUS = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=none'];

/** The task of a branch, seen from its base; the questions to git run side by side. `task` is null where git cannot tell. */
export async function taskOf(root: string, branch: string | null): Promise<{ base: Base | null; task: Task | null }> {
  const status = later(root, STATUS);
  for (const { ref, commit } of baseRefs(root, branch)) {
    const [from, history] = await Promise.all([later(root, ['merge-base', commit, 'HEAD']), since(root, commit)]);
    if (from?.trim()) return { base: { ref, commit: from.trim() }, task: told(history, await status) };
  }
  return { base: null, task: told(await since(root, null), await status) };
}

/** From a commit (null: the empty tree) to the work tree. */
export async function taskSince(root: string, base: string | null): Promise<Task | null> {
  const [history, status] = await Promise.all([since(root, base), later(root, STATUS)]);
  return told(history, status);
}

type History = { diff: string | null; log: string | null };

async function since(root: string, base: string | null): Promise<History> {
  const repo = locate(root);
  const empty = EMPTY_TREE[repo.kind === 'worktree' ? settings(repo).idLength : 20];
  const range = base === null ? 'HEAD' : `${base}..HEAD`;
  const trees = base === null ? ['diff-tree', '-r', ...RAW, empty, 'HEAD'] : ['diff', ...RAW, `${base}...HEAD`, '--'];
  const log = ['log', '-m', '-r', ...RAW, '--format=%x00commit %H %s%n%B%x00', range, '--'];
  const [diff, said] = await Promise.all([later(root, trees), later(root, log)]);
  return { diff, log: said };
}

/** The files are looked at once, as they lie there. */
function told({ diff, log }: History, status: string | null): Task | null {
  if (diff === null || log === null || status === null) return null;
  const files = new Map<string, TaskFile>();
  for (const { path, status, mode, before } of rawLines(diff)) {
    const kind = status === 'D' ? 'deleted' : status === 'A' ? 'added' : 'changed';
    files.set(path, { path, kind, baseBlob: /^0+$/.test(before) ? null : before, submodule: mode === '160000' });
  }
  const uncommitted: string[] = [];
  for (const line of status.split('\0')) {
    const ours = /^1 (\S)(\S) \S+ \S+ \S+ \d+ ([0-9a-f]+) \S+ ([\s\S]+)$/.exec(line);
    const path = ours?.[4] ?? /^(?:u (?:\S+ ){9}|\? )([\s\S]+)$/.exec(line)?.[1];
    if (path === undefined) continue;
    uncommitted.push(path);
    if (path.endsWith('/')) continue;
    const blob = files.has(path) ? files.get(path)!.baseBlob : ours && !/^0+$/.test(ours[3]!) ? ours[3]! : null;
    const gone = ours !== null && (ours[2] === 'D' || (ours[1] === 'D' && ours[2] === '.'));
    const kind = gone ? 'deleted' : blob === null ? 'added' : 'changed';
    files.set(path, { path, kind, baseBlob: blob, submodule: ours !== null && / 160000 /.test(line) });
  }
  const all = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files: all, uncommitted: [...new Set(uncommitted)].sort(), ...logged(log) };
}

/** The commits, what they say, and the blobs that they brought. */
function logged(log: string): Pick<Task, 'commits' | 'passed' | 'messages'> {
  const passed = new Map<string, Passed>();
  const commits = new Map<string, { subject: string; text: string }>();
  for (const part of log.split('\0commit ').slice(1)) {
    const [, commit = '', subject = '', text = '', raw = ''] =
      /^(\S*) ?([^\0\n]*)\n?([^\0]*)\0?([\s\S]*)$/.exec(part) ?? [];
    commits.set(commit, { subject, text });
    for (const { path, mode, after } of rawLines(raw.replace(/^[\0\n]+/, ''))) {
      if (/^0+$/.test(after) || mode === '160000') continue;
      passed.set(`${after} ${path}`, { path, blob: after, commit });
    }
  }
  return {
    commits: [...commits].map(([commit, { subject }]) => `${commit.slice(0, 7)} ${subject}`),
    passed: [...passed.values()],
    messages: [...commits].map(([commit, { text }]) => ({ commit, text })),
  };
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

/** Whether a revision holds a folder of this name, from the project's folder. */
export function holdsFolder(root: string, rev: string, path: string): boolean {
  const asked = git([...TRUSTLESS, 'cat-file', '-t', `${rev}:./${path}`], { cwd: root });
  return asked.ok && asked.stdout.toString('latin1').trim() === 'tree';
}

/** Symbolic links of a revision that lead to another place in the project, both from the project's folder. */
export function folderLinks(root: string, rev: string): { path: string; target: string }[] {
  const asked = git([...TRUSTLESS, 'ls-tree', '-r', '-z', rev], { cwd: root });
  if (!asked.ok) return [];
  const links = asked.stdout
    .toString('utf8')
    .split('\0')
    .flatMap(line => /^120000 blob ([0-9a-f]+)\t([\s\S]+)$/.exec(line)?.slice(1) ?? []);
  const paths = links.filter((_, i) => i % 2 === 1);
  const known = blobs(
    root,
    links.filter((_, i) => i % 2 === 0),
  );
  return paths.flatMap((path, i) => {
    const target = posix.normalize(posix.join(posix.dirname(path), known.get(links[2 * i]!)?.toString('utf8') ?? '..'));
    return target.startsWith('..') || target === '.' ? [] : [{ path, target: target.replace(/\/$/, '') }];
  });
}
