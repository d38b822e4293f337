/** secretlint's own rules, for the command line only: loading them costs more than a whole hook may. */
import type { SecretLintCoreResult } from '@secretlint/types';
import { PLACEHOLDER } from './forms.ts';
import { type Finding, position, redact, secretMaterial } from './redact.ts';

async function lint(content: string, path: string): Promise<SecretLintCoreResult['messages']> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const dot = path.lastIndexOf('.');
  const result = await lintSource({
    source: { filePath: path, content, contentType: 'text', ext: dot > path.lastIndexOf('/') ? path.slice(dot) : '' },
    options: { maskSecrets: true, config: { rules: [{ id: creator.meta.id, rule: creator, options: {} }] } },
  });
  return result.messages.filter(m => m.type === 'message');
}

/** `redact` and every range that secretlint's recommended rules name. */
export async function redactDeep(text: string): Promise<string> {
  const ranges = (await lint(text, 'output.txt')).map(m => m.range).sort((a, b) => b[0] - a[0]);
  let out = text;
  let limit = Number.POSITIVE_INFINITY;
  for (const [start, end] of ranges) {
    if (end > limit) continue;
    const secret = out.slice(start, end);
    if (secret.includes(PLACEHOLDER)) continue;
    out = out.slice(0, start) + secret.replace(/[^\r\n]+/g, PLACEHOLDER) + out.slice(end);
    limit = start;
  }
  return redact(out);
}

/** Secrets in the text of a changed file. */
export async function findSecrets(text: string, path: string): Promise<Finding[]> {
  const found = secretMaterial(text);
  const seen = new Set(found.map(f => f.line));
  for (const message of await lint(text, path)) {
    const at = position(text, message.range[0]);
    // One secret, one finding: both lists know the common forms.
    if (seen.has(at.line)) continue;
    seen.add(at.line);
    found.push({ rule: 'secret-material', form: message.ruleId.replace(/^.*secretlint-rule-/, ''), ...at });
  }
  return found.sort((a, b) => a.line - b.line || a.column - b.column);
}
