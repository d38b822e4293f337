import type {
  ArithmeticExpression,
  Assignment,
  ParameterExpansionPart,
  Script,
  SyntaxNode,
  Word,
  WordPart,
} from 'unbash';
import { braceList, braceRange } from './braces.ts';
import { ANY_CHAR, matcher, toRegex } from './glob.ts';
import { type Call, copyScope, deeper, glob, type Machine, masked, type Scope, type Text } from './machine.ts';
import {
  ANY,
  activate,
  alternatives,
  BRACKET,
  BREAK,
  CLOSE,
  EMPTY,
  either,
  hasGlob,
  isKnown,
  OPEN,
  OR,
  plain,
  STAR,
  UNKNOWN,
} from './marks.ts';

type Mode = { quoted: boolean; assign?: boolean };

const LIMIT = 64 * 1024;
/** The parser reads the rest of the text again at every level of these, so few levels must do. */
const SUBSTITUTION = 3;
const cut = (text: string): string => (text.length > LIMIT ? text.slice(0, LIMIT) + UNKNOWN : text);

export function lookup(m: Machine, scope: Scope, name: string): string[] | undefined {
  const set = scope.vars.get(name);
  if (set) return set;
  if (/^\d+$/.test(name)) {
    if (name === '0') return ['bash'];
    const value = scope.args[Number(name) - 1];
    return value === undefined ? undefined : [value];
  }
  if (name === '@' || name === '*') return scope.args;
  if (name === '#') return [String(scope.args.length)];
  if (name === 'PWD') return [either(scope.cwd)];
  if (name === 'IFS') return [' \t\n'];
  if (name === 'HOME') return [m.home];
  if (name === 'SHELL' || name === 'BASH') return ['/bin/bash'];
  if (name === 'CLAUDE_PROJECT_DIR') return [m.root];
  if (
    /^(?:[?$!_-]|RANDOM|SRANDOM|SECONDS|EPOCH\w*|LINENO|HOSTNAME|HOSTTYPE|OSTYPE|UID|EUID|PPID|BASHPID|OLDPWD|REPLY|BASH\w+)$/.test(
      name,
    )
  )
    return [UNKNOWN];
  const inherited = m.env[name];
  if (inherited !== undefined) return [inherited];
  return scope.loose ? [UNKNOWN] : undefined;
}

/** Runs a substitution in a copy of the scope and gives what it prints. */
function substitute(m: Machine, script: Script | undefined, text: string, call: Call): Text {
  if (!script) {
    m.opaque.push(text);
    return () => UNKNOWN;
  }
  return deeper(
    m,
    text,
    () => UNKNOWN,
    () => {
      const wasInText = m.inText;
      if (script.source !== undefined) m.inText = false;
      const out = masked(m, 'substitution', () => m.ast(script, { ...call, scope: copyScope(call.scope) }));
      m.inText = wasInText;
      return out;
    },
    SUBSTITUTION,
  );
}

/** Runs every substitution hidden in an arithmetic or other expression whose value nobody needs. */
export function visit(m: Machine, root: SyntaxNode | ArithmeticExpression | undefined, call: Call): void {
  if (!root) return;
  const stack: SyntaxNode[] = [root as SyntaxNode];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.type === 'CommandExpansion' || next.type === 'ProcessSubstitution') {
      substitute(m, next.script, next.text, call);
      continue;
    }
    const inner = (next as { type: string; script?: Script; text?: string }) ?? {};
    if (inner.type === 'ArithmeticCommandExpansion') {
      substitute(m, inner.script, inner.text ?? '', call);
      continue;
    }
    m.parts.grammar().forEachChild(next, child => {
      stack.push(child);
    });
  }
}

const join = (values: string[], mode: Mode, star: boolean): string => {
  if (mode.quoted && !star) return values.join(BREAK) + (values.length > 0 ? EMPTY : '');
  return values.join(mode.assign || mode.quoted ? ' ' : BREAK);
};

/** A value as it lands in the word: split and made a pattern unless quoted. */
function land(text: string, mode: Mode, scope: Scope): string {
  if (mode.quoted) return cut(text);
  if (mode.assign) return cut(text);
  const ifs = scope.vars.get('IFS')?.[0] ?? ' \t\n';
  if (ifs === '') return activate(cut(text));
  const split = ifs === ' \t\n' ? /[ \t\n]+/g : new RegExp(`[${ifs.replace(/[\\\]^-]/g, '\\$&')}]+`, 'g');
  return activate(cut(text)).replace(split, BREAK);
}

const trimmed = (text: string): string => text.replace(/\n+$/, '');

/** A word used as a pattern inside `${x#..}`: quoted parts are literal, marks stay active. */
const pattern = (m: Machine, word: Word, call: Call): string =>
  render(m, word, call, { quoted: false, assign: true }, true);

function operate(
  m: Machine,
  part: ParameterExpansionPart,
  values: string[] | undefined,
  call: Call,
  mode: Mode,
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
      const source = pattern(m, op.operand, call);
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
      const source = pattern(m, op.pattern, call);
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

function parameter(m: Machine, part: ParameterExpansionPart, call: Call, mode: Mode): string {
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
  const result = operate(m, part, values, call, mode);
  const isWord = part.operation?.type === 'Default' && result.some(value => hasGlob(value) || value.includes(BREAK));
  const landed = isWord ? result : result.map(value => land(value, mode, scope));
  return listed ? join(landed, mode, name === '*' || index === '*') : (landed[0] ?? '');
}

let parseWord: (text: string) => Word | undefined = () => undefined;
/** The parser comes in from the edge, so that words stay testable without it. */
export const setWordParser = (parse: typeof parseWord): void => {
  parseWord = parse;
};

function brace(m: Machine, text: string, call: Call): string {
  const body = text.slice(1, -1);
  const items = braceList(body);
  if (items) {
    return either(
      items.map(item => {
        const wasInText = m.inText;
        m.inText = false;
        const word = item === '' ? undefined : parseWord(item);
        const value = word ? render(m, word, call, { quoted: false }) : plain(item);
        m.inText = wasInText;
        return value;
      }),
    );
  }
  const range = braceRange(body);
  return range ? either(range) : text;
}

let pipes = 0;

function renderPart(m: Machine, part: WordPart, call: Call, mode: Mode, keep: boolean): string {
  switch (part.type) {
    case 'Literal':
      return part.value;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value + EMPTY;
    case 'DoubleQuoted':
    case 'LocaleString': {
      let out = '';
      for (const child of part.parts) out += renderPart(m, child as WordPart, call, { quoted: true }, false);
      const onlyList = part.parts.length === 1 && /^"\$(?:@|\{\w+\[@\]\}|\{@\})"$/.test(part.text);
      return out + (onlyList ? '' : EMPTY);
    }
    case 'Glob':
      if (mode.quoted || (mode.assign && !keep)) return part.text;
      return part.kind === 'star' ? STAR : part.kind === 'question' ? ANY : BRACKET + part.text.slice(1);
    case 'ExtendedGlob': {
      if (part.operator !== '@' && part.operator !== '?') return STAR;
      const options = part.pattern.split('|').map(option => activate(option));
      return OPEN + [...options, ...(part.operator === '?' ? [''] : [])].join(OR) + CLOSE;
    }
    case 'SimpleExpansion': {
      const name = part.text.slice(1);
      const values = lookup(m, call.scope, name);
      if (name === '@' || name === '*')
        return join(
          (values ?? []).map(value => land(value, mode, call.scope)),
          mode,
          name === '*',
        );
      return values === undefined || values[0] === undefined ? '' : land(values[0], mode, call.scope);
    }
    case 'ParameterExpansion':
      return deeper(m, part.text, UNKNOWN, () => parameter(m, part, call, mode), SUBSTITUTION);
    case 'CommandExpansion':
      return land(trimmed(substitute(m, part.script, part.text, call)()), mode, call.scope);
    case 'ArithmeticExpansion': {
      visit(m, part.expression, call);
      const simple = /^\$\(\(\s*(\d+)\s*(?:([+*-])\s*(\d+)\s*)?\)\)$/.exec(part.text);
      if (!simple) return UNKNOWN;
      const [a, b] = [Number(simple[1]), Number(simple[3] ?? 0)];
      return String(simple[2] === '*' ? a * b : simple[2] === '-' ? a - b : a + b);
    }
    case 'ProcessSubstitution': {
      const out = substitute(m, part.script, part.text, call);
      const name = `/dev/fd/sub${pipes++}`;
      m.files.set(name, out);
      return name;
    }
    case 'BraceExpansion':
      return mode.quoted || mode.assign ? part.text : brace(m, part.text, call);
    default:
      return UNKNOWN;
  }
}

function render(m: Machine, word: Word, call: Call, mode: Mode, keep = false): string {
  const tilde = word.text[0] === '~' ? /^~(?:\+|-)?(?=\/|$)/.exec(word.text)?.[0] : undefined;
  const home = tilde === undefined ? '' : tilde === '~+' ? call.scope.cwd[0]! : tilde === '~-' ? UNKNOWN : m.home;
  let out = '';
  const parts = word.parts;
  if (!parts || parts.length === 0) out = word.value;
  else for (const part of parts) out += renderPart(m, part, call, mode, keep);
  return tilde === undefined ? out : home + out.slice(tilde.length);
}

/** The fields a word becomes: expanded, split, matched against the tree. */
export function fields(m: Machine, word: Word, call: Call): string[] {
  if (!word.parts && word.text[0] !== '~') return [word.value];
  const text = render(m, word, call, { quoted: false });
  const out: string[] = [];
  for (const option of alternatives(text))
    for (const field of option.split(BREAK)) {
      if (field === '') continue;
      const bare = field.includes(EMPTY) ? field.replaceAll(EMPTY, '') : field;
      if (hasGlob(bare) && isKnown(bare)) out.push(...glob(m, call.scope, bare));
      else out.push(isKnown(bare) ? plain(bare) : bare);
    }
  return out;
}

/** A word as one string: redirection targets, case words, assignment values. */
export function single(m: Machine, word: Word, call: Call): string {
  if (!word.parts && word.text[0] !== '~') return word.value;
  return plain(render(m, word, call, { quoted: false, assign: true })).replaceAll(BREAK, ' ');
}

/** The target of a redirection expands like a word and must become one file. */
export function target(m: Machine, word: Word, call: Call): string {
  const list = fields(m, word, call);
  return list.length === 1 ? list[0]! : list.length === 0 ? '' : either(list);
}

export function assign(m: Machine, node: Assignment, call: Call): [string, string[]] {
  const { scope } = call;
  if (node.value.type === 'ArrayValue') {
    const items: string[] = [];
    for (const element of node.value.elements) {
      const keyed = /^\[([^\]]+)\]=/.exec(element.text);
      if (keyed)
        scope.vars.set(`${node.name}[${keyed[1]!.replace(/["']/g, '')}]`, [
          single(m, element, call).slice(single(m, element, call).indexOf('=') + 1),
        ]);
      items.push(...fields(m, element, call).map(item => (keyed ? item.slice(item.indexOf('=') + 1) : item)));
    }
    return [node.name, node.append ? [...(lookup(m, scope, node.name) ?? []), ...items] : items];
  }
  const value = single(m, node.value, call);
  if (node.index) {
    const at = single(m, node.index, call);
    const list = [...(lookup(m, scope, node.name) ?? [])];
    if (/^\d{1,4}$/.test(at)) {
      for (let i = list.length; i < Number(at); i++) list[i] = '';
      list[Number(at)] = value;
      return [node.name, list];
    }
    return [`${node.name}[${at}]`, [value]];
  }
  return [node.name, [node.append ? cut((lookup(m, scope, node.name)?.[0] ?? '') + value) : value]];
}

export function heredoc(
  m: Machine,
  body: { text: string; parts: readonly WordPart[] | undefined },
  quoted: boolean,
  dash: boolean,
  call: Call,
): string {
  let text = body.text;
  if (!quoted) {
    if (body.parts) {
      text = '';
      for (const part of body.parts) text += renderPart(m, part, call, { quoted: true }, false);
      text = text.replaceAll(EMPTY, '');
    } else text = text.replace(/\\([$`\\])/g, '$1').replace(/\\\n/g, '');
  }
  return dash ? text.replace(/^\t+/gm, '') : text;
}
