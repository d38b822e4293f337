/** Terminal bytes to plain lines. Line numbers survive: no step here adds or drops a `\n`. */

const ESC = '\u001b';
// One alternative per ECMA-48 family: CSI, OSC/DCS/APC/PM/SOS strings, two-byte escapes, 8-bit CSI.
const ESCAPES = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]',
    '\\u001b[\\]PX^_][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?',
    '\\u001b[ -/]*[0-~]',
    '\\u009b[0-?]*[ -/]*[@-~]',
  ].join('|'),
  'g',
);
// Erasing the line or going to its first column is what a redrawn progress line does.
const REDRAW = /\u001b\[(?:2K|1?G)/g;
const CONTROL = /[\u0000-\u0007\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f\ufeff]/g;

/** Bytes of an output; invalid UTF-8 becomes U+FFFD, a byte order mark goes. UTF-16 (PowerShell) is recognised. */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

function lastDrawn(line: string): string {
  const parts = line.split('\r');
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i];
    if (part !== undefined && part.trim() !== '') return part;
  }
  return '';
}

function eraseBackspaces(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

/** Text without escapes, NULs and redrawn states of a line, split at `\n`. */
export function plainLines(output: string): string[] {
  let text = output;
  if (text.includes(ESC) || text.includes('\u009b')) text = text.replace(REDRAW, '\r').replace(ESCAPES, '');
  text = text.replace(CONTROL, '');
  if (text.includes('\r')) text = text.replace(/\r+\n/g, '\n');
  const lines = text.split('\n');
  if (!text.includes('\r') && !text.includes('\b')) return lines;
  return lines.map(line => {
    const drawn = line.includes('\r') ? lastDrawn(line) : line;
    return drawn.includes('\b') ? eraseBackspaces(drawn) : drawn;
  });
}

export function plain(output: string): string {
  return plainLines(output).join('\n');
}
