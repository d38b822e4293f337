/** Formatters and fixers: which files they find below a folder, by a quoted pattern, or by name. */
import { ANY_CHAR, below, matcher } from './glob.ts';
import { leftOut } from './left-out.ts';
import { type Call, type Machine, path, touch } from './machine.ts';
import { activate, isKnown } from './marks.ts';
import { all, words } from './operands.ts';
import type { Parsed, Row } from './row.ts';

const MADE = /\/(?:dist|build|coverage|vendor|target)\//;

type Leave = ((file: string) => boolean) | undefined;

export function sweep(m: Machine, call: Call, via: string, row: Row, parsed: Parsed, operands: string[]): void {
  const patterns = operands.flatMap(word => (word.startsWith('!') ? [word.slice(1)] : []));
  const files = [...words(row.ignores), ...all(parsed, 'ignore-path')];
  const leave = leftOut(m, call, [...all(parsed, row.skip), ...patterns], files);
  const asked = all(parsed, 'ext').flatMap(list => list.split(','));
  const finds = asked.length > 0 ? { ext: asked.join(' ') } : row;
  for (const operand of operands) if (!operand.startsWith('!')) one(m, call, operand, finds, via, leave);
}

function one(
  m: Machine,
  call: Call,
  operand: string,
  { ext, orExt }: Pick<Row, 'ext' | 'orExt'>,
  via: string,
  leave: Leave,
): void {
  const maybe = { maybe: true as const };
  const at = path(m, call.scope, operand.replace(/\/?\.\.\.$/, '') || '.');
  if (isKnown(at) && m.tree.isDirectory(at)) {
    const found = below(m.tree, at);
    const has = (list: string): boolean => words(list).some(end => found?.some(file => file.endsWith(end)));
    const endings = words(orExt && !has(ext ?? '') ? orExt : ext);
    if (found === null) touch(m, call.scope, 'write', at, via, { deep: true, ...maybe });
    for (const file of found ?? [])
      if (endings.some(ending => file.endsWith(ending)) && !MADE.test(file.slice(at.length)) && !leave?.(file))
        touch(m, call.scope, 'write', file, via, maybe);
    return;
  }
  if (!/[*?[{]/.test(operand)) {
    touch(m, call.scope, 'write', operand, via);
    return;
  }
  for (const one of braces(operand)) {
    const cwd = call.scope.cwd[0]!;
    const pattern = one.startsWith('/') ? one : `${cwd}/${one.replace(/^\.\//, '')}`;
    const fits = leave && matcher(activate(pattern.replace(/\*\*\//g, '*')), ANY_CHAR);
    const found = fits ? below(m.tree, cwd) : null;
    if (found === null)
      m.effects.push({
        op: 'write',
        target: { kind: 'glob', pattern },
        via,
        ...maybe,
        ...(m.span ? { span: m.span } : {}),
      });
    for (const file of found ?? []) if (fits!(file) && !leave!(file)) touch(m, call.scope, 'write', file, via, maybe);
  }
}

/** `a.{ts,js}` -> both, for patterns that a tool expands itself. */
export function braces(text: string): string[] {
  const found = /\{([^{}]*)\}/.exec(text);
  if (!found) return [text];
  return found[1]!
    .split(',')
    .flatMap(option => braces(text.slice(0, found.index) + option + text.slice(found.index + found[0].length)));
}
