import { clientFault, isObject } from '../../config/settings-shape.ts';
import { type Check, type Context, fail, ok, type Result, warn } from './check.ts';

export const settingsParse: Check = {
  name: 'settings',
  run({ settings }) {
    if (settings.length === 0) return [warn('no settings file in any scope', 'run touchstone init')];
    return settings.map(({ scope, path, text }) => {
      const fault = clientFault(text);
      if (!fault) return ok(`${scope} settings ${path} read well`);
      if (scope === 'managed') return warn(`${path}: ${fault}`, 'tell the administrator');
      return fail(`${path}: ${fault}; the client drops the whole file without a word`, `correct ${path} by hand`);
    });
  },
};

/** Scalars: the highest scope that speaks decides for all of them. */
export const hooksDisabled: Check = {
  name: 'disabled',
  run(ctx) {
    const found: Result[] = [];
    let decided = false;
    for (const { scope, path, value } of parsed(ctx)) {
      const set = value.disableAllHooks;
      if (set === true) {
        const line = `"disableAllHooks" is true in ${scope} settings ${path}`;
        found.push(
          decided
            ? warn(`${line}, overruled by a higher scope`, 'take it out')
            : fail(`${line}: no hook runs`, `take it out of ${path}`),
        );
      }
      if (typeof set === 'boolean') decided = true;
      if (scope !== 'managed') continue;
      if (value.allowManagedHooksOnly !== undefined && value.allowManagedHooksOnly !== false) {
        found.push(fail(`${path} allows managed hooks only`, 'ask the administrator to allow these hooks'));
      }
      const strict = value.strictPluginOnlyCustomization;
      if (strict === true || (Array.isArray(strict) && strict.includes('hooks'))) {
        found.push(fail(`${path} allows hooks from plugins only`, 'install Touchstone as a plugin'));
      }
    }
    return found.length ? found : [ok('no scope disables hooks')];
  },
};

export function parsed(ctx: Context): { scope: string; path: string; value: Record<string, unknown> }[] {
  return ctx.settings.flatMap(({ scope, path, text }) => {
    try {
      const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
      return isObject(value) ? [{ scope, path, value }] : [];
    } catch {
      return [];
    }
  });
}
