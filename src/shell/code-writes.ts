import { isPunct } from './brackets.ts';
import type { Reader } from './code-reader.ts';
import { run } from './code-starts.ts';
import { flat, text, type Value } from './code-texts.ts';
import { evaluate } from './code-values.ts';
import { touch } from './machine.ts';
import { isKnown } from './marks.ts';
import { type CallRow, FILE_MODULES } from './table/calls.ts';
import type { Token } from './tokens.ts';

const WRITES = /[wax+]|O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/;

export function keyword(r: Reader, args: [number, number][], name: string): Value | undefined {
  for (const [a, b] of args)
    if (r.tokens[a]?.text === name && (isPunct(r.tokens[a + 1], '=') || isPunct(r.tokens[a + 1], ':')))
      return evaluate(r, a + 2, b);
  return undefined;
}

export function writes(
  r: Reader,
  name: string,
  row: CallRow,
  i: number,
  args: [number, number][],
  dotted: boolean,
  module: string | undefined,
): void {
  const { tokens, m, call } = r;
  const value = (n: number): Value | undefined => (args[n] ? evaluate(r, ...args[n]!) : undefined);
  const isModule = module !== undefined && FILE_MODULES.test(module);
  let receiver: Value | undefined;
  if (dotted && !isModule) receiver = evaluate(r, statementStartOf(tokens, i - 2), i - 1);
  if (row.on === 'module' && !isModule) return;
  if (row.on === 'path' && dotted && !isModule && !receiver?.path) return;
  // Ruby's File.open and Perl's open have their own habits.
  if (r.language === 'perl' && name === 'open') {
    perlOpen(r, args);
    return;
  }
  const onReceiver = receiver !== undefined && row.at.includes('r') && (receiver.path || row.at.length === 1);
  if (row.mode !== undefined) {
    const position = onReceiver ? 0 : row.mode;
    const given = keyword(r, args, 'mode') ?? keyword(r, args, 'flags') ?? value(position);
    const mode =
      given &&
      !(
        args[position] &&
        keyword(r, [args[position]!], 'mode') === undefined &&
        isPunct(tokens[args[position]![0] + 1], '=')
      )
        ? given
        : keyword(r, args, 'mode');
    const words = tokens
      .slice(args[position]?.[0] ?? 0, args[position]?.[1] ?? 0)
      .map(one => one.text)
      .join('');
    if (!mode && !/O_/.test(words)) return;
    if (
      !WRITES.test(
        flat(mode ?? text(''))
          .filter(isKnown)
          .join(''),
      ) &&
      !/O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(words)
    )
      return;
  }
  const extra = row.deep ? { deep: true as const } : {};
  const write = (target: Value | undefined): void => {
    for (const one of target ? new Set(flat(target)) : []) touch(m, call.scope, row.op ?? 'write', one, r.via, extra);
  };
  if (onReceiver) {
    write(receiver);
    if (row.op === 'rename') write(value(0));
    return;
  }
  const list = name === 'remove' && r.language === 'ruby' ? args.map((_, n) => n) : row.at;
  for (const at of list) if (at !== 'r') write(value(at));
  // Perl and Ruby delete lists: `unlink @files`, `File.delete(a, b)`.
  if (/^(?:unlink|delete|rm|rm_f|rm_rf)$/.test(name))
    for (let n = 1; n < args.length; n++) if (!isPunct(tokens[args[n]![0] + 1], ':')) write(value(n));
  // A content that the text tells, for guards that judge what is written.
  if (/^(?:writeFile|appendFile|write_text|outputFile|file_put_contents|write)/.test(name))
    attach(r, value(onReceiver ? 0 : 1), name);
}

function attach(r: Reader, value: Value | undefined, name: string): void {
  const last = r.m.effects.at(-1);
  const known =
    value && !value.list && value.texts.length === 1 && isKnown(value.texts[0]!) ? value.texts[0] : undefined;
  if (!last || last.via !== r.via || known === undefined) return;
  last.content = () => known;
  if (name.startsWith('append')) last.append = true;
}

function statementStartOf(tokens: Token[], from: number): number {
  let i = from;
  while (i >= 0) {
    const token = tokens[i]!;
    if (token.kind === 'p' && /^[)\]]$/.test(token.text)) {
      let depth = 0;
      for (; i >= 0; i--) {
        const one = tokens[i]!;
        if (one.kind !== 'p') continue;
        if (/^[)\]}]$/.test(one.text)) depth++;
        else if (/^[([{]$/.test(one.text) && --depth === 0) break;
      }
      // What the bracket belongs to: a name before it goes with it.
      if (tokens[i - 1]?.kind === 'i' || (isPunct(tokens[i - 1], ')') && token.text === ')')) {
        i--;
        continue;
      }
    } else if (token.kind === 'p') return i + 1;
    if (isPunct(tokens[i - 1], '.') || isPunct(tokens[i - 1], '->') || isPunct(tokens[i - 1], '::')) i -= 2;
    else return Math.max(i, 0);
  }
  return 0;
}

function perlOpen(r: Reader, args: [number, number][]): void {
  const value = (n: number): string[] => (args[n] ? flat(evaluate(r, ...args[n]!)) : []);
  for (const mode of value(1)) {
    const glued = /^\s*(\+?>{1,2}|\+<)\s*(?::\S+\s*)?(.*)$/s.exec(mode);
    if (glued) for (const file of glued[2] ? [glued[2]] : value(2)) touch(r.m, r.call.scope, 'write', file, r.via);
    else if (/^\s*\|(?!-)/.test(mode)) run(r, mode.replace(/^\s*\|/, ''));
    else if (/^\|-$/.test(mode)) for (const one of value(2)) run(r, one);
  }
}
