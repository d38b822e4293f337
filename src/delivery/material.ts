/** What must not leave in a task's files, whatever the suite says: secrets, and links that point out of the repository. */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { redact, secretMaterial } from '../redact/redact.ts';
import { blobs, type Task } from '../repo/task-diff.ts';
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
/** Stands for a path where a commit itself says it. */
const MESSAGE = 'commit message';

/** What is looked at, known before its content is read where git has a name for it. */
type Text = { id: string; path: string; text: string; commit?: string; baseBlob: string | null };

/** `top`: the folder that git tracks; `root`: whose state remembers what was clean. */
export async function material(
  top: string,
  root: string,
  task: Pick<Task, 'files' | 'passed' | 'messages'>,
): Promise<Material[]> {
  const { files } = task;
  const links = files.filter(file => file.kind !== 'deleted').flatMap(file => externalLink(top, file.path));
  const clean = readClean(root);
  const fresh: string[] = [];
  const found = await secrets(top, textsOf(top, task, clean, fresh), fresh);
  if (fresh.length > 0) keepClean(root, [...clean, ...fresh]);
  return [...links, ...found];
}

/** What is not known to be clean; a content that is no text is put down as clean at once. */
function textsOf(
  top: string,
  { files, passed, messages }: Pick<Task, 'files' | 'passed' | 'messages'>,
  clean: ReadonlySet<string>,
  fresh: string[],
): Text[] {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest('hex').slice(0, 32);
  };
  const texts: Text[] = [];
  const add = (text: Omit<Text, 'text'>, bytes: Buffer | null) => {
    const said = textOf(bytes);
    if (said !== null) texts.push({ ...text, text: said });
    else if (bytes !== null) fresh.push(text.id);
  };
  const algorithm = passed.some(p => p.blob.length > 40) ? 'sha256' : 'sha1';
  const now = new Map<string, string>();
  for (const { path, kind, baseBlob } of files) {
    const bytes = kind === 'deleted' ? null : readNow(join(top, path));
    if (bytes === null) continue;
    now.set(path, createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex'));
    const id = digest(path, '\0', bytes);
    if (!clean.has(id)) add({ id, path, baseBlob }, bytes);
  }
  const baseOf = new Map(files.map(file => [file.path, file.baseBlob]));
  const gone = passed
    .filter(({ path, blob }) => now.get(path) !== blob)
    .map(p => ({ ...p, id: digest(p.path, '\0blob ', p.blob), baseBlob: baseOf.get(p.path) ?? null }))
    .filter(p => !clean.has(p.id));
  const known = blobs(
    top,
    gone.map(p => p.blob),
  );
  for (const { blob, ...text } of gone) add(text, known.get(blob) ?? null);
  for (const { commit, text } of messages) {
    const id = digest('message ', commit);
    if (!clean.has(id)) texts.push({ id, path: MESSAGE, text, commit, baseBlob: null });
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

async function secrets(top: string, texts: readonly Text[], fresh: string[]): Promise<Material[]> {
  const found: Material[] = [];
  for (const text of texts) {
    const all = text.text.length > DEEP_BYTES ? secretMaterial(text.text) : await deep(text);
    if (all.length === 0) {
      fresh.push(text.id);
      continue;
    }
    // What the base already holds leaves nothing new.
    const base = text.baseBlob === null ? undefined : blobs(top, [text.baseBlob]).get(text.baseBlob);
    const had = new Set(base?.toString('utf8').split('\n'));
    const lines = text.text.split('\n');
    for (const { line, form } of all.filter(finding => !had.has(lines[finding.line - 1] ?? '')))
      found.push({
        rule: 'secret-material',
        path: text.path,
        line,
        what: form,
        ...(text.commit ? { commit: text.commit } : {}),
      });
  }
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
  const where = `${redact(found.path)}:${found.line}${found.commit ? ` in commit ${found.commit.slice(0, 7)}` : ''}`;
  return `${found.rule} ${where} (${found.what})`;
}
