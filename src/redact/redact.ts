import { KEYED_FORMS, MATERIAL, PLACEHOLDER, TOKEN } from './forms.ts';
import { redactKeyBlocks } from './key-block.ts';

/**
 * Takes secrets out of an output or a command before it is saved. Idempotent; line count and order stay, so a runner's
 * summary reads as before. Cut a text after redacting, never before: half a secret matches no form.
 */
export function redact(text: string): string {
  let out = text;
  // What one form takes away may bare the beginning of another; ordinary text is done after the first or second pass.
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = out;
    out = redactKeyBlocks(out).replace(TOKEN, PLACEHOLDER);
    for (const { pattern, replace } of KEYED_FORMS) out = out.replace(pattern, replace);
    if (out === before) break;
  }
  return out;
}

const MAX_PASSES = 8;

/** Where a secret stands; never the secret. Lines and columns count from 1. */
export type Finding = { rule: 'secret-material'; form: string; line: number; column: number };

/** The forms that block a delivery, without secretlint's rules: cheap enough for a hook. */
export function secretMaterial(text: string): Finding[] {
  const found: Finding[] = [];
  for (const { form, pattern } of MATERIAL) {
    for (const match of text.matchAll(pattern))
      found.push({ rule: 'secret-material', form, ...position(text, match.index) });
  }
  return found.sort((a, b) => a.line - b.line || a.column - b.column);
}

export function position(text: string, index: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: index - start + 1 };
}
