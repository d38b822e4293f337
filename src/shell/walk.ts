import type {
  ArithmeticExpression,
  Command,
  CommandNode,
  CompoundList,
  Function as FunctionNode,
  PipelineNode,
  Script,
  Statement,
} from 'unbash';
import type { Mask } from './effect.ts';
import {
  type Call,
  copyScope,
  deeper,
  type Machine,
  masked,
  nothing,
  type Scope,
  type Text,
  unknown,
} from './machine.ts';
import { alternatives, either, isKnown, UNKNOWN } from './marks.ts';
import { concat, deliver, redirect } from './redirect.ts';
import { visit } from './substitution.ts';
import { assign, fields, single } from './words.ts';

const LOOP_LIMIT = 512;
const LONG = 2000;
/** Words beyond this are looked through for names only. */
const MANY = 4000;

/** Two ways the command may have gone, as one state; where they cannot both be kept, the first one counts. */
function merge(into: Scope, a: Scope, b: Scope): void {
  if (a.dead || b.dead) {
    const live = a.dead ? b : a;
    Object.assign(into, copyScope(live), { dead: a.dead && b.dead });
    return;
  }
  const vars = new Map(b.vars);
  for (const [name, value] of a.vars) {
    const other = b.vars.get(name);
    if (!other) vars.set(name, value);
    else if (other !== value && other.join('\0') !== value.join('\0')) {
      const options = [...new Set([...alternatives(value[0] ?? ''), ...alternatives(other[0] ?? '')])].slice(0, 8);
      vars.set(name, value.length > 1 || other.length > 1 ? [...value, ...other] : [either(options)]);
    }
  }
  const cwd = [...new Set([...a.cwd, ...b.cwd])].slice(0, 4);
  const functions = new Map([...b.functions, ...a.functions]);
  const aliases = new Map([...b.aliases, ...a.aliases]);
  Object.assign(into, copyScope(a), { vars, cwd, functions, aliases, loose: a.loose || b.loose });
}

/** A process substitution glued to an assignment is its value; the parser takes it for the command. */
function misread(node: Command): Command | undefined {
  const last = node.prefix.at(-1);
  if (
    node.name?.parts?.[0]?.type !== 'ProcessSubstitution' ||
    last?.type !== 'Assignment' ||
    last.end !== node.name.pos
  )
    return;
  const [name, ...suffix] = node.suffix;
  if (name?.type === 'Word')
    return {
      ...node,
      name,
      suffix,
      prefix: node.prefix,
      args: suffix.filter(w => w.type === 'Word') as Command['args'],
      redirects: node.redirects,
    };
  return { ...node, name: undefined, args: [], redirects: node.redirects };
}

const DECLARE = /^(?:export|declare|typeset|local|readonly)$/;

function command(m: Machine, node: Command, call: Call): Text {
  if (--m.budget < 0) {
    if (m.budget === -1) m.opaque.push(UNKNOWN);
    return unknown;
  }
  const fixed = misread(node);
  if (fixed) visit(m, node.name, call);
  const { name, args, redirects, prefix } = fixed ?? node;
  if (args.length > MANY) {
    m.opaque.push(UNKNOWN);
    return unknown;
  }
  if (m.inText) m.span = [node.pos, node.end];
  const set: [string, string[]][] = [];
  for (const item of prefix) {
    if (item.type !== 'Assignment') continue;
    if (item.index) visit(m, item.index, call);
    const pair = assign(m, item, call);
    set.push(pair);
    if (!name) call.scope.vars.set(...pair);
  }
  const span = m.span;
  const argv: string[] = name ? fields(m, name, call) : [];
  const declares = DECLARE.test(argv[0] ?? '');
  for (const arg of args) {
    if (arg.type === 'Word') argv.push(...fields(m, arg, call));
    else if (declares) {
      const [key, value] = assign(m, arg, call);
      call.scope.vars.set(key, value);
      if (argv[0] === 'export') call.scope.exported.add(key);
      argv.push(`${key}=${value[0] ?? ''}`);
    } else {
      if (arg.value.type === 'ArrayValue') visit(m, arg, call);
      const [, value] = assign(m, arg, { ...call, scope: copyScope(call.scope) });
      argv.push(arg.text.slice(0, arg.text.indexOf('=') + 1) + (value[0] ?? ''));
    }
  }
  const streams = redirect(m, redirects, call);
  m.span = span;
  if (argv.length === 0) return deliver(m, streams, nothing);
  const env =
    set.length > 0
      ? { ...call.env, ...Object.fromEntries(set.map(([key, value]) => [key, value[0] ?? ''])) }
      : call.env;
  const next: Call = { scope: call.scope, stdin: streams.stdin, ...(env ? { env } : {}) };
  const heads = alternatives(argv[0]!);
  const outs = heads.map(head => m.start([head, ...argv.slice(1)], next));
  return deliver(m, streams, concat(outs));
}

/** `|| exit 1`, `|| return 1`, `|| die ..`: the failure still shows. */
function rethrows(node: PipelineNode): boolean {
  const last = node.type === 'BraceGroup' ? node.body.commands.at(-1)?.command : node;
  return (
    last?.type === 'Command' && /^(?:exit|return|false|die)$/.test(last.name?.value ?? '') && last.args[0]?.text !== '0'
  );
}

function pipeline(m: Machine, node: PipelineNode, call: Call): Text {
  if (node.type !== 'Pipeline') return m.node(node, call);
  const negated = node.prefixes.some(prefix => prefix.type === 'Negation');
  return masked(m, negated ? 'negated' : undefined, () => {
    if (node.commands.length === 1) return m.node(node.commands[0]!, call);
    let stdin = call.stdin;
    node.commands.forEach((part, i) => {
      const last = i === node.commands.length - 1;
      const mask: Mask | undefined = last || call.scope.pipefail ? undefined : 'pipe';
      stdin = masked(m, mask, () => m.node(part, { ...call, scope: copyScope(call.scope), stdin }));
    });
    return stdin;
  });
}

function statement(m: Machine, node: Statement, call: Call): Text {
  const item = node.command;
  if (node.background) {
    const scope = copyScope(call.scope);
    return masked(m, 'background', () => statement(m, { ...node, background: false }, { ...call, scope }));
  }
  if (item.type !== 'AndOr') return pipeline(m, item, call);
  const { scope } = call;
  const outs: Text[] = [];
  let entry = copyScope(scope);
  const shortcuts: Scope[] = [];
  item.commands.forEach((part, i) => {
    const operator = item.operators[i - 1];
    if (operator === '||') {
      const start = copyScope(scope);
      merge(scope, start, entry);
      shortcuts.push(start);
    } else if (operator === '&&') shortcuts.push(copyScope(scope));
    entry = copyScope(scope);
    // `a && b || c`: c hides the status of everything before it.
    const after = item.operators.slice(i).indexOf('||');
    const hidden = after >= 0 && !rethrows(item.commands[i + after + 1]!);
    if (scope.dead) return;
    outs.push(masked(m, hidden ? 'or' : undefined, () => pipeline(m, part, call)));
  });
  for (const other of shortcuts) merge(scope, scope, other);
  return concat(outs);
}

export function list(m: Machine, statements: readonly Statement[], call: Call): Text {
  const outs: Text[] = [];
  statements.forEach((item, i) => {
    if (call.scope.dead) return;
    const last = i === statements.length - 1;
    const next = statements[i + 1]?.command;
    const kept =
      last ||
      call.scope.errexit ||
      (next?.type === 'Command' && next.name?.value === 'exit' && next.args[0]?.text === '$?');
    outs.push(masked(m, kept ? undefined : 'then', () => statement(m, item, call)));
  });
  return concat(outs);
}

/** Every way is taken from the same start; what they leave behind is merged. */
function branches(m: Machine, ways: CompoundList[], complete: boolean, call: Call): Text {
  const start = copyScope(call.scope);
  const ends: Scope[] = complete ? [] : [start];
  const outs = ways.map(way => {
    const scope = copyScope(start);
    const out = m.list(way.commands, { ...call, scope });
    ends.push(scope);
    return out;
  });
  const result = ends.reduce((a, b) => {
    const both = copyScope(a);
    merge(both, b, a);
    return both;
  });
  Object.assign(call.scope, result);
  return concat(outs);
}

function loop(m: Machine, body: CompoundList, call: Call): Text {
  const before = copyScope(call.scope);
  const out = m.list(body.commands, call);
  merge(call.scope, copyScope(call.scope), before);
  return out;
}

/** The lines a `while read` would see, or null when they are not known. */
function readLoop(m: Machine, node: Extract<CommandNode, { type: 'While' }>, call: Call): Text | null {
  const first = node.clause.commands.at(-1)?.command;
  if (first?.type !== 'Command' || first.name?.value !== 'read') return null;
  const text = call.stdin();
  if (text === UNKNOWN || text === '') return null;
  const lines = text.replace(/\n$/, '').split('\n').slice(0, LOOP_LIMIT);
  const before = copyScope(call.scope);
  const outs = lines.map(line => {
    const stdin = (): string => `${line}\n`;
    m.list(node.clause.commands, { ...call, stdin });
    return m.list(node.body.commands, { ...call, stdin: unknown });
  });
  merge(call.scope, copyScope(call.scope), before);
  return concat(outs);
}

/** Variables an arithmetic expression may set are no longer known. */
function forget(expression: ArithmeticExpression | undefined, scope: Scope): void {
  const stack: (ArithmeticExpression | undefined)[] = [expression];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.type === 'ArithmeticBinary') {
      stack.push(next.right);
      if (/^(?:[-+*/%&|^]|<<|>>)?=$/.test(next.operator) && next.left.type === 'ArithmeticWord')
        scope.vars.set(next.left.value, [UNKNOWN]);
      else stack.push(next.left);
    } else if (next.type === 'ArithmeticUnary') {
      if (next.operand.type === 'ArithmeticWord' && next.operator.length === 2)
        scope.vars.set(next.operand.value, [UNKNOWN]);
      else stack.push(next.operand);
    } else if (next.type === 'ArithmeticGroup') stack.push(next.expression);
  }
}

function compound(m: Machine, node: CommandNode, call: Call): Text {
  switch (node.type) {
    case 'Command':
      return command(m, node, call);
    case 'Redirected': {
      const streams = redirect(m, node.redirects, call);
      return deliver(m, streams, m.node(node.command, { ...call, stdin: streams.stdin }));
    }
    case 'Subshell':
      return m.list(node.body.commands, { ...call, scope: copyScope(call.scope) });
    case 'BraceGroup':
      return m.list(node.body.commands, call);
    case 'If': {
      masked(m, 'condition', () => m.list(node.clause.commands, call));
      const ways = [node.then];
      for (const elif of node.elif) {
        masked(m, 'condition', () => m.list(elif.clause.commands, call));
        ways.push(elif.then);
      }
      if (node.else) ways.push(node.else);
      return branches(m, ways, node.else !== undefined, call);
    }
    case 'While': {
      const known = readLoop(m, node, call);
      if (known) return known;
      masked(m, 'condition', () => m.list(node.clause.commands, call));
      return loop(m, node.body, call);
    }
    case 'For':
    case 'Select': {
      const name = node.name.value;
      if ((node.wordlist?.length ?? 0) > MANY) {
        m.opaque.push(UNKNOWN);
        return unknown;
      }
      const values = node.wordlist ? node.wordlist.flatMap(word => fields(m, word, call)) : call.scope.args;
      const before = copyScope(call.scope);
      const outs: Text[] = [];
      for (const value of values.slice(0, LOOP_LIMIT)) {
        if (m.budget < 0) break;
        call.scope.vars.set(name, [value]);
        outs.push(m.list(node.body.commands, call));
      }
      if (values.length > LOOP_LIMIT) {
        call.scope.vars.set(name, [UNKNOWN]);
        outs.push(m.list(node.body.commands, call));
      }
      if (values.some(value => !isKnown(value)) || values.length === 0)
        merge(call.scope, copyScope(call.scope), before);
      return concat(outs);
    }
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) visit(m, part, call);
      forget(node.initialize, call.scope);
      return loop(m, node.body, call);
    case 'Case': {
      single(m, node.word, call);
      const value = single(m, node.word, call);
      const ways = node.items.filter(item => {
        for (const pattern of item.pattern) visit(m, pattern, call);
        // A literal case that plainly is another one never runs.
        return (
          !isKnown(value) ||
          value.includes('\uFDD4') ||
          item.pattern.some(pattern => pattern.parts || pattern.value === value)
        );
      });
      return branches(
        m,
        ways.length > 0 ? ways.map(item => item.body) : [{ type: 'CompoundList', pos: 0, end: 0, commands: [] }],
        false,
        call,
      );
    }
    case 'TestCommand':
    case 'ArithmeticCommand':
      visit(m, node.type === 'TestCommand' ? node : node.expression, call);
      if (node.type === 'ArithmeticCommand') forget(node.expression, call.scope);
      return nothing;
    case 'Function':
      call.scope.functions.set(node.name.value, node.body);
      return nothing;
    case 'Coproc':
      return m.list(
        [{ type: 'Statement', pos: node.pos, end: node.end, background: true, command: node.body as PipelineNode }],
        { ...call, stdin: unknown },
      );
    default:
      return unknown;
  }
}

/** One command of a pipeline, one level down. */
export function node(m: Machine, item: CommandNode, call: Call): Text {
  if (item.type === 'Command') return command(m, item, call);
  if ((item as { type: string }).type === 'CompoundList')
    return m.list((item as unknown as CompoundList).commands, call);
  return deeper(m, '', unknown, () => compound(m, item, call));
}

export function script(
  m: Machine,
  tree: Script & { errors?: readonly { message: string }[] },
  text: string,
  call: Call,
): Text {
  if (tree.errors && tree.errors.length > 0) {
    m.opaque.push(text);
    // A long text that does not parse is read again at every level of its nesting: its names must do.
    if (text.length > LONG) return unknown;
  }
  return m.list(tree.commands, call);
}

/** Calls a function defined in the same command. */
export function callFunction(m: Machine, body: FunctionNode['body'], args: string[], call: Call): Text {
  return deeper(m, '', unknown, () => {
    const { scope } = call;
    const before = scope.args;
    scope.args = args;
    const out = m.node(body as CommandNode, call);
    scope.args = before;
    scope.dead = false;
    return out;
  });
}
