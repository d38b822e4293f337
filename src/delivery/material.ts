/** What must not leave in a task's files, whatever the suite says: secrets, and links that point out of the repository. */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { secretMaterial } from '../redact/redact.ts';
import { blobs, type Passed, type TaskFile } from '../repo/task-diff.ts';
import { readJson, writeJson } from '../state/atomic.ts';
import { realOf, statePath } from '../state/paths.ts';

export type Material = {
  rule: 'secret-material' | 'external-symlink';
  path: string;
  line: number;
  /** Which form of secret, or where a link leads; never the secret itself. */
  what: string;
  /** Set where only a commit still holds it. */
  commit?: string;
};

/** Beyond this the rule set takes minutes; our own forms still look. */
const DEEP_BYTES = 2_000_000;
const CLEAN = 'cache/clean-content.json';
const MOST_KEPT = 20_000;

type Text = { path: string; text: string; commit?: string; base: string | null };

/** `top`: the folder that git tracks; `root`: whose state remembers what was clean. */
export async function material(
  top: string,
  root: string,
  files: readonly TaskFile[],
  passed: readonly Passed[],
): Promise<Material[]> {
  const links = files.filter(file => file.kind !== 'deleted').flatMap(file => externalLink(top, file.path));
  const texts = textsOf(top, files, passed);
  return [...links, ...(await secrets(root, texts))];
}

function textsOf(top: string, files: readonly TaskFile[], passed: readonly Passed[]): Text[] {
  const ids = files.flatMap(file => (file.kind === 'changed' && file.baseBlob !== null ? [file.baseBlob] : []));
  const known = blobs(top, [...ids, ...passed.map(p => p.blob)]);
  const texts: Text[] = [];
  const now = new Map<string, string>();
  const baseOf = new Map(files.map(file => [file.path, file.baseBlob]));
  const base = (path: string): string | null => {
    const blob = baseOf.get(path);
    return blob ? (known.get(blob)?.toString('utf8') ?? null) : null;
  };
  for (const { path, kind } of files) {
    if (kind === 'deleted') continue;
    const text = textOf(readNow(join(top, path)));
    if (text === null) continue;
    now.set(path, text);
    texts.push({ path, text, base: base(path) });
  }
  for (const { path, blob, commit } of passed) {
    const text = textOf(known.get(blob) ?? null);
    if (text === null || now.get(path) === text) continue;
    texts.push({ path, text, commit, base: base(path) });
  }
  return texts;
}

function readNow(file: string): Buffer | null {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > 64 * DEEP_BYTES) return null;
  return readFileSync(file);
}

function textOf(bytes: Buffer | null): string | null {
  return bytes === null || bytes.subarray(0, 8192).includes(0) ? null : bytes.toString('utf8');
}

async function secrets(root: string, texts: readonly Text[]): Promise<Material[]> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const key = (text: Text) => createHash('sha256').update(`${text.path}\0${text.text}`).digest('hex').slice(0, 32);
  const clean = readClean(root);
  const found: Material[] = [];
  const fresh: string[] = [];
  for (const text of texts) {
    const id = key(text);
    if (clean.has(id)) continue;
    const had = new Set(text.base?.split('\n') ?? []);
    const lines = text.text.split('\n');
    const all = text.text.length > DEEP_BYTES ? secretMaterial(text.text) : await deep(text);
    // What the base already holds leaves nothing new.
    const added = all.filter(finding => !had.has(lines[finding.line - 1] ?? ''));
    for (const { line, form } of added)
      found.push({
        rule: 'secret-material',
        path: text.path,
        line,
        what: form,
        ...(text.commit ? { commit: text.commit } : {}),
      });
    if (all.length === 0) fresh.push(id);
  }
  if (fresh.length > 0) keepClean(root, [...clean, ...fresh]);
  return found;
}

/** Loaded on need: the rule set costs more than the whole of a delivery without it. */
async function deep(text: Text) {
  const { findSecrets } = await import('../redact/secretlint.ts');
  return findSecrets(text.text, text.path);
}

function readClean(root: string): Set<string> {
  const read = readJson<string[]>(statePath(root, CLEAN), v => (Array.isArray(v) ? null : 'is no list'));
  return new Set(read.kind === 'value' ? read.value : []);
}

function keepClean(root: string, ids: string[]): void {
  try {
    writeJson(statePath(root, CLEAN), ids.slice(-MOST_KEPT));
  } catch {
    // Looked at again next time.
  }
}

function externalLink(top: string, path: string): Material[] {
  const file = join(top, path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isSymbolicLink()) return [];
  const target = readlinkSync(file);
  const outside = (to: string, from: string): boolean => {
    const rel = relative(from, to);
    return rel.startsWith('..') || isAbsolute(rel);
  };
  const leaves =
    outside(resolve(dirname(file), target), top) || outside(realOf(file), realOf(top)) || isAbsolute(target);
  return leaves ? [{ rule: 'external-symlink', path, line: 1, what: `leads out of the repository, to ${target}` }] : [];
}

export function materialLine(found: Material): string {
  const where = `${found.path}:${found.line}${found.commit ? ` in commit ${found.commit.slice(0, 7)}` : ''}`;
  return `${found.rule} ${where} (${found.what})`;
}
