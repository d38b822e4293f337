/** Variables of the environment that a program asks for by name, where the command itself has set them. */
import type { Call } from './machine.ts';
import { isKnown } from './marks.ts';

const KEY = String.raw`\s*['"](\w+)['"]\s*`;
const ASKED = new RegExp(
  [
    String.raw`\bos\.environ(?:b?\[${KEY}\]|\.get\(${KEY}(?:,[^()]*)?\))`,
    String.raw`\b(?:os\.)?getenv\(${KEY}(?:,[^()]*)?\)`,
    String.raw`\bprocess\.env(?:\.(\w+)|\[${KEY}\])`,
    String.raw`\b(?:Deno\.env\.get\(${KEY}\)|Bun\.env\.(\w+))`,
    String.raw`\$ENV\{\s*['"]?(\w+)['"]?\s*\}`,
    String.raw`\bENV(?:\[${KEY}\]|\.fetch\(${KEY}(?:,[^()]*)?\))`,
  ].join('|'),
  'g',
);

export function withEnvironment(source: string, call: Call): string {
  const { vars, exported } = call.scope;
  if ((call.env === undefined && exported.size === 0) || !/env/i.test(source)) return source;
  return source.replace(ASKED, (all, ...found: (string | undefined)[]) => {
    const name = found.slice(0, -2).find(one => one !== undefined) ?? '';
    const value = call.env?.[name] ?? (exported.has(name) ? vars.get(name)?.[0] : undefined);
    return value !== undefined && isKnown(value) && /^[^'\\\n]{1,500}$/.test(value) ? `'${value}'` : all;
  });
}
