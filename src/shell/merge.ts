import { copyScope, type Scope } from './machine.ts';
import { alternatives, either } from './marks.ts';

/** Two ways the command may have gone, as one state; where they cannot both be kept, the first one counts. */
export function merge(into: Scope, a: Scope, b: Scope): void {
  if (a.dead || b.dead) {
    const live = a.dead ? b : a;
    Object.assign(into, copyScope(live), { dead: a.dead && b.dead });
    return;
  }
  const vars = new Map(b.vars);
  for (const [name, value] of a.vars) {
    const other = b.vars.get(name);
    if (!other) vars.set(name, value);
    else if (other !== value && other.join('\0') !== value.join('\0')) {
      const options = [...new Set([...alternatives(value[0] ?? ''), ...alternatives(other[0] ?? '')])].slice(0, 8);
      vars.set(name, value.length > 1 || other.length > 1 ? [...value, ...other] : [either(options)]);
    }
  }
  const cwd = [...new Set([...a.cwd, ...b.cwd])].slice(0, 4);
  const functions = new Map([...b.functions, ...a.functions]);
  const aliases = new Map([...b.aliases, ...a.aliases]);
  Object.assign(into, copyScope(a), { vars, cwd, functions, aliases, loose: a.loose || b.loose });
}
