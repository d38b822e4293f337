import type { ArithmeticExpression, CommandNode, CompoundList, PipelineNode } from 'unbash';
import { command } from './command.ts';
import { type Call, copyScope, type Machine, masked, nothing, type Scope, type Text, unknown } from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { merge } from './merge.ts';
import { concat, deliver, redirect } from './redirect.ts';
import { MANY } from './simple-words.ts';
import { visit } from './substitution.ts';
import { fields, single } from './words.ts';

const LOOP_LIMIT = 512;

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

export function compound(m: Machine, node: CommandNode, call: Call): Text {
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
