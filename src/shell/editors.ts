import { type Call, copyScope, fileText, type Machine, nothing, path, type Text, touch, unknown } from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
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

/** awk: print redirections, pipes, system(), and gawk's in-place library. */
export function awk(m: Machine, name: string, args: string[], call: Call): Text {
  const { scope } = call;
  const { flags, operands } = parseArgs(args, { code: 'f file', val: 'F v i l field-separator assign include' });
  const files = [...(flags.get('f') ?? []), ...(flags.get('file') ?? [])];
  const program =
    files.length > 0 ? files.map(file => fileText(m, path(m, scope, file)) ?? '').join('\n') : (operands[0] ?? '');
  const data = files.length > 0 ? operands : operands.slice(1);
  if ((flags.get('i') ?? flags.get('include') ?? []).some(lib => lib.startsWith('inplace')))
    for (const file of data) if (!/^\w+=/.test(file)) touch(m, scope, 'write', file, `${name} -i inplace`);
  const vars = new Map<string, string>();
  for (const set of [
    ...(flags.get('v') ?? []),
    ...(flags.get('assign') ?? []),
    ...data.filter(arg => /^\w+=/.test(arg)),
  ])
    vars.set(set.slice(0, set.indexOf('=')), set.slice(set.indexOf('=') + 1));
  const strings: string[] = [];
  // Strings and regular expressions out of the way: what is left shows the real operators.
  const code = program.replace(
    /"((?:[^"\\\n]|\\.)*)"|(^|[~(,{;!&|\n]\s*)\/(?:[^/\\\n]|\\.)+\/|#[^\n]*/g,
    (all, text: string | undefined, before: string | undefined) => {
      if (text === undefined) return all.startsWith('#') ? '' : (before ?? '');
      strings.push(text.replace(/\\(["\\/])/g, '$1'));
      return `\u0001${strings.length - 1}\u0002`;
    },
  );
  for (const found of code.matchAll(/(?:^|[;{\n])\s*(\w+)\s*=\s*((?:\u0001\d+\u0002|\w+|\s)+)(?=[;}\n]|$)/g))
    vars.set(found[1]!, value(found[2]!));
  function value(text: string): string {
    let out = '';
    for (const piece of text.match(/\u0001\d+\u0002|ARGV\[\d+\]|[$\w]+/g) ?? []) {
      const string = /^\u0001(\d+)/.exec(piece);
      const argv = /^ARGV\[(\d+)\]/.exec(piece);
      if (string) out += strings[Number(string[1])]!;
      else if (argv) out += data[Number(argv[1]) - 1] ?? '';
      else if (piece === 'FILENAME') out += data[0] ?? UNKNOWN;
      else out += vars.get(piece) ?? UNKNOWN;
    }
    return out;
  }
  const run = (text: string): void => {
    if (isKnown(text)) m.script(text, { ...call, scope: copyScope(scope), stdin: nothing });
  };
  for (const found of code.matchAll(
    /\b(?:print|printf)\b((?:\((?:[^()]|\([^()]*\))*\)|[^;}\n>|])*)(>>?|\|&?)\s*((?:\u0001\d+\u0002|[$\w[\]]+|\s)+)/g,
  )) {
    const text = value(found[3]!);
    if (found[2]!.startsWith('>')) touch(m, scope, 'write', text, name);
    else run(text);
  }
  for (const found of code.matchAll(/\bsystem\s*\(([^()]*)\)/g)) run(value(found[1]!));
  for (const found of code.matchAll(/((?:\u0001\d+\u0002|\s)+)\|\s*getline/g)) run(value(found[1]!));
  return unknown;
}
