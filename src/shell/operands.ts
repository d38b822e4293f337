import type { Op } from './effect.ts';
import { below } from './glob.ts';
import { type Call, fileText, type Machine, path, paths, textAsOfNow, touch } from './machine.ts';
import { isKnown } from './marks.ts';
import type { Parsed, Row } from './row.ts';

export const words = (text: string | undefined): string[] => (text ? text.split(' ') : []);

/** Options and operands by the habits of getopt_long: clusters, glued values, `--`, abbreviations. */
export function parseArgs(
  args: readonly string[],
  row: Pick<Row, 'val' | 'glued' | 'out' | 'dir' | 'single' | 'code' | 'skip'>,
): Parsed {
  const valued = new Set([
    ...words(row.val),
    ...words(row.out),
    ...words(row.dir),
    ...words(row.code),
    ...words(row.skip),
  ]);
  const glued = new Set(words(row.glued));
  const flags = new Map<string, string[]>();
  const operands: string[] = [];
  const add = (name: string, value = ''): void => {
    flags.set(name, [...(flags.get(name) ?? []), value]);
  };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') {
      for (const rest of args.slice(i + 1)) operands.push(rest);
      break;
    }
    if (arg.startsWith('--') || (row.single && /^-\w[\w-]/.test(arg))) {
      const text = arg.replace(/^--?/, '');
      const at = text.indexOf('=');
      let name = at < 0 ? text : text.slice(0, at);
      if (!valued.has(name) && !glued.has(name) && name.length > 2)
        name = [...valued, ...glued].find(long => long.length > 1 && long.startsWith(name)) ?? name;
      if (at >= 0) add(name, text.slice(at + 1));
      else if (valued.has(name)) add(name, args[++i] ?? '');
      else add(name);
    } else if (arg.length > 1 && arg[0] === '-') {
      for (let k = 1; k < arg.length; k++) {
        const letter = arg[k]!;
        if (glued.has(letter)) {
          add(letter, arg.slice(k + 1));
          break;
        }
        if (valued.has(letter)) {
          const rest = arg.slice(k + 1).replace(row.single ? /^=/ : /^$/, '');
          add(letter, rest !== '' ? rest : (args[++i] ?? ''));
          break;
        }
        add(letter);
      }
    } else operands.push(arg);
  }
  return { flags, operands };
}

export const any = (parsed: Parsed, names: string | undefined): boolean =>
  words(names).some(name => parsed.flags.has(name));
export const all = (parsed: Parsed, names: string | undefined): string[] =>
  words(names).flatMap(name => parsed.flags.get(name) ?? []);

const known = (text: string | null): string | undefined => (text !== null && isKnown(text) ? text : undefined);
const base = (file: string): string => file.replace(/\/+$/, '').replace(/^.*\//, '');

/** Where `source` lands when copied onto `dest`; a folder's files are named one by one. */
export function land(
  m: Machine,
  call: Call,
  source: string,
  dest: string,
  forceDir: boolean,
  via: string,
  op: Op = 'write',
): void {
  const { scope } = call;
  const at = path(m, scope, dest);
  const isDir =
    forceDir ||
    dest.endsWith('/') ||
    /(?:^|\/)\.\.?$/.test(dest) ||
    (isKnown(at) && m.tree.isDirectory(at)) ||
    m.made.has(`${at}/`);
  const contents = /(?:^|\/)\.$/.test(source);
  const final =
    isDir && !contents ? `${dest.replace(/\/+$/, '') || (dest.startsWith('/') ? '/' : '.')}/${base(source)}` : dest;
  const from = path(m, scope, source);
  const inside = isKnown(from) && m.tree.isDirectory(from) ? below(m.tree, from, 1000) : [];
  if (inside && inside.length > 0) {
    for (const file of inside)
      touch(m, scope, op, final + file.slice(from.length), via, { content: () => known(fileText(m, file)) });
    if (!contents) touch(m, scope, op, final, via);
  } else if (!contents) {
    // One file copied or moved: what it holds is what will be there.
    const held = textAsOfNow(m, from);
    const content = isKnown(from) ? () => known(held()) : undefined;
    touch(m, scope, op, final, via, inside === null ? { deep: true } : content ? { content } : {});
  }
  const text = m.files.get(from);
  if (text && isKnown(final)) for (const target of paths(m, scope, final)) m.files.set(target, text);
}

/** What a table row says about one call. */
export function applyRow(m: Machine, name: string, args: string[], row: Row, call: Call): void {
  const { scope } = call;
  // `chmod -x f`: a mode, not an option.
  const parsed = parseArgs(name === 'chmod' ? args.map(arg => arg.replace(/^-(?=[rwxXst]+$)/, '=')) : args, row);
  for (const file of all(parsed, row.out)) touch(m, scope, 'write', file, name);
  if (row.when && !any(parsed, row.when)) return;
  if (any(parsed, row.unless)) return;
  let { operands } = parsed;
  if (row.sub) {
    const [sub] = operands;
    if (sub === undefined || !words(row.sub).includes(sub)) return;
    operands = operands.slice(1);
  }
  if (row.code !== undefined && !any(parsed, row.code)) operands = operands.slice(1);
  // Rights to read and write that are given, and none taken, leave every file what it is.
  if (name === 'chmod' && /^(?:[ugoa]*\+[rwX]+,?)+$/.test(operands[0] ?? '')) return;
  const dirs = all(parsed, row.dir);
  const deep = row.deep === true || any(parsed, row.deep as string | undefined) ? { deep: true as const } : {};
  if (row.into) {
    const dest = dirs[0] ?? operands.at(-1);
    const sources = dirs[0] === undefined ? operands.slice(0, -1) : operands;
    if (dest === undefined || (row.far && /^[\w.@-]+:/.test(dest))) return;
    const flat = any(parsed, 'T no-target-directory');
    for (const source of sources) {
      if (row.from) touch(m, scope, row.from, source, name, { deep: true });
      land(m, call, source, dest, !flat && (dirs.length > 0 || sources.length > 1), name);
    }
    return;
  }
  for (const dir of dirs) touch(m, scope, 'write', dir, name, { deep: true });
  if (operands.length === 0 && row.base) operands = [row.base];
  const chosen =
    row.on === 'none'
      ? []
      : row.on === 'rest'
        ? operands.slice(1)
        : row.on === 'first'
          ? operands.slice(0, 1)
          : row.on === 'second'
            ? operands.slice(1, 2)
            : row.on === 'third'
              ? operands.slice(2, 3)
              : row.on === 'last'
                ? operands.slice(-1)
                : operands;
  if (row.ext) {
    m.parts.far().sweep(m, call, name, row, parsed, chosen);
    return;
  }
  for (const operand of chosen) touch(m, scope, row.op ?? 'write', operand, name, deep);
}
