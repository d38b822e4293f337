import type { ParameterExpansionPart, Word } from 'unbash';
import { ANY_CHAR, matcher, toRegex } from './glob.ts';
import type { Call, Machine, Scope } from './machine.ts';
import { activate, alternatives, BREAK, EMPTY, either, hasGlob, isKnown, plain, UNKNOWN } from './marks.ts';
import { visit } from './substitution.ts';
import { lookup } from './variables.ts';

export type Mode = { quoted: boolean; assign?: boolean };

/** Given from above: words and expansions hold each other. */
type Render = (m: Machine, word: Word, call: Call, mode: Mode, keep?: boolean) => string;

const LIMIT = 64 * 1024;

export const cut = (text: string): string => (text.length > LIMIT ? text.slice(0, LIMIT) + UNKNOWN : text);

export const join = (values: string[], mode: Mode, star: boolean): string => {
  if (mode.quoted && !star) return values.join(BREAK) + (values.length > 0 ? EMPTY : '');
  return values.join(mode.assign || mode.quoted ? ' ' : BREAK);
};

/** A value as it lands in the word: split and made a pattern unless quoted. */
export function land(text: string, mode: Mode, scope: Scope): string {
  if (mode.quoted) return cut(text);
  if (mode.assign) return cut(text);
  const ifs = scope.vars.get('IFS')?.[0] ?? ' \t\n';
  if (ifs === '') return activate(cut(text));
  const split = ifs === ' \t\n' ? /[ \t\n]+/g : new RegExp(`[${ifs.replace(/[\\\]^-]/g, '\\$&')}]+`, 'g');
  return activate(cut(text)).replace(split, BREAK);
}

/** A word used as a pattern inside `${x#..}`: quoted parts are literal, marks stay active. */
const pattern = (m: Machine, word: Word, call: Call, render: Render): string =>
  render(m, word, call, { quoted: false, assign: true }, true);

function operate(
  m: Machine,
  part: ParameterExpansionPart,
  values: string[] | undefined,
  call: Call,
  mode: Mode,
  render: Render,
): string[] {
  const op = part.operation;
  if (!op) return values ?? [];
  const literal = (word: Word): string => plain(render(m, word, call, { quoted: true }));
  const each = (change: (value: string) => string): string[] =>
    (values ?? []).map(value => (isKnown(value) ? either(alternatives(value).map(change)) : UNKNOWN));
  switch (op.type) {
    case 'Default': {
      const word = (): string => render(m, op.operand, call, { quoted: mode.quoted, assign: true });
      const set = values !== undefined && (!op.operator.startsWith(':') || values.join('') !== '');
      if (op.operator.endsWith('+')) return set ? [word()] : [];
      if (op.operator.endsWith('?')) return values ?? [];
      const ambiguous = values?.some(value => !isKnown(value));
      if (set && !ambiguous) {
        visit(m, op.operand, call);
        return values;
      }
      const fallback = word();
      if (op.operator.endsWith('=') && !set) call.scope.vars.set(part.parameter, [plain(fallback)]);
      return [ambiguous ? either([...values!, fallback]) : fallback];
    }
    case 'Remove': {
      const source = pattern(m, op.operand, call, render);
      if (!isKnown(source)) return [UNKNOWN];
      const lazy = op.operator.length === 1;
      return each(value => {
        const test = matcher(source, ANY_CHAR);
        const n = value.length;
        for (let k = 0; k <= n; k++) {
          const size = lazy ? k : n - k;
          const head = op.operator.startsWith('#');
          if (test(head ? value.slice(0, size) : value.slice(n - size)))
            return head ? value.slice(size) : value.slice(0, n - size);
        }
        return value;
      });
    }
    case 'Replace': {
      const source = pattern(m, op.pattern, call, render);
      const by = literal(op.replacement);
      if (!isKnown(source + by)) return [UNKNOWN];
      const anchored =
        op.operator === '/#'
          ? `^${toRegex(source, ANY_CHAR)}`
          : op.operator === '/%'
            ? `${toRegex(source, ANY_CHAR)}$`
            : toRegex(source, ANY_CHAR);
      if (anchored === '') return values ?? [];
      return each(value => value.replace(new RegExp(anchored, op.operator === '//' ? 'g' : ''), () => by));
    }
    case 'Slice': {
      const from = Number(literal(op.offset));
      const length = op.length ? Number(literal(op.length)) : undefined;
      if (Number.isNaN(from) || Number.isNaN(length ?? 0)) return [UNKNOWN];
      if (part.parameter === '@' || part.parameter === '*' || part.index) {
        const start = part.index ? from : Math.max(0, from - 1);
        return (values ?? []).slice(start, length === undefined ? undefined : start + length);
      }
      return each(value => {
        const start = from < 0 ? Math.max(0, value.length + from) : from;
        if (length === undefined) return value.slice(start);
        return length < 0 ? value.slice(start, length) : value.slice(start, start + length);
      });
    }
    case 'CaseModification':
      return each(value => {
        const all = op.operator.length === 2;
        const change = (c: string): string => (op.operator.startsWith('^') ? c.toUpperCase() : c.toLowerCase());
        return all ? change(value) : change(value.slice(0, 1)) + value.slice(1);
      });
    case 'Transform': {
      const how = literal(op.operand);
      if (how === 'U') return each(value => value.toUpperCase());
      if (how === 'L') return each(value => value.toLowerCase());
      return how === 'u'
        ? each(value => value.slice(0, 1).toUpperCase() + value.slice(1))
        : how === 'Q'
          ? (values ?? [])
          : [UNKNOWN];
    }
    case 'Names':
      return [...call.scope.vars.keys()].filter(key => key.startsWith(part.parameter));
    default:
      return [UNKNOWN];
  }
}

export function parameter(m: Machine, part: ParameterExpansionPart, call: Call, mode: Mode, render: Render): string {
  const { scope } = call;
  let name = part.parameter;
  let values = lookup(m, scope, name);
  let listed = name === '@' || name === '*';
  const index = part.index?.text;
  if (part.prefix === '!' && part.operation?.type !== 'Names') {
    if (index === '@' || index === '*')
      return join(
        (values ?? []).map((_, i) => String(i)),
        mode,
        false,
      );
    name = values?.[0] ?? '';
    const element = /^(\w+)\[(\d+)\]$/.exec(name);
    if (!isKnown(name)) return UNKNOWN;
    values = element ? [lookup(m, scope, element[1]!)?.[Number(element[2])] ?? ''] : lookup(m, scope, name);
    listed = name === '@';
  } else if (index !== undefined) {
    if (index === '@' || index === '*') listed = true;
    else {
      const at = plain(render(m, part.index!, call, { quoted: true }));
      const key = scope.vars.get(`${name}[${at}]`);
      if (key) values = key;
      else if (/^-?\d+$/.test(at)) {
        const value = values?.at(Number(at));
        values = value === undefined ? undefined : [value];
      } else if (/^\w*$/.test(at) && /^-?\d+$/.test(lookup(m, scope, at)?.[0] ?? '0')) {
        const value = values?.at(Number(lookup(m, scope, at)?.[0] ?? 0));
        values = value === undefined ? undefined : [value];
      } else values = values && [either(values)];
    }
  } else if (!listed && values && values.length > 1) values = values.slice(0, 1);
  if (part.prefix === '#')
    return listed
      ? String(values?.length ?? 0)
      : isKnown(values?.[0] ?? '')
        ? String((values?.[0] ?? '').length)
        : UNKNOWN;
  const result = operate(m, part, values, call, mode, render);
  const isWord = part.operation?.type === 'Default' && result.some(value => hasGlob(value) || value.includes(BREAK));
  const landed = isWord ? result : result.map(value => land(value, mode, scope));
  return listed ? join(landed, mode, name === '*' || index === '*') : (landed[0] ?? '');
}
