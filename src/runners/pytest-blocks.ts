import { exceptionName } from './python.ts';

/** One failure as the ERRORS or FAILURES section shows it. */
export type Block = {
  title: string;
  /** 0-based line of the title. */
  index: number;
  section: 'ERRORS' | 'FAILURES';
  /** Class of the exception that ended the test, or null where the traceback style hides it. */
  exception: string | null;
  message: string;
  /** File of the test as far as the block shows it. */
  file: string | null;
  /** Functions that the traceback passes through. */
  functions: string[];
};

const LOCATION = /^(\S[^:]*\.\w+):(\d+): (.*)$/;

/** Reads the lines of one block, `from` inclusive to `to` exclusive, without its captured output. */
export function readBlock(lines: string[], from: number, to: number, section: Block['section']): Block {
  const title = (/^_+ (.*) _+$/.exec(lines[from] ?? '')?.[1] ?? '').trim();
  const block: Block = { title, index: from, section, exception: null, message: '', file: null, functions: [] };
  let inE = false;
  let native = false;
  for (let i = from + 1; i < to; i++) {
    const line = lines[i] ?? '';
    if (/^-+ Captured .* -+$/.test(line)) break;
    if (line.startsWith('E  ')) {
      const text = line.slice(1).trim();
      if (!inE && text !== '') {
        block.message = text;
        const name = exceptionName(text);
        if (/^assert\b/.test(text)) block.exception = 'AssertionError';
        else if (name) block.exception = name;
      }
      inE = true;
      continue;
    }
    inE = false;
    const place = LOCATION.exec(line);
    if (place) {
      block.file ??= place[1] ?? null;
      const rest = place[3] ?? '';
      const inside = /^in (\S+)$/.exec(rest)?.[1];
      if (inside) block.functions.push(inside);
      else if (/^[A-Za-z_][\w.]*$/.test(rest)) block.exception = rest;
      continue;
    }
    const definition = /^[> ] {3,}(?:async )?def (\w+)\(/.exec(line)?.[1];
    if (definition) block.functions.push(definition);
    if (line.startsWith('Traceback (most recent call last):')) native = true;
    const frame = /^\s*File "([^"]+)", line \d+, in (\S+)/.exec(line);
    if (frame) {
      block.functions.push(frame[2] ?? '');
      block.file ??= frame[1] ?? null;
    } else if (native && /^[A-Za-z_]/.test(line)) {
      const name = exceptionName(line);
      if (name) {
        block.exception = name;
        block.message = line;
      }
    }
    if (/^UNEXPECTED EXCEPTION: /.test(line)) block.exception = 'UnexpectedException';
  }
  return block;
}

/** What `FAILED path::Class::test[x]` is called in the title of its block. */
export function titleOf(nodeId: string): string {
  const at = nodeId.indexOf('::');
  if (at < 0) return nodeId;
  const rest = nodeId.slice(at + 2);
  const bracket = rest.indexOf('[');
  return bracket < 0 ? rest.replaceAll('::', '.') : rest.slice(0, bracket).replaceAll('::', '.') + rest.slice(bracket);
}
