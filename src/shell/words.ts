import type { Assignment, Word, WordPart } from 'unbash';
import { braceList, braceRange } from './braces.ts';
import { type Call, deeper, glob, type Machine } from './machine.ts';
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
import { cut, join, land, type Mode, parameter } from './parameter-expansion.ts';
import { SUBSTITUTION, substitute, visit } from './substitution.ts';
import { lookup } from './variables.ts';

const trimmed = (text: string): string => text.replace(/\n+$/, '');

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
      return part.kind === 'star'
        ? STAR.repeat(part.text.length)
        : part.kind === 'question'
          ? ANY
          : BRACKET + part.text.slice(1);
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
      return deeper(m, part.text, UNKNOWN, () => parameter(m, part, call, mode, render), SUBSTITUTION);
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
