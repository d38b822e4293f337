/** `sed` and `perl -p`: the files they write, and what they make of them where that can be told. Loaded on need. */
import { perlEdit, sedEdit } from './edit-text.ts';
import {
  type Call,
  copyScope,
  fileText,
  type Machine,
  nothing,
  once,
  path,
  type Text,
  textAsOfNow,
  touch,
  unknown,
} from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { applyRow, parseArgs } from './operands.ts';
import { ROWS } from './table/rows.ts';

export { onlyLooks } from './editor.ts';

const known = (text: string): string | undefined => (isKnown(text) ? text : undefined);

export function sed(m: Machine, name: string, args: string[], call: Call): Text {
  const { scope } = call;
  const { flags, operands } = parseArgs(args, {
    code: 'e f expression file',
    glued: 'i in-place',
    val: 'l line-length',
  });
  const given = [...(flags.get('e') ?? []), ...(flags.get('expression') ?? [])];
  for (const file of [...(flags.get('f') ?? []), ...(flags.get('file') ?? [])])
    given.push(fileText(m, path(m, scope, file)) ?? UNKNOWN);
  const files = given.length > 0 ? operands : operands.slice(1);
  const programs = given.length > 0 ? given : operands.slice(0, 1);
  for (const program of programs)
    for (const piece of sedCommands(program)) {
      if (piece.kind === 'w') touch(m, scope, 'write', piece.text, 'sed w');
      else m.script(piece.text, { ...call, scope: copyScope(scope), stdin: nothing });
    }
  const has = (names: string): boolean => names.split(' ').some(flag => flags.has(flag));
  const extended = has('E r regexp-extended');
  const quiet = has('n quiet silent');
  const edit = has('z null-data s') ? null : sedEdit(programs.join('\n'), extended, quiet);
  const before = m.effects.length;
  applyRow(m, name, args, ROWS[name]!, call);
  if (edit === null) return unknown;
  const edited = (text: string): string => (isKnown(text) ? edit(text) : UNKNOWN);
  if (has('i in-place')) {
    rewritten(m, before, name, edited);
    const backup = [...(flags.get('i') ?? []), ...(flags.get('in-place') ?? [])].some(suffix => suffix !== '');
    const other = sedEdit(programs.join('\n'), !extended, quiet);
    if (!backup && other) dropIdle(m, before, other);
    return nothing;
  }
  const texts = files.map(file => textAsOfNow(m, path(m, scope, file)));
  return once(() => edited(files.length === 0 ? call.stdin() : texts.map(text => text() ?? UNKNOWN).join('')));
}

/** `perl -pi -e 's/a/b/'`: files touched since `before` hold the edited text. */
export function perl(m: Machine, before: number, via: string, code: string, whole: boolean): void {
  const edit = perlEdit(code, whole);
  if (edit) rewritten(m, before, via, text => (isKnown(text) ? edit(text) : UNKNOWN));
}

const FEW = 64;
/** Nobody's to write, whatever is written. */
const OURS = /\/\.(?:claude|git|husky)\//;

/**
 * A file that an edit finds nothing to change in keeps its bytes, if the `other` dialect of expressions finds nothing
 * either: not every sed is GNU's. A link would still be replaced.
 */
function dropIdle(m: Machine, before: number, other: (text: string) => string): void {
  if (m.effects.length - before > FEW) return;
  const kept = m.effects.slice(before).filter(({ target, content }) => {
    if (target.kind !== 'path' || !content || OURS.test(target.path) || m.tree.realpath(target.path) !== target.path)
      return true;
    const old = m.tree.readText(target.path);
    return old === null || content() !== old || other(old) !== old;
  });
  m.effects.splice(before, m.effects.length - before, ...kept);
}

function rewritten(m: Machine, before: number, via: string, edit: (text: string) => string): void {
  for (const effect of m.effects.slice(before)) {
    if (effect.via !== via || effect.target.kind !== 'path') continue;
    const file = effect.target.path;
    const old = m.files.get(file) ?? (() => m.tree.readText(file) ?? UNKNOWN);
    const text = once(() => edit(old()));
    effect.content = () => known(text());
    m.files.set(file, text);
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
