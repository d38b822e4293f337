import type { CommandNode, CompoundList, Function as FunctionNode, PipelineNode, Script, Statement } from 'unbash';
import { command } from './command.ts';
import { compound } from './compound.ts';
import type { Mask } from './effect.ts';
import { type Call, copyScope, deeper, type Machine, masked, type Scope, type Text, unknown } from './machine.ts';
import { merge } from './merge.ts';
import { concat } from './redirect.ts';

const LONG = 2000;

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
