/** Which changes belong to a run: two snapshots compared by hash (spec of seed 002, section 3). Pure. */
import type { Snapshot, SnapshotEntry } from './snapshot.ts';

export type ChangeType = 'added' | 'modified' | 'deleted';

export type ChangedFile = {
  path: string;
  changeType: ChangeType;
  /** It carried changes before the run. */
  preExisting: boolean;
  modifiedDuringRun: boolean;
  /** The same content lay under this path before. */
  renamedFrom?: string;
  modeChange?: { from: string; to: string };
  /** A commit made during the run holds it. */
  committed?: true;
};

/** One file that commits made during the run changed: id and mode before and after, null where it is absent. */
export type CommittedChange = {
  path: string;
  before: { blob: string; mode: string } | null;
  after: { blob: string; mode: string } | null;
};

export type AttributionOptions = {
  /** A wrapped or staged run must not commit; in a run that hooks opened, the delivery policy judges it. */
  headMoves: 'violation' | 'event';
  /** What lies between the two HEADs, where they differ. */
  committed?: readonly CommittedChange[];
  /** Paths or prefixes, from the top of the repository, that no run may change. */
  protectedPaths?: readonly string[];
};

export type Attribution = {
  changedFiles: ChangedFile[];
  ambiguousPaths: string[];
  warnings: string[];
  violations: string[];
  headMoved: { from: string | null; to: string | null } | null;
  branchMoved: { from: string | null; to: string | null } | null;
};

export function attribution(before: Snapshot, after: Snapshot, options: AttributionOptions): Attribution {
  const found: Attribution = {
    changedFiles: [],
    ambiguousPaths: [],
    warnings: [],
    violations: [],
    headMoved: moved(before.head, after.head),
    branchMoved: moved(before.branch, after.branch),
  };
  const was = byPath(before.entries);
  const is = byPath(after.entries);
  const committed = new Map((options.committed ?? []).map(change => [change.path, change]));
  const excluded = [...before.excludedPrefixes, ...after.excludedPrefixes];
  const paths = new Set([...was.keys(), ...is.keys(), ...committed.keys()]);
  for (const path of [...paths].sort()) {
    if (excluded.some(prefix => path.startsWith(prefix))) continue;
    compare(path, was.get(path), is.get(path), committed.get(path), found);
  }
  nameRenames(found.changedFiles, was, is, committed);
  judge(before, after, options, found);
  return found;
}

const byPath = (entries: readonly SnapshotEntry[]): Map<string, SnapshotEntry> =>
  new Map(entries.map(entry => [entry.path, entry]));

function moved(from: string | undefined, to: string | undefined): { from: string | null; to: string | null } | null {
  return from === to ? null : { from: from ?? null, to: to ?? null };
}

function typeOf(status: string): ChangeType {
  if (status === '??' || status.trimStart().startsWith('A')) return 'added';
  return status.includes('D') ? 'deleted' : 'modified';
}

/** What makes two sightings of a path the same content; undefined where it could not be read. */
function identity(entry: SnapshotEntry): string | undefined {
  if (entry.linkTarget !== undefined) return `link ${entry.linkTarget}`;
  return entry.contentHash === undefined ? undefined : `${entry.mode ?? ''} ${entry.contentHash}`;
}

const isDeleted = (entry: SnapshotEntry): boolean => entry.status.includes('D') && identity(entry) === undefined;

function compare(
  path: string,
  was: SnapshotEntry | undefined,
  is: SnapshotEntry | undefined,
  commit: CommittedChange | undefined,
  found: Attribution,
): void {
  const record = (changeType: ChangeType, preExisting: boolean, modifiedDuringRun: boolean): void => {
    const file: ChangedFile = { path, changeType, preExisting, modifiedDuringRun };
    const from = was?.mode ?? is?.headMode ?? commit?.before?.mode;
    const to = is?.mode ?? (is === undefined ? (commit?.after?.mode ?? was?.headMode) : undefined);
    if (from !== undefined && to !== undefined && from !== to) file.modeChange = { from, to };
    if (commit) file.committed = true;
    found.changedFiles.push(file);
  };
  if (was === undefined && is === undefined) {
    const type = commit?.before == null ? 'added' : commit.after === null ? 'deleted' : 'modified';
    record(type, false, true);
  } else if (was === undefined && is !== undefined) {
    // Clean against the old HEAD and dirty against a new one, with the old bytes: only the commit moved.
    const same = commit !== undefined && sameAs(is, commit.before);
    record(typeOf(is.status), false, !same);
  } else if (was !== undefined && is === undefined) {
    if (commit !== undefined && sameAs(was, commit.after)) {
      record(typeOf(was.status), true, false);
    } else if (commit !== undefined) {
      record(commit.after === null ? 'deleted' : typeOf(was.status), true, true);
      found.warnings.push(delta(path));
    } else {
      record('modified', true, true);
      found.warnings.push(
        `"${path}" was modified before the run but clean afterwards; pre-existing changes were overwritten or reverted during the run.`,
      );
    }
  } else if (was !== undefined && is !== undefined) {
    const [a, b] = [identity(was), identity(is)];
    const type = typeOf(is.status);
    if (a === b && was.status === is.status) record(type, true, false);
    else if ((a !== undefined && b !== undefined) || (isDeleted(was) && isDeleted(is))) {
      record(type, true, true);
      found.warnings.push(delta(path));
    } else {
      record(type, true, true);
      found.ambiguousPaths.push(path);
      found.warnings.push(
        `"${path}" changed during the run but its content could not be hashed; attribution is unreliable.`,
      );
    }
  }
}

const delta = (path: string): string =>
  `"${path}" changed during the run but also carries pre-existing changes; only the during-run delta is attributed to the task.`;

function sameAs(entry: SnapshotEntry, recorded: { blob: string; mode: string } | null): boolean {
  if (recorded === null) return isDeleted(entry);
  return entry.blob === recorded.blob && entry.mode === recorded.mode;
}

/** A path that came with the very content another one lost. Each lost path is named once. */
function nameRenames(
  files: ChangedFile[],
  was: Map<string, SnapshotEntry>,
  is: Map<string, SnapshotEntry>,
  committed: Map<string, CommittedChange>,
): void {
  const lost = new Map<string, string[]>();
  for (const file of files) {
    if (!file.modifiedDuringRun || is.get(file.path)?.blob !== undefined) continue;
    const commit = committed.get(file.path);
    const gone = is.has(file.path)
      ? isDeleted(is.get(file.path)!)
      : commit
        ? commit.after === null
        : goneUntracked(was, file);
    const before = was.get(file.path);
    // Deleted already when the run began: it lost nothing then.
    const blob = before ? before.blob : (commit?.before?.blob ?? is.get(file.path)?.headBlob);
    if (gone && blob !== undefined) lost.set(blob, [...(lost.get(blob) ?? []), file.path]);
  }
  for (const file of files) {
    if (!file.modifiedDuringRun || file.changeType !== 'added' || was.has(file.path)) continue;
    const blob = is.get(file.path)?.blob ?? committed.get(file.path)?.after?.blob;
    const from = blob === undefined ? undefined : lost.get(blob)?.shift();
    if (from !== undefined) file.renamedFrom = from;
  }
}

/** Untracked before and no longer listed: it went away, whatever the row is called. */
const goneUntracked = (was: Map<string, SnapshotEntry>, file: ChangedFile): boolean =>
  was.get(file.path)?.status === '??';

function judge(before: Snapshot, after: Snapshot, options: AttributionOptions, found: Attribution): void {
  if (options.headMoves === 'violation') {
    const { headMoved, branchMoved } = found;
    const name = (value: string | null) => value ?? 'none';
    if (headMoved) {
      found.violations.push(
        `HEAD moved during the run (${name(headMoved.from)} → ${name(headMoved.to)}); runners must never create commits.`,
      );
    }
    if (branchMoved) {
      found.violations.push(
        `branch changed during the run (${name(branchMoved.from)} → ${name(branchMoved.to)}); runners must stay on their branch.`,
      );
    }
  }
  const guarded = new Map<string, string>();
  for (const path of new Set([...Object.keys(before.protectedHashes), ...Object.keys(after.protectedHashes)])) {
    const [a, b] = [before.protectedHashes[path], after.protectedHashes[path]];
    if (a !== b) guarded.set(path, a === undefined ? 'added' : b === undefined ? 'deleted' : 'modified');
  }
  for (const file of found.changedFiles) {
    if (file.modifiedDuringRun && !guarded.has(file.path) && under(file.path, options.protectedPaths ?? [])) {
      guarded.set(file.path, file.changeType);
    }
  }
  for (const [path, kind] of [...guarded].sort()) found.violations.push(`protected path ${kind}: ${path}`);
}

function under(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some(prefix => path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`));
}
