/**
 * What makes the client drop a whole settings file, hooks and permissions together, without a word in automated runs.
 * Our hooks in such a file would not exist, so `init` refuses it and `doctor` names it.
 */
export function shapeFault(settings: unknown): string | undefined {
  if (!isObject(settings)) return 'the settings are not an object';
  const { hooks, permissions } = settings;
  if (permissions !== undefined) {
    if (!isObject(permissions)) return '"permissions" is not an object';
    for (const list of ['allow', 'deny', 'ask']) {
      const value = permissions[list];
      if (value === undefined) continue;
      if (!Array.isArray(value) || value.some(v => typeof v !== 'string')) {
        return `"permissions.${list}" is not a list of strings`;
      }
    }
  }
  if (settings.disableAllHooks !== undefined && typeof settings.disableAllHooks !== 'boolean') {
    return '"disableAllHooks" is neither true nor false';
  }
  if (hooks === undefined) return undefined;
  if (!isObject(hooks)) return '"hooks" is not an object';
  for (const [event, groups] of Object.entries(hooks)) {
    // The client leaves out an event that is no list and keeps the rest of the file.
    if (!Array.isArray(groups)) continue;
    for (const [i, group] of groups.entries()) {
      const fault = groupFault(group);
      if (fault) return `"hooks.${event}[${i}]": ${fault}`;
    }
  }
  return undefined;
}

function groupFault(group: unknown): string | undefined {
  if (!isObject(group)) return 'not an object';
  if (group.matcher !== undefined && typeof group.matcher !== 'string') return '"matcher" is not a string';
  if (!Array.isArray(group.hooks)) return 'no inner "hooks" list';
  for (const handler of group.hooks) {
    const fault = handlerFault(handler);
    if (fault) return fault;
  }
  return undefined;
}

/** Handler type -> keys that must be there, as strings. */
const REQUIRED: Record<string, string[]> = {
  command: ['command'],
  http: ['url'],
  mcp_tool: ['server', 'tool'],
  prompt: ['prompt'],
  agent: ['prompt'],
};

function handlerFault(handler: unknown): string | undefined {
  if (!isObject(handler)) return 'a hook is not an object';
  const required = typeof handler.type === 'string' && Object.hasOwn(REQUIRED, handler.type) && REQUIRED[handler.type];
  if (!required) return `unknown hook type ${JSON.stringify(handler.type)}`;
  const missing = required.find(key => typeof handler[key] !== 'string');
  if (missing) return `a ${handler.type} hook without "${missing}"`;
  const { timeout, onFailure, args } = handler;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    return '"timeout" is not a number above 0';
  if (onFailure !== undefined && onFailure !== 'block' && onFailure !== 'continue') {
    return '"onFailure" is neither "block" nor "continue"';
  }
  if (args !== undefined && !(Array.isArray(args) && args.every(a => typeof a === 'string'))) {
    return '"args" is not a list of strings';
  }
  return undefined;
}

/** Why the client would not read this text, in words; `undefined` when it would. */
export function clientFault(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return text.trim() === '' ? 'the file is empty' : 'not strict JSON (a comment, a trailing comma or broken text)';
  }
  return shapeFault(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
