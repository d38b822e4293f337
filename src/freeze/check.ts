/** Is the frozen set as it was? Asked after every call that could write, at the end of a turn, and by `freeze verify`. */
import { matchAny } from '../config/glob.ts';
import { hasVault, type Moved, movedSince, recoverVault } from '../repo/vault.ts';
import { keptRef } from './freeze.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { fileOf, mayCome, settingsHashes } from './settings.ts';
import type { Trace } from './trace.ts';

export type Breach = { path: string; how: Moved['how'] | 'renamed' | 'settings'; from?: string };

export type FrozenState =
  | { kind: 'intact'; manifest: Manifest }
  | { kind: 'broken'; manifest: Manifest; breaches: Breach[] }
  /** The manifest or the kept bytes are gone or unreadable: nothing under the patterns reads as proven. */
  | { kind: 'unproven'; why: string };

/** `known`: what has been found to have moved, where somebody asked already. */
export function checkFrozen(root: string, trace: Trace, known?: Moved[]): FrozenState {
  const read = readManifest(root);
  if (read.kind !== 'value') {
    return { kind: 'unproven', why: `freeze.json ${read.kind === 'missing' ? 'is missing' : read.why}` };
  }
  const manifest = read.value;
  if (!hasVault(root) && !recovered(root)) return { kind: 'unproven', why: 'the kept bytes are gone' };
  const moved = known ?? movedSince(root, manifest.patterns, []);
  if (moved === null) return { kind: 'unproven', why: 'the kept bytes cannot be compared' };
  const left = new Set(manifest.left.map(path => path.replace(/\/$/, '')));
  const open = (path: string) => left.has(path) || matchAny(trace.thawed, path) !== null;
  const breaches: Breach[] = withRenames(moved.filter(m => !open(m.path)));
  const settings = settingsHashes(root);
  const bent = new Set<string>();
  for (const [held, { sha256 }] of Object.entries(manifest.settings))
    if (settings[held]?.sha256 !== sha256) bent.add(fileOf(held));
  for (const held of Object.keys(settings)) if (!(held in manifest.settings) && !mayCome(held)) bent.add(fileOf(held));
  for (const path of bent) if (!open(path)) breaches.push({ path, how: 'settings' });
  return breaches.length === 0 ? { kind: 'intact', manifest } : { kind: 'broken', manifest, breaches };
}

function recovered(root: string): boolean {
  const kept = keptRef(root);
  return kept !== null && recoverVault(root, kept);
}

/** One file gone and one of the same base name come: told as one rename. */
function withRenames(moved: Moved[]): Breach[] {
  const added = moved.filter(m => m.how === 'added');
  const out: Breach[] = [];
  const used = new Set<string>();
  for (const m of moved) {
    if (m.how === 'added') continue;
    const to = m.how === 'deleted' ? added.find(a => !used.has(a.path) && base(a.path) === base(m.path)) : undefined;
    if (to) {
      used.add(to.path);
      out.push({ path: to.path, how: 'renamed', from: m.path });
    } else out.push({ path: m.path, how: m.how });
  }
  return [...out, ...added.filter(a => !used.has(a.path)).map(a => ({ path: a.path, how: a.how }))];
}

function base(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function sayBreach(breach: Breach): string {
  if (breach.how === 'renamed') return `${breach.from} renamed to ${breach.path}`;
  const words = {
    rewritten: 'rewritten',
    added: 'added',
    deleted: 'deleted',
    mode: 'mode changed',
    retargeted: 'link retargeted',
    settings: 'runner settings changed',
  };
  return `${breach.path} ${words[breach.how]}`;
}
