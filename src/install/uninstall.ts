import { existsSync, realpathSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { commonGitDir, ownGitDir, STATE, stateDir } from '../state/paths.ts';
import { InstallError } from './error.ts';
import { wiredWhere } from './init.ts';
import { place, removeIfEmpty, writeError } from './place.ts';
import { type Env, readText, type Scope, settingsPath } from './places.ts';
import { readRecord, recordedFile, removeRecord } from './record.ts';
import { type Restored, restore } from './restore.ts';
import { ownEntries, stripHooks } from './settings.ts';

export type UninstallOptions = {
  dir: string;
  /** `user` also takes our hooks out of the user's settings when another project put them there. */
  scope?: Scope;
  /** Leave `.claude/state` where it is. */
  keepState?: boolean;
  insideAgent?: string;
  announce(root: string): void;
  /** Gives a running session the time to read the announcement before the state folder goes. */
  settle?(root: string): Promise<void>;
  env?: Env;
};

export type UninstallReport = {
  root: string;
  files: { path: string; done: Restored }[];
  state: 'removed' | 'kept' | 'absent';
};

export async function uninstall(options: UninstallOptions): Promise<UninstallReport> {
  if (options.insideAgent !== undefined) {
    throw new InstallError(
      'inside-agent',
      `uninstall is for a human in a terminal of their own (${options.insideAgent}).`,
    );
  }
  const root = realFolder(options.dir);
  const env = options.env ?? process.env;
  const record = readRecord(root);
  const report: UninstallReport = { root, files: [], state: 'absent' };

  if (record !== null || wiredWhere(root, env) !== undefined) options.announce(root);
  // Settings first: with them gone nothing is half guarded.
  const files = [...(record?.files ?? [])].sort(
    (a, b) => Number(b.kind === 'settings') - Number(a.kind === 'settings'),
  );
  for (const file of files) {
    const path = recordedFile(root, file);
    report.files.push({ path, done: restore(path, file) });
  }
  const scopes: Scope[] = options.scope === 'user' ? ['project', 'local', 'user'] : ['project', 'local'];
  for (const scope of scopes) {
    const path = settingsPath(scope, root, env);
    const text = readText(path);
    if (text === null || ownEntries(text).length === 0) continue;
    place(path, stripHooks(text));
    report.files.push({ path, done: 'ours taken out' });
  }

  await options.settle?.(root);
  try {
    removeRecord(root);
    if (record) {
      const made = record.dirs.includes(STATE) && !options.keepState;
      if (made) {
        rmSync(stateDir(root), { recursive: true, force: true });
        forgetInGit(root);
      }
      report.state = made ? 'removed' : 'kept';
    }
  } catch (error) {
    throw writeError(stateDir(root), error);
  }
  for (const dir of [...(record?.dirs ?? [])].reverse()) removeIfEmpty(isAbsolute(dir) ? dir : join(root, dir));
  return report;
}

/** What the state folder kept beside the tree; other worktrees and projects of the repository keep theirs. */
function forgetInGit(root: string): void {
  const own = ownGitDir(root);
  if (own === null || !existsSync(join(root, '.git'))) return;
  if (own === commonGitDir(root) && existsSync(join(own, 'worktrees'))) return;
  rmSync(join(own, 'touchstone'), { recursive: true, force: true });
}

function realFolder(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    throw new InstallError('no-such-folder', `${dir}: no such folder. Name the project's own folder.`);
  }
}
