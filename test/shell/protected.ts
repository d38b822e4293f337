import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { matchGlob } from '../../src/config/glob.ts';
import type { Effect, Reading } from '../../src/shell/index.ts';

export const FROZEN = ['tests/**', '**/*.test.ts'];
export const GUARDED = ['.claude/state/**', '.claude/hooks/**', '.claude/settings*.json', '.husky/**', '.git/hooks/**'];

/** Every protected file of a world, relative to its root. */
export function protectedFiles(root: string, globs: string[]): string[] {
  const out: string[] = [];
  const walk = (dir: string): void => {
    for (const name of readdirSync(join(root, dir))) {
      const path = dir ? `${dir}/${name}` : name;
      if (name === 'node_modules' || path === '.git/objects') continue;
      if (globs.some(glob => matchGlob(glob, path))) out.push(path);
      if (lstatSync(join(root, path)).isDirectory()) walk(path);
    }
  };
  if (existsSync(root)) walk('');
  return out;
}

/** Protected names one effect touches, or null when only git could tell. */
export function touches(effect: Effect, root: string, globs: string[], files: string[]): string | null | undefined {
  const { target } = effect;
  if (target.kind === 'unknown') return undefined;
  if (target.kind === 'git') return null;
  const at = target.kind === 'path' ? target.path : target.pattern;
  if (at !== root && !at.startsWith(`${root}/`))
    return root.startsWith(`${at}/`) && /delete|rename/.test(effect.op) ? at : undefined;
  const path = at.slice(root.length + 1);
  if (target.kind === 'glob') {
    const hit = files.find(file => matchGlob(path, file));
    const base = path.replace(/[^/]*[*?[].*$/, '');
    return hit ?? (globs.some(glob => base !== '' && matchGlob(glob, `${base}x`)) ? path : undefined);
  }
  if (globs.some(glob => matchGlob(glob, path))) return path;
  const above = effect.op === 'delete' || effect.op === 'rename' || effect.op === 'link' || effect.deep;
  return above ? files.find(file => path === '' || file.startsWith(`${path}/`)) : undefined;
}

export type Judged = { named: string[]; git: boolean };

export function judge(reading: Reading, root: string, globs: string[], files: string[]): Judged {
  const named: string[] = [];
  let git = false;
  for (const effect of reading.effects) {
    const hit = touches(effect, root, globs, files);
    if (hit === null) git = true;
    else if (hit !== undefined) named.push(`${effect.via} ${effect.op} ${hit}`);
  }
  for (const script of reading.scripts) if (script.startsWith(`${root}/.claude/hooks/`)) named.push(`runs ${script}`);
  for (const skip of reading.hookSkips) named.push(`hooks skipped by ${skip.how}`);
  for (const text of reading.opaque)
    if (/tests|\.claude|husky|hooks/.test(text)) named.push(`opaque ${text.slice(0, 40)}`);
  return { named, git };
}
