/** What really leaves and whether it is green, found out by doing it in a copy. Knows git and the suite, nothing of the product. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_EDITOR: 'true',
  // No sample hooks to copy about.
  GIT_TEMPLATE_DIR: '',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

export function sh(
  command: string,
  cwd: string,
  env: Record<string, string> = {},
): { code: number | null; out: string } {
  const ran = spawnSync('/bin/sh', ['-c', command], { cwd, env: { ...ENV, ...env }, encoding: 'utf8' });
  return { code: ran.status, out: ran.stdout.trim() };
}

/** Tree of everything git does not ignore, as it lies in the folder. */
export function treeOf(root: string): string {
  const index = join(root, '.git', `oracle-index-${process.pid}`);
  const made = sh('cp .git/index "$GIT_INDEX_FILE" 2>/dev/null; git add -A && git write-tree', root, {
    GIT_INDEX_FILE: index,
  });
  rmSync(index, { force: true });
  if (made.code !== 0) throw new Error(`no tree of ${root}`);
  return made.out;
}

export class Evidence {
  private readonly last = new Map<string, boolean>();

  /** A run of the suite at the files as they lie there. */
  record(root: string): boolean {
    const passed = sh('sh suite.sh', root).code === 0;
    this.last.set(treeOf(root), passed);
    return passed;
  }

  green(tree: string): boolean {
    return this.last.get(tree) === true;
  }
}

export type Left = { commit: string; tree: string };

/** The commits a command line would bring to the remote, or make, by doing it in a copy of everything. */
export function whatLeaves(top: string, command: string): { left: Left[]; made: Left | null } {
  const copy = mkdtempSync(join(top, '..', 'copy-'));
  try {
    execFileSync('cp', ['-a', `${top}/.`, copy]);
    const [root, remote] = [join(copy, 'project'), join(copy, 'remote')];
    sh(`git remote set-url origin '${remote}'`, root);
    const refs = () => new Set(sh('git for-each-ref --format="%(objectname)"', remote).out.split('\n').filter(Boolean));
    const head = () => sh('git rev-parse -q --verify HEAD', root).out;
    const [had, was] = [refs(), head()];
    const known = (commit: string) =>
      [...had].some(old => sh(`git merge-base --is-ancestor ${commit} ${old}`, root).code === 0);
    // Opening a pull request publishes the branch.
    sh(command.replace('gh pr create --fill', 'git push -q origin HEAD'), root);
    const tree = (commit: string): Left => ({ commit, tree: sh(`git rev-parse ${commit}^{tree}`, root).out });
    const left = [...refs()].filter(commit => !had.has(commit) && !known(commit)).map(tree);
    return { left, made: head() === was ? null : tree(head()) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The suite in a clone that holds this commit and nothing else of the folder. */
export function passesInClone(root: string, rev: string): boolean {
  const clone = mkdtempSync(join(root, '..', '..', 'clone-'));
  try {
    sh(`git clone -q --shared --no-checkout '${root}' . && git -C '${root}' rev-parse ${rev} > .git/rev`, clone);
    return sh('git checkout -q $(cat .git/rev) && sh suite.sh', clone).code === 0;
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}
