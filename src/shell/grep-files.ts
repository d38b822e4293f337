import { below } from './glob.ts';
import { ignores } from './left-out.ts';
import { type Call, type Machine, path } from './machine.ts';
import { UNKNOWN } from './marks.ts';
import { parseArgs } from './operands.ts';

const TYPES: Record<string, string> = {
  js: 'js jsx mjs cjs vue',
  ts: 'ts tsx mts cts',
  py: 'py pyi',
  rust: 'rs',
  ruby: 'rb',
};

/** `grep -rl PATTERN DIR`: the files that match, when the pattern is one we can read. */
export function grepFiles(m: Machine, args: string[], call: Call, rg: boolean): string {
  const cwd = call.scope.cwd[0]!;
  const { flags, operands } = parseArgs(args, {
    val: 'e f A B C m include exclude exclude-dir regexp file max-count color g t T glob type',
  });
  const of = (names: string): string[] => names.split(' ').flatMap(name => flags.get(name) ?? []);
  const source = (flags.get('e') ?? flags.get('regexp') ?? operands.splice(0, 1))[0] ?? '';
  const recursive = ['r', 'R', 'recursive'].some(flag => flags.has(flag));
  const globs = of('g glob');
  const include = [...of('include'), ...globs.filter(glob => !glob.startsWith('!'))].map(ignores);
  const exclude = [
    ...of('exclude exclude-dir'),
    ...globs.flatMap(glob => (glob.startsWith('!') ? [glob.slice(1)] : [])),
  ]
    .concat(rg && !flags.has('hidden') && !flags.has('.') && !flags.has('u') ? '.*' : [])
    .map(ignores);
  const endings = of('t type').flatMap(type => (TYPES[type] ?? type).split(' '));
  const fixed = flags.has('F');
  const extended = flags.has('E') || flags.has('P');
  let regex: RegExp;
  try {
    const body = fixed
      ? source.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      : extended
        ? source
        : source.replace(/\\?([(){}+?|])/g, (all, c) => (all.length === 2 ? c : `\\${c}`));
    regex = new RegExp(body, flags.has('i') ? 'im' : 'm');
  } catch {
    return UNKNOWN;
  }
  const out: string[] = [];
  for (const operand of operands.length > 0 ? operands : ['.']) {
    const at = path(m, call.scope, operand);
    const files = m.tree.isDirectory(at) ? (recursive ? below(m.tree, at, 600) : []) : [at];
    if (files === null) return UNKNOWN;
    for (const file of files) {
      const name = file === at ? operand : `${operand.replace(/\/$/, '')}${file.slice(at.length)}`;
      const rel = file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
      if (include.length > 0 && !include.some(test => test(rel))) continue;
      if (file !== at && exclude.some(test => test(rel))) continue;
      if (endings.length > 0 && !endings.includes(file.slice(file.lastIndexOf('.') + 1))) continue;
      const text = m.tree.readText(file);
      if (text !== null && regex.test(text) !== flags.has('L')) out.push(name);
    }
  }
  return out.length > 0 ? `${out.join('\n')}\n` : '';
}
