import { type Call, copyScope, fileText, type Machine, nothing, path, touch } from './machine.ts';
import { parseArgs } from './operands.ts';

/** Files that a sed program itself writes: `w FILE`, `s/../../w FILE`, and `e` commands. */
export function sedFiles(m: Machine, args: string[], call: Call): void {
  const { flags, operands } = parseArgs(args, {
    code: 'e f expression file',
    glued: 'i in-place',
    val: 'l line-length',
  });
  const given = [...(flags.get('e') ?? []), ...(flags.get('expression') ?? [])];
  for (const file of [...(flags.get('f') ?? []), ...(flags.get('file') ?? [])])
    given.push(fileText(m, path(m, call.scope, file)) ?? '');
  const programs = given.length > 0 ? given : operands.slice(0, 1);
  for (const program of programs)
    for (const piece of sedCommands(program)) {
      if (piece.kind === 'w') touch(m, call.scope, 'write', piece.text, 'sed w');
      else m.script(piece.text, { ...call, scope: copyScope(call.scope), stdin: nothing });
    }
}

/** A linear reading of a sed program: addresses, then one letter, then what belongs to it. */
export function sedCommands(program: string): { kind: 'w' | 'e'; text: string }[] {
  const found: { kind: 'w' | 'e'; text: string }[] = [];
  let i = 0;
  const delimited = (end: string): void => {
    for (let inSet = false; i < program.length && (inSet || program[i] !== end); i++) {
      if (program[i] === '\\') i++;
      else if (program[i] === '[') inSet = true;
      else if (program[i] === ']') inSet = false;
    }
    i++;
  };
  const line = (): string => {
    const end = program.indexOf('\n', i);
    const text = program.slice(i, end < 0 ? undefined : end);
    i = end < 0 ? program.length : end;
    return text.trim();
  };
  while (i < program.length) {
    const c = program[i++]!;
    if (/[\s;{}!,\d$~+]/.test(c)) continue;
    if (c === '/') delimited('/');
    else if (c === '\\') delimited(program[i++] ?? '');
    else if (
      c === '#' ||
      c === 'a' ||
      c === 'i' ||
      c === 'c' ||
      c === 'r' ||
      c === 'R' ||
      c === ':' ||
      c === 'b' ||
      c === 't'
    ) {
      if (c === 'b' || c === 't' || c === ':') while (i < program.length && !/[;\n}]/.test(program[i]!)) i++;
      else line();
    } else if (c === 's' || c === 'y') {
      const end = program[i++] ?? '';
      delimited(end);
      const from = i;
      for (; i < program.length && program[i] !== end; i++) if (program[i] === '\\') i++;
      const by = program.slice(from, i);
      i++;
      while (i < program.length && /[gpiImMe0-9w]/.test(program[i]!)) {
        const flag = program[i++]!;
        if (flag === 'w') {
          found.push({ kind: 'w', text: line() });
          break;
        }
        if (flag === 'e' && c === 's') found.push({ kind: 'e', text: by });
      }
    } else if (c === 'w' || c === 'W') found.push({ kind: 'w', text: line() });
    else if (c === 'e') {
      const text = line();
      if (text) found.push({ kind: 'e', text });
    }
  }
  return found;
}
