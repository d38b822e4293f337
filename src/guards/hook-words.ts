/** The words of configured hook commands: asked at every tool call, so it stays small. */

/** Commands that configured hooks run, ours and others: the words that may be scripts. */
export function hookWords(text: string): string[] {
  const root = parse(text);
  const hooks = isObject(root) && isObject(root.hooks) ? root.hooks : {};
  const words: string[] = [];
  for (const groups of Object.values(hooks)) {
    for (const group of Array.isArray(groups) ? groups : []) {
      for (const handler of isObject(group) && Array.isArray(group.hooks) ? group.hooks : []) {
        if (!isObject(handler) || typeof handler.command !== 'string') continue;
        if (Array.isArray(handler.args))
          words.push(handler.command, ...handler.args.filter(a => typeof a === 'string'));
        else
          words.push(
            ...handler.command.split(/[\s;|&()<>]+/).map(w => w.replace(/^["']|["']$/g, '').replace(/"/g, '')),
          );
      }
    }
  }
  return words;
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
