import { type Call, copyScope, type Machine, nothing, touch } from './machine.ts';

export function tcl(m: Machine, source: string, via: string, call: Call): void {
  for (const found of source.matchAll(
    /(?:^|[;[\n{])\s*(exec|spawn|system|file\s+(?:delete|rename|copy|mkdir|link)|open|log_file)\s+([^;\]\n}]*)/g,
  )) {
    const words = found[2]!.split(/\s+/).map(word => word.replace(/^["{]|["}]$/g, ''));
    const verb = found[1]!;
    if (/^(?:exec|spawn|system)$/.test(verb))
      m.script(found[2]!, { ...call, scope: copyScope(call.scope), stdin: nothing });
    else if (verb === 'open') {
      if (/[wa+]/.test(words[1] ?? '')) touch(m, call.scope, 'write', words[0] ?? '', via);
    } else
      for (const word of words.filter(word => word !== '' && !word.startsWith('-')))
        touch(m, call.scope, /delete/.test(verb) ? 'delete' : 'rename', word, via, { deep: true });
  }
}
