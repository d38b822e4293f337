/** Lines of output that are kept with a verdict. */
export const TAIL_LINES = 80;

/** The last `lines` lines; a closing line end does not count as a line. */
export function tail(text: string, lines: number): string {
  if (lines <= 0) return '';
  let at = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let i = 0; i < lines; i++) {
    if (at <= 0) return text;
    const next = text.lastIndexOf('\n', at - 1);
    if (next === -1) return text;
    at = next;
  }
  return text.slice(at + 1);
}

/**
 * Beginning and end of a text in at most `maxBytes` bytes of UTF-8, with a line between that says how much is missing.
 * Whole characters always; whole lines where that costs less than a quarter of a half.
 */
export function headTail(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  const marker = (missing: number) => `\n[... ${missing} bytes left out ...]\n`;
  const room = maxBytes - Buffer.byteLength(marker(bytes.length));
  if (room <= 0) return bytes.toString('utf8', 0, boundaryBefore(bytes, Math.max(0, maxBytes)));

  const half = Math.floor(room / 2);
  let head = boundaryBefore(bytes, half);
  const headLine = bytes.lastIndexOf(0x0a, head - 1);
  if (head > 0 && headLine > half * 0.75) head = headLine;

  let end = boundaryAfter(bytes, bytes.length - (room - half));
  const endLine = bytes.indexOf(0x0a, end);
  if (endLine !== -1 && endLine - end < half * 0.25 && endLine + 1 < bytes.length) end = endLine + 1;
  return bytes.toString('utf8', 0, head) + marker(end - head) + bytes.toString('utf8', end);
}

const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function boundaryBefore(bytes: Buffer, at: number): number {
  while (at > 0 && continues(bytes[at])) at--;
  return at;
}

function boundaryAfter(bytes: Buffer, at: number): number {
  while (at < bytes.length && continues(bytes[at])) at++;
  return at;
}
