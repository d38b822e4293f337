import { type Handler, HOOKS, hookTable, ownName, PLUGIN_LAUNCHER } from '../../config/hook-table.ts';
import { isObject } from '../../config/settings-shape.ts';
import { packageRoot } from '../places.ts';
import { type Check, type Context, fail, ok, type Result, warn } from './check.ts';
import { parsed } from './settings-files.ts';

export type Wired = { scope: string; path: string; event: string; file: string; matcher?: unknown; handler: Handler };

/** Every handler that runs one of our scripts, under whatever event it stands. */
export function wiredHandlers(ctx: Context): Wired[] {
  const found: Wired[] = [];
  for (const { scope, path, value } of parsed(ctx)) {
    if (isObject(value.hooks)) found.push(...handlersIn(value.hooks, scope, path));
    const plugins = isObject(value.enabledPlugins) ? value.enabledPlugins : {};
    if (Object.entries(plugins).some(([name, on]) => name.startsWith('touchstone@') && on === true)) {
      const root = packageRoot();
      found.push(...handlersIn(hookTable({ ...PLUGIN_LAUNCHER, hooksDir: `${root}/dist/hooks` }), 'plugin', path));
    }
  }
  return found;
}

function handlersIn(hooks: Record<string, unknown>, scope: string, path: string): Wired[] {
  const found: Wired[] = [];
  for (const [event, groups] of Object.entries(hooks)) {
    for (const group of Array.isArray(groups) ? groups : []) {
      if (!isObject(group) || !Array.isArray(group.hooks)) continue;
      for (const handler of group.hooks) {
        const file = ownName(handler);
        if (file) found.push({ scope, path, event, file, matcher: group.matcher, handler: handler as Handler });
      }
    }
  }
  return found;
}

export const wiring: Check = {
  name: 'wiring',
  run(ctx) {
    const wired = wiredHandlers(ctx);
    const rewire = ctx.insideAgent ? undefined : () => ctx.rewire();
    if (wired.length === 0)
      return [fail(`no hook of ours in any settings file of ${ctx.root}`, 'run touchstone init', rewire)];
    const found: Result[] = [];
    for (const spec of HOOKS) {
      const here = wired.filter(w => w.file === spec.file);
      const right = here.filter(w => w.event === spec.event);
      if (right.length === 0) {
        const astray = here[0];
        const line = astray
          ? `${astray.path}: ${spec.file}.cjs stands under ${astray.event}, not ${spec.event}, and never sees its event`
          : `the ${spec.event} hook is missing`;
        found.push(fail(line, 'run touchstone init', rewire));
      }
      for (const entry of right) {
        const weak = weakness(entry, spec);
        if (weak) found.push(fail(`${entry.path}: the ${spec.event} hook ${weak}`, 'run touchstone init', rewire));
      }
      if (right.length > 1) {
        const where = [...new Set(right.map(w => w.path))].join(' and ');
        found.push(
          warn(
            `the ${spec.event} hook is wired ${right.length} times (${where}): each call starts it as often`,
            'run touchstone uninstall, then init once',
          ),
        );
      }
    }
    const scopes = [...new Set(wired.map(w => w.scope))].join(', ');
    return found.length ? found : [ok(`${HOOKS.length} hooks wired by ${scopes} settings`)];
  },
};

function weakness(entry: Wired, spec: (typeof HOOKS)[number]): string | undefined {
  const { handler, matcher } = entry;
  if (spec.matcher !== undefined) {
    const misses = TOOLS.filter(tool => !matches(matcher, tool));
    if (misses.length === TOOLS.length) return `has a matcher that never fires (${JSON.stringify(matcher)})`;
    if (misses.length) return `does not see ${misses.join(', ')} (matcher ${JSON.stringify(matcher)})`;
  }
  const extra = handler as Handler & Record<string, unknown>;
  if (extra.if !== undefined) return 'has an "if", which filters it away';
  if (extra.async === true || extra.asyncRewake === true) return 'is async and cannot refuse anything';
  if (spec.onFailure && handler.onFailure !== spec.onFailure)
    return 'lacks "onFailure": "block", so a crash lets the call through';
  if (typeof handler.timeout !== 'number' || handler.timeout < spec.timeout) {
    return `has a timeout below ${spec.timeout} s, within which its own deadline does not fit`;
  }
  return undefined;
}

const TOOLS = ['Write', 'Edit', 'NotebookEdit', 'Bash', 'Monitor', 'PowerShell', 'mcp__server__tool'];

/** The client's own reading of a matcher: plain names are a list, anything else is an unanchored expression. */
export function matches(matcher: unknown, tool: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (typeof matcher !== 'string') return false;
  if (/^[A-Za-z0-9_\- ,|]*$/.test(matcher)) {
    return matcher
      .split(/[|,]/)
      .map(name => name.trim())
      .some(name => name === tool || (name === 'Bash' && tool === 'Monitor'));
  }
  try {
    const re = new RegExp(matcher);
    return re.test(tool) || (tool === 'Monitor' && re.test('Bash'));
  } catch {
    return false;
  }
}

export const startFolder: Check = {
  name: 'start-folder',
  run(ctx) {
    const scopes = new Set(wiredHandlers(ctx).map(w => w.scope));
    const onlyProject = scopes.size === 1 && scopes.has('project');
    if (!onlyProject) return [ok(`hooks do not depend on the folder the client is started in`)];
    if (ctx.start !== ctx.root) {
      return [
        warn(
          `a client started in ${ctx.start} reads no project settings: the hooks of ${ctx.root} would not exist`,
          `start it in ${ctx.root}, or wire with \`touchstone init --scope local\``,
        ),
      ];
    }
    return [ok(`project settings hold for a client started in ${ctx.root} itself, not below it`)];
  },
};
