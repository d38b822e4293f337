/** The wiring during a session: what was in force at its start, and whether a change of settings may stand. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Event } from './event.ts';
import type { Session } from './gates/session.ts';
import { parse } from './guards/hook-words.ts';
import { ownKeys, turnsOff } from './guards/settings-change.ts';
import { consume } from './state/token.ts';

export const WIRING_TOKEN = 'wiring';

/** Settings files that apply to a session, the project's first. */
export function settingsFiles(root: string): string[] {
  const user = process.env.CLAUDE_CONFIG_DIR ?? join(process.env.HOME || homedir(), '.claude');
  return [join(root, '.claude/settings.json'), join(root, '.claude/settings.local.json'), join(user, 'settings.json')];
}

export function wiredNow(root: string): Session['wired'] {
  return settingsFiles(root).flatMap(file => {
    const hooks = ownKeys(text(file) ?? '');
    return hooks.length > 0 ? [{ file, hooks }] : [];
  });
}

/** Why the changed settings must not take effect; null lets them through. */
export function refuseChange(event: Event, root: string, session: Session | null): string | null {
  const changed = event.file ? [event.file] : settingsFiles(root);
  const reason = changed.map(file => lost(file, session)).find(why => why !== null) ?? null;
  if (reason === null) return null;
  return consume(root, WIRING_TOKEN) ? null : reason;
}

function lost(file: string, session: Session | null): string | null {
  const now = text(file);
  if (now !== null && turnsOff(parse(now))) return `${file} sets disableAllHooks`;
  const had = session?.wired.find(w => w.file === file)?.hooks ?? [];
  const kept = new Set(now === null ? [] : ownKeys(now));
  const missing = had.filter(hook => !kept.has(hook));
  return missing.length === 0 ? null : `${file} lost ${missing.length} of Touchstone's ${had.length} hooks`;
}

function text(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
