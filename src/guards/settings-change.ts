/** Whether new settings text still carries every hook of ours that the old one carried, in force. */
import { ownSpec } from '../config/hook-table.ts';
import { clientFault } from '../config/settings-shape.ts';
import { isObject, parse } from './hook-words.ts';

const SWITCH = /"disableAllHooks"\s*:\s*true/;

type Entry = { event: string; matcher: string; handler: string };

/** What the change would weaken, as the end of a sentence; null where it weakens nothing. */
export function weakening(before: string | null, after: string): string | null {
  const had = before === null ? [] : ownEntries(before);
  const now = parse(after);
  if (turnsOff(now) && !turnsOff(before === null ? null : parse(before))) return 'sets disableAllHooks';
  // A fragment that is no JSON yet may become it with the next edit.
  if (now === null && SWITCH.test(after) && !SWITCH.test(before ?? '')) return 'sets disableAllHooks';
  if (disablesPlugin(now)) return 'disables the touchstone plugin';
  const env = loosenedEnv(before === null ? null : parse(before), now);
  if (env !== null) return `sets ${env} for the process that runs the hooks`;
  if (had.length === 0) return null;
  const fault = clientFault(after);
  if (fault) return `would make the client drop the whole file, hooks included (${fault})`;
  const kept = ownEntries(after).map(key);
  for (const entry of had) {
    const at = kept.indexOf(key(entry));
    if (at < 0) return `removes or changes the ${entry.event} hook`;
    kept.splice(at, 1);
  }
  return null;
}

/** Variables that decide what a hook's interpreter loads. */
function loosenedEnv(before: unknown, now: unknown): string | null {
  const env = (root: unknown) => (isObject(root) && isObject(root.env) ? root.env : {});
  const [was, is] = [env(before), env(now)];
  return (
    ['NODE_OPTIONS', 'NODE_PATH', 'PATH', 'LD_PRELOAD'].find(
      name => is[name] !== undefined && is[name] !== was[name],
    ) ?? null
  );
}

/** One line for each hook of ours in a settings text, for comparing later. */
export function ownKeys(text: string): string[] {
  return ownEntries(text).map(key);
}

function ownEntries(text: string): Entry[] {
  const root = parse(text);
  const hooks = isObject(root) && isObject(root.hooks) ? root.hooks : {};
  const found: Entry[] = [];
  for (const [event, groups] of Object.entries(hooks)) {
    for (const group of Array.isArray(groups) ? groups : []) {
      for (const handler of isObject(group) && Array.isArray(group.hooks) ? group.hooks : []) {
        if (!ownSpec(event, handler)) continue;
        const { matcher } = group as { matcher?: unknown };
        found.push({
          event,
          matcher: typeof matcher === 'string' ? matcher : '',
          handler: JSON.stringify(sorted(handler)),
        });
      }
    }
  }
  return found;
}

export function turnsOff(root: unknown): boolean {
  return isObject(root) && root.disableAllHooks === true;
}

function disablesPlugin(root: unknown): boolean {
  const plugins = isObject(root) && isObject(root.enabledPlugins) ? root.enabledPlugins : {};
  return Object.entries(plugins).some(([name, on]) => /^touchstone(?:@|$)/.test(name) && on === false);
}

function key(entry: Entry): string {
  return `${entry.event}\0${entry.matcher}\0${entry.handler}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}
