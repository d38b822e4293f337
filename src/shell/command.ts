import type { Command } from 'unbash';
import { type Call, copyScope, type Machine, nothing, type Text, unknown } from './machine.ts';
import { alternatives, UNKNOWN } from './marks.ts';
import { concat, deliver, redirect } from './redirect.ts';
import { MANY } from './simple-words.ts';
import { visit } from './substitution.ts';
import { assign, fields } from './words.ts';

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

function setVar({ scope: { vars } }: Call, name: string, value: string[]): void {
  vars.set(name, value);
  const other = vars.get(`&${name}`);
  if (other) vars.set(other[0]!, value);
}

const DECLARE = /^(?:export|declare|typeset|local|readonly)$/;

export function command(m: Machine, node: Command, call: Call): Text {
  if (--m.budget < 0) {
    if (m.budget === -1) m.opaque.push(UNKNOWN);
    return unknown;
  }
  const fixed = misread(node);
  const glued = fixed && fields(m, node.name!, call);
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
    if (glued && item === prefix.at(-1)) pair[1] = glued;
    set.push(pair);
    if (!name) setVar(call, ...pair);
  }
  const span = m.span;
  const argv: string[] = name ? fields(m, name, call) : [];
  const declares = DECLARE.test(argv[0] ?? '');
  for (const arg of args) {
    if (arg.type === 'Word') argv.push(...fields(m, arg, call));
    else if (declares) {
      const [key, given] = assign(m, arg, call);
      // Another name for a variable: each holds what the other is given.
      const other = argv.includes('-n') ? (given[0] ?? '') : '';
      const value = call.scope.vars.get(other) ?? given;
      if (other) {
        call.scope.vars.set(`&${other}`, [key]);
        call.scope.vars.set(`&${key}`, [other]);
      }
      setVar(call, key, value);
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
