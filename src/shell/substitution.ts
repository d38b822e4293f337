import type { ArithmeticExpression, Script, SyntaxNode } from 'unbash';
import { type Call, copyScope, deeper, type Machine, masked, type Text } from './machine.ts';
import { UNKNOWN } from './marks.ts';

/** The parser reads the rest of the text again at every level of these, so few levels must do. */
export const SUBSTITUTION = 3;

/** Runs a substitution in a copy of the scope and gives what it prints. */
export function substitute(m: Machine, script: Script | undefined, text: string, call: Call): Text {
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
