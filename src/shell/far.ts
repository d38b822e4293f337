/** Programs whose reading takes a good deal of code of its own; loaded when a command starts one of them. */
import { archive } from './archive.ts';
import { awk } from './awk.ts';
import { find } from './find.ts';
import { type Call, type Machine, type Text, unknown } from './machine.ts';
import { patchCommand } from './patch.ts';
import { special } from './special.ts';

/** Undefined when the table row is to speak as well. */
export function farCommand(m: Machine, name: string, args: string[], call: Call): Text | undefined {
  if (/find$/.test(name)) return find(m, args, call);
  if (/awk$/.test(name)) return awk(m, name, args, call);
  const done = special(m, name, args, call);
  if (done) return done;
  return archive(m, name, args, call) ?? (patchCommand(m, name, args, call) ? unknown : undefined);
}

export { pythonArchive } from './archive.ts';
export { grepFiles } from './grep-files.ts';
export { sweep } from './sweep.ts';
