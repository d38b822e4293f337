import { type Call, copyScope, fileText, type Machine, nothing, path, type Text, touch, unknown } from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { parseArgs } from './operands.ts';

/** awk: print redirections, pipes, system(), and gawk's in-place library. */
export function awk(m: Machine, name: string, args: string[], call: Call): Text {
  const { scope } = call;
  const { flags, operands } = parseArgs(args, {
    code: 'f file',
    val: 'F v i l field-separator assign include',
    glued: 'o p d pretty-print profile dump-variables',
  });
  for (const flag of ['o', 'p', 'd', 'pretty-print', 'profile', 'dump-variables'])
    for (const file of flags.get(flag) ?? []) if (file !== '') touch(m, scope, 'write', file, name);
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
    else if (/(?:^|[\s/])(?:\w*sh|xargs)\b/.test(text)) m.opaque.push([program, ...data, call.stdin()].join(' '));
    else run(text);
  }
  for (const found of code.matchAll(/\bsystem\s*\(([^()]*)\)/g)) run(value(found[1]!));
  for (const found of code.matchAll(/((?:\u0001\d+\u0002|\s)+)\|\s*getline/g)) run(value(found[1]!));
  return unknown;
}
