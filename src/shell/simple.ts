/**
 * The tree of a simple line, as the grammar would give it: most commands of a day, and most scripts of a manifest, are words
 * joined by `&&`, `|` and the like, and loading the grammar costs more than all that is asked of it.
 */
import type { AndOr, Command, Pipeline, PipelineNode, Redirect, Script, Statement, Word } from 'unbash';
import { cutLine, type LineToken } from './line.ts';
import { names } from './names.ts';

/** Words that open or close something, or whose operands are read in another way. */
const SPECIAL = names(
  'if then else elif fi for while until do done case esac in select function time coproc export declare typeset local readonly alias',
);

type Span = { pos: number; end: number };
const over = (first: Span, last: Span): Span => ({ pos: first.pos, end: last.end });

function word(token: Span & { text: string }, value: string): Word {
  return { type: 'Word', text: token.text, pos: token.pos, end: token.end, value } as Word;
}

function redirect(token: LineToken): Redirect {
  const [, fd, operator, target] = /^([12])?(>&|&>|>) ?(.+)$/.exec(token.text)!;
  const to = { pos: token.end - target!.length, end: token.end, text: target! };
  const descriptor = { type: 'FileDescriptor', pos: token.pos, end: token.pos + 1, value: Number(fd) };
  return {
    type: 'Redirect',
    ...over(token, token),
    operator,
    ...(fd === undefined ? {} : { descriptor }),
    target: word(to, target!),
  } as Redirect;
}

function command(tokens: LineToken[]): Command | null {
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  for (const token of tokens) {
    if (token.kind === 'silence') redirects.push(redirect(token));
    else if (token.kind === 'word') {
      if (token.loose) return null;
      words.push(word(token, token.value));
    }
  }
  const [name, ...args] = words;
  if (name === undefined || SPECIAL.has(name.text) || name.text.includes('=')) return null;
  return {
    type: 'Command',
    ...over(tokens[0]!, tokens.at(-1)!),
    name,
    prefix: [],
    args,
    redirects,
  } as unknown as Command;
}

/** Null where the grammar has to look. */
export function simpleScript(text: string): Script | null {
  const line = cutLine(text);
  if (!line) return null;
  const statements: Statement[] = [];
  let parts: PipelineNode[] = [];
  let operators: string[] = [];
  let pipe: Command[] = [];
  for (const [i, tokens] of line.commands.entries()) {
    const one = command(tokens);
    if (!one) return null;
    pipe.push(one);
    const joint = line.joints[i];
    if (joint === '|') continue;
    parts.push(pipeline(pipe));
    pipe = [];
    if (joint === '&&' || joint === '||') {
      operators.push(joint);
      continue;
    }
    statements.push(statement(parts, operators));
    parts = [];
    operators = [];
  }
  return { type: 'Script', pos: 0, end: text.length, commands: statements } as unknown as Script;
}

function pipeline(commands: Command[]): PipelineNode {
  if (commands.length === 1) return commands[0]!;
  const operators = commands.slice(1).map(() => '|');
  return { type: 'Pipeline', ...over(commands[0]!, commands.at(-1)!), prefixes: [], commands, operators } as Pipeline;
}

function statement(parts: PipelineNode[], operators: string[]): Statement {
  const span = over(parts[0]!, parts.at(-1)!);
  const node = parts.length === 1 ? parts[0]! : ({ type: 'AndOr', ...span, commands: parts, operators } as AndOr);
  return { type: 'Statement', ...span, command: node } as Statement;
}
