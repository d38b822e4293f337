import type { State } from './git-config.ts';
import { type Call, fileText, git, type Machine, nothing, path, type Text } from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import type { parseArgs } from './operands.ts';
import { applyPatch, printing } from './patch.ts';

export function prints(verb: string, args: string[], cwd: string): Text {
  const text: Text = () => UNKNOWN;
  printing.set(text, { argv: [verb, ...args], cwd });
  return text;
}

export function patchFrom(
  m: Machine,
  call: Call,
  state: State,
  parsed: ReturnType<typeof parseArgs>,
  oracle: (paths: string[]) => void,
  via: string,
): Text {
  const { flags, operands } = parsed;
  const dir = flags.get('directory')?.[0];
  const strip = flags.get('p')?.[0];
  const at = state.workTree ?? m.root;
  for (const file of operands.length > 0 ? operands : ['-']) {
    const made = file === '-' ? call.stdin : m.files.get(path(m, call.scope, file));
    const source = made && printing.get(made);
    const text = file === '-' ? call.stdin() : fileText(m, path(m, call.scope, file));
    const known = text !== null && isKnown(text);
    const how = flags.has('R') || flags.has('reverse') ? 'reverse-printed' : 'apply-printed';
    if (source) git(m, { verb: 'apply', argv: [how, ...source.argv], cwd: source.cwd, paths: [] }, via);
    else if (known) applyPatch(m, call, text, dir ? `${at}/${dir}` : at, Number(strip ?? 1), via);
    else oracle([]);
  }
  return nothing;
}
