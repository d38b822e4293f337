import { accessSync, chmodSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import type { DetectedTest } from '../config/detect-folder.ts';
import { ACCEPTED_FILE } from '../config/trust.ts';
import { readState } from '../state/atomic.ts';
import { realOf, stateDir, statePath } from '../state/paths.ts';
import { InstallError } from './error.ts';
import { place, removeIfEmpty, writeError } from './place.ts';
import { builtDist, type Env, readText, SCOPES, type Scope, settingsPath } from './places.ts';
import { type Change, type Left, plan, toRecord } from './plan.ts';
import { type InstallRecord, readRecord, recordPath, removeRecord, writeRecord } from './record.ts';
import { restore } from './restore.ts';
import { ownEntries } from './settings.ts';

export type InitOptions = {
  dir: string;
  scope: Scope;
  dryRun: boolean;
  /** pre-push and commit-msg of the repository too. */
  gitHooks?: boolean;
  /** Set to the mark that shows it when an agent runs this. */
  insideAgent?: string;
  /** Records that a human accepts the rules of project.json as they stand. */
  recordAccepted(root: string): unknown;
  /** Tells a running session's config-change hook, once, that the settings change by a human's act. */
  announce(root: string): void;
  node?: string;
  dist?: string;
  env?: Env;
};

export type InitReport = {
  root: string;
  scope: Scope;
  dryRun: boolean;
  written: Pick<Change, 'path' | 'kind' | 'existed' | 'added'>[];
  left: Left[];
  notes: string[];
  test: DetectedTest | null;
};

export async function init(options: InitOptions): Promise<InitReport> {
  const root = existingFolder(options.dir);
  const env = options.env ?? process.env;
  if (options.insideAgent !== undefined && !options.dryRun) {
    const where = wiredWhere(root, env);
    if (where) {
      throw new InstallError(
        'inside-agent',
        `init over an existing wiring (${where}) is for a human in a terminal of their own (${options.insideAgent}).`,
      );
    }
  }
  const record = readRecord(root);
  const node = options.node ?? process.execPath;
  const dist = options.dist ?? builtDist();
  const planned = plan({ root, scope: options.scope, node, dist, env, gitHooks: options.gitHooks }, record);
  const report: InitReport = {
    root,
    scope: options.scope,
    dryRun: options.dryRun,
    written: planned.changes.map(({ path, kind, existed, added }) => ({ path, kind, existed, added })),
    left: planned.left,
    notes: planned.notes,
    test: planned.test,
  };
  if (options.dryRun) return report;

  const next = merge(root, record, planned.changes, planned.dirs);
  const written: Change[] = [];
  try {
    // Before anything else, so that an interrupted run can be undone.
    mkdir(stateDir(root));
    accessSync(stateDir(root), constants.W_OK);
    writeRecord(root, next);
    for (const change of planned.changes) {
      if (change.kind === 'settings') {
        await options.recordAccepted(root);
        if (change.replaces) options.announce(root);
      }
      written.push(change);
      place(change.path, change.text);
      if (change.executable && !change.existed) chmodSync(realOf(change.path), 0o755);
    }
    if (!planned.changes.some(c => c.kind === 'settings')) await options.recordAccepted(root);
  } catch (error) {
    undo(root, record, written, planned.dirs);
    throw writeError(stateDir(root), error);
  }
  return report;
}

/** What already binds agents in this project, in words; an agent may wire what nothing binds yet. */
export function wiredWhere(root: string, env: Env): string | undefined {
  for (const scope of SCOPES) {
    const path = settingsPath(scope, root, env);
    const text = readText(path) ?? '';
    if (ownEntries(text).length) return path;
    if (/"touchstone@[^"]*"\s*:\s*true/.test(text)) return `the plugin, by ${path}`;
  }
  if (readRecord(root)) return 'an install record';
  return readState(statePath(root, ACCEPTED_FILE)).kind === 'missing' ? undefined : 'accepted rules';
}

function existingFolder(dir: string): string {
  try {
    const root = realpathSync(dir);
    if (statSync(root).isDirectory()) return root;
  } catch {
    // Said below.
  }
  throw new InstallError('no-such-folder', `${dir}: no such folder. Name the project's own folder.`);
}

function mkdir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw writeError(dir, error);
  }
}

function merge(root: string, old: InstallRecord | null, changes: Change[], dirs: string[]): InstallRecord {
  const files = changes.map(change => toRecord(root, change));
  const kept = (old?.files ?? []).filter(f => !files.some(g => g.path === f.path));
  const allDirs = [...(old?.dirs ?? []), ...dirs.map(dir => recordPath(root, dir))];
  return { schema: 1, files: [...kept, ...files], dirs: [...new Set(allDirs)] };
}

/** A run that fails half way leaves what was there before it. */
function undo(root: string, record: InstallRecord | null, written: Change[], dirs: string[]): void {
  try {
    for (const change of written.reverse()) restore(change.path, toRecord(root, change));
    if (record) writeRecord(root, record);
    else removeRecord(root);
  } catch {
    // The first error is the one to report.
  }
  for (const dir of [...dirs].sort((a, b) => b.length - a.length)) removeIfEmpty(dir);
}
