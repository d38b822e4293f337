import { PLACEHOLDER } from './forms.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** A key printed in one line, its line ends written as `\n`. */
const INLINE = /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)([^-\n\r]+)/g;

/** What a reporter puts before and after each line: indentation, a diff sign, pytest's `E`, quotes and escapes. */
const LINE = /^(\s*(?:[+\-|>#]\s*|E\s+)?["']?)([A-Za-z0-9+/=]*|[A-Za-z-]{1,40}: [^\r\n]*)((?:\\[nr])*["',;]*\s*)$/;
const LONG = 16;
/** Longer than any key in use; past it the opening line was just text. */
const MAX_LINES = 400;

/** Replaces the lines inside private key blocks, one for one. Without an end line only what looks like base64 goes. */
export function redactKeyBlocks(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  const lines = text
    .replace(INLINE, (all, head: string, body: string) => (inlineBody(body) ? head + PLACEHOLDER : all))
    .split('\n');
  for (let i = 0; i < lines.length; i++) {
    if (!BEGIN.test(lines[i]!) || END.test(lines[i]!)) continue;
    i = redactBody(lines, i + 1) - 1;
  }
  return lines.join('\n');
}

function inlineBody(body: string): boolean {
  return /[A-Za-z0-9+/=]{16}/.test(body);
}

/** Returns the index of the first line that is not part of the block. */
function redactBody(lines: string[], from: number): number {
  const parts: RegExpExecArray[] = [];
  let at = from;
  let closed = false;
  for (; at < lines.length && at - from < MAX_LINES; at++) {
    if (END.test(lines[at]!)) {
      closed = true;
      break;
    }
    const part = LINE.exec(lines[at]!);
    if (!part) break;
    parts.push(part);
  }
  for (const [i, [, prefix, body, suffix]] of parts.entries()) {
    if (!body) continue;
    if (!closed && body.length < LONG) return from + i;
    lines[from + i] = prefix + PLACEHOLDER + suffix;
  }
  return at;
}
