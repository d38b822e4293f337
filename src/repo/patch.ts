/** What a run leaves to read: the patch of its tracked changes, and what its commits changed. */
import type { CommittedChange } from './attribution.ts';
import { STATE_FOLDER } from './exclude.ts';
import { git, TRUSTLESS } from './git.ts';
import { locate } from './locate.ts';
import { splitNul } from './names.ts';

export type Patch =
  | { kind: 'patch'; bytes: Buffer }
  | { kind: 'too-large'; limit: number; warning: string }
  | { kind: 'none'; reason: string };

/** Whatever the user's own settings make of a diff, this one is read and applied by others. */
const READABLE = ['--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '--ignore-submodules=none'];

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** `git diff HEAD`: tracked files only, binary changes included so that it applies. */
export function diffPatch(root: string, maxBytes: number): Patch {
  const repo = locate(root);
  if (repo.kind !== 'worktree') return { kind: 'none', reason: `${root} is in no git work tree` };
  const state = `:(top,exclude)${repo.prefix}${STATE_FOLDER}`;
  const args = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-relative', '--binary', ...READABLE];
  const run = (base: string) =>
    git([...TRUSTLESS, ...args, base, '--', ':(top)', state], { cwd: root, maxBytes: maxBytes + 1, timeoutMs: 60_000 });
  let made = run('HEAD');
  if (!made.ok && /bad revision|ambiguous argument/.test(made.stderr)) made = run(EMPTY_TREE);
  const large = made.ok ? made.stdout.length > maxBytes : made.code === 'git-too-much-output';
  if (large) {
    const warning = `patch exceeded the configured limit of ${maxBytes} bytes and was not retained; the changed-file list is complete`;
    return { kind: 'too-large', limit: maxBytes, warning };
  }
  return made.ok ? { kind: 'patch', bytes: made.stdout } : { kind: 'none', reason: made.message };
}

/** What lies between two commits; null where git does not know one of them. `from` null: before the first commit. */
export function committedChanges(root: string, from: string | null, to: string): CommittedChange[] | null {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', '--no-abbrev'];
  const listed = git([...TRUSTLESS, ...args, from ?? EMPTY_TREE, to], { cwd: root });
  if (!listed.ok) return null;
  const parts = splitNul(listed.stdout);
  const found: CommittedChange[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const match = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /.exec(parts[i]!);
    if (!match) continue;
    const side = (mode: string, blob: string) => (/^0+$/.test(mode) ? null : { blob, mode });
    found.push({ path: parts[i + 1]!, before: side(match[1]!, match[3]!), after: side(match[2]!, match[4]!) });
  }
  return found;
}
