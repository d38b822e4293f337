/**
 * The tree of an everyday command, as the grammar would give it: words and quotes, `$x` and `$(..)`, patterns, redirections
 * and plain here-documents, pipes, lists, groups, loops and conditions. Loading the grammar costs more than all that is asked
 * of it; what is not read here (null) goes there.
 */
import type {
  AndOr,
  CommandNode,
  CompoundCommand,
  CompoundList,
  Elif,
  For,
  If,
  Pipeline,
  PipelineNode,
  Redirection,
  Script,
  Statement,
  Subshell,
  While,
  Word,
} from 'unbash';
import { names } from './names.ts';
import { BEYOND, blanks, type Cursor, lines, nested, onward, redirection, word } from './simple-words.ts';

const KEYWORD =
  /(?:if|then|elif|else|fi|for|while|until|do|done|[{}!]|case|esac|in|select|function|time|coproc|\[\[|\]\])(?=[\s;&|()<>]|$)/y;
/** Their operands are read in another way. */
const SPECIAL = names('export declare typeset local readonly alias');
const ASSIGNMENT = /[A-Za-z_]\w*(\+?)=(?=[^\s;&|()<>])/y;

function keyword(c: Cursor): string {
  KEYWORD.lastIndex = c.at;
  return KEYWORD.exec(c.text)?.[0] ?? '';
}

function expect(c: Cursor, wanted: string): void {
  if (!c.text.startsWith(wanted, c.at) || (wanted !== ')' && keyword(c) !== wanted)) throw BEYOND;
  c.at += wanted.length;
}

const span = (first: { pos: number }, last: { end: number }) => ({ pos: first.pos, end: last.end });

/** The grammar's name for it, which is no promise. */
const THEN = 'then';
/** Up to whatever closes it: the caller knows what that has to be. */
export function list(c: Cursor): Statement[] {
  const out: Statement[] = [];
  lines(c);
  for (;;) {
    if (c.at >= c.text.length || c.text[c.at] === ')' || /^(?:then|elif|else|fi|do|done|\})$/.test(keyword(c))) break;
    const one = statement(c);
    out.push(one);
    if (c.text[c.at] === ';' && !one.background) {
      if (c.text[++c.at] === '&') throw BEYOND;
    } else if (!one.background && c.text[c.at] !== '\n') {
      blanks(c);
      break;
    }
    lines(c);
  }
  if (out.length === 0) throw BEYOND;
  return out;
}

function body(c: Cursor, closer: string): CompoundList {
  const commands = list(c);
  expect(c, closer);
  return { type: 'CompoundList', ...span(commands[0]!, commands.at(-1)!), commands };
}

function statement(c: Cursor): Statement {
  const parts: PipelineNode[] = [pipeline(c)];
  const operators: ('&&' | '||')[] = [];
  for (blanks(c); c.text.startsWith('&&', c.at) || c.text.startsWith('||', c.at); blanks(c)) {
    operators.push(c.text.slice(c.at, c.at + 2) as '&&');
    c.at += 2;
    lines(c);
    parts.push(pipeline(c));
  }
  const whole = span(parts[0]!, parts.at(-1)!);
  const command = parts.length === 1 ? parts[0]! : ({ type: 'AndOr', ...whole, commands: parts, operators } as AndOr);
  if (c.text[c.at] !== '&') return { type: 'Statement', ...whole, command, background: undefined };
  return { type: 'Statement', pos: whole.pos, end: ++c.at, command, background: true };
}

function pipeline(c: Cursor): PipelineNode {
  const start = c.at;
  const negated = keyword(c) === '!';
  if (negated) {
    c.at++;
    blanks(c);
  }
  const commands: CommandNode[] = [command(c)];
  for (blanks(c); c.text[c.at] === '|' && c.text[c.at + 1] !== '|'; blanks(c)) {
    if (c.text[c.at + 1] === '&') throw BEYOND;
    c.at++;
    lines(c);
    commands.push(command(c));
  }
  if (commands.length === 1 && !negated) return commands[0]!;
  const prefixes = negated ? [{ type: 'Negation', pos: start, end: start + 1 }] : [];
  const operators = commands.slice(1).map(() => '|');
  return { type: 'Pipeline', pos: start, end: commands.at(-1)!.end, prefixes, commands, operators } as Pipeline;
}

function command(c: Cursor): CommandNode {
  const key = keyword(c);
  const compound = key === '' && c.text[c.at] !== '(' ? null : nested(c, () => group(c, key));
  if (!compound) return simple(c);
  const redirects: Redirection[] = [];
  for (;;) {
    const end = c.at;
    blanks(c);
    const one = redirection(c);
    if (one) {
      redirects.push(one);
      continue;
    }
    c.at = end;
    if (redirects.length === 0) return compound;
    return { type: 'Redirected', ...span(compound, redirects.at(-1)!), command: compound, redirects };
  }
}

function group(c: Cursor, key: string): CompoundCommand {
  const pos = c.at;
  c.at += key.length || 1;
  switch (key) {
    case '':
      // `((` is arithmetic.
      if (c.text[c.at] === '(') throw BEYOND;
      return { type: 'Subshell', body: body(c, ')'), pos, end: c.at } as Subshell;
    case '{':
      return { type: 'BraceGroup', body: body(c, '}'), pos, end: c.at };
    case 'if': {
      const clause = body(c, 'then');
      const then = list(c);
      const elif: Elif[] = [];
      const block = (commands: Statement[]): CompoundList => ({
        type: 'CompoundList',
        ...span(commands[0]!, commands.at(-1)!),
        commands,
      });
      while (keyword(c) === 'elif') {
        const from = c.at;
        c.at += 4;
        const condition = body(c, 'then');
        const way = block(list(c));
        elif.push({ type: 'Elif', pos: from, end: way.end, clause: condition, [THEN]: way });
      }
      const last = keyword(c) === 'else';
      if (last) c.at += 4;
      const otherwise = last ? block(list(c)) : undefined;
      expect(c, 'fi');
      return { type: 'If', pos, end: c.at, clause, [THEN]: block(then), elif, else: otherwise } as If;
    }
    case 'while':
    case 'until': {
      const clause = body(c, 'do');
      return { type: 'While', kind: key, clause, body: body(c, 'done'), pos, end: c.at } as While;
    }
    case 'for': {
      blanks(c);
      const name = word(c);
      blanks(c);
      expect(c, 'in');
      const wordlist: Word[] = [];
      for (blanks(c); !/[;\n]/.test(c.text[c.at] ?? ';'); onward(c, wordlist)) wordlist.push(word(c));
      if (c.text[c.at] === ';') c.at++;
      lines(c);
      expect(c, 'do');
      if (!/^[A-Za-z_]\w*$/.test(name.text)) throw BEYOND;
      return { type: 'For', name, wordlist, body: body(c, 'done'), pos, end: c.at } as For;
    }
    default:
      throw BEYOND;
  }
}

function simple(c: Cursor): CommandNode {
  const pos = c.at;
  const prefix: object[] = [];
  const args: Word[] = [];
  const redirects: Redirection[] = [];
  let name: Word | undefined;
  let end = pos;
  for (blanks(c); !/[\n;|)]/.test(c.text[c.at] ?? ';'); onward(c, args)) {
    const before = c.at;
    ASSIGNMENT.lastIndex = before;
    const assignment = name ? null : ASSIGNMENT.exec(c.text);
    const to = assignment ? null : redirection(c);
    if (to) {
      redirects.push(to);
      if (!name) prefix.push(to);
    } else if (assignment) {
      c.at = ASSIGNMENT.lastIndex;
      const value = word(c);
      const append = assignment[1] === '+' ? { append: true } : {};
      const key = assignment[0].replace(/\+?=$/, '');
      const text = c.text.slice(before, c.at);
      prefix.push({ type: 'Assignment', pos: before, end: c.at, text, name: key, value, ...append });
    } else if (c.text[c.at] === '&') break;
    else if (name) args.push(word(c));
    else {
      name = word(c);
      if (SPECIAL.has(name.text) || name.text.includes('=')) throw BEYOND;
    }
    end = c.at;
  }
  if (end === pos || (!name && prefix.length === 0)) throw BEYOND;
  return { type: 'Command', pos, end, name, prefix, args, redirects } as unknown as CommandNode;
}

/** Null where the grammar has to look. */
export function simpleScript(text: string): Script | null {
  const c: Cursor = { text, at: 0, depth: 0, bodies: [], list };
  try {
    const commands = list(c);
    if (c.at < text.length || c.bodies.length > 0) return null;
    return { type: 'Script', pos: 0, end: text.length, shebang: undefined, commands };
  } catch (error) {
    if (error === BEYOND) return null;
    throw error;
  }
}
