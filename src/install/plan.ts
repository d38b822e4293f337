import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { detectTest } from '../config/detect.ts';
import type { DetectedTest } from '../config/detect-folder.ts';
import { launcher } from '../config/hook-table.ts';
import { PROJECT_FILE, statePath } from '../state/paths.ts';
import { planGitHooks } from './git-hooks.ts';
import { addIgnoreLine, coversState } from './gitignore.ts';
import { type Span, undoInsertions } from './json-splice.ts';
import { missingDirs } from './place.ts';
import { type Env, packageRoot, readText, type Scope, settingsPath } from './places.ts';
import { type FileKind, type FileRecord, type InstallRecord, RECORD_FILE, recordedFile, recordPath } from './record.ts';
import { isWired, mergeHooks, ownEntries, stripHooks } from './settings.ts';

export type Change = {
  path: string;
  kind: FileKind;
  existed: boolean;
  text: string;
  spans: Span[];
  /** Entries of ours are replaced: a running session would see them go. */
  replaces?: boolean;
  /** A new file of this kind is made executable. */
  executable?: boolean;
  /** What is new, for a reader. */
  added: string;
};

export type Left = { path: string; why: string };

export type Plan = {
  changes: Change[];
  left: Left[];
  notes: string[];
  dirs: string[];
  test: DetectedTest | null;
};

export type PlanOptions = { root: string; scope: Scope; node: string; dist: string; env: Env; gitHooks?: boolean };

/** Everything `init` would do, worked out without writing. Throws where a file must not be touched. */
export function plan(options: PlanOptions, record: InstallRecord | null): Plan {
  const { root } = options;
  const out: Plan = { changes: [], left: [], notes: [], dirs: [], test: detectTest(root) };
  planGitignore(root, out);
  planProject(root, out);
  planSkills(root, record, out);
  planSettings(options, record, out);
  if (options.gitHooks) {
    const hooks = planGitHooks(root, options.node, options.dist);
    out.changes.push(...hooks.changes);
    out.left.push(...hooks.left);
    out.notes.push(...hooks.notes);
  }
  const paths = [statePath(root, RECORD_FILE), ...out.changes.map(c => c.path)];
  out.dirs = [...new Set(paths.flatMap(missingDirs))].sort((a, b) => a.length - b.length);
  return out;
}

export function sha256(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}

export function toRecord(root: string, change: Change): FileRecord {
  return {
    path: recordPath(root, change.path),
    kind: change.kind,
    existed: change.existed,
    spans: change.existed ? change.spans : [],
    sha256: sha256(change.text),
  };
}

/** The text before `init`, if the file is still as `init` left it. `null`: there was no file. */
export function before(current: string, file: FileRecord): string | null | undefined {
  if (sha256(current) !== file.sha256) return undefined;
  return file.existed ? undoInsertions(current, file.spans) : null;
}

function planSettings({ root, scope, node, dist, env }: PlanOptions, record: InstallRecord | null, out: Plan): void {
  const path = settingsPath(scope, root, env);
  // Local settings are read from sub-directories too, where the client's placeholder names another folder.
  const from = launcher({ node, dist, root: scope === 'project' ? root : undefined });
  const current = readText(path);
  if (current !== null && isWired(current, from)) {
    // Read again for the faults that would keep the client from reading it.
    mergeHooks(stripHooks(current), from, path);
    out.left.push({ path, why: 'wired already' });
    return;
  }
  const known = record?.files.find(f => recordedFile(root, f) === path);
  let base = current;
  const replaces = current !== null && ownEntries(current).length > 0;
  if (current !== null) {
    const undone = known && before(current, known);
    base = undone === undefined ? stripHooks(current) : undone;
    if (replaces) out.notes.push(`${path}: entries of another installation are replaced`);
  }
  const merged = mergeHooks(base ?? '', from, path);
  out.changes.push({
    path,
    kind: 'settings',
    existed: base !== null,
    text: merged.text,
    spans: merged.spans,
    replaces,
    added: addedText(merged.text, merged.spans),
  });
  if (!merged.strict) {
    out.notes.push(
      `${path}: the client reads strict JSON only; take the comments and trailing commas out, or no hook runs`,
    );
  }
  if (/"disableAllHooks"\s*:\s*true/.test(merged.text)) {
    out.notes.push(`${path}: "disableAllHooks" is true, so no hook runs until it goes`);
  }
  if (scope === 'project') {
    out.notes.push(
      `${path} names this machine's node: others run \`touchstone init\` themselves before they use it, or use the plugin`,
    );
  }
}

function planGitignore(root: string, out: Plan): void {
  const path = join(root, '.gitignore');
  const current = readText(path);
  if (current !== null && coversState(current)) {
    out.left.push({ path, why: 'covers .claude/state/ already' });
    return;
  }
  const { text, spans } = addIgnoreLine(current ?? '');
  out.changes.push({ path, kind: 'gitignore', existed: current !== null, text, spans, added: addedText(text, spans) });
}

function planProject(root: string, out: Plan): void {
  const path = join(root, PROJECT_FILE);
  if (readText(path) !== null) {
    out.left.push({ path, why: 'is there already' });
    return;
  }
  const project: Record<string, unknown> = { test: { cmd: out.test?.cmd ?? '' } };
  if (out.test) project.frozen = { paths: out.test.frozenPaths };
  else
    out.notes.push(`no test command found: set "test.cmd" in ${PROJECT_FILE}, then run \`touchstone config accept\``);
  const text = `${JSON.stringify(project, null, 2)}\n`;
  out.changes.push({ path, kind: 'project', existed: false, text, spans: [], added: text });
}

function planSkills(root: string, record: InstallRecord | null, out: Plan): void {
  const source = join(packageRoot(), '.claude/skills');
  for (const name of skillNames(source)) {
    const text = readText(join(source, name, 'SKILL.md')) ?? '';
    const path = join(root, '.claude/skills', name, 'SKILL.md');
    const current = readText(path);
    const known = record?.files.find(f => recordedFile(root, f) === path);
    if (current === text) out.left.push({ path, why: 'is there already' });
    else if (current !== null && !(known && before(current, known) === null)) {
      out.left.push({ path, why: 'differs from ours and is not touched' });
    } else out.changes.push({ path, kind: 'skill', existed: false, text, spans: [], added: text });
  }
}

function skillNames(source: string): string[] {
  try {
    return readdirSync(source)
      .filter(name => name.startsWith('touchstone-'))
      .sort();
  } catch {
    return [];
  }
}

function addedText(text: string, spans: readonly Span[]): string {
  return spans.map(({ at, length }) => text.slice(at, at + length)).join('');
}
